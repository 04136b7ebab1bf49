package result

import (
	"fmt"
	"testing"
	"unsafe"
)

// TestAMetricIsSmall limits the size of a metric. A site of 16,000 runs has half a million metrics, which share
// their kinds.
func TestAMetricIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Metric{}); size > 24 {
		t.Errorf("a metric takes %d bytes", size)
	}
}

func TestKindsAreMadeOnce(t *testing.T) {
	var kinds Kinds[string]
	made := 0
	of := func(name string) *Kind {
		return kinds.Of(name, func(name string) Kind { made++; return Kind{Name: name} })
	}
	if a, b := of("ttft_mean"), of("ttft_mean"); a != b || a.Name != "ttft_mean" || made != 1 {
		t.Errorf("%+v and %+v, made %d times", a, b, made)
	}
	for i := range 2 * mostKinds {
		of(string(rune('A' + i)))
	}
	if len(kinds.known) > mostKinds {
		t.Errorf("%d are known", len(kinds.known))
	}
}

// TestWithChangesNoOther checks that With returns another kind and does not modify the shared one.
func TestWithChangesNoOther(t *testing.T) {
	k := &Kind{Name: "power_mean", Unit: "W"}
	if other := k.With(func(k *Kind) { k.Unit = "mW" }); k.Unit != "W" || *other != (Kind{Name: "power_mean", Unit: "mW"}) {
		t.Errorf("%+v from %+v", other, k)
	}
}

// TestEqualMetricsArePrintedAlike checks that equal metrics are printed alike: tests and messages compare
// printed metrics, and the addresses of kinds differ.
func TestEqualMetricsArePrintedAlike(t *testing.T) {
	ttft := func(unit string, line int32) []Metric {
		return []Metric{{Kind: &Kind{Name: "ttft_mean", Unit: unit}, Value: 974.57, Line: line, Decimals: 2}}
	}
	if a, b := fmt.Sprint(ttft("ms", 7)), fmt.Sprintf("%+v", ttft("ms", 7)); a != b {
		t.Errorf("%s and %s", a, b)
	}
	for _, other := range [][]Metric{ttft("s", 7), ttft("ms", 8)} {
		if fmt.Sprint(other) == fmt.Sprint(ttft("ms", 7)) {
			t.Errorf("another is printed alike: %v", other)
		}
	}
}
