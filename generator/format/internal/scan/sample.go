package scan

import (
	"math"
	"slices"
)

// Sample is a list of numbers of any length. Up to ExactSize numbers are kept as they are. Beyond that they are counted
// in buckets with a width of 1/1024 of their power of two, so that a quantile is accurate to 0.05 %. NaN is a gap, an
// unknown number: it keeps its place in the list, but is not counted.
type Sample struct {
	n        int // numbers and gaps
	gaps     int
	Sum      float64
	squares  float64 // sum of squared distances from the mean, after Welford
	Mean     float64
	Min, Max float64
	Values   []float64 // in the order of the source; nil if there are too many
	Buckets  *buckets  // replaces Values if there are too many
	spare    []float64 // the memory of the former Values
	passing  bool      // the numbers will be joined to another list: up to ExactSize, only they and their sum are kept
}

// buckets counts positive numbers by their power of two, from 2⁻⁶⁴ on, and the 1024th part of it. Smaller and larger
// numbers count in the outermost buckets.
type buckets struct {
	powers [powersCount]*[perPower]uint32
	zeros  uint32 // zeros and negative numbers
}

const (
	ExactSize   = 1 << 16
	perPower    = 1 << 10
	firstPower  = -63 // the exponent of math.Frexp: 2⁻⁶⁴ is 0.5 · 2⁻⁶³
	powersCount = 128
)

func (s *Sample) Add(v float64) {
	if s.passing {
		s.pass(v)
		return
	}
	s.n++
	if s.Buckets == nil {
		s.Values = append(s.Values, v)
	}
	if math.IsNaN(v) {
		s.gaps++
	} else {
		s.Sum += v
		n := float64(s.n - s.gaps)
		delta := v - s.Mean
		s.Mean += delta / n
		s.squares += delta * (v - s.Mean)
		if n == 1 {
			s.Min, s.Max = v, v
		}
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
		if s.Buckets != nil {
			s.Buckets.add(v)
		}
	}
	if len(s.Values) > ExactSize {
		s.Buckets = &buckets{}
		for _, v := range s.Values {
			if !math.IsNaN(v) {
				s.Buckets.add(v)
			}
		}
		s.Values, s.spare = nil, s.Values
	}
}

// pass adds a number to a sample that will be joined to another.
func (s *Sample) pass(v float64) {
	if len(s.Values) == ExactSize {
		values := s.Values
		*s = Sample{Values: values[:0]}
		for _, v := range append(values, v) {
			s.Add(v)
		}
		return
	}
	s.n++
	s.Values = append(s.Values, v)
	if math.IsNaN(v) {
		s.gaps++
	} else {
		s.Sum += v
	}
}

func (b *buckets) add(v float64) {
	if v <= 0 {
		b.zeros++
		return
	}
	const mantissaBits, bias, partBits = 52, 1022, 10 // a mantissa is in [0.5, 1); 2^partBits is perPower
	binary := math.Float64bits(v)
	power := min(max(int(binary>>mantissaBits)-bias-firstPower, 0), powersCount-1)
	if b.powers[power] == nil {
		b.powers[power] = new([perPower]uint32)
	}
	b.powers[power][binary>>(mantissaBits-partBits)%perPower]++
}

// Join adds the numbers of another sample.
func (s *Sample) Join(other *Sample) {
	for _, v := range other.Values {
		s.Add(v)
	}
	if other.Buckets == nil {
		return
	}
	for _, b := range other.sorted() {
		for range b.count {
			s.Add(b.value)
		}
	}
}

// pad adds gaps until the sample has n entries.
func (s *Sample) pad(n int) {
	for s.n < n {
		s.Add(math.NaN())
	}
}

// reset empties the sample and keeps its buffer.
func (s *Sample) reset() {
	if s.Values == nil {
		s.Values = s.spare
	}
	*s = Sample{Values: s.Values[:0]}
}

// Size returns the number of numbers, without gaps.
func (s *Sample) Size() int {
	if s == nil {
		return 0
	}
	return s.n - s.gaps
}

// Std returns the population standard deviation, as numpy does.
func (s *Sample) Std() float64 {
	return math.Sqrt(s.squares / float64(s.Size()))
}

type bucket struct {
	value float64
	count uint32
}

// sorted returns the buckets in ascending order, each with its middle value.
func (s *Sample) sorted() []bucket {
	var out []bucket
	if s.Buckets.zeros > 0 {
		out = append(out, bucket{s.Min, s.Buckets.zeros})
	}
	for power, parts := range s.Buckets.powers {
		if parts == nil {
			continue
		}
		for i, count := range parts {
			if count > 0 {
				v := math.Ldexp(0.5+(float64(i)+0.5)/(2*perPower), power+firstPower)
				out = append(out, bucket{min(max(v, s.Min), s.Max), count})
			}
		}
	}
	return out
}

// Quantiles returns the quantiles of the numbers for the given shares (0 to 1, ascending). It interpolates between
// neighbours as numpy's percentile does; with buckets it returns the value of a bucket.
func (s *Sample) Quantiles(shares []float64) []float64 {
	out := make([]float64, len(shares))
	size := s.Size()
	if size == 0 {
		return nil
	}
	if s.Buckets == nil {
		sorted := make([]float64, 0, size)
		for _, v := range s.Values {
			if !math.IsNaN(v) {
				sorted = append(sorted, v)
			}
		}
		slices.Sort(sorted)
		for i, share := range shares {
			at := share * float64(size-1)
			low := int(at)
			high := min(low+1, size-1)
			out[i] = sorted[low] + (sorted[high]-sorted[low])*(at-float64(low))
		}
		return out
	}
	counted := s.sorted()
	b, below := 0, 0.0
	for i, share := range shares {
		at := share * float64(size-1)
		for b < len(counted)-1 && below+float64(counted[b].count) <= at {
			below += float64(counted[b].count)
			b++
		}
		out[i] = counted[b].value
	}
	return out
}
