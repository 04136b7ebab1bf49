package stats

import (
	"math"
	"testing"
)

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		what   string
		values []float64
		want   Summary
	}{
		{"nothing measured", nil, Summary{}},
		{"a single run says nothing of its scatter", []float64{298.07},
			Summary{N: 1, Median: 298.07, Low: 298.07, High: 298.07, Stability: Single}},
		// The median lies outside when both values are on one side of it:
		// 2 × 1/4. The deviation is √(1+1) = √2, the mean 100.
		{"two runs cover half", []float64{101, 99},
			Summary{N: 2, Median: 100, Low: 99, High: 101, Confidence: 0.5, CV: math.Sqrt2 / 100, HasCV: true, Stability: Good}},
		// 1 − 2/32 = 0.9375 is not enough. The squares are 4+1+0+1+4 = 10, /4 = 2.5.
		{"five runs have no interval", []float64{104, 100, 103, 101, 102},
			Summary{N: 5, Median: 102, Low: 100, High: 104, Confidence: 0.9375, CV: math.Sqrt(2.5) / 102, HasCV: true, Stability: Good}},
		// 1 − 2/64 = 0.96875. The squares are 2 × (6.25+2.25+0.25) = 17.5, /5 = 3.5.
		{"six runs have one, their whole range", []float64{10, 11, 12, 13, 14, 15},
			Summary{N: 6, Median: 12.5, Low: 10, High: 15, Confidence: 0.96875, HasInterval: true, CV: math.Sqrt(3.5) / 12.5, HasCV: true, Stability: Fair}},
		// Of the 2^8 = 256 ways to lie below or above the median, those with
		// 1 to 6 below: 8+28+56+70+56+28 = 246. The squares are
		// 2 × (12.25+6.25+2.25+0.25) = 42, /7 = 6.
		{"the lower of two equal intervals", []float64{8, 7, 6, 5, 4, 3, 2, 1},
			Summary{N: 8, Median: 4.5, Low: 1, High: 7, Confidence: 246.0 / 256, HasInterval: true, CV: math.Sqrt(6) / 4.5, HasCV: true, Stability: Unstable}},
		// 2 to 7 below of 2^9 = 512: 36+84+126+126+84+36 = 492. The squares are
		// 2 × (16+9+4+1) = 60, /8 = 7.5.
		{"nine runs need not their extremes", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9},
			Summary{N: 9, Median: 5, Low: 2, High: 8, Confidence: 492.0 / 512, HasInterval: true, CV: math.Sqrt(7.5) / 5, HasCV: true, Stability: Unstable}},
		{"a mean of zero has no coefficient of variation", []float64{-1, 1},
			Summary{N: 2, Low: -1, High: 1, Confidence: 0.5}},
		{"nor have zeros", []float64{0, 0},
			Summary{N: 2, Confidence: 0.5}},
	} {
		got := Summarize(c.values)
		if !near(got.CV, c.want.CV) || !near(got.Confidence, c.want.Confidence) {
			t.Errorf("%s: CV %v, confidence %v, want %v, %v", c.what, got.CV, got.Confidence, c.want.CV, c.want.Confidence)
		}
		got.CV, got.Confidence = c.want.CV, c.want.Confidence
		if got != c.want {
			t.Errorf("%s: %+v\nwant %+v", c.what, got, c.want)
		}
	}
}

func TestAnIntervalCoversAtLeastItsConfidence(t *testing.T) {
	var values []float64
	for n := 1; n <= 200; n++ {
		values = append(values, float64(n))
		if s := Summarize(values); s.HasInterval != (n >= 6) || s.HasInterval && s.Confidence < Confidence {
			t.Errorf("n = %d: interval %v, covers %v", n, s.HasInterval, s.Confidence)
		}
	}
}

// TestStabilityHasItsBoundsAtFiveAndTwentyPercent uses that the sample standard deviation of m−d, m, m+d is d:
// (d² + 0 + d²)/2 = d².
func TestStabilityHasItsBoundsAtFiveAndTwentyPercent(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Stability
	}{
		{[]float64{96, 100, 104}, Good},
		{[]float64{95, 100, 105}, Fair},
		{[]float64{80, 100, 120}, Fair},
		{[]float64{79, 100, 121}, Unstable},
		{[]float64{-79, -100, -121}, Unstable},
	} {
		if got := Summarize(c.values); got.Stability != c.want {
			t.Errorf("%v, CV %v: %v, want %v", c.values, got.CV, got.Stability, c.want)
		}
	}
}

func TestGeoMean(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
		ok     bool
	}{
		{[]float64{2, 8}, 4, true},      // √16
		{[]float64{1, 3, 9}, 3, true},   // ∛27
		{[]float64{1.25, 0.8}, 1, true}, // a ratio and its inverse
		{[]float64{298.07}, 298.07, true},
		{nil, 0, false},
		{[]float64{2, 0}, 0, false},
		{[]float64{2, -8}, 0, false},
		{[]float64{2, math.Inf(1)}, 0, false},
		{[]float64{2, math.NaN()}, 0, false},
	} {
		if got, ok := GeoMean(c.values); !near(got, c.want) || ok != c.ok {
			t.Errorf("%v: %v, %v, want %v, %v", c.values, got, ok, c.want, c.ok)
		}
	}
}
