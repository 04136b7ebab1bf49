package machine

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// lscpu prints rows like "Model name: …". Newer versions indent the rows that belong to a model. A CPU with two kinds
// of cores (ARM's big and little) has two names. The number of CPUs is not always sockets × cores × threads: only some
// cores of a hybrid CPU have two threads. "-" means that the kernel does not know the name, "unknown" that a virtual
// machine hides it. The names of rows are in the language of the machine.
//
// Source: util-linux, sys-utils/lscpu.c, 2.27 to 2.40; its translations.
var lscpuMarks = []string{"Architecture:", "Architecture :", "Model name:", "Thread(s) per core:", "On-line CPU(s) list:",
	"架构:", "架構:", "Architektur:", "アーキテクチャ:", "Arquitectura:", "Arquitetura:", "Architettura:", "Architektura:", "Архитектура:", "아키텍처:"}

// lscpuNames maps the names of the rows in other languages to the English ones.
var lscpuNames = map[string]string{
	"架构": "Architecture", "架構": "Architecture", "Architektur": "Architecture", "アーキテクチャ": "Architecture", "Arquitectura": "Architecture",
	"Arquitetura": "Architecture", "Architettura": "Architecture", "Architektura": "Architecture", "Архитектура": "Architecture", "아키텍처": "Architecture",

	"CPU": "CPU(s)", "Processeur(s)": "CPU(s)", "CPU 数": "CPU(s)", "CPU(个)": "CPU(s)",

	"每个核的线程数": "Thread(s) per core", "每核心執行緒數": "Thread(s) per core", "Thread(s) pro Kern": "Thread(s) per core", "Thread(s) par cœur": "Thread(s) per core",
	"コアあたりのスレッド数": "Thread(s) per core", "Hilo(s) de procesamiento por núcleo": "Thread(s) per core", "Thread(s) per núcleo": "Thread(s) per core",
	"Thread per core": "Thread(s) per core", "Wątków na rdzeń": "Thread(s) per core", "Потоков на ядро": "Thread(s) per core", "코어당 스레드": "Thread(s) per core",

	"座": "Socket(s)", "插槽": "Socket(s)", "Sockel": "Socket(s)", "ソケット数": "Socket(s)", "«Socket(s)»": "Socket(s)", "Soquete(s)": "Socket(s)", "Socket": "Socket(s)",
	"Gniazd": "Socket(s)", "Сокетов": "Socket(s)", "소켓": "Socket(s)",

	"型号名称": "Model name", "型號名稱": "Model name", "Modellname": "Model name", "Nom de modèle": "Model name", "モデル名": "Model name", "Nombre del modelo": "Model name",
	"Nome do modelo": "Model name", "Nome modello": "Model name", "Nazwa modelu": "Model name", "Имя модели": "Model name", "모델명": "Model name",
}

// lscpuName returns the English name of a row.
func lscpuName(label string) string {
	if name := lscpuNames[label]; name != "" {
		return name
	}
	return label
}

type lscpuText struct {
	in     *draft.File
	start  int
	values map[string]string
	models []string
	open   bool
	json   bool // printed as JSON
}

func newLscpuText() draft.LineReader { return &lscpuText{} }

func (c *lscpuText) Begin(in *draft.File) { *c = lscpuText{in: in} }

func (c *lscpuText) Line(l scan.Line) bool {
	label, value, ok := scan.Labelled(l.Text, ":")
	label = lscpuName(label)
	if label == "Architecture" && ok {
		c.End()
		c.start, c.values, c.models, c.open = l.Number, map[string]string{}, nil, true
	}
	if !c.open {
		return false
	}
	if !ok || !l.Ended {
		c.End()
		return false
	}
	c.row(label, value)
	return true
}

// row reads a row by its English name.
func (c *lscpuText) row(label, value string) {
	if label == "Model name" && !scan.IsMissing(value) && value != "unknown" && !slices.Contains(c.models, value) && len(c.models) < maxListed {
		c.models = append(c.models, value)
	}
	switch label {
	case "CPU(s)", "Thread(s) per core", "Socket(s)", "Architecture":
		if c.values[label] == "" {
			c.values[label] = value
		}
	}
}

// lscpu -J prints the same rows as a tree.
//
//	{"lscpu": [{"field": "Architecture:", "data": "x86_64"}, {"field": "Vendor ID:", "data": "AuthenticAMD", "children": [{"field": "Model name:", "data": "AMD EPYC"}]}]}
func isLscpu(v *scan.Value) bool { return v.Get("lscpu").At(0).Has("field", "data") }

func readLscpu(in *draft.File, v *scan.Value) {
	c := lscpuText{in: in, start: v.Line, values: map[string]string{}, open: true, json: true}
	c.rows(v.Get("lscpu"), 0)
	c.End()
	if in.Out.Capture == "" {
		in.NoResult(v.Line, locale.Textf("nothing certain about the machine"))
	}
}

// rows reads a list of rows and, recursively, their children.
func (c *lscpuText) rows(list *scan.Value, depth int) {
	const deepest = 8
	for row := range list.Children() {
		c.row(lscpuName(strings.TrimRight(row.Get("field").Text(), ": ")), row.Get("data").Text())
		if depth < deepest {
			c.rows(row.Get("children"), depth+1)
		}
	}
}

// End captures the rows of a block that is certainly lscpu's.
func (c *lscpuText) End() {
	if c.open && c.values["CPU(s)"] != "" && c.values["Thread(s) per core"] != "" {
		format := "lscpu-text"
		if c.json {
			format = "lscpu-json"
		}
		c.in.Capture(format, "x_cpu", strings.Join(c.models, " + "), c.start)
		c.in.Capture(format, "x_cpus", c.values["CPU(s)"], c.start)
		c.in.Capture(format, "x_cpu_sockets", c.values["Socket(s)"], c.start)
		c.in.Capture(format, "x_arch", c.values["Architecture"], c.start)
	}
	c.open = false
}

// "uname -a" prints the kernel and the architecture. The host's name is private and not read.
//
//	Linux host 6.8.0-90-generic #91~22.04.1-Ubuntu SMP PREEMPT_DYNAMIC … x86_64 x86_64 x86_64 GNU/Linux
var unameMarks = []string{" GNU/Linux"}

type unameText struct{ in *draft.File }

func newUnameText() draft.LineReader { return &unameText{} }

func (u *unameText) Begin(in *draft.File) { u.in = in }

var unameLine = lazy.Regexp(`^Linux \S+ (\d+\.\d+\S*) #\S+ .* (\S+) GNU/Linux\s*$`)

func (u *unameText) Line(l scan.Line) bool {
	if m := unameLine().FindSubmatch(l.Text); m != nil {
		u.in.Capture("uname-text", "x_kernel", string(m[1]), l.Number)
		u.in.Capture("uname-text", "x_arch", string(m[2]), l.Number)
	}
	return false
}

func (u *unameText) End() {}

// deviceQuery, one of CUDA's samples, lists the GPUs that a program can use. There is one for the driver API and one
// for the runtime API, which differ in wording:
//
//	Detected 1 CUDA Capable device(s)
//	Device 0: "NVIDIA Thor"
//	  CUDA Driver Version:                           13.0
//	  CUDA Driver Version / Runtime Version          12.4 / 11.8
//	  CUDA Capability Major/Minor version number:    11.0
//
// The driver version here is the version of CUDA that the driver supports, as in nvidia-smi.
var deviceQueryMarks = []string{"CUDA Device Query", "CUDA Capable device(s)"}

type deviceQuery struct {
	in    *draft.File
	first int
	gpus  []string
	open  bool
}

func newDeviceQuery() draft.LineReader { return &deviceQuery{} }

func (d *deviceQuery) Begin(in *draft.File) { *d = deviceQuery{in: in} }

var (
	queriedDevice = lazy.Regexp(`^\s*Device \d+: "([^"]+)"`)
	queriedCUDA   = lazy.Regexp(`^\s*CUDA Driver Version(?: / Runtime Version)?:?\s+(\d+\.\d+)(?: / (\d+\.\d+))?\s*$`)
	queriedLevel  = lazy.Regexp(`^\s*CUDA Capability Major/Minor version number:\s+(\d+\.\d+)\s*$`)
)

func (d *deviceQuery) Line(l scan.Line) bool {
	const format = "device-query-text"
	d.open = !strings.Contains(string(l.Text), "Result = ")
	if m := queriedDevice().FindSubmatch(l.Text); m != nil && len(d.gpus) < maxListed {
		d.gpus = append(d.gpus, string(m[1]))
		if d.first == 0 {
			d.first = l.Number
		}
	}
	if len(d.gpus) == 0 {
		return d.open
	}
	if m := queriedCUDA().FindSubmatch(l.Text); m != nil {
		d.in.Capture(format, "x_cuda", string(m[1]), l.Number)
		d.in.Capture(format, "x_cuda_runtime", string(m[2]), l.Number)
	}
	if m := queriedLevel().FindSubmatch(l.Text); m != nil && len(d.gpus) == 1 {
		d.in.Capture(format, "x_compute_capability", string(m[1]), l.Number)
	}
	if !d.open {
		d.End()
	}
	return d.open
}

func (d *deviceQuery) End() {
	if len(d.gpus) > 0 && !(d.open && d.in.Tail.Open) { // otherwise there may be more of them
		captureGPUs(d.in, "device-query-text", d.gpus, d.first)
	}
	d.gpus, d.first = nil, 0
}

// nvidia-smi without options prints a table. The header has the driver and the version of CUDA that it supports. Each
// GPU has three lines, the first with its name. A name that is too long ends in dots. Since driver 610 the header has
// KMD (the driver in the kernel) and UMD (its CUDA part) instead of driver and CUDA. The second line of a GPU is a
// momentary reading. Habana's hl-smi prints the same table.
//
//	| NVIDIA-SMI 580.126.09             Driver Version: 580.126.09     CUDA Version: 13.0     |
//	| NVIDIA-SMI 610.43.02              KMD Version: 610.43.02     CUDA UMD Version: 13.3     |
//	|   0  NVIDIA GeForce RTX 3090        On  |   00000000:01:00.0 Off |                  N/A |
//	| 30%   45C    P8             23W /  350W |     725MiB /  24576MiB |      0%      Default |
var (
	smiTableMarks = []string{"| NVIDIA-SMI "}
	hlTableMarks  = []string{"| HL-SMI Version"}
)

type smiTable struct {
	in     *draft.File
	format string
	first  int
	ids    []string
	gpus   []string
	read   reading
	second bool // the next line is the second line of a GPU
	open   bool
}

func newSMITable() draft.LineReader { return &smiTable{format: "nvidia-smi-text"} }
func newHLTable() draft.LineReader  { return &smiTable{format: "hl-smi-text"} }

func (t *smiTable) Begin(in *draft.File) { *t = smiTable{in: in, format: t.format} }

var (
	smiHeader = lazy.Regexp(`^\| NVIDIA-SMI \S+ .*(?:Driver|KMD) Version: (\S+)(?: .*CUDA (?:UMD )?Version: (\d+\.\d+))?`)
	hlHeader  = lazy.Regexp(`^\| HL-SMI Version:`)
	hlDriver  = lazy.Regexp(`^\| Driver Version:\s+(\d\S*)`)
	smiGPU    = lazy.Regexp(`^\|\s+(\d+)\s+(\S.*?)\s+(?:On|Off|N/A|TCC|WDDM|MCDM)\s+\|\s+(?:[0-9A-Fa-f]+:|N/A)`)
	smiHeat   = lazy.Regexp(`^\|[^|]*\s(\d+)C\s`)
	smiPower  = lazy.Regexp(`^\|[^|]*\s(\d+)W\s*/`)
	smiMemory = lazy.Regexp(`^\|[^|]*\|\s*(\d+)MiB\s*/`)
	smiUse    = lazy.Regexp(`^\|[^|]*\|[^|]*\|\s*(\d+)%`)
)

func (t *smiTable) Line(l scan.Line) bool {
	if m := smiHeader().FindSubmatch(l.Text); m != nil {
		t.begin(l.Number)
		t.in.Capture(t.format, "x_driver", string(m[1]), l.Number)
		t.in.Capture(t.format, "x_cuda", string(m[2]), l.Number)
		return true
	}
	if hlHeader().Match(l.Text) {
		t.begin(l.Number)
		return true
	}
	m := smiGPU().FindSubmatch(l.Text)
	switch known := m != nil && slices.Contains(t.ids, string(m[1])); {
	case m != nil && t.open && !known && len(t.ids) < maxListed:
		t.ids = append(t.ids, string(m[1]))
		t.gpus = append(t.gpus, string(m[2]))
		t.second = true
	case t.second && l.Ended:
		t.reading(l)
	case t.open && len(t.ids) == 0:
		if m := hlDriver().FindSubmatch(l.Text); m != nil {
			t.in.Capture(t.format, "x_driver", string(m[1]), l.Number)
		}
	}
	t.open = t.open && !strings.Contains(string(l.Text), "Processes:") && (len(l.Text) > 0 && (l.Text[0] == '|' || l.Text[0] == '+'))
	return t.open
}

func (t *smiTable) begin(line int) {
	t.open = true
	if t.first == 0 {
		t.first = line
	}
}

// reading reads the second line of a GPU.
func (t *smiTable) reading(l scan.Line) {
	t.second, t.read.line = false, l.Number
	for _, part := range []struct {
		at     func() *lazy.Pattern
		factor float64
		note   func(float64)
	}{{smiHeat, 1, t.read.heat}, {smiPower, 1, t.read.addPower}, {smiMemory, 1 << 20, t.read.addMemory}, {smiUse, 1, t.read.busy}} {
		if m := part.at().FindSubmatch(l.Text); m != nil {
			if v, ok := scan.ParseNumber(m[1]); ok {
				part.note(v * part.factor)
			}
		}
	}
}

func (t *smiTable) End() {
	if len(t.gpus) == 0 || t.open && t.in.Tail.Open && !bytes.HasSuffix(t.in.Tail.Text, []byte("+")) { // there may be more of them
		return
	}
	t.read.capture(t.in, t.format, len(t.gpus))
	if slices.ContainsFunc(t.gpus, func(name string) bool { return strings.HasSuffix(name, "...") }) {
		t.in.Capture(t.format, "device_count", strconv.Itoa(len(t.gpus)), t.first)
		return
	}
	captureGPUs(t.in, t.format, t.gpus, t.first)
}

// Google's tpu-info prints tables of the chips and of their use:
//
//	│ /dev/vfio/0 │ TPU v6e chip │ 1       │ 24  │
//	│ 0    │ 18.45 GiB / 31.25 GiB │ 100.00%    │
//
// It does not report power.
//
// Source: tpu-info 0.2 to 0.7.
var tpuMarks = []string{"TPU Chips", "TPU Runtime Utilization"}

type tpuInfo struct {
	in    *draft.File
	first int
	chips []string
	read  reading
	gap   int
}

func newTPUInfo() draft.LineReader { return &tpuInfo{} }

func (t *tpuInfo) Begin(in *draft.File) { *t = tpuInfo{in: in} }

var (
	tpuType   = lazy.Regexp(`^(TPU v\d+\w*)(?: chip)?$`)
	tpuMemory = lazy.Regexp(`^([\d.]+) GiB / [\d.]+ GiB$`)
	tpuUse    = lazy.Regexp(`^([\d.]+)%$`)
)

func (t *tpuInfo) Line(l scan.Line) bool {
	cells, row := scan.Pipes(nil, l.Text)
	if !row {
		t.gap++
		return t.gap <= draft.MaxGap
	}
	t.gap = 0
	if !l.Ended || len(cells) < 3 || len(t.chips) == maxListed {
		return true
	}
	if m := tpuType().FindStringSubmatch(cells[1]); m != nil && strings.HasPrefix(cells[0], "/dev/") {
		t.chips = append(t.chips, m[1])
		if t.first == 0 {
			t.first = l.Number
		}
	}
	memory, use := tpuMemory().FindStringSubmatch(cells[1]), tpuUse().FindStringSubmatch(cells[2])
	if memory != nil && use != nil {
		used, _ := scan.ParseNumber([]byte(memory[1]))
		share, _ := scan.ParseNumber([]byte(use[1]))
		t.read.addMemory(used * (1 << 30))
		t.read.busy(share)
		t.read.line = l.Number
	}
	return true
}

func (t *tpuInfo) End() {
	if len(t.chips) > 0 && !(t.gap == 0 && t.in.Tail.Open) { // otherwise there may be more of them
		captureGPUs(t.in, "tpu-info-text", t.chips, t.first)
		t.read.capture(t.in, "tpu-info-text", len(t.chips))
	}
}
