package format

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchpost/generator/bench"
)

// NVIDIA's tegrastats prints a line on a Jetson every second, or every
// --interval milliseconds:
//
//	04-19-2026 01:31:10 RAM 519/7607MB (lfb 61x4MB) CPU [0%@1728,off] EMC_FREQ 0%@3199 GR3D_FREQ 39%@[1018]
//	cpu@48.9C tj@49.6C VDD_IN 5971mW/5971mW VDD_CPU_GPU_CV 1669mW/1669mW
//
// The time stands there since L4T 32.6, in whole seconds and without a zone;
// before, and with some options, there is none. Memory is in MiB. Of a rail the
// first figure is now and the second the average since tegrastats began, not of
// the last interval (R38 and later: then the maximum). L4T 32 and before wrote
// no mW. On Thor the GPU's clock may stand there without a load: that is not a
// load of 0. Sensors that are off tell -256 °C, PMIC is a constant.
//
// Source: NVIDIA's Jetson Linux Developer Guide, tegrastats; lines of all
// generations as people posted them.
var tegrastatsMarks = []string{"GR3D_FREQ ", "EMC_FREQ ", "MB (lfb "}

// A board's power is one rail at its input or the sum of some. The others are
// parts of it, so that adding up all of them counts twice.
var boards = []struct {
	scope string
	rails []string
}{
	{"module", []string{"VDD_IN"}},                                    // Orin Nano and NX, Xavier NX, TX2
	{"module", []string{"POM_5V_IN"}},                                 // Nano
	{"board", []string{"VIN"}},                                        // Thor: the input of the carrier board
	{"module", []string{"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}},  // AGX Orin
	{"module", []string{"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}}, // AGX Xavier
}

// rails gives the power that the sample's rails come to, in W. A board's total
// is above zero, or its sensor told nothing.
func (r *recorder) rails(names []string, watts []float64) {
	for i, name := range names {
		if name != "NC" { // not connected
			r.put("x_"+strings.ToLower(name), "W", name, "", watts[i])
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
		if sum > 0 {
			r.put("power", "W", strings.Join(board.rails, " + "), board.scope, sum)
			return
		}
	}
}

type tegrastats struct {
	recorder
	names []string
	watts []float64
}

func newTegrastats() lineReader { return &tegrastats{} }

func (t *tegrastats) begin(in *input) { t.recorder.begin(in, "tegrastats", "tegrastats-text") }

var (
	tegraRAM   = regexp.MustCompile(`\bRAM (\d+)/\d+MB\b`)
	tegraTime  = regexp.MustCompile(`\b(\d\d-\d\d-\d{4} \d\d:\d\d:\d\d) `)
	tegraGPU   = regexp.MustCompile(`\bGR3D(?:_FREQ)? (?:(\d+)%)?(?:@\[?([\d,]+)\]?)?`)
	tegraEMC   = regexp.MustCompile(`\bEMC(?:_FREQ)? (?:(\d+)%)?(?:@(\d+))?`)
	tegraHeat  = regexp.MustCompile(`\b([A-Za-z]\w*)@(-?\d+(?:\.\d+)?)C\b`)
	tegraRails = regexp.MustCompile(`\b([A-Z][A-Z0-9_]*) (-?\d+)(mW)?/-?\d+(mW)?`)
)

// line reads a sample. Each has marks of its own, so that none is waited for.
func (t *tegrastats) line(l line) bool {
	ram := tegraRAM.FindSubmatchIndex(l.text)
	if ram == nil || !l.ended {
		return false
	}
	gpu := tegraGPU.FindSubmatch(l.text[ram[0]:])
	emc := tegraEMC.FindSubmatch(l.text[ram[0]:])
	if gpu == nil && emc == nil && !bytes.Contains(l.text, []byte("MB (lfb ")) {
		return false
	}
	at := time.Time{}
	if stamp := tegraTime.FindSubmatch(l.text[:ram[0]]); stamp != nil {
		at, _ = time.Parse("01-02-2006 15:04:05", string(stamp[1]))
	}
	t.sample(l.number, at, false, 1)
	t.put("memory_used", "B", "RAM", "", digits(l.text[ram[2]:ram[3]])*(1<<20))
	if gpu != nil {
		if gpu[1] != nil {
			t.put("gpu_utilization", "%", "GR3D_FREQ", "", digits(gpu[1]))
		}
		for clock := range bytes.SplitSeq(gpu[2], []byte(",")) { // of each of its clusters
			if len(clock) > 0 {
				t.greatest("gpu_clock", "MHz", "GR3D_FREQ", digits(clock))
			}
		}
	}
	if emc != nil && emc[1] != nil {
		t.put("x_emc_load", "%", "EMC_FREQ", "", digits(emc[1]))
	}
	if emc != nil && emc[2] != nil {
		t.put("x_emc_clock", "MHz", "EMC_FREQ", "", digits(emc[2]))
	}
	for _, zone := range tegraHeat.FindAllSubmatch(l.text, -1) {
		if v := digits(zone[2]); v > 0 && !bytes.EqualFold(zone[1], []byte("PMIC")) {
			t.greatest("temperature", "°C", string(zone[1]), v)
		}
	}
	t.names, t.watts = t.names[:0], t.watts[:0]
	for _, rail := range tegraRails.FindAllSubmatch(l.text, -1) {
		if name := string(rail[1]); name != "RAM" && name != "SWAP" && name != "IRAM" {
			t.names = append(t.names, t.in.intern([]byte(name)))
			t.watts = append(t.watts, digits(rail[2])/1000)
		}
	}
	t.rails(t.names, t.watts)
	return false
}

// digits reads what an expression has found to be a number.
func digits(text []byte) float64 {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (t *tegrastats) end() {
	if t.trace != nil && !t.trace.Start.IsZero() {
		spreadSeconds(t.trace)
	}
	t.hand()
}

// spreadSeconds takes samples apart that a clock of whole seconds noted at the
// same time: at ten a second, only the last and the first of two seconds would
// count between them. Those of one second are spread over it evenly; the first
// second may have begun before tegrastats did, so that its samples stand at its
// end.
func spreadSeconds(t *bench.Trace) {
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
