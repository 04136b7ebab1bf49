package machine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// "vllm collect-env" (before: python collect_env.py, and PyTorch's own) prints
// what an installation is made of. Until the middle of 2025 it was one list,
// "PyTorch version: 2.6.0+cu124", since then sections with rows padded to the
// colon. A value of several lines goes on in the next: the GPUs, one in each. On
// a Jetson the GPUs often are "Could not collect". lscpu's output is a part of
// both, which the reader of that takes.
//
// CUDA has several versions: here x_cuda is what the driver supports (it does not
// are there), x_torch_cuda what PyTorch was built with, x_cuda_toolkit what is
// installed.
//
// Source: vllm/collect_env.py, 0.2 to 0.26.
var collectEnvMarks = []string{"Collecting environment", "   System Info", "PyTorch version", "vLLM Version", "GPU models and configuration", "Nvidia driver version",
	"CUDA used to build PyTorch", "ROCM used to build PyTorch", "CUDA runtime version", "Python platform", "HIP runtime version"}

type collectEnv struct {
	in    *draft.File
	facts []capturedFact
	rows  int // of its own kind
	gpus  []string
	list  bool // of GPUs goes on
	first int
	gap   int // lines since a row that is known
}

// capturedFact is one that counts only once the whole is known to be of its kind.
type capturedFact struct {
	name, value string
	line        int
}

const maxListed = 1024 // GPUs, models of CPUs and facts that a file can tell

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
	const longest = 12 // lines between two that are known
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

// fact notes one, if it could be collected.
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
	if c.rows < 4 { // some rows of it in a text
		return
	}
	const format = "collect-env-text"
	for _, f := range c.facts {
		c.in.Capture(format, f.name, f.value, f.line)
	}
	if len(c.gpus) > 0 && !(c.list && c.in.Tail.Open) { // else there may be more of them
		captureGPUs(c.in, format, c.gpus, c.first)
	}
}

// captureGPUs notes the models of a machine's GPUs and how many there are.
func captureGPUs(in *draft.File, format string, names []string, line int) {
	count := strconv.Itoa(len(names))
	names = slices.Clone(names)
	slices.Sort(names)
	in.Capture(format, "gpu", strings.Join(slices.Compact(names), " + "), line)
	in.Capture(format, "device_count", count, line)
}
