package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/settings"
)

// Condition is a condition for rejecting a comparison, for example in a check of a pull request.
type Condition struct {
	Kind string  // one of Kinds
	Over float64 // of a regression: the relative difference that it must exceed
	text string
}

// Kinds lists the kinds of conditions.
var Kinds = []string{"regression", "removed", "uncertain", "setting-changed"}

// String returns the condition as it was written.
func (c Condition) String() string { return c.text }

// Conditions parses a list such as "regression>5%, removed", ignoring case.
func Conditions(list string) ([]Condition, error) {
	var out []Condition
	for _, item := range strings.Split(list, ",") {
		c := Condition{text: strings.ToLower(strings.TrimSpace(item))}
		kind, size, sized := strings.Cut(c.text, ">")
		c.Kind = strings.TrimSpace(kind)
		if !slices.Contains(Kinds, c.Kind) {
			return nil, locale.Errorf("%q is not a condition (%s)", item, settings.Offer(c.Kind, Kinds, locale.Textf("there are: %s", locale.Commas(Kinds...))))
		}
		if sized {
			share, isPercent := strings.CutSuffix(strings.TrimSpace(size), "%")
			v, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
			if err != nil || !isPercent || c.Kind != "regression" || !(v >= 0) || math.IsInf(v, 1) {
				return nil, locale.Errorf("%q is not a condition (only a regression has a size, as regression>5%%)", item)
			}
			c.Over = v / 100
		}
		out = append(out, c)
	}
	return out, nil
}

// Holds returns how often a comparison fulfils a condition. A result of A counts as removed also if all its
// runs in B failed or lack a metric, for example because they were interrupted.
func (c *Comparison) Holds(cond Condition) int {
	n := 0
	switch cond.Kind {
	case "regression":
		for i := range c.Pairs {
			for _, f := range c.Pairs[i].Figures {
				if f.Verdict == Worse && f.Apart() > cond.Over {
					n++
				}
			}
		}
	case "removed":
		n = len(c.Removed)
		for i := range c.Pairs {
			p := &c.Pairs[i]
			if p.Lost() || slices.ContainsFunc(p.Figures, func(f Figure) bool { return f.Verdict == OnlyA }) {
				n++
			}
		}
	case "uncertain":
		n = c.Count(Uncertain) + len(c.Ambiguous)
	case "setting-changed":
		for i := range c.Pairs {
			for _, ch := range c.Pairs[i].Changed {
				if ch.Setting {
					n++
					break
				}
			}
		}
	}
	return n
}
