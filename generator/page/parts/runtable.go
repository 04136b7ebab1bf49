package parts

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Distinguishing lists the labels that get a column if runs differ in them. Otherwise they are shown once above the
// table.
var Distinguishing = []string{
	"quantization", "hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine",
	"engine_version", "tool", "scenario", "max_concurrency", "request_rate", "num_prompts", "dataset",
	"input_len", "output_len", "batch_size", "context_depth", "prefix_caching", "repeat", "phase", "date",
}

// ofLoad lists the distinguishing labels that a load may determine. Then they are shown above the table with the load's
// name.
var ofLoad = []string{"scenario", "max_concurrency", "request_rate", "num_prompts", "dataset", "input_len", "output_len"}

// RunTable is a table of runs, one to a row.
type RunTable struct {
	Runs []*result.Result
	Home string // prefix of links to the language's folder
	L    *Reader

	Anchor       string // id of the table, may be ""
	ShowCampaign bool
	HideModel    bool
	HideLoad     bool // the caption or the page names the load
	Figures      int  // maximum number of columns of figures
	Labels       int  // maximum number of columns of labels; 0 for all
}

// Write appends the table; caption may be "".
func (t *RunTable) Write(w *Writer, caption string) {
	c := t.Conditions()
	figures := t.Columns()
	w.OpenScroll(caption, t.L.Printer)
	w.Tag(`<table class="runs"`)
	if t.Anchor != "" {
		w.Tag(` id="`, t.Anchor, `"`)
	}
	w.Tag(">")
	t.Caption(w, caption, &c)
	w.Tag(`<thead><tr><th scope="col">`, t.L.Printer.Words("page.run"), "</th>")
	if t.ShowCampaign {
		w.Tag(`<th scope="col">`, t.L.Printer.Label("campaign"), "</th>")
	}
	if c.Load != "" && !t.HideLoad {
		w.Tag(`<th scope="col">`, t.L.Printer.Label(c.Load), "</th>")
	}
	for _, name := range c.Vary {
		w.Tag(`<th scope="col">`, t.L.Printer.Label(name), "</th>")
	}
	for _, m := range figures {
		w.Tag(`<th scope="col" class="num" title="`, m.Name, `">`)
		w.Text(t.L.Printer.Metric(m.Name))
		w.HeadUnit(m.Unit, m.Better, t.L.Printer)
		w.Tag("</th>")
	}
	w.Tag("</tr></thead>\n<tbody>\n")
	c.alike = t.alike(&c)
	for _, r := range t.Runs {
		t.row(w, r, &c, figures)
	}
	w.Tag("</tbody></table></div>\n")
}

// Caption writes the caption of the table: a name, which may be "", and the conditions that the runs share. It writes
// nothing if both are empty.
func (t *RunTable) Caption(w *Writer, name string, c *conditions) {
	if name == "" && len(c.same)+len(c.byLoad) == 0 {
		return
	}
	w.Tag("<caption><span>")
	if name != "" {
		w.Tag(`<b class="name">`)
		w.Text(name)
		w.Tag("</b>")
	}
	w.Facts(c.same, t.L)
	for _, l := range c.byLoad {
		w.Tag("<br>")
		if !t.HideLoad {
			w.Tag("<b>")
			w.Text(l.name)
			w.Tag("</b> ")
		}
		w.Facts(l.facts, t.L)
	}
	w.Tag("</span></caption>")
}

func (t *RunTable) row(w *Writer, r *result.Result, c *conditions, figures []result.Metric) {
	struck := r.Excluded()
	if struck {
		w.Tag(`<tr class="quarantined">`)
	} else {
		w.Tag("<tr>")
	}
	w.Tag(`<th scope="row"><a href="`)
	w.Text(t.Home + address.Escape(t.L.Names.Run(r.ID)))
	w.Tag(`" title="`)
	w.Text(r.ID)
	w.Tag(`">`)
	if t.HideModel {
		w.Text(r.ID[strings.IndexByte(r.ID, '/')+1:])
	} else {
		w.Text(RunName(r))
	}
	w.Tag("</a>")
	if c.alike && !t.HideModel {
		w.Tag(` <small class="id">`)
		w.Text(r.ID[strings.IndexByte(r.ID, '/')+1:])
		w.Tag("</small>")
	}
	if r.Status != result.Complete {
		w.Tag(` <small class="tag `, r.Status.String(), `">`, t.L.Printer.Words("status."+r.Status.String()), "</small>")
	}
	if struck {
		w.Tag(` <small class="tag">`, t.L.Printer.Words("page.quarantined"), "</small>")
	}
	w.Tag("</th>")
	if t.ShowCampaign {
		w.Tag("<td>")
		w.Text(Campaign(r))
		w.Tag("</td>")
	}
	if c.Load != "" && !t.HideLoad {
		w.Tag("<td>")
		w.Text(t.L.Value(LoadLabel(r)))
		w.Tag("</td>")
	}
	for _, name := range c.Vary {
		w.Tag("<td>")
		w.Text(t.L.Value(name, r.Labels.Get(name)))
		w.Tag("</td>")
	}
	for _, column := range figures {
		w.Tag(`<td class="num">`)
		m, ok := r.Metric(column.Name)
		switch {
		case !ok:
			w.Missing(t.L.Printer)
		case struck:
			w.Tag("<s>", Digits(m), "</s>")
		default:
			w.Tag(Digits(m))
		}
		w.Tag("</td>")
	}
	w.Tag("</tr>\n")
}

// Facts writes labels with their values in one line.
func (w *Writer) Facts(labels []result.Label, l *Reader) {
	for i, lb := range labels {
		if i > 0 {
			w.Tag(" · ")
		}
		w.Text(l.Printer.Label(lb.Name))
		w.Tag(" ")
		w.Text(l.Value(lb.Name, lb.Value))
	}
}

// conditions are the distinguishing labels of a table of runs: those that all runs share, those that the load
// determines, and those that need a column.
type conditions struct {
	Load   string // the label of loads: "load", "scenario", or "" if there is none
	same   []result.Label
	byLoad []loadFacts
	Vary   []string
	alike  bool // some runs cannot be distinguished by what the table shows
}

// alike reports whether some runs share everything that the table shows of them except the date. Then the table shows
// ids, since folders often distinguish runs where no label does.
func (t *RunTable) alike(c *conditions) bool {
	seen := map[string]bool{}
	for _, r := range t.Runs {
		_, load := LoadLabel(r)
		key := RunName(r) + "\x00" + t.campaign(r) + "\x00" + load
		for _, name := range c.Vary {
			if name != "date" {
				key += "\x00" + r.Labels.Get(name)
			}
		}
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

// campaign returns the campaign of a run if the table shows it.
func (t *RunTable) campaign(r *result.Result) string {
	if t.ShowCampaign {
		return Campaign(r)
	}
	return ""
}

type loadFacts struct {
	name  string
	facts []result.Label
}

// LoadLabel returns the label of a run's load, and its value.
func LoadLabel(r *result.Result) (label, value string) {
	for _, label := range []string{"load", "scenario"} {
		if v := r.Label(label); v != "" {
			return label, v
		}
	}
	return "", ""
}

func (t *RunTable) Conditions() conditions {
	var c conditions
	var order []*result.Result // the first run of each load
	byLoad, byModel := map[string]*result.Result{}, map[string]*result.Result{}
	all, both := true, false // every run names its load; some run has a load and a scenario
	for _, r := range t.Runs {
		label, load := LoadLabel(r)
		if c.Load == "" || label == "load" {
			c.Load = label
		}
		all = all && load != ""
		both = both || label == "load" && r.Label("scenario") != ""
		if byLoad[load] == nil {
			byLoad[load] = r
			order = append(order, r)
		}
		if model := r.Label("model"); byModel[model] == nil {
			byModel[model] = r
		}
	}
	// alike reports whether all runs have the same value, agree whether each has the value of the run that represents
	// it.
	alike := func(name string) bool {
		get := result.Getter(name)
		value := get(t.Runs[0])
		return !slices.ContainsFunc(t.Runs, func(r *result.Result) bool { return get(r) != value })
	}
	agree := func(name string, standing func(*result.Result) *result.Result) bool {
		own, its := result.Getter(name), result.Getter(name)
		return !slices.ContainsFunc(t.Runs, func(r *result.Result) bool { return own(r) != its(standing(r)) })
	}
	ofItsLoad := func(r *result.Result) *result.Result { _, load := LoadLabel(r); return byLoad[load] }
	ofItsModel := func(r *result.Result) *result.Result { return byModel[r.Label("model")] }
	var settled []string
	for _, name := range Distinguishing {
		switch {
		case alike(name):
			if v := t.Runs[0].Labels.Get(name); v != "" && (name != "scenario" || both) {
				c.same = append(c.same, result.Label{Name: name, Value: v})
			}
		case name == "scenario" && !both:
			// shown in the column of loads
		case name == "quantization" && agree(name, ofItsModel):
			// part of the model's name
		case all && len(order) <= 4 && slices.Contains(ofLoad, name) && agree(name, ofItsLoad):
			settled = append(settled, name)
		default:
			c.Vary = append(c.Vary, name)
		}
	}
	for _, r := range order {
		l := loadFacts{name: t.L.LoadName(r)}
		for _, name := range settled {
			if v := r.Labels.Get(name); v != "" {
				l.facts = append(l.facts, result.Label{Name: name, Value: v})
			}
		}
		if len(l.facts) > 0 {
			c.byLoad = append(c.byLoad, l)
		}
	}
	shown := []string{"model"}
	if c.Load != "" {
		shown = append(shown, "load", "scenario")
	}
	if t.ShowCampaign {
		shown = append(shown, "campaign")
	}
	c.Vary = dataset.Columns(t.Runs, c.Vary, cmp.Or(t.Labels, len(c.Vary)), shown...)
	return c
}

// Columns returns the metrics to show: the usual ones that some run has, or else the first metrics of a run.
func (t *RunTable) Columns() []result.Metric {
	var ms []result.Metric
	for _, name := range vocabulary.Listed(vocabulary.Column) {
		for _, r := range t.Runs {
			if m, ok := Typical(r, name); ok {
				ms = append(ms, m)
				break
			}
		}
		if len(ms) == t.Figures {
			return ms
		}
	}
	for _, r := range t.Runs {
		if len(ms) == 0 {
			ms = r.Metrics[:min(t.Figures, len(r.Metrics))]
		}
	}
	return ms
}

// HTML returns the table, "" if there are no runs.
func (t *RunTable) HTML(caption string) template.HTML {
	if len(t.Runs) == 0 {
		return ""
	}
	var w Writer
	t.Write(&w, caption)
	return w.HTML()
}
