package tradeoff

import (
	"github.com/benchpost/benchpost/generator/dataset"
)

// Weighing is the outcome of a tradeoff as plain data, which the pages' scripts must reproduce.
type Weighing struct {
	Mixed    bool           `json:"mixed,omitempty"` // a cell holds runs that are no repeats: nothing else is reported
	Variants []string       `json:"variants,omitempty"`
	Sizes    []*float64     `json:"sizes,omitempty"` // null where one is not known
	Loads    []WeighedLoad  `json:"loads,omitempty"`
	Limits   []WeighedLimit `json:"limits,omitempty"`
}

// WeighedLoad is the outcome at one load.
type WeighedLoad struct {
	Load     string           `json:"load"`
	Judge    string           `json:"judge"`
	Verdicts []WeighedVariant `json:"verdicts"`
	Best     int              `json:"best"`
	Sound    int              `json:"sound"`
}

// WeighedVariant is the verdict of a variant, and the reason why it is not eligible.
type WeighedVariant struct {
	Rule   string   `json:"rule"`
	By     int      `json:"by"`
	On     bool     `json:"on"`
	Held   bool     `json:"held"`
	Run    string   `json:"run,omitempty"`
	Value  float64  `json:"value,omitempty"`
	Kept   bool     `json:"kept,omitempty"`
	Why    string   `json:"why,omitempty"`
	Limits []string `json:"limits,omitempty"`
}

// WeighedLimit is a parsed limit.
type WeighedLimit struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Better string  `json:"better"`
	Task   string  `json:"task,omitempty"`
}

// Weigh lays out all results and weighs them like the block tradeoff.
func Weigh(d *dataset.Selection, rows, size, load, baseline string, judge map[string]string) (Weighing, error) {
	var out Weighing
	rs := dataset.Having(dataset.Having(d.Results, load), rows)
	f, err := d.Lay(rs, rows, load, baseline, judge)
	if err != nil {
		return out, err
	}
	if f.Mixed() != nil {
		return Weighing{Mixed: true}, nil
	}
	p := &Portfolio{Field: f, Size: size}
	p.Weigh()
	limits, err := p.limits(Spec{})
	if err != nil {
		return out, err
	}
	for _, l := range limits {
		out.Limits = append(out.Limits, WeighedLimit{l.name, l.value, l.dir.String(), l.task})
	}
	for i, g := range p.Variants {
		out.Variants = append(out.Variants, g.Values[0])
		if p.sizes[i] == 0 {
			out.Sizes = append(out.Sizes, nil)
		} else {
			out.Sizes = append(out.Sizes, &p.sizes[i])
		}
	}
	for l, name := range p.Loads {
		decided := p.decide(l, limits)
		one := WeighedLoad{Load: name, Judge: p.Decides(name), Best: decided.best, Sound: decided.sound}
		for _, v := range p.Verdicts[l] {
			w := WeighedVariant{Rule: v.Rule, By: -1, On: v.on, Held: v.held}
			if v.Rule == "dominated" {
				w.By = v.By
			}
			if v.Rule != "" {
				w.Run, w.Value = v.Figure.Runs[0].ID, v.Metric.Value
			}
			one.Verdicts = append(one.Verdicts, w)
		}
		for _, i := range decided.kept {
			one.Verdicts[i].Kept = true
		}
		for _, m := range decided.misses {
			one.Verdicts[m.variant].Why = m.why
			for _, l := range m.limits {
				one.Verdicts[m.variant].Limits = append(one.Verdicts[m.variant].Limits, l.name)
			}
		}
		out.Loads = append(out.Loads, one)
	}
	return out, nil
}
