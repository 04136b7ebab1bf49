package export

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestColumnData writes runs as columns: two repeats, an excluded run and one in another group.
func TestColumnData(t *testing.T) {
	run := func(id, repeat string, throughput result.Metric) *result.Result {
		r := &result.Result{ID: id, Tool: "vllm-serve", Format: "vllm-serve-text", Metrics: []result.Metric{throughput}}
		r.Labels.Set(result.Label{Name: "model", Value: "Qwen3-8B"})
		r.Labels.Set(result.Label{Name: "weight_size", Value: "8.9 G"})
		if repeat != "" {
			r.Labels.Set(result.Label{Name: "repeat", Value: repeat})
		}
		return r
	}
	printed := result.Metric{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s"}, Value: 298.1, Decimals: 2}
	stored := result.Metric{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s"}, Value: 297.123456789, Decimals: result.FullPrecision}
	odd := run("c/</script>", "", result.Metric{Kind: &result.Kind{Name: "x_warm"}, Value: 1, Decimals: 0})
	odd.Status = result.Partial
	odd.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error, Metrics: []string{"tpot"}}}
	groups := []ColumnGroup{{"c", []*result.Result{run("c/a.1", "1", printed), run("c/a.2", "2", stored), odd}}, {"d", []*result.Result{run("d/a", "", printed)}}}
	got := ColumnData(groups, func(r *result.Result) bool { return r.ID == "c/a.2" }, func(group int, r *result.Result) int { return 10*group + len(r.Labels) })
	want := `{"schema":"benchpost.columns/2",
"groups":[["c",3],["d",1]],
"ids":["c/a.1","c/a.2","c/\u003c/script\u003e","d/a"],
"sets":"0,1,0*2",
"incidental":["format","repeat","tool"],
"partial":[2],
"failed":[],
"excluded":[2],
"auxiliary":[1],
"blocks":"3*2,2,12",
"checks":[{"id":"physics.memory-roofline","severity":"error","metrics":["tpot"],"runs":[2]}],
"labels":{
"format":{"values":["vllm-serve-text"],"at":"0*4"},
"model":{"values":["Qwen3-8B"],"at":"0*4"},
"repeat":{"values":["1","2"],"figures":[1,2],"at":"0,1,*2"},
"tool":{"values":["vllm-serve"],"at":"0*4"},
"weight_size":{"values":["8.9 G"],"figures":[8.9],"at":"0*4"}},
"metrics":{
"output_throughput":"298.10,=297.123456789,,298.10",
"x_warm":"*2,1,"}
}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !json.Valid(got) || strings.Contains(string(got), "</script") {
		t.Error("it is not safe within a script")
	}
}
