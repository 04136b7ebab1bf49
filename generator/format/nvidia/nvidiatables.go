package nvidia

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// nvidiaCSV reads the CSV files of genai-perf and AIPerf: a table of distributions ("Metric,avg,min,…"), one of single
// values ("Metric,Value"), and tables of the GPUs. AIPerf has a column for the standard deviation. genai-perf does not,
// but it separates thousands. genai-perf writes 0.00 for a statistic of a GPU that it does not have.
//
// Source: genai_perf/export_data/csv_exporter.py, telemetry_data_exporter_util.py;
// aiperf/exporters/metrics_csv_exporter.py.
type nvidiaCSV struct {
	draft.Draft
	client string
	open   bool
	whole  bool
	header *nvidiaHeader // of the table being read, nil between tables
	gpus   []gpuFigure
	last   int
	cells  []string
}

// serverMetrics begins AIPerf's export of the server's counters. It is not a run: the counters include everything that
// the server did.
const serverMetrics = "# AIPerf Server Metrics Export"

var (
	genAIPerfCSVMarks = []string{"Metric,avg,min,max", "Metric,GPU,avg,min"}
	aiperfCSVMarks    = []string{"Metric,avg,min,max", "Endpoint,GPU_Index,GPU_Name", serverMetrics}
)

func newGenAIPerfCSV() draft.LineReader { return &nvidiaCSV{client: "genai-perf"} }
func newAIPerfCSV() draft.LineReader    { return &nvidiaCSV{client: "aiperf"} }

func (t *nvidiaCSV) Begin(in *draft.File) {
	*t = nvidiaCSV{Draft: t.Emptied(in), client: t.client}
}

func (t *nvidiaCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	cells := t.cells
	starts := func(header ...string) bool {
		return len(cells) >= len(header) && slices.Equal(cells[:len(header)], header)
	}
	switch {
	case starts("Metric", "avg"):
		t.close()
		if slices.Contains(cells, "std") != (t.client == "aiperf") {
			return false
		}
		t.table(l)
	case starts("Metric", "GPU", "avg") && t.client == "genai-perf", starts("Endpoint", "GPU_Index") && t.client == "aiperf":
		t.table(l)
	case bytes.HasPrefix(l.Text, []byte(serverMetrics)) && t.client == "aiperf":
		t.close()
		t.In.NoResult(l.Number, locale.Textf("counters of the server as AIPerf gathered them; the run is in profile_export_aiperf.json or .csv"))
		return false
	case !t.open:
		return false
	case starts("Metric", "Value"):
		t.header = nvidiaHeaderOf([]string{"Metric", "avg"})
	case starts("Metric", "GPU", "Value"):
		t.header = nil // the limits of the GPUs
	case len(bytes.TrimSpace(l.Text)) == 0: // also between CR and LF
	case !l.Ended:
		t.whole = false // digits of the last number may be missing
		if t.header != nil && (t.header.has("GPU") || t.header.has("GPU_Index")) {
			t.withoutCut()
		}
	case len(cells) < 2:
		t.close()
	case t.header != nil && len(cells) > len(t.header.cells): // a row of another table
		t.header = nil
	default:
		t.row(l)
	}
	return t.open
}

// table begins a table, and a result if none is open.
func (t *nvidiaCSV) table(l scan.Line) {
	if !t.open {
		t.Reset(t.In, t.client, t.client+"-csv", l.Number)
		t.open, t.whole, t.gpus = true, true, nil
	}
	t.header, t.last = nvidiaHeaderOf(t.cells), l.Number
}

func (t *nvidiaCSV) row(l scan.Line) {
	switch {
	case t.header == nil:
		return
	case t.header.has("GPU"), t.header.has("GPU_Index"):
		t.gpu(l)
	default:
		nvidiaRow(&t.Draft, t.cells[0], t.header, t.cells, l.Number)
	}
	t.last = l.Number
}

func (t *nvidiaCSV) gpu(l scan.Line) {
	head, f := t.header.columns, t.figure(l)
	if f.max == "0.00" && f.avg != "0.00" {
		f.max = ""
	}
	if name := head.Cell(t.cells, "gpu_name"); name != "" {
		t.SetLabel("gpu", []byte(name), l.Number)
	}
	t.gpus = append(t.gpus, f)
}

// figure returns the quantity in a row of a table of GPUs.
func (t *nvidiaCSV) figure(l scan.Line) gpuFigure {
	head := t.header.columns
	title, unit := bracketed(head.Cell(t.cells, "metric"))
	f := gpuFigure{metric: draft.Snake(title), gpu: head.Cell(t.cells, "gpu"), unit: unit,
		avg: head.Cell(t.cells, "avg"), max: head.Cell(t.cells, "max"), line: l.Number}
	if id := head.Cell(t.cells, "gpu_uuid"); id != "" {
		f.gpu = id
	}
	return f
}

// withoutCut removes the quantity of a row that was cut off, since the figure of one GPU is missing. If this may be the
// GPU's first row, it removes all figures.
func (t *nvidiaCSV) withoutCut() {
	cut := t.figure(scan.Line{})
	if !slices.ContainsFunc(t.gpus, func(f gpuFigure) bool { return f.gpu == cut.gpu }) {
		t.gpus = nil
	}
	t.gpus = slices.DeleteFunc(t.gpus, func(f gpuFigure) bool { return f.metric == cut.metric })
}

func (t *nvidiaCSV) close() {
	if t.open {
		gpuTelemetry(&t.Draft, t.gpus)
		phaseRates(&t.Draft)
		earlyGaps(&t.Draft, t.whole)
		if t.HasKnown() {
			t.Emit(t.last, t.whole)
		} else {
			t.In.NoResult(t.Start, locale.Textf("a header of %s without figures", t.Format))
		}
	}
	t.open, t.header = false, nil
}

func (t *nvidiaCSV) End() { t.close() }

// nvidiaText reads the tables that genai-perf and AIPerf print on the console. The statistics differ by version; the
// console of genai-perf has no median. A name that is too long for its column continues in the next row, together with
// its unit; the other cells of that row are empty. If a number also continues there, the row is skipped. With
// --verbose, genai-perf prints the tables of the GPUs within other tables. In 2024, the throughputs of some runs are
// below the table.
//
// Source: genai_perf/export_data/console_exporter.py, aiperf/exporters/console_metrics_exporter.py, and the samples in
// their documents.
type nvidiaText struct {
	draft.Draft
	client     string
	open       bool
	whole      bool     // the table was printed to its end
	beside     bool     // in a table that is not the main one
	besides    []string // titles of the other tables
	header     *nvidiaHeader
	pending    []string // a row whose name may continue in the next one
	at         int      // the line in which pending begins
	broken     bool     // the numbers of pending continue in the next row
	gpu        string   // the quantity of a table of GPUs
	gpus       []gpuFigure
	tables     int
	ofGPU      int // the last table with rows of a GPU
	numGPUs    int // number of GPUs that have a table of their own
	last       int
	gap        int
	above      draft.Commands
	ownCommand draft.Settings // of the command that AIPerf prints below the tables
	command    []byte         // that command, as far as it has been read
}

var (
	genAIPerfTextMarks = []string{"NVIDIA GenAI-Perf | ", "genai-perf profile", "LLM Metrics", "PA LLM Metrics", "Embeddings Metrics", "Rankings Metrics", "Multi-Modal Metrics"}
	aiperfTextMarks    = []string{"AIPerf | ", "aiperf profile"}
)

func newGenAIPerfText() draft.LineReader { return &nvidiaText{client: "genai-perf"} }
func newAIPerfText() draft.LineReader    { return &nvidiaText{client: "aiperf"} }

func (t *nvidiaText) Begin(in *draft.File) {
	*t = nvidiaText{Draft: t.Emptied(in), client: t.client, ownCommand: draft.Settings{Own: NvidiaArguments},
		above: draft.Commands{Names: NvidiaCommands, Own: NvidiaArguments}}
	t.above.Begin(in)
}

// NvidiaCommands lists the commands of both clients.
var NvidiaCommands = [][]byte{[]byte("aiperf profile"), []byte("genai-perf profile")}

// NvidiaArguments maps the arguments of these commands that describe the run.
var NvidiaArguments = map[string]string{
	"model": "model_raw", "m": "model_raw", "model_names": "model_raw", "tokenizer": "tokenizer",
	"concurrency": "max_concurrency", "request_rate": "request_rate",
	"request_count": "num_prompts", "num_requests": "num_prompts", "public_dataset": "dataset",
	"isl": "input_len", "synthetic_input_tokens_mean": "input_len", "prompt_input_tokens_mean": "input_len",
	"osl": "output_len", "output_tokens_mean": "output_len", "prompt_output_tokens_mean": "output_len",
	"random_seed": "seed", "endpoint_type": "endpoint_type", "streaming": "streaming",
}

// printedCommand begins the command below AIPerf's tables. The command is wrapped at the width of the console.
var printedCommand = []byte("CLI Command: ")

const maxTableGap = 8 // maximum number of other lines between two tables

func (t *nvidiaText) Line(l scan.Line) bool {
	if title, ok := t.title(string(l.Text)); ok {
		t.flush()
		t.beside = isBeside(title)
		if !t.open || !t.beside || slices.Contains(t.besides, title) {
			t.close()
			t.Reset(t.In, t.client, t.client+"-text", l.Number)
			t.open, t.whole, t.besides, t.gpus, t.numGPUs, t.last = true, false, nil, nil, 0, l.Number
		}
		if t.beside {
			t.besides = append(t.besides, title)
		}
		t.header, t.gap = nil, 0
		return true
	}
	text := bytes.TrimSpace(l.Text)
	if t.readCommand(text, l.Number) {
		return true
	}
	if !t.open {
		return false
	}
	cells, isRow := scan.Pipes(nil, l.Text)
	switch {
	case isRow && t.row(cells, l):
		t.last, t.gap = l.Number, 0
	case isRow && len(cells) == 1: // a row of a panel of warnings
	case !isRow && bytes.ContainsAny(l.Text, "└╰"):
		t.flush()
		if t.header != nil {
			t.whole, t.last, t.gap = true, l.Number, 0
		}
		t.header, t.beside = nil, true // tables without a title are those of GPUs
	case !isRow && bytes.ContainsAny(l.Text, "━─═"):
	case len(text) > 0:
		t.below(l)
		if t.gap++; t.gap > maxTableGap {
			t.close()
		}
	}
	return t.open
}

// readCommand reads a line of a command, above or below the tables.
func (t *nvidiaText) readCommand(text []byte, line int) bool {
	if t.command != nil {
		if len(text) > 0 && !exported(text) {
			t.command = append(append(bytes.TrimSuffix(t.command, []byte(`\`)), ' '), text...)
			return true
		}
		t.printed()
		return false
	}
	if t.above.Continued() {
		return t.above.Line(text, line)
	}
	i := draft.CommandFlags(text, NvidiaCommands)
	switch {
	case i < 0:
		return false
	case t.open && bytes.HasPrefix(text, printedCommand):
		t.ownCommand.Reset(line)
		t.command, t.last, t.gap = bytes.Clone(text[i:]), line, 0
		return true
	}
	t.close() // the command starts another run
	t.above.Line(text, line)
	return t.above.Continued()
}

// printed reads the settings of the command below the tables.
func (t *nvidiaText) printed() {
	if t.command != nil {
		if last := bytes.LastIndex(t.command, []byte(" -")); t.In.Tail.Open || last >= 0 && isOption(t.command[last+1:]) {
			t.command = t.command[:max(0, last)] // the last argument may be cut off or missing
		}
		t.ownCommand.ReadCommand(t.In, t.command, t.ownCommand.Line)
		t.command = nil
	}
}

// isOption reports whether the end of a command is an option whose value is missing.
func isOption(text []byte) bool {
	return bytes.IndexByte(text, ' ') < 0 && bytes.IndexByte(text, '=') < 0 && string(text) != "--streaming"
}

// exported reports whether a line follows the printed command, such as "CSV Export: …" or "Benchmark Duration: …", and
// is not part of it.
func exported(text []byte) bool {
	label, _, ok := bytes.Cut(text, []byte(": "))
	return ok && 'A' <= label[0] && label[0] <= 'Z'
}

// title returns the title of a table if a line is one: "NVIDIA AIPerf | LLM Metrics" or, in early versions, "LLM
// Metrics".
func (t *nvidiaText) title(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if t.client == "aiperf" {
		return strings.CutPrefix(strings.TrimPrefix(text, "NVIDIA "), "AIPerf | ")
	}
	name, _ := strings.CutPrefix(text, "NVIDIA GenAI-Perf | ")
	return name, name != text || slices.Contains(genAIPerfTextMarks, text)
}

// isBeside reports whether a title is that of a table of the GPUs, of the client itself or of a part of the run. Such
// tables do not begin a result, and may repeat names of the main table with other figures.
func isBeside(title string) bool {
	main, ok := strings.CutSuffix(title, " Metrics")
	return !ok || slices.Contains([]string{"Power", "Memory", "Utilization", "Internal", "Experimental", "HTTP Trace", "GPU"}, main)
}

// row reads one row of a table. It reports whether the row is part of a known table.
func (t *nvidiaText) row(cells []string, l scan.Line) bool {
	if len(cells) > 2 && cells[0] == "" && cells[len(cells)-1] == "" { // a row of a table in a table
		cells = cells[1 : len(cells)-1]
	}
	values := strings.Join(cells[1:], "")
	first := strings.ToLower(cells[0])
	switch {
	case len(cells) == 1 && strings.ContainsAny(cells[0], "└╰"):
		t.flush()
		t.header, t.whole = nil, true
	case len(cells) == 1:
		_, unit := bracketed(cells[0])
		if !l.Ended {
			return false // it may be the first cell of a row
		}
		if unit != "" {
			t.flush()
			t.gpu, t.header = cells[0], nil
		}
		return unit != ""
	case (first == "statistic" || first == "metric" || first == "gpu index") && slices.Contains(cells, "avg"):
		t.flush()
		if first == "metric" == (t.client == "aiperf") || first == "gpu index" {
			t.header = nvidiaHeaderOf(cells)
			t.tables++
		}
	case t.header == nil:
		return false
	case values == "" && t.pending != nil:
		t.pending[0] += " " + cells[0]
	case slices.Contains(cells, ""): // numbers continue too: a new row has no empty cells
		t.broken = true
	default:
		t.flush()
		if l.Ended && len(cells) == len(t.header.cells) {
			t.pending, t.at = slices.Clone(cells), l.Number
		}
	}
	return true
}

// flush reads the row in pending.
func (t *nvidiaText) flush() {
	row, broken := t.pending, t.broken
	t.pending, t.broken = nil, false
	switch {
	case row == nil || broken || strings.Contains(row[0], "…"):
	case strings.EqualFold(t.header.cells[0], "gpu index"):
		t.ofOne(t.gpu, row[0], row)
	case t.ofGPU == t.tables, strings.HasPrefix(row[0], "GPU "): // AIPerf prints a table for each GPU
		if t.ofGPU != t.tables {
			t.ofGPU = t.tables
			t.numGPUs++
		}
		t.ofOne(row[0], strconv.Itoa(t.numGPUs-1), row)
	case !t.beside, strings.Contains(row[0], "Total GPU"), strings.Contains(row[0], "Joule"):
		nvidiaRow(&t.Draft, row[0], t.header, row, t.at)
	}
}

// ofOne adds a quantity of one GPU.
func (t *nvidiaText) ofOne(quantity, gpu string, row []string) {
	title, unit := bracketed(quantity)
	head := t.header.columns
	t.gpus = append(t.gpus, gpuFigure{metric: draft.Snake(title), gpu: gpu, unit: unit,
		avg: head.Cell(row, "avg"), max: head.Cell(row, "max"), line: t.at})
}

// below reads the lines below the tables, and the lines above the tables of AIPerf's GPUs: "localhost:9400 | GPU 0 |
// NVIDIA L40S".
func (t *nvidiaText) below(l scan.Line) {
	if parts := strings.Split(string(l.Text), " | "); len(parts) == 3 && strings.HasPrefix(parts[1], "GPU ") && l.Ended {
		t.SetLabel("gpu", []byte(strings.TrimSpace(parts[2])), l.Number)
		t.last, t.gap = l.Number, 0
		return
	}
	label, text, ok := scan.Labelled(l.Text, ":")
	if !ok || !l.Ended {
		return
	}
	number, unit, ok := scan.Quantity(text)
	title, given := bracketed(label)
	switch {
	case !ok:
		return
	case (title == "Request throughput" || title == "Output token throughput") && given == "per sec" && unit == "":
		name := nvidiaNames[draft.Snake(title)].name
		t.Number(name, nvidiaUnit(given, draft.Snake(title)), label, []byte(number), l.Number)
	case label == "Benchmark Duration" && t.client == "aiperf":
		t.Number("duration", unit, label, []byte(number), l.Number)
	default:
		return
	}
	t.last, t.gap = l.Number, 0
}

func (t *nvidiaText) close() {
	t.flush()
	if t.open {
		if t.header == nil || !t.In.Tail.Open { // otherwise rows of GPUs may be missing
			gpuTelemetry(&t.Draft, t.gpus)
		}
		earlyGaps(&t.Draft, t.header == nil)
		t.printed()
		known := t.ownCommand.Line > 0
		t.ownCommand.Labels(&t.Draft)
		t.ownCommand.Reset(0)
		if known {
			t.above.Known()
		}
		if t.HasKnown() {
			t.Emit(t.last, t.whole && t.header == nil)
			t.above.Made(1, t.Start)
		} else if t.last > t.Start {
			t.In.NoResult(t.Start, locale.Textf("a table of %s without figures", t.client))
		}
	}
	t.open, t.header = false, nil
}

func (t *nvidiaText) End() {
	t.close()
	t.above.Settle()
}
