package report

// Portfolio is what a tradeoff comes to, as plain data: what the pages' scripts
// have to come to as well.
type Portfolio struct {
	Mixed    bool           `json:"mixed,omitempty"` // a cell holds runs that are no repeats: nothing else is told
	Variants []string       `json:"variants,omitempty"`
	Sizes    []*float64     `json:"sizes,omitempty"` // null where one is not known
	Loads    []WeighedLoad  `json:"loads,omitempty"`
	Limits   []WeighedLimit `json:"limits,omitempty"`
}

// WeighedLoad is what is said at one load.
type WeighedLoad struct {
	Load     string           `json:"load"`
	Judge    string           `json:"judge"`
	Verdicts []WeighedVariant `json:"verdicts"`
	Best     int              `json:"best"`
	Sound    int              `json:"sound"`
}

// WeighedVariant is the verdict of a variant, and why it was not to be chosen from.
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

// WeighedLimit is a limit as it was read.
type WeighedLimit struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Better string  `json:"better"`
	Task   string  `json:"task,omitempty"`
}

// Weigh lays all results out and weighs them as the block tradeoff does.
func (d *Data) Weigh(rows, size, load, baseline string, judge map[string]string) (Portfolio, error) {
	var out Portfolio
	rs := having(having(d.Results, load), rows)
	f, err := d.lay(rs, rows, load, baseline, judge)
	if err != nil {
		return out, err
	}
	if f.mixed() != nil {
		return Portfolio{Mixed: true}, nil
	}
	p := &portfolio{field: f, size: size}
	p.weigh()
	limits, err := p.limits(tradeoffSpec{})
	if err != nil {
		return out, err
	}
	for _, l := range limits {
		out.Limits = append(out.Limits, WeighedLimit{l.name, l.value, l.dir.String(), l.task})
	}
	for i, g := range p.variants {
		out.Variants = append(out.Variants, g.values[0])
		if p.sizes[i] == 0 {
			out.Sizes = append(out.Sizes, nil)
		} else {
			out.Sizes = append(out.Sizes, &p.sizes[i])
		}
	}
	for l, name := range p.loads {
		decided := p.decide(l, limits)
		one := WeighedLoad{Load: name, Judge: p.decides(name), Best: decided.best, Sound: decided.sound}
		for _, v := range p.said[l] {
			w := WeighedVariant{Rule: v.rule, By: -1, On: v.on, Held: v.held}
			if v.rule == "dominated" {
				w.By = v.by
			}
			if v.rule != "" {
				w.Run, w.Value = v.figure.runs[0].ID, v.metric.Value
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

// LabelNumber reads the number of a label and its unit.
func LabelNumber(s string) (value float64, unit string, ok bool) {
	v, _, unit, ok := labelNumber(s)
	return v, unit, ok
}
