package format

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// llamaTable reads llama-bench's Markdown. Columns are printed only where a
// setting is not the default, so that tables of one log differ. The build stands
// below a table, and not when the run broke off; the devices stand above, between
// bars of their own, and are given to the table that follows them closely.
type llamaTable struct {
	sheet
	header  []string // keys of JSON, nil when there is no table
	fields  []string // as printed
	rows    []int    // results since the header, by index
	noise   int      // lines since the last row
	devices []string
	device  int // line of the last
}

var llamaTableMarks = []string{"| backend ", "build: ", ", VMM: ", "ggml_vulkan: ", "GPU name: "}

// llamaColumns are the names that Markdown shortens.
var llamaColumns = map[string]string{
	"model": "model_type", "size": "model_size", "params": "model_n_params", "backend": "backends",
	"ngl": "n_gpu_layers", "threads": "n_threads", "th": "n_threads", "sm": "split_mode", "mg": "main_gpu",
	"nkvo": "no_kv_offload", "fa": "flash_attn", "mmap": "use_mmap", "dio": "use_direct_io", "embd": "embeddings",
	"nopo": "no_op_offload", "noh": "no_host", "dev": "devices", "ts": "tensor_split", "ot": "tensor_buft_overrides",
	"t/s": "avg_ts",
}

const (
	maxTableNoise = 100 // lines of a log between a header and its rows
	maxDeviceGap  = 40  // and between the devices and a header
)

func newLlamaTable() lineReader { return &llamaTable{} }

func (t *llamaTable) begin(in *input) {
	*t = llamaTable{sheet: t.sheet}
	t.in = in
}

func (t *llamaTable) line(l line) bool {
	l.text = composed(l.text)
	cells, isRow := pipes(nil, l.text)
	switch {
	case isRow && newColumns(cells).has("model", "size", "params", "backend", "test", "t/s"):
		t.open(cells, l.number)
	case isRow && t.header != nil && len(cells) >= len(t.header): // the old README ends a row with two bars
		t.row(cells, l)
	case t.header == nil:
		t.above(l)
	default:
		t.noise++
		blank := len(bytes.TrimSpace(l.text)) == 0
		if t.noise > maxTableNoise || len(t.rows) > 0 && (blank || bytes.HasPrefix(l.text, []byte("```"))) {
			t.header = nil
		}
		t.above(l)
	}
	return t.header != nil
}

func (t *llamaTable) open(header []string, number int) {
	t.header, t.fields, t.rows, t.noise = t.header[:0], header, nil, 0
	for _, name := range header {
		key, short := llamaColumns[name]
		if !short {
			key = name
		}
		t.header = append(t.header, key)
	}
	if number-t.device > maxDeviceGap {
		t.devices = nil
	}
}

func (t *llamaTable) row(cells []string, l line) {
	if isDivider(cells) {
		return
	}
	t.noise = 0
	if !l.ended && !bytes.HasSuffix(bytes.TrimSpace(l.text), []byte("|")) {
		return // the last digits may be missing
	}
	t.reset(t.in, "llama-bench", "llama-bench-md", l.number)
	var row []llamaCell
	for i, key := range t.header {
		text := cells[i]
		if isMissing(text) {
			continue
		}
		if key == "avg_ts" {
			mean, spread := plusMinus(text)
			row = append(row, llamaCell{"stddev_ts", t.fields[i] + " ±", spread, l.number})
			text = mean
		}
		row = append(row, llamaCell{key, t.fields[i], text, l.number})
	}
	if !t.llamaRow(row, 0) {
		t.in.noResult(l.number, "a row of llama-bench without a rate")
		return
	}
	if len(t.devices) > 0 {
		t.label("x_gpu", []byte(strings.Join(t.devices, ", ")), t.device)
	}
	t.rows = append(t.rows, len(t.in.out.Results))
	t.hand(l.number, true)
}

// above reads what stands around a table: the devices, and the build.
func (t *llamaTable) above(l line) {
	text := strings.TrimSpace(string(l.text))
	if build, ok := strings.CutPrefix(text, "build: "); ok {
		commit, number, ok := strings.Cut(strings.TrimSuffix(build, ")"), " (")
		if ok && commit != "unknown" && number != "" && strings.Trim(number, "0123456789") == "" && !strings.Contains(commit, " ") {
			for _, i := range t.rows {
				t.in.out.Results[i].Labels.Set(result.Label{Name: "engine_version", Value: t.in.intern([]byte("b" + number + "-" + commit)),
					Origin: result.Measured, Pos: result.Position{File: t.in.name, Line: l.number}})
			}
		}
		t.rows, t.devices = nil, nil
		return
	}
	index, name, ok := deviceLine(text)
	if !ok {
		return
	}
	if index == "0" {
		t.devices = nil
	}
	t.devices, t.device = append(t.devices, name), l.number
}

// deviceLine reads what the backends print of a device when they begin:
// "Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes",
// "ggml_vulkan: 0 = AMD Radeon RX 7900 XTX (RADV NAVI31) (radv) | uma: 0 | …",
// "ggml_metal_init: GPU name: Apple M2 Ultra".
func deviceLine(text string) (index, name string, ok bool) {
	if _, rest, found := strings.Cut(text, "GPU name:"); found {
		return "0", strings.TrimSpace(rest), true
	}
	if rest, found := strings.CutPrefix(text, "ggml_vulkan: "); found {
		index, rest, _ = strings.Cut(rest, " = ")
		name, _, ok = strings.Cut(rest, " | ")
	} else if _, rest, found := strings.Cut(text, "Device "); found {
		index, rest, _ = strings.Cut(rest, ": ")
		name, _, ok = strings.Cut(rest, ", ")
	}
	return index, name, ok && name != "" && index != "" && strings.Trim(index, "0123456789") == ""
}

func (t *llamaTable) end() {}

// llamaCSV reads llama-bench's CSV, with the header that the file began with.
type llamaCSV struct {
	sheet
	header []string
	cells  []string
}

var llamaCSVMarks = []string{"build_commit,build_number"}

func newLlamaCSV() lineReader { return &llamaCSV{} }

func (t *llamaCSV) begin(in *input) { t.in, t.header = in, nil }

func (t *llamaCSV) line(l line) bool {
	t.cells = commas(t.cells[:0], l.text, ',')
	if len(t.cells) > 1 && t.cells[0] == "build_commit" {
		t.header = append(t.header[:0], t.cells...)
		return true
	}
	if !bytes.HasPrefix(l.text, []byte(`"`)) { // every cell is in quotes
		t.header = nil
		return false
	}
	header := t.header
	if len(t.cells) == len(header)+1 && len(header) > 2 && header[2] == "cuda" && header[3] != "opencl" {
		header = append(append([]string{}, header[:3]...), "opencl")
		header = append(header, t.header[3:]...)
	}
	if !l.ended && !bytes.HasSuffix(l.text, []byte(`"`)) {
		return false
	}
	t.llamaCells("llama-bench-csv", header, t.cells, l)
	return true
}

func (t *llamaCSV) end() {}

// llamaCells notes a row of one line whose cells are in the order of the header.
func (s *sheet) llamaCells(form string, header, cells []string, l line) {
	if len(cells) != len(header) {
		s.in.noResult(l.number, "a row of llama-bench with more or fewer values than names")
		return
	}
	s.reset(s.in, "llama-bench", form, l.number)
	row := make([]llamaCell, 0, len(cells))
	for i, text := range cells {
		row = append(row, llamaCell{header[i], header[i], text, l.number})
	}
	if !s.llamaRow(row, result.FullPrecision) {
		s.in.noResult(l.number, "a row of llama-bench without a rate")
		return
	}
	s.hand(l.number, true)
}

// llamaSQL reads the statements llama-bench writes for SQLite. Each names its
// columns; the values stand in quotes that nothing escapes.
type llamaSQL struct{ sheet }

var llamaSQLMarks = []string{"INSERT INTO llama_bench (", "INSERT INTO test (build_commit"}

func newLlamaSQL() lineReader { return &llamaSQL{} }

func (t *llamaSQL) begin(in *input) { t.in = in }

func (t *llamaSQL) line(l line) bool {
	_, statement, _ := strings.Cut(string(l.text), "(")
	names, values, ok := strings.Cut(statement, ") VALUES ('")
	values, whole := strings.CutSuffix(strings.TrimSpace(values), "');")
	if ok && whole {
		t.llamaCells("llama-bench-sql", strings.Split(names, ", "), strings.Split(values, "', '"), l)
	}
	return false
}

func (t *llamaSQL) end() {}

// composed cuts off what docker compose writes before a line, "bench-1  | ". A row
// without a bar at its head, whose first cell looks like that, has more bars.
func composed(text []byte) []byte {
	name, rest, ok := bytes.Cut(text, []byte("|"))
	if !ok || !composeName.Match(bytes.TrimSpace(name)) ||
		bytes.IndexByte(rest, '|') >= 0 && !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("|")) {
		return text
	}
	return rest
}

var composeName = regexp.MustCompile(`^[\w.-]+[-_]\d+$`)
