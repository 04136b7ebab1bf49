package rundir

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// found loads a tree in which reading each file returns the given output.
func found(t *testing.T, files map[string]format.Output) *Dataset {
	t.Helper()
	root := t.TempDir()
	for name := range files {
		write(t, filepath.Join(root, filepath.FromSlash(name)), "as read")
	}
	d, err := Load(root, Options{Name: "runs", Read: func(path, name string, _ filemark.Mark) (format.Output, error) {
		rel, _ := filepath.Rel(root, path)
		out := files[filepath.ToSlash(rel)]
		for i := range out.Results {
			out.Results[i].Source.File = name
		}
		for i := range out.Traces {
			out.Traces[i].Source.File = name
		}
		return out, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// run returns a file with one run from one second after noon to another. If to is zero, the run has no period.
func run(from, to float64) format.Output {
	r := result.Result{Source: result.Position{Line: 1}, EndLine: 1, Tool: "vllm-serve",
		Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_tokens", Unit: "tok"}, Value: 1000}}}
	if to > 0 {
		r.Period = result.Period{From: after(from), To: after(to)}
	}
	return format.Output{Results: []result.Result{r}}
}

func after(seconds float64) time.Time { return noon.Add(time.Duration(seconds * float64(time.Second))) }

// power returns a file with one sample of power per second from noon on.
func power(watts ...float64) format.Output {
	trace := result.Trace{Source: result.Position{Line: 1}, EndLine: len(watts), Tool: "tegrastats", Format: "tegrastats-text", Start: noon}
	c := result.Channel{Name: "power", Unit: "W", Field: "VIN", Scope: "board", Values: watts}
	for i := range watts {
		trace.Times = append(trace.Times, float64(i))
		c.Lines = append(c.Lines, int32(i+1))
	}
	trace.Channels = []result.Channel{c}
	return format.Output{Traces: []result.Trace{trace}}
}

func steady(n int, watts float64) []float64 { return slices.Repeat([]float64{watts}, n) }

// reported formats a metric of each result, in order.
func reported(d *Dataset, name string) string {
	var b []string
	for i := range d.Results {
		r := &d.Results[i]
		if m, ok := r.Metric(name); ok {
			b = append(b, fmt.Sprintf("%s %g", r.ID, m.Value))
		}
	}
	return strings.Join(b, "; ")
}

// idleBusyIdle is 10 s of idling at 20 W, a run of 20 s at 80 W, and 10 s of idling.
var idleBusyIdle = slices.Concat(steady(10, 20), steady(21, 80), steady(10, 20))

func TestTelemetryIsJoined(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		files  map[string]format.Output
		metric string
		want   string
	}{
		{"by the clocks of both: only what was taken during the run counts",
			map[string]format.Output{"a/run.json": run(10, 30), "a/power.log": power(idleBusyIdle...)}, "power_mean", "a/run 80"},
		{"its energy is the integral over the run",
			map[string]format.Output{"a/run.json": run(10, 30), "a/power.log": power(idleBusyIdle...)}, "energy", "a/run 1600"},
		{"what was idle before is reported",
			map[string]format.Output{"a/run.json": run(10, 30), "a/power.log": power(idleBusyIdle...)}, "power_idle", "a/run 20"},
		{"from the moment at which the run began, amid two samples",
			map[string]format.Output{"a/run.json": run(10.5, 29.5), "a/power.log": power(idleBusyIdle...)}, "energy", "a/run 1520"},
		{"the run before is not idling",
			map[string]format.Output{"a.json": run(10, 30), "b.json": run(50, 59), "power.log": power(slices.Concat(idleBusyIdle, steady(9, 60), steady(10, 80))...)},
			"power_idle", "a 20; b 20"},
		{"nor is one that took little",
			map[string]format.Output{"a.json": run(0, 9), "b.json": run(10, 30), "power.log": power(slices.Concat(steady(10, 50), steady(21, 90))...)},
			"power_idle", ""},
		{"each run of a sweep has its own part",
			map[string]format.Output{"a.json": run(0, 9), "b.json": run(10, 30), "power.log": power(slices.Concat(steady(10, 50), steady(21, 90))...)},
			"power_mean", "a 50; b 90"},
		{"without times, to the only run of the folder, less the idling at both ends",
			map[string]format.Output{"a/run.json": run(0, 0), "a/power.log": power(idleBusyIdle...), "b/run.json": run(0, 0)}, "power_mean", "a/run 80"},
		{"by name, from a folder beside",
			map[string]format.Output{"out/c8.json": run(0, 0), "out/c16.json": run(0, 0), "power/gpu_c8.csv": power(steady(9, 70)...), "power/gpu_c16.csv": power(steady(9, 75)...)},
			"power_mean", "out/c8 70; out/c16 75"},
		{"by the number both begin with",
			map[string]format.Output{"01-chat.json": run(0, 0), "02-code.json": run(0, 0), "02-telemetry.csv": power(steady(9, 70)...)}, "power_mean", "02-code 70"},
		{"c1 is not part of c16",
			map[string]format.Output{"c1.json": run(0, 0), "c16.json": run(0, 0), "c16-power.csv": power(steady(9, 70)...)}, "power_mean", "c16 70"},
		{"alone, it is a result of its own", map[string]format.Output{"power.log": power(idleBusyIdle...)}, "power_max", "power.log 80"},
		{"taken at another time, it is no run's",
			map[string]format.Output{"a/run.json": run(1000, 1020), "a/power.log": power(idleBusyIdle...)}, "power_max", "a/power.log 80"},
		{"of two runs without times it is no one's",
			map[string]format.Output{"a.json": run(0, 0), "b.json": run(0, 0), "power.log": power(idleBusyIdle...)}, "power_max", "power.log 80"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := found(t, test.files)
			if got := reported(d, test.metric); got != test.want {
				t.Errorf("%s: %q, not %q", test.metric, got, test.want)
			}
			apart := slices.ContainsFunc(d.Messages, func(m result.Message) bool { return m.ID == "run.telemetry-apart" })
			if apart != strings.Contains(test.name, "no ") {
				t.Errorf("messages %v", d.Messages)
			}
		})
	}
}

// gpus returns a file with one sample per second from noon on, with the power of several GPUs and their greatest
// utilization.
func gpus(use []float64, watts ...[]float64) format.Output {
	out := power(make([]float64, len(watts[0]))...)
	t := &out.Traces[0]
	t.Labels.Set(result.Label{Name: "accelerators", Value: fmt.Sprint(len(watts))})
	for n, values := range watts {
		for i, v := range values {
			t.Channels[0].Values[i] += v
		}
		t.Channels = append(t.Channels, result.Channel{Name: fmt.Sprintf("x_power_gpu%d", n), Unit: "W", Field: "power.draw", Values: values, Lines: t.Channels[0].Lines})
	}
	if use != nil {
		t.Channels = append(t.Channels, result.Channel{Name: "gpu_utilization", Unit: "%", Field: "utilization.gpu", Values: use, Lines: t.Channels[0].Lines})
	}
	return out
}

// TestEnergyIsThatOfTheDevicesUsed checks that the energy of a run counts only the devices that it used: one of eight
// at 700 W while the others idle at 100 W gives 700 W, not 1400 W.
func TestEnergyIsThatOfTheDevicesUsed(t *testing.T) {
	host := func(loud ...float64) (all [][]float64) {
		for n := range 8 {
			w := 100.0
			if n < len(loud) {
				w = loud[n]
			}
			all = append(all, steady(21, w))
		}
		return all
	}
	for _, c := range []struct {
		name         string
		labels       result.Labels
		watts        [][]float64
		mean, energy string
		accelerators float64
		field        string
	}{
		{"tp1", result.Labels{{Name: "parallelism", Value: "tp1", Origin: result.Declared}}, host(700), "700", "14000", 1, "1 of 8 devices"},
		{"tp2", result.Labels{{Name: "parallelism", Value: "tp2", Origin: result.Measured}}, host(700, 650), "1350", "27000", 2, "2 of 8 devices"},
		{"declared as a count", result.Labels{{Name: "accelerators", Value: "1", Origin: result.Declared}}, host(700), "700", "14000", 1, "1 of 8 devices"},
		{"nobody tells, one works", nil, host(700), "700", "14000", 1, "1 of 8 devices"},
		{"nobody tells, all work", nil, host(700, 690, 680, 700, 700, 710, 700, 700), "5580", "111600", 8, "all 8 devices of the host"},
		{"nobody tells, all idle alike", nil, host(), "800", "16000", 8, "all 8 devices of the host"},
		{"more are declared than there are", result.Labels{{Name: "accelerators", Value: "16", Origin: result.Declared}}, host(700), "1400", "28000", 16, "all 8 devices of the host"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := run(0, 20)
			one.Results[0].Labels = c.labels
			d := found(t, map[string]format.Output{"a/run.json": one, "a/smi.csv": gpus(nil, c.watts...)})
			r := &d.Results[0]
			m, _ := r.Metric("power_mean")
			if reported(d, "power_mean") != "a/run "+c.mean || reported(d, "energy") != "a/run "+c.energy || r.Accelerators() != c.accelerators || !strings.Contains(m.Field, c.field) {
				t.Errorf("%s, %s, %v accelerators, %q", reported(d, "power_mean"), reported(d, "energy"), r.Accelerators(), m.Field)
			}
		})
	}
}

// TestJoinedFiguresKnowTheirFile checks that a joined metric has the file and the line that it is from.
func TestJoinedFiguresKnowTheirFile(t *testing.T) {
	t.Parallel()
	d := found(t, map[string]format.Output{"a/run.json": run(10, 30), "a/power.log": power(idleBusyIdle...)})
	r := &d.Results[0]
	m, _ := r.Metric("power_max")
	want := result.Metric{Kind: &result.Kind{Name: "power_max", Unit: "W", Better: result.Lower, Derived: true, Field: "max of VIN, 21 samples", File: "runs/a/power.log"},
		Value: 80, Decimals: result.FullPrecision, Line: 11}
	if !m.Equal(want) || r.Label("power_scope") != "board" || r.Telemetry.From != 10 || r.Telemetry.To != 30 {
		t.Errorf("%+v, scope %q, telemetry %+v", m, r.Label("power_scope"), r.Telemetry)
	}
	if len(d.Beside) != 1 || d.Beside[0].File != "runs/a/power.log" || !slices.Equal(d.Beside[0].Runs, []string{"a/run"}) {
		t.Errorf("%+v", d.Beside)
	}
}

// TestNoEnergyOverAGap checks that no energy is computed over a gap of more than three seconds.
func TestNoEnergyOverAGap(t *testing.T) {
	t.Parallel()
	out := power(steady(31, 80)...)
	for i := 20; i < 31; i++ {
		out.Traces[0].Times[i] += 5
	}
	d := found(t, map[string]format.Output{"run.json": run(0, 30), "power.log": out})
	if got := reported(d, "energy") + reported(d, "power_mean"); got != "run 80" {
		t.Error(got)
	}
}

// captured returns a file that describes the machine.
func captured(pairs ...string) format.Output {
	out := format.Output{Capture: "nvpmodel-text"}
	for i := 0; i < len(pairs); i += 2 {
		out.Captured.Set(result.Label{Name: pairs[i], Value: pairs[i+1], Origin: result.Captured, Pos: result.Position{File: "capture", Line: 1}})
	}
	return out
}

func TestCapturesHoldForTheFolder(t *testing.T) {
	t.Parallel()
	measured := run(0, 0)
	measured.Results[0].Labels = result.Labels{{Name: "power_mode", Value: "15W", Origin: result.Measured}}
	d := found(t, map[string]format.Output{
		"nvpmodel.txt": captured("power_mode", "MAXN", "x_l4t", "38.2"), "a/run.json": run(0, 0),
		"b/nvpmodel.txt": captured("power_mode", "120W"), "b/run.json": run(0, 0), // the nearer one wins
		"c/run.json": measured,                                                                           // the run itself wins
		"d/one.json": run(0, 0), "d/two.json": run(0, 0), "d/one-env.txt": captured("power_mode", "70W"), // named after a run
		"e/x.txt": captured("power_mode", "70W"), "e/y.txt": captured("power_mode", "90W"), "e/run.json": run(0, 0),
	})
	var got []string
	for i := range d.Results {
		r := &d.Results[i]
		got = append(got, r.ID+" "+r.Label("power_mode")+" "+r.Label("x_l4t"))
	}
	want := []string{"a/run MAXN 38.2", "b/run 120W 38.2", "c/run 15W 38.2", "d/one 70W 38.2", "d/two MAXN 38.2", "e/run  38.2"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(d.Messages) != 1 || d.Messages[0].ID != "run.contradiction" {
		t.Errorf("messages %v", d.Messages)
	}
	if l, _ := d.Results[0].Labels.Lookup("power_mode"); l.Origin != result.Captured || l.Pos.Line != 1 {
		t.Errorf("%+v", l)
	}
}

// record returns a run with six figures, printed with two decimals or saved with all.
func record(scale float64, printed bool) format.Output {
	out := run(0, 0)
	r := &out.Results[0]
	for i, name := range []string{"duration", "request_throughput", "output_throughput", "ttft_mean", "tpot_mean", "itl_mean"} {
		m := result.Metric{Kind: &result.Kind{Name: name, Unit: "s"}, Value: scale * (float64(i) + 1.23456), Decimals: result.FullPrecision}
		if printed {
			m.Decimals = 2
			fmt.Sscanf(m.Text(), "%g", &m.Value)
		}
		r.Metrics = append(r.Metrics, m)
	}
	r.Digest = fmt.Sprint(scale, printed)
	return out
}

// fewer returns a saved record with one figure less.
func fewer(scale float64) format.Output {
	out := record(scale, false)
	r := &out.Results[0]
	r.Metrics = r.Metrics[1:]
	r.Digest += " in another form"
	return out
}

func TestPhases(t *testing.T) {
	t.Parallel()
	warm := record(1, false)
	block := record(2, false).Results[0]
	warm.Results = append(warm.Results, block, record(3, false).Results[0])
	for i, n := range []float64{1, 100, 100} {
		warm.Results[i].Metrics = append(warm.Results[i].Metrics, result.Metric{Kind: &result.Kind{Name: "requests_completed", Unit: "1"}, Value: n})
	}
	summary := record(4, false)
	summary.Results = append(summary.Results, record(5, false).Results[0])
	d := found(t, map[string]format.Output{
		"saved/bench.json": record(6, false), "saved/bench.log": record(6, true), // one run, printed and saved
		"sweep/run=0.json": record(4, false), "sweep/run=1.json": record(5, false), "sweep/summary.json": summary,
		"hud/x.json": record(12, false), "hud/x.pytorch.json": fewer(12), // saved twice
		"01_old/run.json":    record(7, false),
		"warmup-c8.json":     record(8, false),
		"three.log":          warm,
		"g/c8-failed.json":   record(9, false),
		"g/c16-aborted.json": record(10, false),
		"gold/run.json":      record(11, false),
	})
	var got []string
	for i := range d.Results {
		r := &d.Results[i]
		if phase := r.Label("phase"); phase != "" || r.Status != result.Complete {
			got = append(got, strings.TrimSpace(r.ID+" "+phase+" "+r.Status.String()))
		}
	}
	want := []string{"01_old/run superseded complete", "g/c8-failed  failed", "g/c16-aborted  partial", "hud/x.pytorch superseded complete", "saved/bench.log superseded complete",
		"sweep/summary.1 superseded complete", "sweep/summary.2 superseded complete", "three.1 warmup complete", "warmup-c8 warmup complete"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestCompressedRuns checks that compressed files are read with the lines of their content, that a run keeps its id,
// and that the members of an archive get ids as if they were in a folder.
func TestCompressedRuns(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var gz, zst, archive bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write([]byte("\n" + block))
	g.Close()
	z, _ := zstd.NewWriter(&zst)
	z.Write([]byte(block))
	z.Close()
	a := zip.NewWriter(&archive)
	for _, name := range []string{"high.log", "low/run.log", "notes.txt"} {
		w, _ := a.Create(name)
		if name != "notes.txt" {
			w.Write([]byte(block))
		}
	}
	a.Close()
	write(t, filepath.Join(root, "a", "one.log.gz"), gz.String())
	write(t, filepath.Join(root, "b", "two.log.zst"), zst.String())
	write(t, filepath.Join(root, "c", "all.zip"), archive.String())
	write(t, filepath.Join(root, "c", "run.toml"), "model = \"m\"\n")
	write(t, filepath.Join(root, "d", "cut.log.gz"), gz.String()[:30])
	d := load(t, root, "runs")
	var got []string
	for i := range d.Results {
		got = append(got, fmt.Sprintf("%s %v %s", d.Results[i].ID, d.Results[i].Source, d.Results[i].Label("model")))
	}
	want := []string{"a/one runs/a/one.log.gz:2 ", "b/two runs/b/two.log.zst:1 ",
		"c/all.zip/high runs/c/all.zip/high.log:1 m", "c/all.zip/low/run runs/c/all.zip/low/run.log:1 m"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(d.Unread) != 2 || d.Unread[0].Name != "runs/c/all.zip/notes.txt" || d.Unread[1].Kind != unread.Unreadable {
		t.Errorf("skipped %v", d.Unread)
	}
	if len(d.Messages) != 1 || d.Messages[0].ID != "run.unreadable" || d.Messages[0].Pos.File != "runs/d/cut.log.gz" || d.Messages[0].Hint.IsZero() {
		t.Errorf("messages %v", d.Messages)
	}
}

// TestSweepFolders checks the labels derived from the names of a sweep's folders.
func TestSweepFolders(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"SERVE--max_num_seqs=4-BENCH--max_concurrency=2-num_prompts=8":                       "max_concurrency=2 max_num_seqs=4 num_prompts=8",
		"SERVE--tensor_parallel_size=2-kv_cache_dtype=fp8-e4m3-BENCH--random_input_len=1024": "input_len=1024 kv_cache_dtype=fp8-e4m3 parallelism=tp2",
		"SERVE--max_num_seqs=4-BENCH--max_concurrency=2-WL--request_rate=0.5":                "max_concurrency=2 max_num_seqs=4 request_rate=0.5",
		"SERVE--BENCH--max_concurrency=2":                                                    "max_concurrency=2",
		"SERVER-notes=1":                                                                     "",
	} {
		var got []string
		for label, value := range sweepLabels(name, result.Position{}).Values() {
			got = append(got, label+"="+value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	d := found(t, map[string]format.Output{"s/SERVE--max_num_seqs=4-BENCH--max_concurrency=2/run=1.json": record(1, false)})
	if r := d.Results[0]; r.Label("repeat") != "1" || r.Label("max_num_seqs") != "4" {
		t.Errorf("%v", r.Labels)
	}
}

// TestFewFactsOfOneName checks that the same few figures belong to one run if they were printed and saved under the
// same name. In one file, or under other names, they may belong to two runs.
func TestFewFactsOfOneName(t *testing.T) {
	t.Parallel()
	few := func(values ...float64) (out format.Output) {
		for i, v := range values {
			r := result.Result{Source: result.Position{Line: i + 1}, EndLine: i + 1, Tool: "llama-benchy", Digest: fmt.Sprint(v),
				Metrics: []result.Metric{{Kind: &result.Kind{Name: "decode_throughput", Unit: "tok/s"}, Value: v, Decimals: 2}}}
			out.Results = append(out.Results, r)
		}
		return out
	}
	d := found(t, map[string]format.Output{
		"a/04-chat.log": few(4.53, 9.07), "a/04-chat.md": few(4.53, 9.07),
		"b/04-chat.log": few(4.53), "a/05-code.log": few(4.53), "c/twice.log": few(3.1, 3.1),
	})
	var got []string
	for i := range d.Results {
		if r := &d.Results[i]; r.Label("phase") == superseded {
			got = append(got, r.ID)
		}
	}
	if !slices.Equal(got, []string{"a/04-chat.md.1", "a/04-chat.md.2"}) {
		t.Errorf("%q", got)
	}
}
