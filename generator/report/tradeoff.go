package report

import (
	"fmt"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
)

type tradeoffSpec struct {
	Where    string
	Rows     string            // label of the variants; model when empty
	Size     string            // label that holds the size, as "8.9 G"; weight_size when empty
	Load     string            // label of the loads; load when empty
	Columns  []string          // labels and metrics shown; output_throughput and ttft_mean when empty
	Judge    map[string]string // load → metric that decides there; output_throughput when absent
	Baseline string            // selector of the variant the others are compared with
	Caption  string
	Titles   map[string]string
	Notes    []string
}

// tradeoff sets size against speed at each load, and says what each variant
// suits by the rules of verdict.
func (d *Data) tradeoff(s tradeoffSpec) (*Table, error) {
	for _, fallback := range []struct {
		field *string
		value string
	}{{&s.Rows, "model"}, {&s.Size, "weight_size"}, {&s.Load, "load"}} {
		if *fallback.field == "" {
			*fallback.field = fallback.value
		}
	}
	if len(s.Columns) == 0 {
		s.Columns = []string{"output_throughput", "ttft_mean"}
	}
	summary := tableSpec{
		Where: s.Where, Rows: []string{s.Rows}, Columns: append([]string{s.Size}, s.Columns...),
		Split: s.Load, Baseline: s.Baseline, Titles: s.Titles, Caption: s.Caption,
	}
	if s.Baseline != "" {
		summary.Change = "ratio"
	}
	t, err := d.summary(summary)
	if err != nil {
		return nil, err
	}
	t.Kind = "tradeoff"
	rs, _ := d.selectSome(s.Where)
	rs = having(rs, s.Load) // as the rows of the summary
	gs := d.groups(rs, []string{s.Rows})
	loads := d.values(rs, s.Load)
	for load := range s.Judge {
		if len(withLabel(rs, s.Load, load)) == 0 {
			return nil, about("judge", lack("values of "+s.Load+": "+shorten(loads, 12), "judge names %q, which no selected run has", load))
		}
	}
	judged := map[string][]locale.Text{} // metric → the loads it decides
	var metrics []string
	for _, load := range loads {
		metric := s.Judge[load]
		if metric == "" {
			metric = "output_throughput"
		}
		if m, _ := known(rs, metric); !m {
			return nil, about("judge", unknownName(rs, metric))
		}
		if judged[metric] == nil {
			metrics = append(metrics, metric)
		}
		judged[metric] = append(judged[metric], d.title(s.Load, load))
		verdicts := d.verdicts(gs, s, load, metric)
		t.Columns = append(t.Columns, Column{Group: locale.T("tradeoff.suits"), Title: d.title(s.Load, load)})
		for i := range t.Rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, Cell{Text: verdicts[i], Missing: verdicts[i].IsZero()})
		}
	}
	for _, metric := range metrics {
		h := d.header(rs, column{name: metric}, "", nil)
		t.note(bench.Info, locale.T("tradeoff.judged", locale.List(judged[metric]...), withUnit(h.Title, h.Unit)))
	}
	t.note(bench.Info, locale.T("tradeoff.outdone", fmt.Sprintf("%.0f%%", 100*noise)))
	if s.Baseline != "" {
		t.note(bench.Info, locale.T("tradeoff.ratio"))
	}
	for _, n := range s.Notes {
		t.note(bench.Info, locale.Lit(n))
	}
	return t, nil
}

// verdicts says of each variant what it suits at one load. Size is better
// when smaller; speed as the metric says. In order:
//
//	fastest     no variant is faster
//	dominated   another is smaller and no slower, or as large and faster by
//	            more than noise
//	size-only   on the size–speed frontier, yet slower than the baseline
//	balance     on the frontier
//
// Quarantined runs neither win nor dominate and get no verdict.
func (d *Data) verdicts(gs []group, s tradeoffSpec, load, metric string) []locale.Text {
	out := make([]locale.Text, len(gs))
	var points [][2]float64
	var rows []int
	base, dir := 0.0, bench.Neutral
	sel, err := bench.ParseSelector(s.Baseline)
	hasBase := s.Baseline != "" && err == nil
	for i, g := range gs {
		rs := withLabel(g.runs, s.Load, load)
		f, ok := figureOf(rs, metric)
		size, _, _, sized := labelNumber(g.runs[0].Label(s.Size))
		if !ok || !sized || f.runs[0].Quarantined() {
			continue
		}
		dir = f.metric.Better
		if hasBase && sel.Match(f.runs[0]) {
			base = f.metric.Value
		}
		points = append(points, [2]float64{size, f.metric.Value})
		rows = append(rows, i)
	}
	for p, i := range rows {
		speed := points[p][1]
		fastest := true
		for _, q := range points {
			fastest = fastest && !better(dir, q[1], speed)
		}
		by := outdone(points, p, dir)
		switch {
		case fastest:
			out[i] = locale.T("tradeoff.fastest")
		case by >= 0:
			out[i] = locale.T("tradeoff.dominated", d.title(s.Rows, gs[rows[by]].values[0]))
		case base != 0 && better(dir, base, speed):
			out[i] = locale.T("tradeoff.size-only")
		default:
			out[i] = locale.T("tradeoff.balance")
		}
	}
	return out
}

// noise is the relative difference below which two single runs are not ranked.
const noise = 0.03

// outdone gives the index of the fastest point that is smaller than point i
// and no slower, or of the same size and faster by more than noise; -1 when
// there is none.
func outdone(points [][2]float64, i int, dir bench.Better) int {
	best := -1
	size, speed := points[i][0], points[i][1]
	margin := speed * (1 + noise)
	if dir == bench.Lower {
		margin = speed * (1 - noise)
	}
	for j, q := range points {
		smaller := q[0] < size && !better(dir, speed, q[1])
		faster := q[0] == size && better(dir, q[1], margin)
		if (smaller || faster) && (best < 0 || better(dir, q[1], points[best][1])) {
			best = j
		}
	}
	return best
}
