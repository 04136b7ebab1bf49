package tradeoff

import (
	"fmt"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// limit is a bound on a metric or label.
type limit struct {
	name  string
	value float64
	text  string // as the author wrote it
	dir   result.Better
	label bool
	task  string // for a quality: the task; "" if unknown
}

// limits parses the limits for variants: those of the block, or else the site's.
func (p *Portfolio) limits(s Spec) ([]limit, error) {
	wanted := map[string]string{}
	for name, v := range s.Limits {
		wanted[name] = fmt.Sprint(v)
	}
	if len(wanted) == 0 {
		wanted = p.Selection.Limits
	}
	var out []limit
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		l := limit{name: name, text: wanted[name], dir: result.Lower}
		metric, label := dataset.Known(p.Runs, name)
		number, _, _, ok := dataset.Number(l.text)
		switch {
		case !ok:
			return nil, dataset.About("limits", dataset.Wrongf(locale.Textf(`for example limits = { ttft_p99 = 500, weight_size = "8 G" }`), "the limit %s = %q has no number", name, l.text))
		case name == "quality":
			l.value, l.dir = number, result.Higher
			if _, tasks := evaluations(p.Selection); len(tasks) > 0 {
				l.task = tasks[0]
			}
		case label && !metric:
			l.label = true
			if l.value, ok = audit.Quantity(l.text); !ok {
				return nil, dataset.About("limits", dataset.Wrongf(locale.Textf(`for example weight_size = "8 G"`), "the limit %s = %q is not a quantity", name, l.text))
			}
		default:
			read, err := builder.ReadLimit(p.Runs, name, l.text)
			if err != nil {
				return nil, dataset.About("limits", err)
			}
			l.value, l.dir, l.text = read.Value, read.Dir, read.Digits()
		}
		out = append(out, l)
	}
	return out, nil
}

// words returns the text of a limit: Mean TTFT ≤ 500 ms, quality (gsm8k) ≥ 0.8.
func (l limit) words() locale.Text {
	name := locale.MetricName(l.name)
	if l.label {
		name = locale.LabelName(l.name)
	}
	if l.task != "" {
		name = locale.T("answer.task", name, l.task)
	}
	sign := " ≤ "
	if l.dir == result.Higher {
		sign = " ≥ "
	}
	return locale.Join("", locale.Inside(name), locale.Lit(sign+l.text))
}

// meets reports whether a variant is within a limit at a load. known is false if it was not measured.
func (p *Portfolio) meets(i int, load string, l limit) (ok, known bool) {
	if l.label {
		v, known := audit.Quantity(p.Variants[i].Runs[0].Label(l.name))
		return v <= l.value, known
	}
	f, known := dataset.FigureOf(p.At(p.Variants[i], load), l.name)
	if l.name == "quality" {
		f, known = Quality(p.Field, i, l.task)
	}
	ok = known && !dataset.Better(l.dir, l.value, f.Metric.Value)
	if !ok {
		return false, known
	}
	if have, need := audit.Samples(f.Runs[0], l.name); have < need {
		return false, false // a percentile of too few samples does not count
	}
	return true, true
}

// decision is the variant to deploy at a load, and the reasons why others are not eligible.
type decision struct {
	best   int   // −1 if no variant is eligible
	kept   []int // the eligible variants: not excluded, and within every limit
	sound  int   // number of variants that are not excluded
	misses []miss
}

// miss is the reason why a variant is not eligible: its size is unknown ("unsized"), a check excludes it ("aside"), it
// exceeds limits ("over"), or that is unknown ("unknown").
type miss struct {
	variant int
	why     string
	limits  []limit
}

// decide chooses the variant for a load: the fastest of the eligible variants, and the smallest of those that cannot be
// told apart from it. It skips variants that were not measured at the load.
func (p *Portfolio) decide(l int, limits []limit) decision {
	var out decision
	load := p.Loads[l]
	for i, v := range p.Verdicts[l] {
		switch v.Rule {
		case "":
			if _, measured := dataset.FigureOf(p.At(p.Variants[i], load), p.Decides(load)); measured {
				out.misses = append(out.misses, miss{variant: i, why: "unsized"})
			}
			continue
		case "aside":
			out.misses = append(out.misses, miss{variant: i, why: "aside"})
			continue
		}
		out.sound++
		var over, unknown []limit
		for _, one := range limits {
			switch ok, known := p.meets(i, load, one); {
			case !known:
				unknown = append(unknown, one)
			case !ok:
				over = append(over, one)
			}
		}
		switch {
		case len(over) > 0:
			out.misses = append(out.misses, miss{i, "over", over})
		case len(unknown) > 0:
			out.misses = append(out.misses, miss{i, "unknown", unknown})
		default:
			out.kept = append(out.kept, i)
		}
	}
	out.best = p.prefer(l, out.kept)
	return out
}

// answer adds an answer for each load: which variant to deploy.
func (p *Portfolio) answer(t *builder.Table, s Spec) error {
	limits, err := p.limits(s)
	if err != nil || len(limits) == 0 {
		return err
	}
	if s.At != "" && !slices.Contains(p.Loads, s.At) {
		return dataset.About("at", dataset.Lackf(locale.Textf("values of %s: %s", p.Load, locale.Few(p.Loads, 12)), "at = %q is not a load of the selected runs", s.At))
	}
	for l, load := range p.Loads {
		if s.At != "" && load != s.At {
			continue
		}
		d := p.decide(l, limits)
		title := p.LoadTitle(load)
		a := report.Finding{Rule: "deploy"}
		if d.best < 0 {
			a.Text = locale.T("answer.none", title, list(limits), d.sound)
		} else {
			v := p.Verdicts[l][d.best]
			a.Runs, a.N = dataset.IDs(v.Figure)
			a.Text = locale.T("answer.deploy", title, list(limits), p.Name(d.best), p.scale(d.best, v.Figure), len(d.kept), d.sound)
			rests := []dataset.Figure{v.Figure}
			for _, l := range limits {
				if f, ok := dataset.FigureOf(p.At(p.Variants[d.best], load), l.name); ok && !l.label {
					rests = append(rests, f)
				}
			}
			if doubt := builder.InDoubt(rests); !doubt.IsZero() {
				a.Text = locale.Sentences(a.Text, doubt)
			}
		}
		if d.best >= 0 {
			var better []locale.Text
			for _, k := range d.kept {
				if merits := p.ahead(load, k, d.best); k != d.best && len(merits) > 0 {
					better = append(better, locale.T("answer.miss", p.Name(k), locale.List(words(merits)...)))
				}
			}
			if len(better) > 0 {
				a.Text = locale.Sentences(a.Text, locale.T("answer.better", locale.List(better...)))
			}
		}
		if len(d.misses) > 0 {
			var misses []locale.Text
			for _, m := range d.misses {
				misses = append(misses, p.missed(m))
			}
			a.Reason = locale.T("answer.others", locale.List(misses...))
		}
		t.Answers = append(t.Answers, a)
	}
	return nil
}

// missed returns the reason why a variant is not eligible.
func (p *Portfolio) missed(m miss) locale.Text {
	if len(m.limits) == 0 {
		return locale.T("answer."+m.why, p.Name(m.variant))
	}
	return locale.T("answer.miss", p.Name(m.variant), locale.T("answer."+m.why, list(m.limits)))
}

// list joins the texts of limits.
func list(limits []limit) locale.Text {
	var words []locale.Text
	for _, l := range limits {
		words = append(words, l.words())
	}
	return locale.List(words...)
}

// prefer returns the variant to deploy at a load, −1 if there is none: the smallest of those that cannot be told apart
// from the fastest.
func (p *Portfolio) prefer(l int, variants []int) int {
	first := -1
	for _, i := range variants {
		if f := p.Verdicts[l][i].Metric; first < 0 || dataset.Better(f.Better, f.Value, p.Verdicts[l][first].Metric.Value) {
			first = i
		}
	}
	best := first
	for _, i := range variants {
		if p.sizes[i] < p.sizes[best] && p.Selection.Alike(p.Verdicts[l][first].Figure, p.Verdicts[l][i].Figure) {
			best = i
		}
	}
	return best
}

// words returns the names of merits: mean TTFT, quality (gsm8k).
func words(merits []merit) []locale.Text {
	var out []locale.Text
	for _, m := range merits {
		name := locale.Inside(locale.MetricName(m.metric))
		if m.task != "" {
			name = locale.T("answer.task", name, m.task)
		}
		out = append(out, name)
	}
	return out
}
