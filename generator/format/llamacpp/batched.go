package llamacpp

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// llama-batched-bench and ik_llama.cpp's llama-sweep-bench print the same table, or JSON lines. Each row is a result.
//
// llama-batched-bench runs B sequences in parallel: all prompts (T_PP), then all tokens (T_TG). Its speeds are those of
// all sequences together: S_TG is not the speed of one user, and S mixes prompt and output. T_PP is the time each
// sequence waits for its first token, T_TG/TG for every other token, T for the last token. N_KV is B·(PP+TG), or
// PP+B·TG when all sequences share one prompt (-pps). In both cases N_KV − B·TG prompt tokens were processed. With
// is_tg_separate the sequences decode one after the other, so there are no such waits.
//
// llama-sweep-bench runs one sequence and measures at each depth N_KV of the KV cache, decoding first. T_PP is the time
// of one batch of a longer prompt, so it is not a TTFT. RSS and VRAM are in MiB; "n/a" and null mean not measured.
//
// Versions: 2023-10 to 2026. Source: tools/batched-bench/batched-bench.cpp,
// ik_llama.cpp's examples/sweep-bench/sweep-bench.cpp.

// kvRow is a row of either tool. Its columns are named by their keys in JSON. A number is ignored unless it is above
// zero: otherwise it was not measured, or was too small for the digits of the table.
type kvRow interface {
	number(name, unit, key string) bool
	figure(key string) (float64, bool)
}

// kvKeys maps the columns of the table to their keys in JSON.
var kvKeys = map[string]string{
	"pp": "pp", "tg": "tg", "b": "pl", "n_kv": "n_kv", "t_pp s": "t_pp", "s_pp t/s": "speed_pp", "t_tg s": "t_tg",
	"s_tg t/s": "speed_tg", "t s": "t", "s t/s": "speed", "rss hwm": "rss_hwm_mib", "vram delta": "vram_delta_mib",
}

// kvNames lists columns that both tools print.
var kvNames = []string{"pp", "tg", "n_kv", "s_pp t/s", "s_tg t/s"}

// kvHeader appends the names of columns as the tools print them. The header may have lost some or all of its
// underscores, because Markdown takes text between underscores for emphasis: "S PP t/s", "SPP t/s".
func kvHeader(dst, cells []string) []string {
	for _, cell := range cells {
		for name := range kvKeys {
			if isSpelt(cell, name) {
				cell = name
			}
		}
		dst = append(dst, cell)
	}
	return dst
}

// isKVRate reports whether name is a column of rates. The name of a run may follow the rate's name.
func isKVRate(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "s_pp t/s") || strings.HasPrefix(name, "s_tg t/s")
}

// isSpelt reports whether text equals name, ignoring case, underscores, blanks and the signs of Markdown.
func isSpelt(text, name string) bool {
	at := 0 // index in name
	for i := range len(text) {
		if strings.IndexByte(between, text[i]) >= 0 {
			continue
		}
		for at < len(name) && strings.IndexByte(between, name[at]) >= 0 {
			at++
		}
		if at == len(name) || !strings.EqualFold(text[i:i+1], name[at:at+1]) {
			return false
		}
		at++
	}
	return at == len(name)
}

const between = "_ \\*`" // ignored between the letters of a name

// kvFigures records the figures of a row of either form, and reports whether any are known. Separate means that the
// sequences decoded one after the other.
func kvFigures(s *draft.Draft, r kvRow, line int, separate bool) bool {
	pp, okPP := r.figure("pp")
	tg, okTG := r.figure("tg")
	kv, okKV := r.figure("n_kv")
	seconds, okSeconds := r.figure("t_tg")
	if !okPP || !okTG || !okKV || !okSeconds {
		return false
	}
	if pp > 0 {
		r.number("prefill_throughput", "tok/s", "speed_pp")
		s.SetLabel("input_len", strconv.AppendFloat(nil, pp, 'f', -1, 64), line)
	}
	if tg > 0 {
		r.number("decode_throughput", "tok/s", "speed_tg")
		s.SetLabel("output_len", strconv.AppendFloat(nil, tg, 'f', -1, 64), line)
	}
	s.Imply("engine", "llama.cpp", line)
	b, batched := r.figure("pl")
	if !batched {
		r.number("x_t_pp", "s", "t_pp")
		r.number("x_t_tg", "s", "t_tg")
		r.number("x_rss_hwm", "MiB", "rss_hwm_mib")
		r.number("x_vram_delta", "MiB", "vram_delta_mib")
		s.SetLabel("context_depth", strconv.AppendFloat(nil, kv, 'f', -1, 64), line)
		s.Imply("max_concurrency", "1", line)
		return s.HasKnown()
	}
	for _, name := range []string{"batch_size", "max_concurrency"} {
		s.SetLabel(name, strconv.AppendFloat(nil, b, 'f', -1, 64), line)
	}
	s.Imply("context_depth", "0", line)
	if pp > 0 {
		r.number("ttft_mean", "s", "t_pp")
	}
	r.number("duration", "s", "t")
	r.number("total_throughput", "tok/s", "speed")
	if kv > b*tg {
		s.Derive("input_tokens", kv-b*tg, "N_KV − B · TG", line)
	}
	if tg > 0 && seconds > 0 {
		r.number("x_t_tg", "s", "t_tg")
		s.Derive("output_tokens", b*tg, "B · TG", line)
		if t, ok := r.figure("t"); ok && t > 0 {
			s.Derive("output_throughput", b*tg/t, "B · TG / T", line)
		}
		if !separate {
			r.number("e2el_mean", "s", "t")
			s.Derive("tpot_mean", 1000*seconds/tg, "T_TG / TG", line)
		}
	}
	return s.HasKnown()
}

func isBatched(v *scan.Value) bool { return v.Has("n_kv", "pp", "tg", "pl", "t_tg") }
func isSweep(v *scan.Value) bool   { return v.Has("n_kv", "pp", "tg", "t_tg") && !v.Has("pl") }

func readBatched(in *draft.File, v *scan.Value) { readKV(in, "llama-batched-bench", v) }
func readSweep(in *draft.File, v *scan.Value)   { readKV(in, "llama-sweep-bench", v) }

type kvObject struct {
	*draft.Draft
	v *scan.Value
}

func (o kvObject) number(name, unit, key string) bool {
	n, _ := o.figure(key)
	return n > 0 && o.Take(name, unit, o.v.Get(key))
}

func (o kvObject) figure(key string) (float64, bool) { return o.v.Get(key).Float() }

func readKV(in *draft.File, tool string, v *scan.Value) {
	s := in.Begin(tool, tool+"-jsonl", v.Line)
	s.TakeAll(v, []draft.Member{{Key: "n_gpu_layers", Name: "gpu_layers"}, {Key: "n_threads", Name: "threads"}})
	for _, key := range []string{"n_kv_max", "n_batch", "n_ubatch", "flash_attn", "is_pp_shared", "is_tg_separate", "n_threads_batch"} {
		s.Set("x_"+key, v.Get(key))
	}
	separate, _ := v.Get("is_tg_separate").Float()
	if kvFigures(s, kvObject{s, v}, v.Line, separate != 0) {
		s.EmitObject(v)
	} else {
		in.NoResult(v.Line, locale.Textf("a row of %s without a rate", tool))
	}
}

// kvTable reads the table.
type kvTable struct {
	draft.Draft
	tool     string
	columns  scan.Columns // by the keys of JSON; nil when there is no table
	header   []string
	row      []string
	named    []string // the same cells, with column names as the tools print them
	current  scan.Line
	rows     int             // of the table
	first    int             // line of the first row
	settings []draft.Setting // from the line above the table
	model    draft.Setting
	commands draft.Commands
	above    int // commands since the last table
}

var kvTableMarks = []string{"S_PP t/s", "S_TG t/s (", "S PP t/s", "SPP t/s", `S\_PP t/s`, "S_PP_t/s", ": n_kv_max = ", loaderMark, "llama-batched-bench", "llama-sweep-bench"}

func newBatchedTable() draft.LineReader { return &kvTable{tool: "llama-batched-bench"} }
func newSweepTable() draft.LineReader   { return &kvTable{tool: "llama-sweep-bench"} }

func (t *kvTable) Begin(in *draft.File) {
	*t = kvTable{Draft: t.Draft, tool: t.tool, commands: draft.Commands{
		Names: [][]byte{[]byte(t.tool), []byte(t.tool + ".exe")}, Own: kvArguments, Mismatch: isOtherTable, Complete: noteOffloads}}
	t.In = in
	t.commands.Begin(in)
}

var kvArguments = flags(map[string]string{"npp": kvCommandPrompts, "ntg": kvCommandTokens, "npl": kvCommandParallel})

const (
	kvCommandPrompts  = draft.CommandOnly + "npp"
	kvCommandTokens   = draft.CommandOnly + "ntg"
	kvCommandParallel = draft.CommandOnly + "npl"
)

// isOtherTable reports whether a row cannot belong to a command, because the command asks for other values of its
// columns.
func isOtherTable(d *draft.Draft, s *draft.Settings) bool {
	for asked, label := range map[string]string{kvCommandPrompts: "input_len", kvCommandTokens: "output_len", kvCommandParallel: "batch_size"} {
		values, ok := s.Sole(asked)
		if row := d.Label(label); ok && row != "" && !slices.Contains(strings.Split(values, ","), row) {
			return true
		}
	}
	return false
}

func (t *kvTable) Line(l scan.Line) bool {
	cells, isRow := scan.Pipes(t.row[:0], l.Text)
	t.row = cells
	named := t.named[:0]
	if isRow && t.In.Marked {
		named = kvHeader(named, cells)
	}
	t.named = named
	switch {
	case scan.AreColumns(named, kvNames...):
		t.finish()
		t.columns = nil
		if scan.AreColumns(named, "b") == (t.tool == "llama-batched-bench") {
			t.columns, t.header = scan.Columns{}, slices.Clone(cells)
			for name, i := range t.In.Columns(named) {
				if key, known := kvKeys[name]; known {
					t.columns[key] = i
				}
			}
		}
	case isRow && t.columns != nil:
		t.current = l
		t.result()
	case t.tool == "llama-sweep-bench" && slices.ContainsFunc(named, isKVRate):
		t.In.NoResult(l.Number, locale.Textf("a table of llama-sweep-bench or llama-batched-bench without all of its columns"))
		t.In.Advise(locale.Textf("paste its header whole, in one line: %s", strings.Join(kvNames, ", ")))
		t.columns = nil
	case t.columns == nil || len(bytes.TrimSpace(l.Text)) == 0:
		if t.rows > 0 {
			t.settings, t.model = nil, draft.Setting{} // a later table belongs to another run
		}
		t.finish()
		t.columns = nil
		t.context(l)
	}
	return t.columns != nil || t.commands.Continued()
}

// finish assigns the rows of a table to the command above it. If there are several commands since the last table, or
// none, it forgets them.
func (t *kvTable) finish() {
	if t.rows > 0 && t.above == 1 {
		t.commands.Made(t.rows, t.first)
	} else if t.rows > 0 {
		t.commands.Known()
	}
	if t.rows > 0 {
		t.above = 0
	}
	t.rows = 0
}

var kvSettings = []string{"n_kv_max", "n_batch", "n_ubatch", "flash_attn", "is_pp_shared", "is_tg_separate", "n_gpu_layers", "n_threads", "n_threads_batch"}

// context reads the command, the settings in "main: n_kv_max = 4096, n_batch = 2048, …", and the model from the lines
// above that.
func (t *kvTable) context(l scan.Line) {
	goesOn := t.commands.Continued()
	if t.commands.Line(l.Text, l.Number) {
		if !goesOn {
			t.above++
		}
		return
	}
	if m := loaderLine().FindSubmatch(l.Text); m != nil {
		t.model = draft.NewSetting("model_raw", string(m[1]), l.Number)
	}
	if !bytes.Contains(l.Text, []byte(": n_kv_max = ")) {
		return
	}
	t.settings = t.settings[:0]
	before, behind, more := bytes.Cut(l.Text, []byte(" = "))
	for more {
		name := before[bytes.LastIndexAny(before, " \t,;:(|")+1:]
		rest := bytes.TrimLeft(bytes.TrimPrefix(behind, []byte("-")), "0123456789")
		value := behind[:len(behind)-len(rest)]
		before, behind, more = bytes.Cut(behind, []byte(" = "))
		if !slices.Contains(kvSettings, string(name)) || !isCount(bytes.TrimPrefix(value, []byte("-"))) {
			continue
		}
		label := t.In.OwnName(string(name))
		switch string(name) {
		case "n_gpu_layers":
			label = "gpu_layers"
		case "n_threads":
			label = "threads"
		}
		t.settings = append(t.settings, draft.NewSetting(label, string(value), l.Number))
	}
	if t.model.Label != "" {
		t.settings = append(t.settings, t.model)
	}
}

func (t *kvTable) number(name, unit, key string) bool {
	n, _ := t.figure(key)
	return n > 0 && t.Draft.Number(name, unit, t.header[t.columns[key]], []byte(t.columns.Cell(t.row, key)), t.current.Number)
}

func (t *kvTable) figure(key string) (float64, bool) {
	f, ok := scan.ParseFigure([]byte(t.columns.Cell(t.row, key)), 0)
	return f.Value, ok && f.Finite
}

func (t *kvTable) result() {
	l := t.current
	if scan.IsDivider(t.row) || !l.Ended && !bytes.HasSuffix(bytes.TrimSpace(l.Text), []byte("|")) {
		return
	}
	t.Reset(t.In, t.tool, t.tool+"-text", l.Number)
	separate := false
	for _, s := range t.settings {
		t.SetLabel(s.Label, []byte(s.Value), s.Line)
		separate = separate || s.Label == "x_is_tg_separate" && s.Value != "0"
	}
	for _, key := range []string{"pp", "tg", "pl", "n_kv"} { // these distinguish the rows
		t.Fact([]byte(key), []byte(t.columns.Cell(t.row, key)))
	}
	if !kvFigures(&t.Draft, t, l.Number, separate) {
		t.In.NoResult(l.Number, locale.Textf("a row of %s without a rate", t.tool))
		return
	}
	if t.rows++; t.rows == 1 {
		t.first = l.Number
	}
	t.Emit(l.Number, true)
}

func (t *kvTable) End() {
	t.finish()
	t.commands.Settle()
}
