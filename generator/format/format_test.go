package format

import (
	"strings"
	"testing"
)

// table is a block as vLLM 0.10 prints it.
const table = `============ Serving Benchmark Result ============
Successful requests:                     100       
Maximum request concurrency:             8         
Benchmark duration (s):                  42.94     
Total input tokens:                      204169    
Total generated tokens:                  12800     
Request throughput (req/s):              2.33      
Output token throughput (tok/s):         298.09    
Total Token throughput (tok/s):          5052.84   
---------------Time to First Token----------------
Mean TTFT (ms):                          495.44    
Median TTFT (ms):                        455.84    
P99 TTFT (ms):                           912.34    
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          22.59     
Median TPOT (ms):                        23.00     
P99 TPOT (ms):                           25.05     
---------------Inter-token Latency----------------
Mean ITL (ms):                           22.59     
Median ITL (ms):                         17.88     
P99 ITL (ms):                            150.30    
==================================================
`

func read(t *testing.T, text string) Output {
	t.Helper()
	out, err := Read("run.log", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTable(t *testing.T) {
	out := read(t, table)
	if len(out.Results) != 1 {
		t.Fatalf("%d results, reason %q", len(out.Results), out.Reason)
	}
	r := out.Results[0]
	if r.Source.Line != 1 || r.EndLine != 22 || len(r.Metrics) != 16 {
		t.Errorf("lines %d to %d with %d metrics", r.Source.Line, r.EndLine, len(r.Metrics))
	}
	if m, _ := r.Metric("output_throughput"); m.Text() != "298.09" || m.Unit != "tok/s" || m.Line != 8 {
		t.Errorf("output_throughput is %+v", m)
	}
	if c := r.Label("max_concurrency"); c != "8" {
		t.Errorf("max_concurrency is %q", c)
	}
	if string(Raw([]byte("before\n"+table), &read(t, "before\n"+table).Results[0])) != table {
		t.Error("the block cut out is not the block put in")
	}
}
