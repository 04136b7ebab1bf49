// Package reached summarizes any number of runs. For each model, machine and load it shows the best run and the median
// run, and marks the models on the frontier of size and speed.
//
//	html := reached.Table{Runs: runs, Home: home, L: reader, Models: links}.HTML()
//
// The size of the summary depends on the number of models, machines and loads, not on the number of runs.
package reached

import (
	"cmp"
	"html/template"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Maximum numbers of machines, loads and models shown. Those with the most runs are shown.
const (
	mostMachines = 12
	mostLoads    = 4
	mostModels   = 60
)

// The metrics shown: the speed, and the cost if known.
const speed = "output_throughput"

var costs = []string{"cost_per_million_output_tokens", "cost_per_million_total_tokens"}

// Table is the summary of some runs.
type Table struct {
	Runs   []*result.Result // excluded and incomplete runs are ignored
	Home   string           // prefix of links to the language's folder
	L      *parts.Reader
	Models map[string]string // links to the pages of models
}

// load is the load of a run.
type load struct{ label, value string }

// cell holds the runs of a model at a load.
type cell struct {
	runs         []reading
	best, middle reading // the fastest run and the run of median speed
	cost         result.Metric
	costly       bool // cost is known; it is the lowest
	frontier     bool // no other model is smaller and faster
}

type reading struct {
	run    *result.Result
	metric result.Metric
}

// rank finds the best and the median run. For many runs, sorting only the speeds takes a fraction of the time of
// sorting runs.
func (c *cell) rank() {
	speeds := make([]float64, len(c.runs))
	for i, r := range c.runs {
		speeds[i] = r.metric.Value
	}
	slices.Sort(speeds)
	// at returns the run with a rank, counted from the slowest. Runs of equal speed are in natural order of their ids.
	at := func(place int) reading {
		equal := slices.DeleteFunc(slices.Clone(c.runs), func(r reading) bool { return r.metric.Value != speeds[place] })
		slices.SortFunc(equal, func(a, b reading) int { return result.NaturalCompare(a.run.ID, b.run.ID) })
		first, _ := slices.BinarySearch(speeds, speeds[place])
		return equal[place-first]
	}
	c.best, c.middle = at(len(speeds)-1), at((len(speeds)-1)/2)
}

// machine holds the runs on a machine.
type machine struct {
	id     string
	runs   int
	loads  map[load]int // number of runs by load
	models map[string]*model
}

type model struct {
	id    string
	runs  int
	size  string
	cells map[load]*cell
}

// HTML returns a table for each machine, "" if there are no usable runs.
func (t Table) HTML() template.HTML {
	var w parts.Writer
	for _, m := range most(t.machines(), mostMachines, func(m *machine) (int, string) { return m.runs, m.id }) {
		t.write(&w, m)
	}
	return w.HTML()
}

// machines groups the runs by machine, model and load.
func (t Table) machines() map[string]*machine {
	all := map[string]*machine{}
	modelOf, hardware, size := result.Getter("model"), result.Getter("hardware"), result.Getter("weight_size")
	for _, r := range t.Runs {
		speed, measured := r.Metric(speed)
		id := modelOf(r)
		if !measured || id == "" || r.Excluded() || r.Status != result.Complete {
			continue
		}
		on := entry(all, hardware(r), func(id string) *machine {
			return &machine{id: id, loads: map[load]int{}, models: map[string]*model{}}
		})
		var under load
		under.label, under.value = parts.LoadLabel(r)
		of := entry(on.models, id, func(id string) *model { return &model{id: id, cells: map[load]*cell{}} })
		of.size = cmp.Or(of.size, size(r))
		c := entry(of.cells, under, func(load) *cell { return &cell{} })
		c.runs = append(c.runs, reading{r, speed})
		for _, name := range costs {
			if cost, known := r.Metric(name); known {
				if !c.costly || cost.Value < c.cost.Value {
					c.cost, c.costly = cost, true
				}
				break
			}
		}
		on.runs++
		on.loads[under]++
		of.runs++
	}
	for _, m := range all {
		m.settle()
	}
	return all
}

// entry returns the value of a key in a map. If there is none, it makes and adds one.
func entry[K comparable, V any](all map[K]*V, key K, make func(K) *V) *V {
	one := all[key]
	if one == nil {
		one = make(key)
		all[key] = one
	}
	return one
}

// settle ranks the runs of each cell and finds the frontier of each load.
func (m *machine) settle() {
	for under := range m.loads {
		var cells []*cell
		var points [][]float64
		for _, of := range m.models {
			c := of.cells[under]
			if c == nil {
				continue
			}
			c.rank()
			if size, known := audit.Quantity(of.size); known {
				cells = append(cells, c)
				points = append(points, []float64{size, c.best.metric.Value})
			}
		}
		if len(cells) < 2 {
			continue
		}
		for _, i := range stats.Frontier(points, []result.Better{result.Lower, result.Higher}) {
			cells[i].frontier = true
		}
	}
}

// most returns the n entries with the most runs, in natural order of their names.
func most[K comparable, V any](all map[K]V, n int, of func(V) (runs int, name string)) []V {
	list := slices.Collect(maps.Values(all))
	slices.SortFunc(list, func(a, b V) int {
		x, first := of(a)
		y, second := of(b)
		return cmp.Or(cmp.Compare(y, x), result.NaturalCompare(first, second))
	})
	list = list[:min(n, len(list))]
	slices.SortFunc(list, func(a, b V) int {
		_, first := of(a)
		_, second := of(b)
		return result.NaturalCompare(first, second)
	})
	return list
}

// write writes the table of a machine.
func (t Table) write(w *parts.Writer, m *machine) {
	p := t.L.Printer
	loads := most(mapOf(m.loads, func(l load) load { return l }), mostLoads, func(l load) (int, string) { return m.loads[l], l.label + l.value })
	models := most(m.models, mostModels, func(m *model) (int, string) { return m.runs, m.id })
	costly := slices.ContainsFunc(models, func(m *model) bool {
		return slices.ContainsFunc(loads, func(l load) bool { return m.cells[l] != nil && m.cells[l].costly })
	})
	caption := p.Words("page.reached")
	if m.id != "" {
		caption = t.L.Value("hardware", m.id)
	}
	columns := "2"
	if costly {
		columns = "3"
	}
	w.OpenScroll(caption, p)
	w.Tag(`<table class="reached"><caption><span><b class="name">`)
	w.Text(caption)
	w.Tag(`</b></span></caption><thead><tr><th scope="col" rowspan="2">`, p.Label("model"), `</th><th scope="col" class="num" rowspan="2">`, p.Label("weight_size"), "</th>")
	for _, l := range loads {
		w.Tag(`<th scope="colgroup" class="group" colspan="`, columns, `"><span>`)
		if l.value == "" {
			w.Tag(p.Words("page.exists.other"))
		} else {
			w.Text(t.L.Value(l.label, l.value))
		}
		w.Tag("</span></th>")
	}
	w.Tag(`<th scope="col" class="num" rowspan="2">`, p.Words("page.runs"), "</th></tr>\n<tr>")
	for range loads {
		w.Tag(`<th scope="col" class="num">`, p.Words("page.reached.best"))
		w.HeadUnit("tok/s", result.Higher, p)
		w.Tag(`</th><th scope="col" class="num">`, p.Words("page.reached.middle"), "</th>")
		if costly {
			w.Tag(`<th scope="col" class="num">`, p.Words("page.reached.cost"))
			w.HeadUnit("", result.Lower, p)
			w.Tag("</th>")
		}
	}
	w.Tag("</tr></thead>\n<tbody>\n")
	marked := false
	for _, of := range models {
		w.Tag(`<tr><th scope="row"><a href="`)
		w.Text(t.Models[of.id])
		w.Tag(`">`)
		w.Text(t.L.Value("model", of.id))
		w.Tag(`</a></th><td class="num">`)
		w.Text(of.size)
		w.Tag("</td>")
		for _, l := range loads {
			c := of.cells[l]
			t.cell(w, c, costly)
			marked = marked || c != nil && c.frontier
		}
		w.Tag(`<td class="num">`)
		w.Int(of.runs)
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
	if marked {
		w.Tag(`<p class="legend">`, p.Words("tradeoff.pareto-mark"), "</p>\n")
	}
}

// cell writes the cells of a model at a load.
func (t Table) cell(w *parts.Writer, c *cell, costly bool) {
	for _, best := range []bool{true, false} {
		w.Tag(`<td class="num">`)
		switch {
		case c == nil:
			w.Missing(t.L.Printer)
		case best:
			if c.frontier {
				w.Tag("◆ ")
			}
			t.link(w, c.best)
		default:
			t.link(w, c.middle)
		}
		w.Tag("</td>")
	}
	if !costly {
		return
	}
	w.Tag(`<td class="num">`)
	if c != nil && c.costly {
		w.Text(parts.Digits(c.cost))
		w.Text(" " + c.cost.Unit)
	} else {
		w.Missing(t.L.Printer)
	}
	w.Tag("</td>")
}

// link writes a figure with a link to its run.
func (t Table) link(w *parts.Writer, r reading) {
	w.Tag(`<a href="`)
	w.Text(t.Home + address.Escape(t.L.Names.Run(r.run.ID)))
	w.Tag(`">`)
	w.Text(parts.Digits(r.metric))
	w.Tag("</a>")
}

// mapOf returns a map from the keys of a map to the values that of makes from them.
func mapOf[K comparable, V, W any](all map[K]V, of func(K) W) map[K]W {
	made := make(map[K]W, len(all))
	for key := range all {
		made[key] = of(key)
	}
	return made
}
