package format

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/benchpost/benchpost/generator/result"
)

// table is a block as vLLM 0.10 prints it, white space at the ends and all.
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

// one reads a text that holds a single result.
func one(t *testing.T, text string) result.Result {
	t.Helper()
	out := read(t, text)
	if len(out.Results) != 1 {
		t.Fatalf("%d results, reason %q, messages %v", len(out.Results), out.Reason, out.Messages)
	}
	sound(t, &out.Results[0])
	return out.Results[0]
}

// figures writes metrics as "name=text unit" for comparison.
func figures(r result.Result, names ...string) string {
	var b strings.Builder
	for _, name := range names {
		m, ok := r.Metric(name)
		if !ok {
			b.WriteString(name + "=none; ")
			continue
		}
		b.WriteString(name + "=" + strings.TrimSpace(m.Text()+" "+m.Unit) + "; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestReasons(t *testing.T) {
	for _, test := range []struct{ name, text, reason string }{
		{"empty", "", "empty file"},
		{"blank", " \n\n\t\n", "empty file"},
		{"prose", "Some notes about a run.\n", "no known format"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00" + table, "binary file"},
		{"UTF-16 of Windows' shell", "\xff\xfe=\x00=\x00=\x00", "UTF-16 text; save it as UTF-8"},
		{"other JSON", `{"name": "x", "values": [1, 2]}`, "no known format"},
		{"title alone", "============ Serving Benchmark Result ============\n", "a result's title without figures below it"},
		{"another tool's rows", "============ Serving Benchmark Result ============\nTask: text-to-image\nFrames Mean (fps): 5.1234\n",
			anotherTool},
		{"placeholders", strings.NewReplacer("100 ", "N ", "42.94", "xxx", "204169", "xxx", "12800", "xxx", "2.33", "xx.xx",
			"298.09", "...", "5052.84", "xxx", "495.44", "xxx", "455.84", "xxx", "912.34", "xxx", "22.59", "XX", "23.00", "xxx",
			"25.05", "xxx", "17.88", "xxx", "150.30", "xxx").Replace(table), "placeholders, not figures"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := read(t, test.text)
			if len(out.Results) != 0 || out.Reason != test.reason || len(out.Messages) != 0 {
				t.Errorf("%d results, reason %q, messages %v", len(out.Results), out.Reason, out.Messages)
			}
		})
	}
}

// What has no result is a message when the file has one elsewhere.
func TestSkippedBlockBesideAResult(t *testing.T) {
	out := read(t, table+"============ Serving Benchmark Result ============\nTask: text-to-image\nLatency Mean (ly): 5.1234\n")
	if len(out.Results) != 1 || out.Reason != "" || len(out.Messages) != 1 {
		t.Fatalf("%d results, reason %q, messages %v", len(out.Results), out.Reason, out.Messages)
	}
	if m := out.Messages[0]; m.Severity != result.Info || m.Pos.Line != 23 || m.Text != anotherTool {
		t.Errorf("the message is %+v", m)
	}
}

func TestReaderErrorsAreReturned(t *testing.T) {
	broken := errors.New("the disk is gone")
	out, err := Read("run.log", io.MultiReader(strings.NewReader(table), iotest.ErrReader(broken)))
	if err != broken || len(out.Results) != 1 {
		t.Errorf("%d results, error %v", len(out.Results), err)
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none"), "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// However the bytes arrive, the same is read.
func TestPieces(t *testing.T) {
	for _, text := range []string{table, "x\r\n" + strings.ReplaceAll(table, "\n", "\r\n"), saved, saved + "\n" + saved} {
		whole := read(t, text)
		piecewise, err := Read("run.log", iotest.OneByteReader(strings.NewReader(text)))
		if err != nil || len(piecewise.Results) != len(whole.Results) {
			t.Fatalf("%d results, error %v", len(piecewise.Results), err)
		}
		for i := range whole.Results {
			a, b := whole.Results[i], piecewise.Results[i]
			if a.Digest != b.Digest || a.EndLine != b.EndLine || len(a.Metrics) != len(b.Metrics) {
				t.Errorf("%+v\nis not\n%+v", a, b)
			}
		}
	}
}

func TestRaw(t *testing.T) {
	bar := " 99%|#########9| 99/100\r100%|##########| 100/100" // the title follows on the same line
	for _, test := range []struct{ name, before, block, after string }{
		{"whole file", "", table, ""},
		{"in a page", "# Title\n\n```\n", table, "```\n"},
		{"behind a bar", "Starting\n", bar + table, "done\n"},
		{"carriage returns", "a\r\nb\r\n", strings.ReplaceAll(table, "\n", "\r\n"), "c\r\n"},
		{"no last newline", "x\n", strings.TrimSuffix(table, "\n"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := test.before + test.block + test.after
			r := one(t, text)
			if raw := Raw([]byte(text), &r); string(raw) != test.block {
				t.Errorf("lines %d to %d:\n%s", r.Source.Line, r.EndLine, raw)
			}
		})
	}
	r := result.Result{Source: result.Position{Line: 5}, EndLine: 6}
	if raw := Raw([]byte("one\ntwo\n"), &r); len(raw) != 0 {
		t.Errorf("lines that are not there: %q", raw)
	}
}
