package page

import (
	"html/template"
	"slices"
	"strings"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
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
	runs []*bench.Result
	home string // leads from the page to its language's folder
	p    locale.Printer

	showCampaign bool
	hideModel    bool
	figures      int // how many columns of figures at the most
}

// write appends the table; caption may be "".
func (t *runTable) write(w *writer, caption string) {
	c := t.conditions()
	figures := t.columns()
	w.openScroll(caption, t.p)
	w.tag(`<table class="runs">`)
	if caption != "" || len(c.same)+len(c.byLoad) > 0 {
		w.tag("<caption><span>")
		if caption != "" {
			w.tag(`<b class="name">`)
			w.text(caption)
			w.tag("</b>")
		}
		w.facts(c.same, t.p)
		for _, l := range c.byLoad {
			w.tag("<br><b>")
			w.text(l.name)
			w.tag("</b> ")
			w.facts(l.facts, t.p)
		}
		w.tag("</span></caption>")
	}
	w.tag(`<thead><tr><th scope="col">`, t.p.Words("page.run"), "</th>")
	if t.showCampaign {
		w.tag(`<th scope="col">`, t.p.Label("campaign"), "</th>")
	}
	w.tag(`<th scope="col">`, t.p.Label("load"), "</th>")
	for _, name := range c.vary {
		w.tag(`<th scope="col">`, t.p.Label(name), "</th>")
	}
	for _, m := range figures {
		w.tag(`<th scope="col" class="num" title="`, m.Name, `">`)
		w.text(t.p.Metric(m.Name))
		w.headUnit(m.Unit, m.Better, t.p)
		w.tag("</th>")
	}
	w.tag("</tr></thead>\n<tbody>\n")
	for _, r := range t.runs {
		t.row(w, r, c.vary, figures)
	}
	w.tag("</tbody></table></div>\n")
}

func (t *runTable) row(w *writer, r *bench.Result, labels []string, figures []bench.Metric) {
	struck := quarantined(r)
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
	if r.Status != bench.Complete {
		w.tag(` <small class="tag `, r.Status.String(), `">`, t.p.Words("status."+r.Status.String()), "</small>")
	}
	if struck {
		w.tag(` <small class="tag">`, t.p.Words("page.quarantined"), "</small>")
	}
	w.tag("</th>")
	if t.showCampaign {
		w.tag("<td>")
		w.text(campaign(r))
		w.tag("</td>")
	}
	w.tag("<td>")
	w.text(loadName(r, t.p))
	w.tag("</td>")
	for _, name := range labels {
		w.tag("<td>")
		w.text(t.p.Value(name, r.Labels.Get(name)))
		w.tag("</td>")
	}
	for _, column := range figures {
		w.tag(`<td class="num">`)
		m, ok := r.Metric(column.Name)
		switch {
		case !ok:
			w.missing(t.p)
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
func (w *writer) facts(labels []bench.Label, p locale.Printer) {
	for i, lb := range labels {
		if i > 0 {
			w.tag(" · ")
		}
		w.text(p.Label(lb.Name))
		w.tag(" ")
		w.text(p.Value(lb.Name, lb.Value))
	}
}

// conditions are the distinguishing labels of a table of runs: those all runs
// agree in, those the load settles, and those that need a column.
type conditions struct {
	same   []bench.Label
	byLoad []loadFacts
	vary   []string
}

type loadFacts struct {
	name  string
	facts []bench.Label
}

func (t *runTable) conditions() conditions {
	var c conditions
	loads := map[string]*bench.Result{} // the first run of each load
	var order []string
	models := map[string]*bench.Result{}
	for _, r := range t.runs {
		load, model := r.Labels.Get("load"), r.Labels.Get("model")
		if loads[load] == nil {
			loads[load] = r
			order = append(order, load)
		}
		if models[model] == nil {
			models[model] = r
		}
	}
	// settled tells whether runs with the same key agree in a label.
	settled := func(name, by string, first map[string]*bench.Result) bool {
		return !slices.ContainsFunc(t.runs, func(r *bench.Result) bool {
			return r.Labels.Get(name) != first[r.Labels.Get(by)].Labels.Get(name)
		})
	}
	var settledByLoad []string
	for _, name := range distinguishing {
		first := t.runs[0].Labels.Get(name)
		switch {
		case !slices.ContainsFunc(t.runs, func(r *bench.Result) bool { return r.Labels.Get(name) != first }):
			if first != "" {
				c.same = append(c.same, bench.Label{Name: name, Value: first})
			}
		case slices.Contains(ofLoad, name) && len(order) <= 4 && settled(name, "load", loads):
			settledByLoad = append(settledByLoad, name)
		case name == "quantization" && settled(name, "model", models):
			// the name of the model says it
		default:
			c.vary = append(c.vary, name)
		}
	}
	if len(settledByLoad) == 0 {
		return c
	}
	for _, load := range order {
		l := loadFacts{name: loadName(loads[load], t.p)}
		for _, name := range settledByLoad {
			if v := loads[load].Labels.Get(name); v != "" {
				l.facts = append(l.facts, bench.Label{Name: name, Value: v})
			}
		}
		c.byLoad = append(c.byLoad, l)
	}
	return c
}

// columns chooses the figures shown: those of the usual ones that some run
// has, for want of any the first that a run has.
func (t *runTable) columns() []bench.Metric {
	var ms []bench.Metric
	for _, name := range columns {
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
