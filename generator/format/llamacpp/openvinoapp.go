package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// benchmarkApp reads what OpenVINO's benchmark_app and the samples sync_benchmark and throughput_benchmark print when
// they end. They measure any kind of model:
//
//	[Step 10/11] Measuring performance (Start inference asynchronously, 12 inference requests, limits: 15000 ms duration)
//	[ INFO ] Count:            88488 iterations
//	[ INFO ] Duration:         15003.02 ms
//	[ INFO ] Latency:
//	[ INFO ]    Median:        1.85 ms
//	[ INFO ] Throughput:   5898.01 FPS
//
// An iteration is a request. Latency is in ms, or in µs if it is below 1 ms. A request of a batch has several frames,
// so the rate of requests is computed from count and duration. Until 2021 the only latency was the median, and lines
// had no "INFO".
//
// Source: tools/benchmark_tool, samples/*/benchmark; benchmark_app of C++.
type benchmarkApp struct {
	draft.Draft
	open      bool
	last, gap int
	above     []draft.Setting
	commands  draft.Commands
}

const (
	appMeasures = "Measuring performance ("
	appBuild    = "Build ......"
	appBatch    = "Model batch size:"
	appDevices  = "Execution Devices:"
)

var (
	benchmarkAppMarks = []string{"Count:  ", appMeasures, appBuild, appBatch, appDevices, "benchmark_app", "sync_benchmark", "throughput_benchmark"}
	appRequests       = lazy.Regexp(`\(Start inference (a?synchronously)(?:, (\d+) inference requests)?`)
	appRow            = lazy.Regexp(`^(?:\[ ?INFO ?\])?\s*(Count|Duration|Latency|Median|Average|AVG|Min|MIN|Max|MAX|[\d.]+ percentile|Throughput):\s*(?:([\d.]+) (iterations|ms|us|FPS))?$`)
)

var appRows = map[string]string{
	"Count": "requests_completed", "Duration": "duration", "Latency": "e2el_p50", "Median": "e2el_p50", "Average": "e2el_mean", "AVG": "e2el_mean",
	"Min": "e2el_min", "MIN": "e2el_min", "Max": "e2el_max", "MAX": "e2el_max", "Throughput": "x_fps",
}

func newBenchmarkApp() draft.LineReader { return &benchmarkApp{} }

func (t *benchmarkApp) Begin(in *draft.File) {
	*t = benchmarkApp{Draft: t.Emptied(in), commands: draft.Commands{
		Names: [][]byte{[]byte("benchmark_app"), []byte("benchmark_app.exe"), []byte("benchmark_app.py")}, Repeats: true,
		Own: map[string]string{"m": commandFolder, "model": commandFolder, "d": "device", "b": "batch_size", "hint": "x_hint", "nstreams": "x_nstreams", "nthreads": "threads"},
		Complete: func(d *draft.Draft, _ *draft.Settings) {
			if file, ok := d.Labels.Lookup(commandFolder); ok {
				d.SetLabel("model_raw", []byte(file.Value), file.Pos.Line)
			}
		}}}
	t.commands.Begin(in)
}

func (t *benchmarkApp) Line(l scan.Line) bool {
	if m := appRow().FindStringSubmatch(strings.TrimRight(string(l.Text), " \t")); m != nil && (t.open || m[1] == "Count" && m[2] != "") {
		return t.row(m[1], m[2], m[3], l)
	}
	if t.In.Marked || t.commands.Continued() {
		t.context(l)
	}
	if t.gap++; t.open && t.gap > draft.MaxGap {
		t.close()
	}
	return t.open || t.commands.Continued()
}

// row reads a row of the report, which begins with the count and ends with the throughput.
func (t *benchmarkApp) row(label, value, unit string, l scan.Line) bool {
	if label == "Count" {
		t.close()
		t.Reset(t.In, "openvino-benchmark-app", "openvino-benchmark-app-text", l.Number)
		t.open = true
	}
	t.last, t.gap = l.Number, 0
	name := appRows[label]
	if percentile, ok := strings.CutSuffix(label, " percentile"); ok {
		statistic, _ := draft.StatisticName("p" + percentile)
		name = "e2el_" + statistic
	}
	switch unit {
	case "": // the head of the latencies
	case "iterations":
		t.Number(name, "1", label, []byte(value), l.Number)
	case "FPS":
		t.Number(name, "1/s", label, []byte(value), l.Number)
		t.close()
	default:
		t.Number(name, unit, label, []byte(value), l.Number)
	}
	return t.open
}

// context reads the lines above the report.
func (t *benchmarkApp) context(l scan.Line) {
	line := strings.TrimSpace(string(l.Text))
	if m := appRequests().FindStringSubmatch(line); m != nil {
		requests := m[2]
		if m[1] == "synchronously" {
			requests = "1"
		}
		t.note("max_concurrency", requests, l.Number)
	} else if _, batch, ok := strings.Cut(line, appBatch); ok {
		t.note("batch_size", strings.TrimSpace(batch), l.Number)
	} else if _, devices, ok := strings.Cut(line, appDevices); ok {
		t.note("device", strings.Trim(strings.TrimSpace(devices), "[]'"), l.Number)
	} else if _, build, ok := strings.Cut(line, appBuild); ok {
		t.note("engine_version", strings.TrimLeft(build, ". "), l.Number)
	} else if t.commands.Line(l.Text, l.Number) {
		t.above = t.above[:0]
	}
}

func (t *benchmarkApp) note(label, value string, line int) {
	if value != "" && len(value) <= draft.MaxLabel {
		t.above = append(t.above, draft.NewSetting(label, value, line))
	}
}

func (t *benchmarkApp) close() {
	if !t.open {
		return
	}
	t.open = false
	for i := len(t.above) - 1; i >= 0; i-- { // the last one counts
		if set := t.above[i]; t.Label(set.Label) == "" {
			t.SetText(set.Label, set.Value, set.Line)
		}
	}
	t.above = t.above[:0]
	t.Imply("engine", "openvino", t.Start)
	count, counted := t.Value("requests_completed")
	if seconds, timed := t.Value("duration"); counted && timed && seconds > 0 {
		t.Derive("request_throughput", count/seconds, "Count / Duration", t.last)
	}
	_, whole := t.Value("x_fps")
	t.Emit(t.last, whole)
	t.commands.Made(1, t.Start)
}

func (t *benchmarkApp) End() {
	t.close()
	t.commands.Settle()
}
