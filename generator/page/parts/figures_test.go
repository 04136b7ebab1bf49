package parts

import (
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// Bytes and rates of operations are read in the units of data sheets:
// 397 766 922 540 B/s are 397.8 GB/s, 21 873 881 063 538 FLOP/s 21.9 TFLOP/s.
func TestLargeFiguresAreReadable(t *testing.T) {
	for _, c := range []struct {
		m    result.Metric
		want string
	}{
		{result.Metric{Value: 397766922540, Unit: "B/s"}, "397.8 GB/s"},
		{result.Metric{Value: 2465331278890.6, Unit: "B/s"}, "2465.3 GB/s"},
		{result.Metric{Value: 21873881063538, Unit: "FLOP/s"}, "21.9 TFLOP/s"},
		{result.Metric{Name: "memory_used_max", Value: 73400320000, Unit: "B"}, "73.4 GB"},
		{result.Metric{Value: 453632, Unit: "tok"}, "453,632 tok"},
		{result.Metric{Value: 480, Unit: "1"}, "480 "},
	} {
		if got := Digits(c.m) + " " + UnitOf(c.m); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.m.Value, c.m.Unit, got, c.want)
		}
	}
}
