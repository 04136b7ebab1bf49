package parts

import (
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestLargeFiguresAreReadable checks that bytes and operation rates are shown in the units of data sheets: 397 766 922
// 540 B/s are 397.8 GB/s, 21 873 881 063 538 FLOP/s 21.9 TFLOP/s.
func TestLargeFiguresAreReadable(t *testing.T) {
	for _, c := range []struct {
		m    result.Metric
		want string
	}{
		{result.Metric{Kind: &result.Kind{Unit: "B/s"}, Value: 397766922540}, "397.8 GB/s"},
		{result.Metric{Kind: &result.Kind{Unit: "B/s"}, Value: 2465331278890.6}, "2465.3 GB/s"},
		{result.Metric{Kind: &result.Kind{Unit: "FLOP/s"}, Value: 21873881063538}, "21.9 TFLOP/s"},
		{result.Metric{Kind: &result.Kind{Name: "memory_used_max", Unit: "B"}, Value: 73400320000}, "73.4 GB"},
		{result.Metric{Kind: &result.Kind{Unit: "tok"}, Value: 453632}, "453,632 tok"},
		{result.Metric{Kind: &result.Kind{Unit: "1"}, Value: 480}, "480 "},
	} {
		if got := Digits(c.m) + " " + UnitOf(c.m); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.m.Value, c.m.Unit, got, c.want)
		}
	}
}
