package telemetry

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// "nvidia-smi -q" lists everything that is known about each GPU, as indented text, or as XML with -x:
//
//	==============NVSMI LOG==============
//	Driver Version                            : 550.54.14
//	GPU 00000000:01:00.0
//	    Product Name                          : NVIDIA L40S
//	    FB Memory Usage
//	        Used                              : 725 MiB
//	    GPU Power Readings
//	        Power Draw                        : 62.87 W
//
//	<nvidia_smi_log><driver_version>550.54.14</driver_version><gpu id="00000000:01:00.0"><product_name>NVIDIA L40S</product_name> …
//
// With "-l" the list is printed repeatedly, each time with the time in whole seconds and without a zone. Since driver
// 535, power is reported as an average and as the present value.
//
// Source: nvidia-smi of drivers 418 to 580; nvsmi_device_v11 and v12.dtd.
var smiQueryMarks = []string{"NVSMI LOG", "<nvidia_smi_log"}

type smiQuery struct {
	deviceRows
	open    bool
	xml     bool
	path    []string // names of the sections, or tags, that are open
	indents []int    // indents of these sections
	at      time.Time
	gpu     bool            // a GPU has begun
	noted   map[string]bool // figures of the GPU that were read
}

func newSMIQuery() draft.LineReader { return &smiQuery{} }

func (t *smiQuery) Begin(in *draft.File) {
	*t = smiQuery{noted: map[string]bool{}}
	t.begin(in, "nvidia-smi", "nvidia-smi-query-text")
}

// smiQueryRows maps the figures that are read, by section and name. If several powers are reported, the first one
// counts.
var smiQueryRows = map[string]quantity{
	"Power Readings/Power Draw": devicePower, "GPU Power Readings/Power Draw": devicePower, "GPU Power Readings/Average Power Draw": devicePower,
	"GPU Power Readings/Instantaneous Power Draw": devicePower,
	"FB Memory Usage/Used":                        mebibytes, "Utilization/Gpu": deviceUse, "Utilization/GPU": deviceUse,
	"Temperature/GPU Current Temp": deviceHeat, "Clocks/SM": deviceClock, "/Product Name": deviceName,

	"power_readings/power_draw": devicePower, "gpu_power_readings/power_draw": devicePower, "gpu_power_readings/average_power_draw": devicePower,
	"gpu_power_readings/instant_power_draw": devicePower,
	"fb_memory_usage/used":                  mebibytes, "utilization/gpu_util": deviceUse, "temperature/gpu_temp": deviceHeat, "clocks/sm_clock": deviceClock, "/product_name": deviceName,
}

func (t *smiQuery) Line(l scan.Line) bool {
	switch {
	case bytes.Contains(l.Text, []byte("NVSMI LOG")):
		t.log(false)
	case bytes.Contains(l.Text, []byte("<nvidia_smi_log")):
		t.log(true)
	case !t.open || !l.Ended:
	case t.xml:
		t.tag(l)
	default:
		t.text(l)
	}
	return t.open
}

// log begins the output of one query.
func (t *smiQuery) log(xml bool) {
	t.close()
	t.open, t.xml, t.gpu, t.at = true, xml, false, time.Time{}
	t.path, t.indents = t.path[:0], t.indents[:0]
}

// text reads a line of the list: a name with a value, or the name of a section.
func (t *smiQuery) text(l scan.Line) {
	trimmed := bytes.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(trimmed)
	if len(trimmed) == 0 {
		return
	}
	for n := len(t.indents); n > 0 && t.indents[n-1] >= indent; n-- {
		t.path, t.indents = t.path[:n-1], t.indents[:n-1]
	}
	label, value, ok := scan.Labelled(trimmed, ": ")
	switch {
	case ok:
		t.member(strings.TrimSpace(label), value, l.Number)
	case bytes.HasPrefix(trimmed, []byte("GPU ")) && indent == 0:
		t.device(strings.TrimSpace(string(trimmed[len("GPU "):])), l.Number)
	case len(t.path) < maxDepth:
		t.path, t.indents = append(t.path, strings.TrimSpace(string(trimmed))), append(t.indents, indent)
	}
}

const maxDepth = 16 // of sections

// tag reads a line of the XML: an opening tag, a closing tag, or an element with a value.
func (t *smiQuery) tag(l scan.Line) {
	text := bytes.TrimSpace(l.Text)
	name, rest, ok := bytes.Cut(bytes.TrimPrefix(text, []byte("<")), []byte(">"))
	switch {
	case !bytes.HasPrefix(text, []byte("<")) || !ok:
	case bytes.HasPrefix(name, []byte("/")):
		if len(t.path) > 0 {
			t.path = t.path[:len(t.path)-1]
		}
		if string(name) == "/nvidia_smi_log" {
			t.open = false
		}
	case bytes.HasPrefix(name, []byte("gpu id=")):
		t.path = t.path[:0]
		t.device(strings.Trim(string(name[len("gpu id="):]), `"`), l.Number)
	case len(rest) > 0:
		value, _, _ := bytes.Cut(rest, []byte("<"))
		t.member(string(name), string(value), l.Number)
	case !bytes.HasSuffix(name, []byte("/")) && len(t.path) < maxDepth:
		t.path = append(t.path, string(name))
	}
}

// device begins a GPU.
func (t *smiQuery) device(bus string, line int) {
	t.path, t.indents, t.gpu = t.path[:0], t.indents[:0], true
	clear(t.noted)
	if t.row("gpu"+bus, line) {
		t.sample(line, t.at, false, smiLoop)
	}
}

// member reads a name and its value in the open section.
func (t *smiQuery) member(name, value string, line int) {
	section := ""
	if len(t.path) > 0 {
		section = t.path[len(t.path)-1]
	}
	switch name {
	case "Timestamp", "timestamp":
		if at, _, ok := weekday([]byte(value)); ok && !t.gpu {
			t.at = at
		}
	case "Driver Version", "driver_version":
		t.label("x_driver", value, line)
	case "CUDA Version", "cuda_version":
		t.label("x_cuda", value, line)
	}
	q, known := smiQueryRows[section+"/"+name]
	if !t.gpu || !known || t.noted[q.name] {
		return
	}
	t.trace.EndLine = max(t.trace.EndLine, line)
	if q.want == "" {
		t.label(q.name, value, line)
		return
	}
	if v := measured(value, q.given, q.want); !math.IsNaN(v) {
		t.noted[q.name] = true
		t.take(&q, name, v)
	}
}

func (t *smiQuery) End() { t.hand() }
