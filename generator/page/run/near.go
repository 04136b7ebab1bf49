package run

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// Maximum numbers of listed runs that differ in one setting.
const (
	mostValues = 3 // for each setting
	mostNear   = 9 // in total
)

// Near returns the runs that differ from the one at a place in exactly one setting, at most as many as its page lists.
func Near(n *dataset.Neighbours, place int) []dataset.Variation {
	for most := mostValues; ; most-- {
		near, listed := n.Of(place, most), 0
		for i := range near {
			listed += len(near[i].Runs)
		}
		if listed <= mostNear || most == 1 {
			return near[:min(len(near), mostNear)]
		}
	}
}

// Variations writes the table of the runs that differ in one setting: the other value, the leading figure of the run's
// page, and its ratio to that of the run.
func (v *View) Variations(w *parts.Writer) {
	if len(v.Near) == 0 || len(v.leading) == 0 {
		return
	}
	p, metric := v.Printer, v.leading[0]
	w.Tag(`<p class="hint">`, p.Words("page.near.hint"), "</p>\n")
	w.OpenScroll(p.Words("page.near"), p)
	w.Tag(`<table class="facts"><thead><tr><th scope="col">`, p.Words("page.near.instead"), `</th><th scope="col" class="num">`)
	w.Text(p.Metric(metric.Name))
	if unit := parts.UnitOf(metric); unit != "" {
		w.Tag(` <small class="unit">`)
		w.Text(unit)
		w.Tag("</small>")
	}
	w.Tag(`</th><th scope="col" class="num">`, p.Words("page.near.ratio"), `</th><th scope="col">`, p.Words("page.run.compare"), "</th></tr></thead>\n")
	for _, one := range v.Near {
		w.Tag(`<tbody><tr class="group"><th scope="rowgroup" colspan="4">`)
		w.Text(p.Label(one.Label))
		w.Tag(" <small>")
		w.Text(p.Words("page.near.here", v.value(v.Result, one.Label)))
		if one.More {
			w.Text(" · " + p.Words("page.near.more"))
		}
		w.Tag("</small></th></tr>\n")
		for _, other := range one.Runs {
			v.variation(w, other, one.Label, metric)
		}
		w.Tag("</tbody>")
	}
	w.Tag("</table></div>\n")
}

// variation writes the row of a run.
func (v *View) variation(w *parts.Writer, other *result.Result, label string, metric result.Metric) {
	w.Tag(`<tr><th scope="row"><a href="`)
	w.Text(v.Home + address.Escape(v.Names.Run(other.ID)))
	w.Tag(`">`)
	w.Text(v.value(other, label))
	w.Tag(`</a></th><td class="num">`)
	m, ok := other.Metric(metric.Name)
	if ok = ok && m.Unit == metric.Unit; ok {
		w.Tag(parts.Digits(m))
	} else {
		w.Missing(v.Printer)
	}
	w.Tag(`</td><td class="num">`)
	if ok && metric.Value > 0 && !v.Result.Excluded() {
		w.Tag("×", ratio(m.Value/metric.Value))
	} else {
		w.Missing(v.Printer)
	}
	w.Tag(`</td><td><a href="`)
	w.Text(v.Home + "compare/index.html#run=" + hashed(v.Result.ID) + "&run=" + hashed(other.ID))
	w.Tag(`">`, v.Printer.Words("page.run.compare"), "</a></td></tr>\n")
}

var afterHash = strings.NewReplacer("%2F", "/", "%3D", "=")

// hashed escapes an id for the part of an address after #. Slashes are not escaped.
func hashed(id string) string { return afterHash.Replace(url.QueryEscape(id)) }

// value returns the title of a run's value of a label, which may be its tool, or a dash.
func (v *View) value(r *result.Result, label string) string {
	value := r.Label(label)
	if value == "" {
		return "—"
	}
	return v.Value(label, value)
}

// ratio writes a ratio with about three digits, with at most two decimals.
func ratio(of float64) string {
	switch {
	case of >= 100:
		return strconv.FormatFloat(of, 'f', 0, 64)
	case of >= 10:
		return strconv.FormatFloat(of, 'f', 1, 64)
	}
	return strconv.FormatFloat(of, 'f', 2, 64)
}

// StampNear adds what a page shows of the neighbouring runs.
func StampNear(s *result.Stamper, near []dataset.Variation) {
	s.Int(len(near))
	for _, one := range near {
		s.Text(one.Label)
		s.Bool(one.More)
		s.Results(one.Runs)
	}
}
