package machine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// "vllm collect-env" (before: python collect_env.py, and PyTorch's own script) prints the software and hardware of an
// installation. Until mid-2025 the output was one list, "PyTorch version: 2.6.0+cu124". Since then it has sections
// whose rows are padded up to the colon. A value with several lines continues in the next lines, such as the GPUs, one
// in each. On a Jetson the GPUs are often "Could not collect". Both forms contain the output of lscpu, which lscpu's
// reader reads.
//
// There are several versions of CUDA. x_cuda, which the driver supports, is not in this output. x_torch_cuda is the one
// PyTorch was built with, x_cuda_toolkit the installed one.
//
// Source: vllm/collect_env.py, 0.2 to 0.26.
var collectEnvMarks = []string{"Collecting environment", "   System Info", "PyTorch version", "vLLM Version", "GPU models and configuration", "Nvidia driver version",
	"CUDA used to build PyTorch", "ROCM used to build PyTorch", "CUDA runtime version", "Python platform", "HIP runtime version"}

type collectEnv struct {
	in    *draft.File
	facts []capturedFact
	rows  int // known rows
	gpus  []string
	list  bool // in the list of GPUs
	first int
	gap   int // lines since the last known row
}

// capturedFact is a fact that counts only if the file turns out to be the output of collect_env.
type capturedFact struct {
	name, value string
	line        int
}

const maxListed = 1024 // maximum number of GPUs, models of CPUs and facts in a file

func newCollectEnv() draft.LineReader { return &collectEnv{} }

func (c *collectEnv) Begin(in *draft.File) { *c = collectEnv{in: in} }

var collectEnvRows = map[string]string{
	"PyTorch version":            "x_torch",
	"vLLM Version":               "engine_version",
	"Nvidia driver version":      "x_driver",
	"CUDA used to build PyTorch": "x_torch_cuda",
	"CUDA runtime version":       "x_cuda_toolkit",
	"ROCM used to build PyTorch": "x_torch_rocm",
	"HIP runtime version":        "x_hip",
	"OS":                         "x_os",
	"Python version":             "x_python",
	"Python platform":            "x_kernel",
}

var (
	listedGPU   = lazy.Regexp(`^GPU \d+: (.+?)(?: \(UUID: [^)]*\))?$`)
	machineName = lazy.Regexp(` \([a-z0-9_]+\)$`)
	kernelName  = lazy.Regexp(`^Linux-(.+?)-(?:x86_64|aarch64|ppc64le)\b`)
)

func (c *collectEnv) Line(l scan.Line) bool {
	const longest = 12 // maximum number of lines between two known rows
	text := strings.TrimSpace(string(l.Text))
	label, value, ok := scan.Labelled(l.Text, ":")
	name, known := collectEnvRows[label]
	c.gap++
	switch {
	case label == "GPU models and configuration" && ok:
		c.rows, c.gap, c.list = c.rows+1, 0, true
		c.gpu(value, l)
	case c.list && strings.HasPrefix(text, "GPU "):
		c.gpu(text, l)
	case known && ok:
		c.rows, c.gap, c.list = c.rows+1, 0, false
		c.fact(name, value, l)
	case strings.HasPrefix(text, "Collecting environment") || text == "System Info":
		c.gap = 0
	case text != "":
		c.list = false
	}
	return c.list || c.gap <= longest
}

func (c *collectEnv) gpu(text string, l scan.Line) {
	if m := listedGPU().FindStringSubmatch(text); m != nil && len(c.gpus) < maxListed {
		c.gpus = append(c.gpus, m[1])
		if c.first == 0 {
			c.first = l.Number
		}
	}
}

// fact stores a fact, unless it could not be collected.
func (c *collectEnv) fact(name, value string, l scan.Line) {
	switch {
	case len(c.facts) >= maxListed || value == "Could not collect" || value == "No CUDA" || scan.IsMissing(value) || !l.Ended || strings.ContainsAny(value, "{<"):
		return
	case name == "engine_version":
		value, _, _ = strings.Cut(value, " ") // "(git sha: …)"
		c.facts = append(c.facts, capturedFact{"engine", "vllm", l.Number})
	case name == "x_driver" || name == "x_python":
		value, _, _ = strings.Cut(value, " ")
	case name == "x_os":
		value = machineName().ReplaceAllString(value, "")
	case name == "x_kernel":
		m := kernelName().FindStringSubmatch(value)
		if m == nil {
			return
		}
		value = m[1]
	}
	c.facts = append(c.facts, capturedFact{name, value, l.Number})
}

func (c *collectEnv) End() {
	if c.rows < 4 { // the text only quotes some rows
		return
	}
	const format = "collect-env-text"
	for _, f := range c.facts {
		c.in.Capture(format, f.name, f.value, f.line)
	}
	if len(c.gpus) > 0 && !(c.list && c.in.Tail.Open) { // otherwise there may be more of them
		captureGPUs(c.in, format, c.gpus, c.first)
	}
}

// captureGPUs captures the models of a machine's GPUs and their number.
func captureGPUs(in *draft.File, format string, names []string, line int) {
	count := strconv.Itoa(len(names))
	names = slices.Clone(names)
	slices.Sort(names)
	in.Capture(format, "gpu", strings.Join(slices.Compact(names), " + "), line)
	in.Capture(format, "device_count", count, line)
}
