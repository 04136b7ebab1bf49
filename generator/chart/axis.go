package chart

import (
	"math"

	"github.com/benchpost/benchpost/generator/chart/number"
)

// span is the least and the greatest of some values. The zero value is the span [0, 0], not an empty one.
type span struct{ min, max float64 }

// add widens the span to include v.
func (s *span) add(v float64) { s.min, s.max = min(s.min, v), max(s.max, v) }

// logSpan is the ratio of the greatest to the least value above which values are compared on a logarithmic
// axis.
const logSpan = 30

// wide reports whether all values are positive and their ratio exceeds logSpan.
func (s span) wide() bool { return s.min > 0 && s.max/s.min > logSpan }

// axis maps values to a line from start to end, in layout units. On a vertical axis end is smaller than start.
type axis struct {
	log        bool
	zero       float64 // the value where a logarithmic axis with zero becomes linear; 0 if the axis has no zero
	whole      bool    // its values are counts
	time       bool    // its values are days
	low, high  float64 // the scaled values at start and end
	start, end float64
}

// newAxis lays out an axis so that the values of s lie between start and end, at least the given paddings away
// from them. The axis ends where the drawing ends, not at a round value, so it may extend beyond its outer
// ticks.
func newAxis(log bool, s span, start, end, padStart, padEnd float64) axis {
	return axis{log: log, start: start, end: end}.fit(s, padStart, padEnd)
}

// fit sets the scaled values at start and end.
func (a axis) fit(s span, padStart, padEnd float64) axis {
	log := a.log
	start, end := a.start, a.end
	low, high := a.scaled(s.min), a.scaled(s.max)
	if high-low <= 1e-9*max(math.Abs(low), math.Abs(high)) { // all equal
		switch {
		case log:
			low, high = low-0.3, high+0.3
		case high == 0:
			high = 1
		default:
			low, high = low-math.Abs(low)/2, high+math.Abs(high)/2
		}
	}
	length := math.Abs(end - start)
	// Paddings shrink when they leave too little room for the values.
	if most := 0.8 * length; padStart+padEnd > most {
		padStart, padEnd = padStart*most/(padStart+padEnd), padEnd*most/(padStart+padEnd)
	}
	perUnit := (high - low) / (length - padStart - padEnd)
	a.low, a.high = low-padStart*perUnit, high+padEnd*perUnit
	return a
}

func (a axis) scaled(v float64) float64 {
	switch {
	case a.log && a.zero > 0:
		return math.Copysign(math.Log10(1+math.Abs(v)/a.zero), v)
	case a.log:
		return math.Log10(v)
	}
	return v
}

// at returns the position of a value, rounded to 1/16 of a unit: fine enough to look continuous, and coarse
// enough to be the same on every machine.
func (a axis) at(v float64) float64 {
	s := a.scaled(v)
	if a.log && !(s >= a.low) {
		s = a.low // an interval that reaches zero or below ends at the edge
	}
	p := a.start + (s-a.low)/(a.high-a.low)*(a.end-a.start)
	return math.Round(p*16) / 16
}

// tick is a marked value on an axis. A minor tick has no label.
type tick struct {
	at    float64
	label string
}

// room returns the least distance between two labels.
type room func(a, b string) float64

// ticks returns the marks of an axis with as many labels as there is room for.
func (a axis) ticks(need room) []tick {
	switch {
	case a.log && a.zero > 0:
		return a.zeroTicks(need)
	case a.log:
		if ts := a.logTicks(need); ts != nil {
			return ts
		}
	}
	return a.linearTicks(need)
}

// zeroTicks labels zero and, on both sides of it, the decades of the logarithmic part whose labels do not touch
// that of zero.
func (a axis) zeroTicks(need room) []tick {
	for every := 1; ; every++ {
		ts := []tick{{a.at(0), "0"}}
		first := int(math.Ceil(math.Log10(a.zero) - 1e-9))
		for exponent := first; exponent < first+40; exponent += every {
			v := math.Pow(10, float64(exponent))
			label := number.Label(v, exponent)
			if math.Abs(a.at(v)-a.at(0)) < need("0", label) {
				continue
			}
			if t := a.scaled(v); t <= a.high {
				ts = append(ts, tick{a.at(v), label})
			}
			if t := a.scaled(-v); t >= a.low {
				ts = append([]tick{{a.at(-v), "−" + label}}, ts...)
			}
		}
		if uncrowded(ts, need) || every > 20 {
			return ts
		}
	}
}

// linearTicks returns ticks at steps of 1, 2 or 5 times a power of ten.
func (a axis) linearTicks(need room) []tick {
	low, high := a.low, a.high
	if a.log {
		low, high = math.Pow(10, low), math.Pow(10, high)
	}
	length := math.Abs(a.end - a.start)
	most := max(2, math.Floor(length/60))
	for exponent := math.Floor(math.Log10((high - low) / most)); ; exponent++ {
		for _, mantissa := range []float64{1, 2, 5} {
			step := mantissa * math.Pow(10, exponent)
			if (high-low)/step > most || a.whole && step < 1 {
				continue
			}
			first, last := math.Ceil(low/step), math.Floor(high/step)
			prefix := number.Common(max(math.Abs(first), math.Abs(last))*step, step)
			var ts []tick
			for i := first; i <= last; i++ {
				v := i * step
				ts = append(ts, tick{a.at(v), prefix.Label(v, int(exponent))})
			}
			if uncrowded(ts, need) {
				return ts
			}
		}
	}
}

// logTicks labels 1, 2 and 5 of every decade, or every decade, or every n-th decade; the rest are minor ticks.
// It returns nil when the axis is too short for two labels.
func (a axis) logTicks(need room) []tick {
	first, last := int(math.Floor(a.low)), int(math.Ceil(a.high))
	decades := math.Abs(a.end-a.start) / (a.high - a.low) // length of one decade
	for every := 0; every <= last-first; every++ {        // 0: label 1, 2 and 5
		var labelled, minor []tick
		for exponent := first; exponent <= last; exponent++ {
			for mantissa := 1; mantissa <= 9; mantissa++ {
				v := float64(mantissa) * math.Pow(10, float64(exponent))
				if t := math.Log10(v); t < a.low || t > a.high {
					continue
				}
				switch {
				case mantissa == 1 && (every == 0 || exponent%every == 0),
					every == 0 && (mantissa == 2 || mantissa == 5):
					labelled = append(labelled, tick{a.at(v), number.Label(v, exponent)})
				case mantissa == 1 || decades > 100:
					minor = append(minor, tick{at: a.at(v)})
				}
			}
		}
		if len(labelled) < 2 {
			return nil
		}
		if uncrowded(labelled, need) {
			return append(minor, labelled...)
		}
	}
	return nil
}

func uncrowded(ts []tick, need room) bool {
	for i := 1; i < len(ts); i++ {
		if math.Abs(ts[i].at-ts[i-1].at) < need(ts[i-1].label, ts[i].label) {
			return false
		}
	}
	return true
}
