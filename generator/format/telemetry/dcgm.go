package telemetry

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// NVIDIA's DCGM exporter reports metrics of each GPU to Prometheus:
//
//	# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
//	DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-…",modelName="NVIDIA H100",Hostname="n1"} 412.6
//
// Several answers in one file are the samples. They have no time, unless whoever saved them added milliseconds after
// the value. The exporter itself samples every 30 s, so nothing is known about the time in between. The unit of memory
// is the one that its help states.
//
// Source: dcgm-exporter 3 and 4, etc/default-counters.csv; DCGM's field
// identifiers.
var dcgmExporterMarks = []string{"DCGM_FI_"}

const dcgmInterval = 30 // seconds

type dcgmExporter struct {
	deviceRows
	answer []dcgmFigure      // the answer that is being read
	units  map[string]string // as the help states them
	key    []byte            // of a device
	at     time.Time
	clock  clock
}

// dcgmFigure is one line of an answer. An answer lists the GPUs by metric.
type dcgmFigure struct {
	metric *dcgmField
	device string
	value  float64
	line   int
}

func newDCGMExporter() draft.LineReader { return &dcgmExporter{} }

func (t *dcgmExporter) Begin(in *draft.File) {
	*t = dcgmExporter{answer: t.answer[:0], units: map[string]string{}}
	t.deviceRows.begin(in, "dcgm-exporter", "dcgm-prometheus-text")
}

var dcgmHelp = lazy.Regexp(`^# HELP (DCGM_FI_\w+) .*\(in ([^)]+)\)`)

// dcgmField maps a field of DCGM to a channel.
type dcgmField struct{ field, name, unit string }

var dcgmFields = []dcgmField{
	{"DCGM_FI_DEV_POWER_USAGE", "power", "W"},
	{"DCGM_FI_DEV_GPU_TEMP", "temperature", "°C"},
	{"DCGM_FI_DEV_MEMORY_TEMP", "x_memory_temp", "°C"},
	{"DCGM_FI_DEV_GPU_UTIL", "gpu_utilization", "%"},
	{"DCGM_FI_DEV_SM_CLOCK", "gpu_clock", "MHz"},
	{"DCGM_FI_DEV_MEM_CLOCK", "x_mem_clock", "MHz"},
	{"DCGM_FI_DEV_FB_USED", "memory_used", "B"},
	{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "x_gr_engine_active", "1"},
	{"DCGM_FI_PROF_SM_ACTIVE", "x_sm_active", "1"},
	{"DCGM_FI_PROF_DRAM_ACTIVE", "x_dram_active", "1"},
	{"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "x_throttled", "1"},
	{"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "x_throttled", "1"},
}

// Line reads one figure. Each line has the mark.
func (t *dcgmExporter) Line(l scan.Line) bool {
	text := bytes.TrimSpace(l.Text)
	if m := dcgmHelpOf(text); m != nil {
		if fieldOf(m[1]) != nil {
			t.units[string(m[1])] = string(m[2])
		}
		return false
	}
	name, rest, ok := bytes.Cut(text, []byte("{"))
	field := fieldOf(name)
	if !ok || field == nil || !l.Ended {
		return false
	}
	var gpu, host, model, driver []byte
	for {
		var key, value []byte
		if key, value, rest, ok = cutSeriesLabel(rest); !ok {
			break
		}
		switch string(key) {
		case "gpu":
			gpu = value
		case "Hostname":
			host = value
		case "modelName":
			model = value
		case "DCGM_FI_DRIVER_VERSION":
			driver = value
		case "GPU_I_ID":
			if len(value) > 0 {
				return false // a part of a GPU
			}
		}
	}
	value, moment, timed := bytes.Cut(bytes.TrimPrefix(rest, []byte("} ")), []byte(" "))
	if !bytes.HasPrefix(rest, []byte("} ")) || len(gpu) == 0 || timed && !(len(moment) == 13 && isWhole(moment)) {
		return false
	}
	t.figure(dcgmFigure{metric: field, device: t.deviceName(host, gpu), value: t.reading(field, value), line: l.Number})
	if timed {
		t.at, _, _ = t.clock.read(moment)
	}
	t.label("gpu", t.in.Intern(model), l.Number)
	t.label("x_driver", t.in.Intern(driver), l.Number)
	return false
}

// dcgmHelpOf returns the parts of a line of help: the field and its unit. It returns nil if the line does not state a
// unit.
func dcgmHelpOf(text []byte) [][]byte {
	if text[0] != '#' {
		return nil
	}
	return dcgmHelp().FindSubmatch(text)
}

// fieldOf returns a field by its name in DCGM, or nil if it is not read.
func fieldOf(name []byte) *dcgmField {
	for i := range dcgmFields {
		if dcgmFields[i].field == string(name) {
			return &dcgmFields[i]
		}
	}
	return nil
}

// cutSeriesLabel splits off the first label of a series: key="value",.
func cutSeriesLabel(text []byte) (key, value, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, ", ")
	key, after, ok := bytes.Cut(text, []byte(`="`))
	if !ok || len(key) == 0 || bytes.IndexByte(key, '}') >= 0 {
		return nil, nil, text, false
	}
	end := bytes.IndexByte(after, '"')
	if end < 0 {
		return nil, nil, text, false
	}
	return key, after[:end], after[end+1:], true
}

// deviceName returns the name of a GPU of a host.
func (t *dcgmExporter) deviceName(host, gpu []byte) string {
	t.key = t.key[:0]
	if len(host) > 0 {
		t.key = append(append(t.key, host...), ' ')
	}
	t.key = append(append(t.key, "gpu"...), gpu...)
	return t.in.Intern(t.key)
}

// reading returns a field's value in the unit of its channel.
func (t *dcgmExporter) reading(field *dcgmField, text []byte) float64 {
	if field.name == "x_throttled" {
		if v, ok := held(string(text)); ok {
			return v
		}
		return math.NaN()
	}
	unit := field.unit
	if unit == "B" {
		unit = t.units[field.field]
	}
	v := measured(string(text), unit, field.unit)
	if v >= 1<<47 { // DCGM's mark for a missing value
		return math.NaN()
	}
	return v
}

// figure adds a figure to the answer. If the answer already has it, the figure begins the next answer.
func (t *dcgmExporter) figure(f dcgmFigure) {
	if len(t.answer) == maxAnswer || slices.ContainsFunc(t.answer, func(o dcgmFigure) bool { return o.metric == f.metric && o.device == f.device }) {
		t.finish()
	}
	t.answer = append(t.answer, f)
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
			t.report(f)
		}
	}
	if n := len(t.answer); n > 0 {
		t.trace.EndLine = max(t.trace.EndLine, t.answer[n-1].line)
	}
	t.answer, t.at = t.answer[:0], time.Time{}
	t.close()
}

// report adds a figure to the sample.
func (t *dcgmExporter) report(f dcgmFigure) {
	switch m := f.metric; m.name {
	case "power":
		t.add(m.name, m.unit, m.field, "gpu", f.value)
	case "memory_used":
		t.add(m.name, m.unit, m.field, "", f.value)
	default:
		t.greatest(m.name, m.unit, m.field, f.value)
	}
}

func (t *dcgmExporter) End() {
	t.finish()
	t.hand()
}
