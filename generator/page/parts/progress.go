package parts

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// ofRunning lists the labels that identify a run in progress.
var ofRunning = []string{"load", "scenario", "hardware", "engine", "power_mode", "max_concurrency", "request_rate", "batch_size",
	"input_len", "output_len", "task", "repeat"}

// Progress writes a run in progress as an item of a list.
func Progress(w *Writer, u *result.Unfinished, l *Reader) {
	p := l.Printer
	run := u.Run()
	name := RunName(&run)
	if model := u.Labels.Get("model"); model != "" {
		name = l.Value("model", model)
	}
	w.Tag("<li><p><b>")
	w.Text(name)
	w.Tag("</b>")
	var facts []result.Label
	for _, label := range ofRunning {
		if lb, ok := u.Labels.Lookup(label); ok && lb.Value != "inf" {
			facts = append(facts, lb)
		}
	}
	if len(facts) > 0 {
		w.Tag(" <small>")
		w.Facts(facts, l)
		w.Tag("</small>")
	}
	w.Tag("</p>\n")
	if u.Total > 0 {
		w.Tag(`<progress max="`, strconv.Itoa(u.Total), `" value="`, strconv.Itoa(u.Done), `" aria-label="`)
		w.Text(name)
		w.Tag(`">`, strconv.Itoa(100*u.Done/u.Total), "%</progress>\n")
	}
	w.Tag("<p class=\"figures\"><span>")
	w.Text(p.Say(u.Progress()))
	w.Tag("</span>")
	add := func(words string) {
		w.Tag(" <span>")
		w.Text(words)
		w.Tag("</span>")
	}
	if u.Rate > 0 {
		add(p.Words("running.rate."+u.Unit, rate(p, u.Rate)))
	}
	if u.Elapsed > 0 {
		add(p.Words("running.elapsed", locale.Clock(u.Elapsed)))
	}
	if left, ok := u.Remaining(); ok && u.Done < u.Total {
		add(p.Words("running.left", locale.About(left)))
	}
	w.Tag(` <small class="code">`)
	w.Text(u.Source.String())
	w.Tag("</small></p></li>\n")
}

// rate writes a rate with about three significant digits.
func rate(p locale.Printer, v float64) string {
	switch {
	case v >= 100:
		return p.Number(v, 0)
	case v >= 10:
		return p.Number(v, 1)
	case v >= 0.1:
		return p.Number(v, 2)
	}
	return p.Number(v, 4)
}
