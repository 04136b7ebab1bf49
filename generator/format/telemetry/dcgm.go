package telemetry

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// NVIDIA's DCGM exporter reports Prometheus of each GPU:
//
//	# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
//	DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-…",modelName="NVIDIA H100",Hostname="n1"} 412.6
//
// Several answers one after the other are the samples. They tell no time, save
// where the one who kept them put milliseconds behind the value; the exporter
// itself looks every 30 s, which says nothing about what lies between. The
// unit of memory is the one that its help states.
//
// Source: dcgm-exporter 3 and 4, etc/default-counters.csv; DCGM's field
// identifiers.
var dcgmExporterMarks = []string{"DCGM_FI_"}

const dcgmInterval = 30 // seconds

type dcgmExporter struct {
	deviceRows
	answer []dcgmFigure      // that is being read
	units  map[string]string // as the help states them
	at     time.Time
}

// dcgmFigure is one line of an answer, which lists GPUs by metric.
type dcgmFigure struct {
	metric, device, text string
	line                 int
}

func newDCGMExporter() draft.LineReader { return &dcgmExporter{} }

func (t *dcgmExporter) Begin(in *draft.File) {
	*t = dcgmExporter{answer: t.answer[:0], units: map[string]string{}}
	t.deviceRows.begin(in, "dcgm-exporter", "dcgm-prometheus-text")
}

var (
	dcgmHelp   = lazy.Regexp(`^# HELP (DCGM_FI_\w+) .*\(in ([^)]+)\)`)
	dcgmMetric = lazy.Regexp(`^(DCGM_FI_\w+)\{([^}]*)\} (\S+)(?: (\d{13}))?$`)
	dcgmLabel  = lazy.Regexp(`(\w+)="([^"]*)"`)
)

var dcgmFields = map[string]struct{ name, unit string }{
	"DCGM_FI_DEV_POWER_USAGE":            {"power", "W"},
	"DCGM_FI_DEV_GPU_TEMP":               {"temperature", "°C"},
	"DCGM_FI_DEV_MEMORY_TEMP":            {"x_memory_temp", "°C"},
	"DCGM_FI_DEV_GPU_UTIL":               {"gpu_utilization", "%"},
	"DCGM_FI_DEV_SM_CLOCK":               {"gpu_clock", "MHz"},
	"DCGM_FI_DEV_MEM_CLOCK":              {"x_mem_clock", "MHz"},
	"DCGM_FI_DEV_FB_USED":                {"memory_used", "B"},
	"DCGM_FI_PROF_GR_ENGINE_ACTIVE":      {"x_gr_engine_active", "1"},
	"DCGM_FI_PROF_SM_ACTIVE":             {"x_sm_active", "1"},
	"DCGM_FI_PROF_DRAM_ACTIVE":           {"x_dram_active", "1"},
	"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS": {"x_throttled", "1"},
	"DCGM_FI_DEV_CLOCKS_EVENT_REASONS":   {"x_throttled", "1"},
}

// Line reads one figure. Each line has the mark.
func (t *dcgmExporter) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if m := dcgmHelp().FindStringSubmatch(text); m != nil {
		if _, known := dcgmFields[m[1]]; known {
			t.units[m[1]] = m[2]
		}
		return false
	}
	m := dcgmMetric().FindStringSubmatch(text)
	if m == nil || !l.Ended {
		return false
	}
	labels := map[string]string{}
	for _, pair := range dcgmLabel().FindAllStringSubmatch(m[2], -1) {
		labels[pair[1]] = pair[2]
	}
	if _, known := dcgmFields[m[1]]; !known || labels["gpu"] == "" || labels["GPU_I_ID"] != "" { // a part of a GPU
		return false
	}
	f := dcgmFigure{m[1], "gpu" + labels["gpu"], m[3], l.Number}
	if host := labels["Hostname"]; host != "" {
		f.device = host + " " + f.device
	}
	if len(t.answer) == maxAnswer || slices.ContainsFunc(t.answer, func(o dcgmFigure) bool { return o.metric == f.metric && o.device == f.device }) {
		t.finish()
	}
	t.answer = append(t.answer, f)
	if m[4] != "" {
		t.at, _, _ = readClock(m[4])
	}
	t.label("gpu", labels["modelName"], l.Number)
	t.label("x_driver", labels["DCGM_FI_DRIVER_VERSION"], l.Number)
	return false
}

const maxAnswer = 1024 // figures

// finish makes a sample of an answer.
func (t *dcgmExporter) finish() {
	var devices []string
	for _, f := range t.answer {
		if !slices.Contains(devices, f.device) {
			devices = append(devices, f.device)
		}
	}
	for _, device := range devices {
		first := true
		for _, f := range t.answer {
			if f.device != device {
				continue
			}
			if first && t.row(device, f.line) {
				t.sample(f.line, t.at, true, dcgmInterval)
			}
			first = false
			t.figure(f)
		}
	}
	if n := len(t.answer); n > 0 {
		t.trace.EndLine = max(t.trace.EndLine, t.answer[n-1].line)
	}
	t.answer, t.at = t.answer[:0], time.Time{}
	t.close()
}

func (t *dcgmExporter) figure(f dcgmFigure) {
	known := dcgmFields[f.metric]
	unit := known.unit
	if unit == "B" {
		unit = t.units[f.metric]
	}
	v := measured(f.text, unit, known.unit)
	if v >= 1<<47 { // what DCGM writes for none
		v = math.NaN()
	}
	switch known.name {
	case "power":
		t.add(known.name, known.unit, f.metric, "gpu", v)
	case "memory_used":
		t.add(known.name, known.unit, f.metric, "", v)
	case "x_throttled":
		if v, ok := held(f.text); ok {
			t.greatest(known.name, known.unit, f.metric, v)
		}
	default:
		t.greatest(known.name, known.unit, f.metric, v)
	}
}

func (t *dcgmExporter) End() {
	t.finish()
	t.hand()
}
