package telemetry

import (
	"math"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/result"
)

// TestSpreadSeconds checks that samples within a second get times of their own, here four in one second and two in the
// last, and that the first second ends where the next begins.
func TestSpreadSeconds(t *testing.T) {
	trace := &result.Trace{Times: []float64{0, 1, 1, 1, 1, 5, 6, 6}}
	spreadSeconds(trace)
	want := []float64{0.75, 1, 1.25, 1.5, 1.75, 5, 6, 6.5}
	for i, at := range trace.Times {
		if at != want[i] {
			t.Fatalf("times %v, not %v", trace.Times, want)
		}
	}
}

// TestLongTraceIsThinned checks that a trace with more samples than are kept has samples evenly over its whole length.
func TestLongTraceIsThinned(t *testing.T) {
	var r recorder
	r.begin(draft.NewFile(), "x", "y")
	const n = 5*maxSamples + 7
	for i := range n {
		r.elapsed(i+1, float64(i))
		r.put("power", "W", "p", "", float64(i))
	}
	trace := r.trace
	if len(trace.Times) > maxSamples {
		t.Fatalf("%d samples kept", len(trace.Times))
	}
	for i, at := range trace.Times[:len(trace.Times)-1] {
		if at != float64(8*i) || trace.Channels[0].Values[i] != at || trace.Channels[0].Lines[i] != int32(at)+1 {
			t.Fatalf("sample %d is of %v s, value %v in line %d", i, at, trace.Channels[0].Values[i], trace.Channels[0].Lines[i])
		}
	}
	if last := trace.Times[len(trace.Times)-1]; last != n-1 {
		t.Errorf("the last is of %v s", last)
	}
}

// TestThrottled checks that a reason is a limit only if it is caused by power or heat.
func TestThrottled(t *testing.T) {
	for reasons, want := range map[string]float64{
		"0x0000000000000000": 0, "0x0000000000000001": 0, "0x0000000000000002": 0, "0x0000000000000100": 0,
		"0x0000000000000004": 1, "0x0000000000000008": 1, "0x0000000000000021": 1, "0x0000000000000080": 1, "64": 1,
	} {
		if got, ok := held(reasons); !ok || got != want {
			t.Errorf("%s: %v", reasons, got)
		}
	}
	if _, ok := held("[N/A]"); ok {
		t.Error("a reason in what tells none")
	}
}

// TestMeasured checks that measured prefers a figure's own unit to that of its column, converts what can be converted,
// and returns NaN for everything else.
func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		text, unit, want string
		value            float64
	}{
		{"62.87 W", "", "W", 62.87}, {"62870", "mW", "W", 62.87}, {"725 MiB", "MB", "B", 725 << 20}, {"5", "MiB", "MiB", 5},
		{"0 %", "%", "%", 0}, {"1,234", "W", "W", 1234}, {"45", "C", "°C", 45},
		{"[N/A]", "W", "W", math.NaN()}, {"", "W", "W", math.NaN()}, {"-1", "W", "W", math.NaN()}, {"7 MiB", "W", "W", math.NaN()},
		{"7", "", "W", math.NaN()},
	} {
		if got := measured(c.text, c.unit, c.want); got != c.value && !(math.IsNaN(got) && math.IsNaN(c.value)) {
			t.Errorf("%q in %q is %v %s, not %v", c.text, c.unit, got, c.want, c.value)
		}
	}
}

// TestReadClock checks all forms in which times are written.
func TestReadClock(t *testing.T) {
	for text, want := range map[string]string{
		"2026/07/24 16:22:25.572":          "2026-07-24T16:22:25.572Z local",
		"2026-07-24 16:22:25":              "2026-07-24T16:22:25Z local",
		"2026-07-24T18:22:25.5+02:00":      "2026-07-24T16:22:25.5Z zoned",
		"2026-04-24T07:45:14.673196+00:00": "2026-04-24T07:45:14.673196Z zoned",
		"04-19-2026 01:31:10":              "2026-04-19T01:31:10Z local",
		"20260711 08:52:45":                "2026-07-11T08:52:45Z local",
		"1754586812":                       "2025-08-07T17:13:32Z zoned",
		"1754586812.25":                    "2025-08-07T17:13:32.25Z zoned",
		"1754586812250":                    "2025-08-07T17:13:32.25Z zoned",
		"12.5":                             "",
		"NaN":                              "",
		"yesterday":                        "",
	} {
		got := ""
		if at, zoned, ok := readClock(text); ok {
			got = at.Format("2006-01-02T15:04:05.999999Z07:00") + map[bool]string{true: " zoned", false: " local"}[zoned]
		}
		if got != want {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
}

// TestScaleReadsAsMeasured checks that a scale reads a cell like measured, whatever it read before.
func TestScaleReadsAsMeasured(t *testing.T) {
	t.Parallel()
	cells := []string{"62.87 W", "62870", "62870 mW", "0.06 kW", "725 MiB", "725 MB", "725", "0 %", "1,234", "-1", "-", "+5", "", "[N/A]", "N/A", "45 C",
		"1e3", "1e3 W", ".5", "5.", ".", "12 W extra", "7 eV", "NaN", "inf", "1.5.2", "99999999999999999999 W"}
	for _, units := range [][2]string{{"", "W"}, {"W", "W"}, {"mW", "W"}, {"MiB", "B"}, {"MB", "B"}, {"%", "%"}, {"C", "°C"}, {"1", "1"}, {"", ""}} {
		s := newScale(units[0], units[1])
		for range 2 {
			for _, cell := range cells {
				got, want := s.read([]byte(cell)), measured(cell, units[0], units[1])
				if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("%q in %s for %s is %v, not %v", cell, units[0], units[1], got, want)
				}
			}
		}
	}
}

// TestClockReadsEachMomentAlone checks that a clock reads each moment like readClock, whatever it read before: over
// midnight, with and without fraction, in another zone or order.
func TestClockReadsEachMomentAlone(t *testing.T) {
	t.Parallel()
	var c clock
	for _, text := range []string{
		"2026/07/24 16:22:25.572", "2026/07/24 16:22:25.573", "2026/07/24 23:59:59.9", "2026/07/25 00:00:00", "2026/07/25 00:00:60", "2026/02/30 10:00:00",
		"2026-07-24T18:22:25.5+02:00", "2026-07-24T18:22:26.5+02:00", "2026-07-24T18:22:26.5+01:00", "2026-07-24T18:22:27Z", "2026-07-24T18:22:28.123456789Z",
		"2026-07-24T18:22:28.1234567891Z", "2026-07-24 18:22:28.", "2026-07-24 18:22:28,5", "2026-07-24 18:22:29 PM", "04-19-2026 01:31:10", "04-19-2026 01:31:11",
		"20260711 08:52:45", "1754586812", "1754586812.25", "1754586812250", "12.5", "-1754586812", "", "x", "2026-07-24 25:00:00", "2026-07-24 1a:00:00",
	} {
		at, zoned, ok := c.read([]byte(text))
		wantAt, wantZoned, wantOK := readClock(text)
		if ok != wantOK || ok && (!at.Equal(wantAt) || zoned != wantZoned || at.Format(time.RFC3339Nano) != wantAt.Format(time.RFC3339Nano)) {
			t.Errorf("%q is %v (zone %v, valid %v), not %v (%v, %v)", text, at, zoned, ok, wantAt, wantZoned, wantOK)
		}
	}
}
