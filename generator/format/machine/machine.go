package machine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// lscpu prints "Model name: …" and its like; newer ones indent what belongs to a
// model. A CPU with two kinds of cores (ARM's big and little) has two names. The
// number of CPUs is not always sockets × cores × threads: only some cores of a
// hybrid CPU have two threads. "-" stands for a name that the kernel does not
// know, "unknown" for one that a virtual machine hides. The names are in the
// language of the machine.
//
// Source: util-linux, sys-utils/lscpu.c, 2.27 to 2.40; its translations.
var lscpuMarks = []string{"Architecture:", "Architecture :", "Model name:", "Thread(s) per core:", "On-line CPU(s) list:",
	"架构:", "架構:", "Architektur:", "アーキテクチャ:", "Arquitectura:", "Arquitetura:", "Architettura:", "Architektura:", "Архитектура:", "아키텍처:"}

// lscpuNames are the rows that are read, by their names in other languages.
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

// row notes a row by its English name.
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
		in.NoResult(v.Line, "nothing certain of the machine")
	}
}

// rows reads a list of rows, and those below each.
func (c *lscpuText) rows(list *scan.Value, depth int) {
	const deepest = 8
	for row := range list.Children() {
		c.row(lscpuName(strings.TrimRight(row.Get("field").Text(), ": ")), row.Get("data").Text())
		if depth < deepest {
			c.rows(row.Get("children"), depth+1)
		}
	}
}

// End notes what is in a block that is lscpu's for sure.
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

// "uname -a" names the kernel and the machine; its host's name is nobody's
// business.
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

// deviceQuery, of CUDA's samples, lists the GPUs that a program can use. The one
// of the driver's interface and that of the runtime word it differently:
//
//	Detected 1 CUDA Capable device(s)
//	Device 0: "NVIDIA Thor"
//	  CUDA Driver Version:                           13.0
//	  CUDA Driver Version / Runtime Version          12.4 / 11.8
//	  CUDA Capability Major/Minor version number:    11.0
//
// The driver's version here is the CUDA that it supports, as in nvidia-smi.
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
	if len(d.gpus) > 0 {
		captureGPUs(d.in, "device-query-text", d.gpus, d.first)
	}
	d.gpus, d.first = nil, 0
}

// nvidia-smi without options draws a table: the driver and the CUDA that it
// supports in its header, and three lines for each GPU, the first with its name.
// A name that is too long ends in dots. Since driver 610 the header says KMD (the
// driver in the kernel) and UMD (CUDA's part of it) where it said driver and CUDA.
//
//	| NVIDIA-SMI 580.126.09             Driver Version: 580.126.09     CUDA Version: 13.0     |
//	| NVIDIA-SMI 610.43.02              KMD Version: 610.43.02     CUDA UMD Version: 13.3     |
//	|   0  NVIDIA GeForce RTX 3090        On  |   00000000:01:00.0 Off |                  N/A |
var smiTableMarks = []string{"| NVIDIA-SMI "}

type smiTable struct {
	in    *draft.File
	first int
	ids   []string
	gpus  []string
	open  bool
}

func newSMITable() draft.LineReader { return &smiTable{} }

func (t *smiTable) Begin(in *draft.File) { *t = smiTable{in: in} }

var (
	smiHeader = lazy.Regexp(`^\| NVIDIA-SMI \S+ .*(?:Driver|KMD) Version: (\S+)(?: .*CUDA (?:UMD )?Version: (\d+\.\d+))?`)
	smiGPU    = lazy.Regexp(`^\|\s+(\d+)\s+(\S.*?)\s+(?:On|Off|N/A|TCC|WDDM|MCDM)\s+\|\s+(?:[0-9A-Fa-f]+:|N/A)`)
)

func (t *smiTable) Line(l scan.Line) bool {
	const format = "nvidia-smi-text"
	if m := smiHeader().FindSubmatch(l.Text); m != nil {
		t.open = true
		if t.first == 0 {
			t.first = l.Number
		}
		t.in.Capture(format, "x_driver", string(m[1]), l.Number)
		t.in.Capture(format, "x_cuda", string(m[2]), l.Number)
		return true
	}
	if m := smiGPU().FindSubmatch(l.Text); m != nil && t.open && !slices.Contains(t.ids, string(m[1])) && len(t.ids) < maxListed {
		t.ids = append(t.ids, string(m[1]))
		t.gpus = append(t.gpus, string(m[2]))
	}
	t.open = t.open && !strings.Contains(string(l.Text), "Processes:") && (len(l.Text) > 0 && (l.Text[0] == '|' || l.Text[0] == '+'))
	return t.open
}

func (t *smiTable) End() {
	if len(t.gpus) == 0 {
		return
	}
	if slices.ContainsFunc(t.gpus, func(name string) bool { return strings.HasSuffix(name, "...") }) {
		t.in.Capture("nvidia-smi-text", "device_count", strconv.Itoa(len(t.gpus)), t.first)
		return
	}
	captureGPUs(t.in, "nvidia-smi-text", t.gpus, t.first)
}
