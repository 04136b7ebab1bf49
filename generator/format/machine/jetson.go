package machine

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// The state of a Jetson is in the output of two commands, in a file, and in the output of a command of jetson-stats:
//
//	nvpmodel -q            NV Power Mode: MAXN_SUPER
//	jetson_clocks --show   cpu0: Online=1 Governor=schedutil MinFreq=729600 MaxFreq=1728000 CurrentFreq=1344000 …
//	                       GPU MinFreq=306000000 MaxFreq=918000000 CurrentFreq=306000000
//	                       EMC MinFreq=204000000 MaxFreq=3199000000 CurrentFreq=2133000000 FreqOverride=0
//	/etc/nv_tegra_release  # R36 (release), REVISION: 4.4, GCID: …
//	jetson_release         Software part of jetson-stats 4.2.12 - (c) 2024, …
//	                       Model: NVIDIA Jetson Orin Nano Developer Kit - Jetpack 6.1 [L4T 36.4.0]
//	                       NV Power Mode[0]: 15W
//	                        - Release: 5.15.148-tegra
//	                        - CUDA: 12.6.68
//
// A clock is locked if its minimum and maximum are the same. The memory's clock (EMC) is locked if it is overridden;
// its range does not change then. On Thor the GPU is gpu-gpc-0, and CPUs have no Online. If some clocks are locked and
// others are not, no state is captured. "nvpmodel -q --verbose" prints words before the mode. If jetson-stats does not
// know the JetPack, L4T has a line of its own.
//
// Source: the commands of L4T 32 to 38; jetson-stats 4.2 and 4.3, jetson_release.
var jetsonMarks = []string{"NV Power Mode:", "MinFreq=", "(release), REVISION:", "SOC family:", "Software part of jetson-stats"}

type jetsonText struct {
	in                  *draft.File
	locked, free, line0 int // numbers of clocks in the listing, and its first line
	cpu, gpu            bool
	stats               bool // in the output of jetson_release
}

func newJetsonText() draft.LineReader { return &jetsonText{} }

func (j *jetsonText) Begin(in *draft.File) { *j = jetsonText{in: in} }

var (
	jetsonMode    = lazy.Regexp(`^\s*(?:NVPM VERB: Current mode: )?NV Power Mode(?:\[\d+\])?: ?([A-Za-z0-9][A-Za-z0-9_ .+-]*?)\s*$`)
	jetsonRelease = lazy.Regexp(`^\s*# R(\d+) \(release\), REVISION: ([\d.]+),`)
	jetsonClock   = lazy.Regexp(`^\s*(cpu\d+|GPU|gpu-gpc-\d+|EMC)\b:?\s.*?MinFreq=(\d+) MaxFreq=(\d+) CurrentFreq=(\d+)(?: FreqOverride=(\d))?`)
	jetsonMachine = lazy.Regexp(`^\s*SOC family:\S+\s+Machine:(.+)$`)
	jetsonModel   = lazy.Regexp(`^\s*(?:- )?Model: (.+?)(?: - Jetpack \S+ \[L4T ([\d.]+)\])?\s*$`)
	jetsonStat    = lazy.Regexp(`^\s*- (L4T|Release|CUDA): (\d\S*)\s*$`)
)

const jetsonFormat = "jetson-text"

// jetsonStats maps the rows of jetson_release to labels.
var jetsonStats = map[string]string{"L4T": "x_l4t", "Release": "x_kernel", "CUDA": "x_cuda_toolkit"}

// Line reads the lines with one of the marks, and the output of jetson_release.
func (j *jetsonText) Line(l scan.Line) bool {
	if m := jetsonMode().FindSubmatch(l.Text); m != nil && l.Ended {
		j.in.Capture(jetsonFormat, "power_mode", string(m[1]), l.Number)
	}
	if m := jetsonRelease().FindSubmatch(l.Text); m != nil {
		j.in.Capture(jetsonFormat, "x_l4t", string(m[1])+"."+string(m[2]), l.Number)
	}
	if m := jetsonMachine().FindSubmatch(l.Text); m != nil {
		j.in.Capture(jetsonFormat, "device", string(m[1]), l.Number)
	}
	if m := jetsonClock().FindSubmatch(l.Text); m != nil && l.Ended && !strings.Contains(string(l.Text), "Online=0") {
		j.clock(m, l.Number)
	}
	if strings.Contains(string(l.Text), "Software part of jetson-stats") {
		j.stats = true
	}
	if j.stats = j.stats && len(strings.TrimSpace(string(l.Text))) > 0; j.stats && l.Ended {
		j.release(l)
	}
	return j.stats
}

// release reads a line of jetson_release. The first empty line ends the output.
func (j *jetsonText) release(l scan.Line) {
	if m := jetsonModel().FindSubmatch(l.Text); m != nil {
		j.in.Capture(jetsonFormat, "device", string(m[1]), l.Number)
		j.in.Capture(jetsonFormat, "x_l4t", string(m[2]), l.Number)
	}
	if m := jetsonStat().FindSubmatch(l.Text); m != nil {
		j.in.Capture(jetsonFormat, jetsonStats[string(m[1])], string(m[2]), l.Number)
	}
}

func (j *jetsonText) clock(m [][]byte, line int) {
	name := string(m[1])
	if name == "cpu0" { // another listing
		j.End()
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

// End captures the state of the clocks, if all have the same state and the listing has the CPU and the GPU.
func (j *jetsonText) End() {
	switch {
	case !j.cpu || !j.gpu || j.locked > 0 && j.free > 0:
	case j.locked > 0:
		j.in.Capture(jetsonFormat, "clocks", "locked", j.line0)
	case j.free > 0:
		j.in.Capture(jetsonFormat, "clocks", "free", j.line0)
	}
}
