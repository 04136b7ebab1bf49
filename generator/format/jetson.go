package format

import (
	"regexp"
	"strings"
)

// A Jetson tells its state with three commands:
//
//	nvpmodel -q            NV Power Mode: MAXN_SUPER
//	jetson_clocks --show   cpu0: Online=1 Governor=schedutil MinFreq=729600 MaxFreq=1728000 CurrentFreq=1344000 …
//	                       GPU MinFreq=306000000 MaxFreq=918000000 CurrentFreq=306000000
//	                       EMC MinFreq=204000000 MaxFreq=3199000000 CurrentFreq=2133000000 FreqOverride=0
//	/etc/nv_tegra_release  # R36 (release), REVISION: 4.4, GCID: …
//
// Clocks are locked when the lowest and the highest are the same; the memory's
// (EMC) when it is overridden, its range stays as it was. On Thor the GPU is
// gpu-gpc-0, and CPUs have no Online. Where some are locked and others not,
// neither word is true.
//
// Source: the commands of L4T 32 to 38.
var jetsonMarks = []string{"NV Power Mode:", "MinFreq=", "(release), REVISION:", "SOC family:"}

type jetsonText struct {
	in                  *input
	locked, free, line0 int // clocks of the listing, and its first line
	cpu, gpu            bool
}

func newJetsonText() lineReader { return &jetsonText{} }

func (j *jetsonText) begin(in *input) { *j = jetsonText{in: in} }

var (
	jetsonMode    = regexp.MustCompile(`^\s*NV Power Mode: ?([A-Za-z0-9][A-Za-z0-9_ .+-]*?)\s*$`)
	jetsonRelease = regexp.MustCompile(`^\s*# R(\d+) \(release\), REVISION: ([\d.]+),`)
	jetsonClock   = regexp.MustCompile(`^\s*(cpu\d+|GPU|gpu-gpc-\d+|EMC)\b:?\s.*?MinFreq=(\d+) MaxFreq=(\d+) CurrentFreq=(\d+)(?: FreqOverride=(\d))?`)
	jetsonMachine = regexp.MustCompile(`^\s*SOC family:\S+\s+Machine:(.+)$`)
)

const jetsonFormat = "jetson-text"

// line reads a line that has one of the marks.
func (j *jetsonText) line(l line) bool {
	if m := jetsonMode.FindSubmatch(l.text); m != nil && l.ended {
		j.in.capture(jetsonFormat, "power_mode", string(m[1]), l.number)
	}
	if m := jetsonRelease.FindSubmatch(l.text); m != nil {
		j.in.capture(jetsonFormat, "x_l4t", string(m[1])+"."+string(m[2]), l.number)
	}
	if m := jetsonMachine.FindSubmatch(l.text); m != nil {
		j.in.capture(jetsonFormat, "x_device", string(m[1]), l.number)
	}
	if m := jetsonClock.FindSubmatch(l.text); m != nil && l.ended && !strings.Contains(string(l.text), "Online=0") {
		j.clock(m, l.number)
	}
	return false
}

func (j *jetsonText) clock(m [][]byte, line int) {
	name := string(m[1])
	if name == "cpu0" { // another listing
		j.end()
		*j = jetsonText{in: j.in, line0: line}
	}
	j.cpu = j.cpu || strings.HasPrefix(name, "cpu")
	j.gpu = j.gpu || strings.EqualFold(name[:3], "gpu")
	lowest, highest, current := string(m[2]), string(m[3]), string(m[4])
	if lowest == highest || string(m[5]) == "1" && current == highest {
		j.locked++
	} else {
		j.free++
	}
}

// end tells the state of the clocks, if it is one and the CPU and the GPU are
// both in the listing.
func (j *jetsonText) end() {
	switch {
	case !j.cpu || !j.gpu || j.locked > 0 && j.free > 0:
	case j.locked > 0:
		j.in.capture(jetsonFormat, "clocks", "locked", j.line0)
	case j.free > 0:
		j.in.capture(jetsonFormat, "clocks", "free", j.line0)
	}
}
