package page

import (
	"html/template"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// distinguishing are the labels that get a column where runs differ in them,
// and are told once, above the table, where they do not.
var distinguishing = []string{
	"quantization", "hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine",
	"engine_version", "tool", "scenario", "max_concurrency", "request_rate", "num_prompts", "dataset",
	"input_len", "output_len", "batch_size", "context_depth", "prefix_caching", "repeat", "phase", "date",
}

// ofLoad are those of them that a load may settle: then they are told with its
// name, above the table.
var ofLoad = []string{"scenario", "max_concurrency", "request_rate", "num_prompts", "dataset", "input_len", "output_len"}

// runTable is a table of runs, one to a row.
type runTable struct {
	runs []*result.Result
	home string // leads from the page to its language's folder
	l    *language

	anchor       string // id of the table, may be ""
	showCampaign bool
	hideModel    bool
	hideLoad     bool // the caption or the page names it
	figures      int  // how many columns of figures at the most
	labels       int  // how many columns of labels; 0 for all
}

// write appends the table; caption may be "".
func (t *runTable) write(w *writer, caption string) {
	c := t.conditions()
	figures := t.columns()
	w.openScroll(caption, t.l.printer)
	w.tag(`<table class="runs"`)
	if t.anchor != "" {
		w.tag(` id="`, t.anchor, `"`)
	}
	w.tag(">")
	if caption != "" || len(c.same)+len(c.byLoad) > 0 {
		w.tag("<caption><span>")
		if caption != "" {
			w.tag(`<b class="name">`)
			w.text(caption)
			w.tag("</b>")
		}
		w.facts(c.same, t.l)
		for _, l := range c.byLoad {
			w.tag("<br>")
			if !t.hideLoad {
				w.tag("<b>")
				w.text(l.name)
				w.tag("</b> ")
			}
			w.facts(l.facts, t.l)
		}
		w.tag("</span></caption>")
	}
	w.tag(`<thead><tr><th scope="col">`, t.l.printer.Words("page.run"), "</th>")
	if t.showCampaign {
		w.tag(`<th scope="col">`, t.l.printer.Label("campaign"), "</th>")
	}
	if c.load != "" && !t.hideLoad {
		w.tag(`<th scope="col">`, t.l.printer.Label(c.load), "</th>")
	}
	for _, name := range c.vary {
		w.tag(`<th scope="col">`, t.l.printer.Label(name), "</th>")
	}
	for _, m := range figures {
		w.tag(`<th scope="col" class="num" title="`, m.Name, `">`)
		w.text(t.l.printer.Metric(m.Name))
		w.headUnit(m.Unit, m.Better, t.l.printer)
		w.tag("</th>")
	}
	w.tag("</tr></thead>\n<tbody>\n")
	c.alike = t.alike(&c)
	for _, r := range t.runs {
		t.row(w, r, &c, figures)
	}
	w.tag("</tbody></table></div>\n")
}

func (t *runTable) row(w *writer, r *result.Result, c *conditions, figures []result.Metric) {
	struck := r.Excluded()
	if struck {
		w.tag(`<tr class="quarantined">`)
	} else {
		w.tag("<tr>")
	}
	w.tag(`<th scope="row"><a href="`)
	w.text(t.home + escapePath(runPath(r.ID)))
	w.tag(`" title="`)
	w.text(r.ID)
	w.tag(`">`)
	if t.hideModel {
		w.text(r.ID[strings.IndexByte(r.ID, '/')+1:])
	} else {
		w.text(runName(r))
	}
	w.tag("</a>")
	if c.alike && !t.hideModel {
		w.tag(` <small class="id">`)
		w.text(r.ID[strings.IndexByte(r.ID, '/')+1:])
		w.tag("</small>")
	}
	if r.Status != result.Complete {
		w.tag(` <small class="tag `, r.Status.String(), `">`, t.l.printer.Words("status."+r.Status.String()), "</small>")
	}
	if struck {
		w.tag(` <small class="tag">`, t.l.printer.Words("page.quarantined"), "</small>")
	}
	w.tag("</th>")
	if t.showCampaign {
		w.tag("<td>")
		w.text(campaign(r))
		w.tag("</td>")
	}
	if c.load != "" && !t.hideLoad {
		w.tag("<td>")
		w.text(t.l.value(loadLabel(r)))
		w.tag("</td>")
	}
	for _, name := range c.vary {
		w.tag("<td>")
		w.text(t.l.value(name, r.Labels.Get(name)))
		w.tag("</td>")
	}
	for _, column := range figures {
		w.tag(`<td class="num">`)
		m, ok := r.Metric(column.Name)
		switch {
		case !ok:
			w.missing(t.l.printer)
		case struck:
			w.tag("<s>", digits(m), "</s>")
		default:
			w.tag(digits(m))
		}
		w.tag("</td>")
	}
	w.tag("</tr>\n")
}

// facts writes labels with their values in a line.
func (w *writer) facts(labels []result.Label, l *language) {
	for i, lb := range labels {
		if i > 0 {
			w.tag(" · ")
		}
		w.text(l.printer.Label(lb.Name))
		w.tag(" ")
		w.text(l.value(lb.Name, lb.Value))
	}
}

// conditions are the distinguishing labels of a table of runs: those all runs
// agree in, those the load settles, and those that need a column.
type conditions struct {
	load   string // the label that names loads: "load", "scenario", or "" when none does
	same   []result.Label
	byLoad []loadFacts
	vary   []string
	alike  bool // some runs cannot be told apart by what the table shows
}

// alike tells whether runs share all that the table shows of them beside
// their dates, so that their ids have to be shown: folders often say what no
// label does.
func (t *runTable) alike(c *conditions) bool {
	seen := map[string]bool{}
	for _, r := range t.runs {
		_, load := loadLabel(r)
		key := runName(r) + "\x00" + campaign(r) + "\x00" + load
		for _, name := range c.vary {
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

type loadFacts struct {
	name  string
	facts []result.Label
}

// loadLabel is what a run's load is named by: the label and its value.
func loadLabel(r *result.Result) (label, value string) {
	for _, label := range []string{"load", "scenario"} {
		if v := r.Labels.Get(label); v != "" {
			return label, v
		}
	}
	return "", ""
}

func (t *runTable) conditions() conditions {
	var c conditions
	var order []*result.Result // the first run of each load
	byLoad, byModel := map[string]*result.Result{}, map[string]*result.Result{}
	all, both := true, false // every run names its load; some run has a load and a scenario
	for _, r := range t.runs {
		label, load := loadLabel(r)
		if c.load == "" || label == "load" {
			c.load = label
		}
		all = all && load != ""
		both = both || label == "load" && r.Labels.Get("scenario") != ""
		if byLoad[load] == nil {
			byLoad[load] = r
			order = append(order, r)
		}
		if model := r.Labels.Get("model"); byModel[model] == nil {
			byModel[model] = r
		}
	}
	// agree tells whether every run has the value of the run standing for it.
	agree := func(name string, standing func(*result.Result) *result.Result) bool {
		return !slices.ContainsFunc(t.runs, func(r *result.Result) bool {
			return r.Labels.Get(name) != standing(r).Labels.Get(name)
		})
	}
	first := func(*result.Result) *result.Result { return t.runs[0] }
	ofItsLoad := func(r *result.Result) *result.Result { _, load := loadLabel(r); return byLoad[load] }
	ofItsModel := func(r *result.Result) *result.Result { return byModel[r.Labels.Get("model")] }
	var settled []string
	for _, name := range distinguishing {
		switch {
		case agree(name, first):
			if v := t.runs[0].Labels.Get(name); v != "" && (name != "scenario" || both) {
				c.same = append(c.same, result.Label{Name: name, Value: v})
			}
		case name == "scenario" && !both:
			// the column of loads says it
		case name == "quantization" && agree(name, ofItsModel):
			// the name of the model says it
		case all && len(order) <= 4 && slices.Contains(ofLoad, name) && agree(name, ofItsLoad):
			settled = append(settled, name)
		default:
			c.vary = append(c.vary, name)
		}
	}
	for _, r := range order {
		l := loadFacts{name: loadName(r, t.l)}
		for _, name := range settled {
			if v := r.Labels.Get(name); v != "" {
				l.facts = append(l.facts, result.Label{Name: name, Value: v})
			}
		}
		if len(l.facts) > 0 {
			c.byLoad = append(c.byLoad, l)
		}
	}
	if t.labels > 0 {
		c.vary = c.vary[:min(t.labels, len(c.vary))]
	}
	return c
}

// columns chooses the figures shown: those of the usual ones that some run
// has, for want of any the first that a run has.
func (t *runTable) columns() []result.Metric {
	var ms []result.Metric
	for _, name := range vocabulary.Listed(vocabulary.Column) {
		for _, r := range t.runs {
			if m, ok := typical(r, name); ok {
				ms = append(ms, m)
				break
			}
		}
		if len(ms) == t.figures {
			return ms
		}
	}
	for _, r := range t.runs {
		if len(ms) == 0 {
			ms = r.Metrics[:min(t.figures, len(r.Metrics))]
		}
	}
	return ms
}

// html gives the table alone, "" when there are no runs.
func (t *runTable) html(caption string) template.HTML {
	if len(t.runs) == 0 {
		return ""
	}
	var w writer
	t.write(&w, caption)
	return w.html()
}
