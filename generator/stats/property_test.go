package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// directions returns a random direction for each metric.
func directions(r *rand.Rand, metrics int) []result.Better {
	d := make([]result.Better, metrics)
	for i := range d {
		d[i] = []result.Better{result.Higher, result.Lower, result.Neutral}[r.IntN(3)]
	}
	return d
}

// factorial returns levels of three factors and observations of some of their
// combinations, some repeated.
func factorial(r *rand.Rand) ([][]string, []Observation) {
	levels := [][]string{{"a", "b", "c"}, {"d", "e"}, {"f", "g"}}
	var observations []Observation
	for range 5 + r.IntN(20) {
		o := Observation{Value: repeats(r, 1)[0]}
		for _, names := range levels {
			o.Levels = append(o.Levels, names[r.IntN(len(names))])
		}
		observations = append(observations, o)
	}
	return levels, observations
}

// saturating returns a sweep that flattens, with repeats and scatter.
func saturating(r *rand.Rand) []SweepPoint {
	var points []SweepPoint
	half := 1 + 20*r.Float64()
	for range 3 + r.IntN(12) {
		c := math.Exp2(float64(r.IntN(8)))
		x := repeats(r, 1)[0]
		points = append(points, SweepPoint{c, x * c / (c + half), x * (c + half)})
	}
	return points
}

// walk returns a series of points with one to six repeats and now and then a
// step.
func walk(r *rand.Rand) [][]float64 {
	series := make([][]float64, 1+r.IntN(20))
	level := 1.0
	for i := range series {
		if r.IntN(6) == 0 {
			level *= 0.5 + r.Float64()
		}
		series[i] = repeats(r, 1+r.IntN(6))
		for k := range series[i] {
			series[i][k] *= level
		}
	}
	return series
}

// each checks a property 300 times with different random numbers.
func each(property func(r *rand.Rand)) {
	for seed := range uint64(300) {
		property(random(seed))
	}
}

func shuffled[T any](r *rand.Rand, items []T) []T {
	items = slices.Clone(items)
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

func TestOrderChangesNothing(t *testing.T) {
	each(func(r *rand.Rand) {
		a, b := repeats(r, 1+r.IntN(12)), repeats(r, 1+r.IntN(12))
		a2, b2 := shuffled(r, a), shuffled(r, b)
		if got, want := Summarize(a2), Summarize(a); got != want {
			t.Errorf("%v: %+v, shuffled %+v", a, want, got)
		}
		if got, want := Compare(a2, b2, 0.03), Compare(a, b, 0.03); got != want {
			t.Errorf("%v, %v: %+v, shuffled %+v", a, b, want, got)
		}
		got, _ := GeoMean(a2)
		if want, _ := GeoMean(a); got != want {
			t.Errorf("%v: %v, shuffled %v", a, want, got)
		}

		levels, observations := factorial(r)
		d, _ := NewDesign(levels, observations)
		d2, _ := NewDesign(levels, shuffled(r, observations))
		if !reflect.DeepEqual(d.Effects(), d2.Effects()) || !reflect.DeepEqual(d.Interactions(), d2.Interactions()) {
			t.Errorf("%v: the effects depend on the order", observations)
		}

		points := saturating(r)
		points2 := shuffled(r, points)
		knee, _ := Knee(points)
		if got, _ := Knee(points2); got != knee {
			t.Errorf("%v: knee %v, shuffled %v", points, knee, got)
		}
		if got, want := HighestUnder(points2, 1500), HighestUnder(points, 1500); got != want {
			t.Errorf("%v: %v, shuffled %v", points, want, got)
		}

		series := walk(r)
		series2 := slices.Clone(series)
		for i := range series2 {
			series2[i] = shuffled(r, series2[i])
		}
		steps, _ := Steps(series, 0.03)
		if got, _ := Steps(series2, 0.03); !slices.Equal(got, steps) {
			t.Errorf("%v: %v, repeats shuffled %v", series, steps, got)
		}
	})
}

func TestOrderChangesOnlyTheIndicesOfAFrontier(t *testing.T) {
	each(func(r *rand.Rand) {
		metrics := 1 + r.IntN(4)
		points, better := cloud(r, 1+r.IntN(30), metrics), directions(r, metrics)
		order := r.Perm(len(points))
		points2 := make([][]float64, len(points))
		for i, from := range order {
			points2[i] = points[from]
		}
		var front []int
		for _, i := range Frontier(points2, better) {
			front = append(front, order[i])
		}
		slices.Sort(front)
		if want := Frontier(points, better); !slices.Equal(front, want) {
			t.Errorf("%v: frontier %v, shuffled %v", points, want, front)
		}
		for i, from := range order {
			j, want := Dominator(points2, better, i), Dominator(points, better, from)
			if (j < 0) != (want < 0) || j >= 0 && rank(points2[j], points[want], better) != 0 {
				t.Errorf("%v: dominator %v of point %v, shuffled %v", points, want, from, j)
			}
		}
	})
}

// TestScaleChangesNoRatio multiplies by powers of two, which causes no rounding.
func TestScaleChangesNoRatio(t *testing.T) {
	each(func(r *rand.Rand) {
		factor := math.Ldexp(1, r.IntN(41)-20)
		scale := func(values []float64) []float64 {
			scaled := slices.Clone(values)
			for i := range scaled {
				scaled[i] *= factor
			}
			return scaled
		}

		a, b := repeats(r, 1+r.IntN(12)), repeats(r, 1+r.IntN(12))
		want := Summarize(a)
		want.Median, want.Low, want.High = want.Median*factor, want.Low*factor, want.High*factor
		if got := Summarize(scale(a)); got != want {
			t.Errorf("%v × %v: %+v, want %+v", a, factor, got, want)
		}
		if got, want := Compare(scale(a), scale(b), 0.03), Compare(a, b, 0.03); got != want {
			t.Errorf("%v, %v × %v: %+v, want %+v", a, b, factor, got, want)
		}

		points, better := cloud(r, 20, 3), directions(r, 3)
		var scaled [][]float64
		for _, p := range points {
			scaled = append(scaled, scale(p))
		}
		if got, want := Frontier(scaled, better), Frontier(points, better); !slices.Equal(got, want) {
			t.Errorf("%v × %v: %v, want %v", points, factor, got, want)
		}

		levels, observations := factorial(r)
		observations2 := slices.Clone(observations)
		for i := range observations2 {
			observations2[i].Value *= factor
		}
		d, _ := NewDesign(levels, observations)
		d2, _ := NewDesign(levels, observations2)
		if !reflect.DeepEqual(d.Effects(), d2.Effects()) || !reflect.DeepEqual(d.Interactions(), d2.Interactions()) {
			t.Errorf("%v × %v: other effects", observations, factor)
		}

		sweep := saturating(r)
		sweep2 := slices.Clone(sweep)
		for i := range sweep2 {
			sweep2[i].Throughput *= factor
			sweep2[i].Latency *= factor
		}
		knee, _ := Knee(sweep)
		if got, _ := Knee(sweep2); got.Concurrency != knee.Concurrency {
			t.Errorf("%v × %v: knee %v, want %v", sweep, factor, got, knee)
		}
		if got, want := HighestUnder(sweep2, 1500*factor), HighestUnder(sweep, 1500); got != want {
			t.Errorf("%v × %v: %v, want %v", sweep, factor, got, want)
		}

		series := walk(r)
		var series2 [][]float64
		for _, runs := range series {
			series2 = append(series2, scale(runs))
		}
		steps, _ := Steps(series, 0.03)
		for i := range steps {
			steps[i].Before *= factor
			steps[i].After *= factor
		}
		if got, _ := Steps(series2, 0.03); !slices.Equal(got, steps) {
			t.Errorf("%v × %v: %+v, want %+v", series, factor, got, steps)
		}
	})
}

func TestComparingTheOtherWayRoundInvertsTheRatio(t *testing.T) {
	each(func(r *rand.Rand) {
		a, b := repeats(r, 1+r.IntN(12)), repeats(r, 1+r.IntN(12))
		there, back := Compare(a, b, 0.03), Compare(b, a, 0.03)
		if !near(there.Ratio*back.Ratio, 1) {
			t.Errorf("%v, %v: %v and %v", a, b, there.Ratio, back.Ratio)
		}
		back.Ratio, back.N1, back.N2 = there.Ratio, back.N2, back.N1
		if there != back {
			t.Errorf("%v, %v: %+v and %+v", a, b, there, back)
		}
	})
}

// TestAFrontierIsWhatIsNotDominated compares the frontier with its definition, point by point.
func TestAFrontierIsWhatIsNotDominated(t *testing.T) {
	each(func(r *rand.Rand) {
		metrics := 1 + r.IntN(4)
		points, better := cloud(r, 1+r.IntN(30), metrics), directions(r, metrics)
		front := Frontier(points, better)
		if len(front) == 0 {
			t.Errorf("%v: no frontier", points)
		}
		for i := range points {
			j := Dominator(points, better, i)
			if slices.Contains(front, i) != (j < 0) {
				t.Errorf("%v: frontier %v, but point %d is dominated by %d", points, front, i, j)
			}
			if j >= 0 && (!slices.Contains(front, j) || !dominates(points[j], points[i], better)) {
				t.Errorf("%v: %d is no point of the frontier that dominates %d", points, j, i)
			}
		}
	})
}

func TestADominatedPointChangesNoFrontier(t *testing.T) {
	each(func(r *rand.Rand) {
		metrics := 1 + r.IntN(4)
		points, better := cloud(r, 1+r.IntN(30), metrics), directions(r, metrics)
		better[0] = result.Higher
		worse := slices.Clone(points[r.IntN(len(points))])
		for m, direction := range better {
			switch direction {
			case result.Higher:
				worse[m]--
			case result.Lower:
				worse[m]++
			}
		}
		if got, want := Frontier(append(points, worse), better), Frontier(points, better); !slices.Equal(got, want) {
			t.Errorf("%v: frontier %v, with %v %v", points, want, worse, got)
		}
	})
}

// TestAnOutlierThatComesBackIsNoStep inserts an outlier into a constant series, at every place with neighbours
// on both sides.
func TestAnOutlierThatComesBackIsNoStep(t *testing.T) {
	each(func(r *rand.Rand) {
		n := 4 + r.IntN(12)
		at, factor := 1+r.IntN(n-2), 0.3+3*r.Float64()
		series := make([][]float64, n)
		for i := range series {
			series[i] = []float64{100 + r.Float64()}
		}
		series[at][0] *= factor
		if steps, _ := Steps(series, 0.03); len(steps) != 0 {
			t.Errorf("%v: %+v", series, steps)
		}
	})
}

// TestStepsAreInOrderAndBeyondTheNoise checks what must hold for every step.
func TestStepsAreInOrderAndBeyondTheNoise(t *testing.T) {
	each(func(r *rand.Rand) {
		series := walk(r)
		steps, _ := Steps(series, 0.03)
		if !slices.IsSortedFunc(steps, func(a, b Step) int { return cmp.Compare(a.Index, b.Index) }) {
			t.Errorf("%v: %+v", series, steps)
		}
		for _, s := range steps {
			if Within(s.Before, s.After, 0.03) || s.Comparison.Verdict != Different || s.Lasting == (s.Index == len(series)-1) {
				t.Errorf("%v: %+v", series, s)
			}
		}
	})
}

func TestArgumentsStayAsTheyAre(t *testing.T) {
	each(func(r *rand.Rand) {
		a, b, points, series := repeats(r, 8), repeats(r, 8), saturating(r), walk(r)
		a2, b2, points2 := slices.Clone(a), slices.Clone(b), slices.Clone(points)
		var series2 [][]float64
		for _, runs := range series {
			series2 = append(series2, slices.Clone(runs))
		}
		Summarize(a)
		Compare(a, b, 0.03)
		GeoMean(a)
		Knee(points)
		HighestUnder(points, 1500)
		Steps(series, 0.03)
		if !slices.Equal(a, a2) || !slices.Equal(b, b2) || !slices.Equal(points, points2) || !reflect.DeepEqual(series, series2) {
			t.Error("an argument was changed")
		}
	})
}
