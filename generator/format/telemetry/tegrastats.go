package telemetry

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// NVIDIA's tegrastats prints a line on a Jetson every second, or every
// --interval milliseconds:
//
//	04-19-2026 01:31:10 RAM 519/7607MB (lfb 61x4MB) CPU [0%@1728,off] EMC_FREQ 0%@3199 GR3D_FREQ 39%@[1018]
//	cpu@48.9C tj@49.6C VDD_IN 5971mW/5971mW VDD_CPU_GPU_CV 1669mW/1669mW
//
// The time is there since L4T 32.6, in whole seconds and without a zone; before that, and with some options, there is
// none. Memory is in MiB. The first figure of a rail is the present one. The second is the average since tegrastats
// began, not of the last interval; in R38 and later it is the maximum. L4T 32 and before wrote no mW. On Thor the GPU's
// clock may be there without a load, which does not mean a load of 0. Sensors that are off report -256 °C; PMIC is a
// constant.
//
// Source: NVIDIA's Jetson Linux Developer Guide, tegrastats; lines of all
// generations as people posted them.
var tegrastatsMarks = []string{"GR3D_FREQ ", "EMC_FREQ ", "MB (lfb "}

// boards lists the rails that make up a board's power: one rail at its input, or several that are added up. The other
// rails are parts of these, so a sum of all rails would count them twice.
var boards = []board{
	{"module", []string{"VDD_IN"}},                                    // Orin Nano and NX, Xavier NX, TX2
	{"module", []string{"POM_5V_IN"}},                                 // Nano
	{"board", []string{"VIN"}},                                        // Thor: the input of the carrier board
	{"module", []string{"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}},  // AGX Orin
	{"module", []string{"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}}, // AGX Xavier
}

type board struct {
	scope string
	rails []string
}

func (b *board) field() string {
	if len(b.rails) == 1 {
		return b.rails[0]
	}
	return strings.Join(b.rails, " + ")
}

// railChannel returns the name of the channel of a rail.
func (r *recorder) railChannel(name string) string {
	for _, p := range r.rail {
		if p.device == name {
			return p.channel
		}
	}
	known := part{name, "x_" + strings.ToLower(name)}
	if len(r.rail) < maxChannels {
		r.rail = append(r.rail, known)
	}
	return known.channel
}

// rails records the power of the sample's rails, in W, and the board's total. If the total is zero, its sensor reported
// nothing. Some Nanos have the names on the wrong rails, so that the input is less than one of its parts. Then there is
// no total, because the right names are unknown.
func (r *recorder) rails(names []string, watts []float64) {
	for i, name := range names {
		if name != "NC" { // not connected
			r.put(r.railChannel(name), "W", name, "", watts[i])
		}
	}
	for _, board := range boards {
		sum := 0.0
		for _, rail := range board.rails {
			if i := slices.Index(names, rail); i >= 0 {
				sum += watts[i]
			} else {
				sum = math.NaN()
			}
		}
		switch {
		case !(sum > 0):
			continue
		case sum >= slices.Max(watts):
			r.put("power", "W", board.field(), board.scope, sum)
		case r.misnamed == 0:
			r.misnamed = r.trace.EndLine
		}
		return
	}
}

type tegrastats struct {
	recorder
	names []string
	watts []float64
	times clock
}

func newTegrastats() draft.LineReader { return &tegrastats{} }

func (t *tegrastats) Begin(in *draft.File) {
	*t = tegrastats{recorder: recorder{gauges: t.gauges}}
	t.begin(in, "tegrastats", "tegrastats-text")
}

// Line reads a sample, word by word. Names in capitals are in the word before their figure; a temperature follows its
// name and an @. Every line has its own marks, so the reader does not wait for further lines.
func (t *tegrastats) Line(l scan.Line) bool {
	start := bytes.Index(l.Text, []byte("RAM "))
	if start < 0 || !l.Ended || start > 0 && l.Text[start-1] != ' ' {
		return false
	}
	used, rest, ok := cutNumber(l.Text[start+len("RAM "):])
	if _, total, whole := bytes.Cut(firstWord(rest), []byte("/")); !ok || !whole || !bytes.HasSuffix(total, []byte("MB")) {
		return false
	}
	read := false
	begin := func() {
		if !read {
			read = true
			t.begun(l.Number, l.Text[:start])
			t.put("memory_used", "B", "RAM", "", used*(1<<20))
		}
	}
	if bytes.Contains(l.Text, []byte("MB (lfb ")) {
		begin()
	}
	t.names, t.watts = t.names[:0], t.watts[:0]
	name := []byte(nil)
	for word := range bytes.FieldsSeq(l.Text[start:]) {
		switch {
		case string(name) == "GR3D_FREQ" || string(name) == "GR3D":
			begin()
			t.load(word, "gpu_utilization", "gpu_clock", "GR3D_FREQ")
		case string(name) == "EMC_FREQ" || string(name) == "EMC":
			begin()
			t.load(word, "x_emc_load", "x_emc_clock", "EMC_FREQ")
		case read && bytes.IndexByte(word, '@') > 0:
			t.zone(word)
		case read && isRail(name):
			t.rail(name, word)
		}
		name = word
	}
	if read {
		t.rails(t.names, t.watts)
	}
	return false
}

// begun begins the sample of a line. The text before the sample is a date and time, a time of day, or empty.
func (t *tegrastats) begun(line int, before []byte) {
	at, zoned := t.times.before(before)
	if at.IsZero() && (t.reported == 0 || t.trace.Undated) {
		if clock, ok := hourOfDay(lastWord(before)); ok {
			t.hour(line, clock)
			return
		}
	}
	t.sample(line, at, zoned, 1)
}

// load reads "37%@[1575,0]", "12%@204", "@4266" or "0%": a share and the clock of each cluster. A clock without a share
// is not a load of zero.
func (t *tegrastats) load(word []byte, load, clock, field string) {
	share, clocks, _ := bytes.Cut(word, []byte("@"))
	if v, rest, ok := cutNumber(share); ok && string(rest) == "%" {
		t.put(load, "%", field, "", v)
	}
	for mhz := range bytes.SplitSeq(bytes.Trim(clocks, "[]"), []byte(",")) {
		if v, rest, ok := cutNumber(mhz); ok && len(rest) == 0 {
			t.greatest(clock, "MHz", field, v)
		}
	}
}

// zone reads "cpu@43.9C"; since R39 the highest value follows: "cpu@58C/61C".
func (t *tegrastats) zone(word []byte) {
	name, value, _ := bytes.Cut(word, []byte("@"))
	v, rest, ok := cutNumber(value)
	isName := name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z'
	if ok && isName && v > 0 && (string(rest) == "C" || bytes.HasPrefix(rest, []byte("C/"))) && !bytes.EqualFold(name, []byte("PMIC")) {
		t.greatest("temperature", "°C", t.in.Intern(name), v)
	}
}

// rail reads "5971mW/5900mW": the present and the average power. The oldest versions print no unit.
func (t *tegrastats) rail(name, word []byte) {
	now, rest, ok := cutNumber(word)
	rest = bytes.TrimPrefix(rest, []byte("mW"))
	if !ok || len(rest) < 2 || rest[0] != '/' {
		return
	}
	if _, unit, ok := cutNumber(rest[1:]); ok && (len(unit) == 0 || bytes.HasPrefix(unit, []byte("mW"))) {
		t.names = append(t.names, t.in.Intern(name))
		t.watts = append(t.watts, now/1000)
	}
}

// isRail reports whether a word is the name of a rail. These are in capitals.
func isRail(name []byte) bool {
	for i, c := range name {
		if c < 'A' || c > 'Z' {
			if i == 0 || c != '_' && !scan.IsDigit(c) {
				return false
			}
		}
	}
	switch string(name) {
	case "", "RAM", "SWAP", "IRAM", "CPU":
		return string(name) == "CPU" // on a Xavier it is a rail too
	}
	return true
}

// cutNumber splits a decimal number off the beginning of a word.
func cutNumber(word []byte) (v float64, rest []byte, ok bool) {
	n := 0
	for n < len(word) && (scan.IsDigit(word[n]) || word[n] == '.' || n == 0 && word[n] == '-') {
		n++
	}
	v, ok = scan.ParseNumber(word[:n])
	return v, word[n:], ok && n > 0
}

func firstWord(text []byte) []byte {
	if n := bytes.IndexByte(text, ' '); n >= 0 {
		return text[:n]
	}
	return text
}

func (t *tegrastats) End() {
	if t.trace != nil && (t.trace.Undated || !t.trace.Start.IsZero()) {
		spreadSeconds(t.trace)
	}
	t.hand()
}

// spreadSeconds spreads samples to which a clock of whole seconds gave the same time. Otherwise, at ten samples a
// second, all time would lie between the last sample of a second and the first of the next. The samples of one second
// are spread over it evenly. tegrastats may have begun within the first second, so the samples of that second are put
// at its end.
func spreadSeconds(t *result.Trace) {
	before := 0 // samples of the second before
	for i := 0; i < len(t.Times); {
		n := 1
		for i+n < len(t.Times) && t.Times[i+n] == t.Times[i] {
			n++
		}
		second := t.Times[i]
		next := 0
		for i+n+next < len(t.Times) && t.Times[i+n+next] == t.Times[min(i+n, len(t.Times)-1)] {
			next++
		}
		step, from := 1/float64(n), second
		switch {
		case i == 0 && next > n:
			step = 1 / float64(next)
			from = second + 1 - float64(n)*step
		case i+n == len(t.Times) && before > n:
			step = 1 / float64(before)
		}
		for k := range n {
			t.Times[i+k] = from + float64(k)*step
		}
		before = n
		i += n
	}
}
