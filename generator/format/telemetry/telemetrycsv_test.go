package telemetry

import (
	"reflect"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// TestAHeaderIsUnderstoodByItself checks that the meaning of a header does not depend on earlier headers, in the same
// file or in another one.
func TestAHeaderIsUnderstoodByItself(t *testing.T) {
	t.Parallel()
	headers := [][]string{
		{"elapsed_s", "power_w"}, {"timestamp", "power_w"}, {"elapsed_ms", "gpu", "power_w"}, {"timestamp", "gpu", "power_mw", "temperature_c"},
		{"seconds", "power_w"}, {"timestamp", "index", "gpu_power_w", "memory_used_mb"},
	}
	for _, first := range headers {
		for _, second := range headers {
			var after, alone telemetryCSV
			alone.learn(second)
			after.learn(first)
			after.learn(second)
			if !reflect.DeepEqual(after.telemetryTable, alone.telemetryTable) {
				t.Errorf("%q below %q: %+v, not %+v", second, first, after.telemetryTable, alone.telemetryTable)
			}
			after.Begin(draft.NewFile())
			after.learn(second)
			if !reflect.DeepEqual(after.telemetryTable, alone.telemetryTable) {
				t.Errorf("%q in the next file: %+v, not %+v", second, after.telemetryTable, alone.telemetryTable)
			}
		}
	}
}
