package format

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/result"
)

// argument is an argument of vLLM's serving benchmark that tells two runs
// apart: the label it becomes, and the dataset it has a meaning for, "" for
// any. The lengths of the random dataset stand among the defaults of every run.
type argument struct{ label, dataset string }

// arguments by name. The rest (paths, ports, output options) stay in the raw
// file.
var arguments = map[string]argument{
	"model":             {"model_raw", ""},
	"tokenizer":         {"tokenizer", ""},
	"dataset_name":      {"dataset", ""},
	"dataset_path":      {"x_dataset_path", ""},
	"hf_subset":         {"x_hf_subset", ""},
	"hf_split":          {"x_hf_split", ""},
	"num_prompts":       {"num_prompts", ""},
	"max_concurrency":   {"max_concurrency", ""},
	"request_rate":      {"request_rate", ""},
	"burstiness":        {"burstiness", ""},
	"seed":              {"seed", ""},
	"ignore_eos":        {"ignore_eos", ""},
	"backend":           {"x_backend", ""},
	"endpoint":          {"x_endpoint", ""},
	"served_model_name": {"x_served_model_name", ""},
	"temperature":       {"x_temperature", ""},
	"goodput":           {"x_goodput", ""},
	"num_warmups":       {"x_num_warmups", ""},
	"ramp_up_strategy":  {"x_ramp_up_strategy", ""},
	"ramp_up_start_rps": {"x_ramp_up_start_rps", ""},
	"ramp_up_end_rps":   {"x_ramp_up_end_rps", ""},

	"input_len":                    {"input_len", ""}, // for any dataset, before its own
	"output_len":                   {"output_len", ""},
	"random_input_len":             {"input_len", "random"},
	"random_output_len":            {"output_len", "random"},
	"random_range_ratio":           {"x_random_range_ratio", "random"},
	"random_prefix_len":            {"x_random_prefix_len", "random"},
	"sonnet_input_len":             {"input_len", "sonnet"},
	"sonnet_output_len":            {"output_len", "sonnet"},
	"sharegpt_output_len":          {"output_len", "sharegpt"},
	"custom_output_len":            {"output_len", "custom"},
	"hf_output_len":                {"output_len", "hf"},
	"prefix_repetition_output_len": {"output_len", "prefix_repetition"},
}

// engineArguments are those of the benchmarks that run the engine themselves:
// vLLM's latency, throughput and startup, SGLang's bench_one_batch and
// bench_offline_throughput. Those of the serving benchmark count too.
var engineArguments = map[string]argument{
	"model_path":             {"model_raw", ""},
	"tokenizer_path":         {"tokenizer", ""},
	"batch":                  {"batch_size", ""},
	"batch_size":             {"batch_size", ""},
	"n":                      {"x_n", ""},
	"num_iters":              {"x_num_iters", ""},
	"num_iters_warmup":       {"x_num_iters_warmup", ""},
	"async_engine":           {"x_async_engine", ""},
	"quantization":           {"quantization", ""},
	"dtype":                  {"x_dtype", ""},
	"kv_cache_dtype":         {"x_kv_cache_dtype", ""},
	"max_model_len":          {"x_max_model_len", ""},
	"gpu_memory_utilization": {"x_gpu_memory_utilization", ""},
	"mem_fraction_static":    {"x_mem_fraction_static", ""},
	"enforce_eager":          {"x_enforce_eager", ""},
	"enable_prefix_caching":  {"prefix_caching", ""},
	"tp":                     {tensorParallel, ""},
	"tp_size":                {tensorParallel, ""},
	"tensor_parallel_size":   {tensorParallel, ""},
	"pp":                     {pipelineParallel, ""},
	"pp_size":                {pipelineParallel, ""},
	"pipeline_parallel_size": {pipelineParallel, ""},
	"dp":                     {dataParallel, ""},
	"dp_size":                {dataParallel, ""},
	"data_parallel_size":     {dataParallel, ""},
	"ep_size":                {expertParallel, ""},
}

const (
	tensorParallel   = "x_tensor_parallel_size"
	pipelineParallel = "x_pipeline_parallel_size"
	dataParallel     = "x_data_parallel_size"
	expertParallel   = "x_expert_parallel_size"
)

// setting is an argument with its value.
type setting struct {
	argument
	value   string
	line    int
	several bool // the first of several values
}

// newSetting is one that holds for any dataset.
func newSetting(label, value string, line int) setting {
	return setting{argument: argument{label: label}, value: value, line: line}
}

// settings are what the lines above a block say about its run.
type settings struct {
	list      []setting
	engine    bool              // of a benchmark that runs the engine itself
	own       map[string]string // the labels of another client's arguments, which alone count then
	command   bool              // from a shell command, which may belong to another run
	asked     int               // the settings that are the command's, before those of lines printed later
	continued bool              // the command goes on in the next line
	line      int               // where they begin, 0 when there are none

	client string // whose run it is, when the lines show that
	warmup bool
}

func (s *settings) reset(line int) {
	*s = settings{list: s.list[:0], engine: s.engine, own: s.own, line: line}
}

// set notes one argument if it is one that matters.
func (s *settings) set(in *input, argument, value []byte, line int) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || len(value) > 200 || bytes.EqualFold(value, []byte("none")) ||
		bytes.ContainsAny(value, "$<{") {
		return
	}
	var lower [40]byte
	key := append(lower[:0], argument...)
	for i, c := range key {
		if c == '-' {
			key[i] = '_'
		}
	}
	if bytes.HasSuffix(key, []byte("put")) {
		key = append(key, "_len"...) // argparse takes --random-input too
	}
	arg, ok := arguments[string(key)]
	switch {
	case s.own != nil:
		arg.label, ok = s.own[string(key)]
		arg.dataset = ""
		ok = ok && bytes.IndexByte(value, ',') < 0 // "1,4,16" are several runs
	case !ok && s.engine:
		arg, ok = engineArguments[string(key)]
	}
	if !ok {
		return
	}
	switch string(value) {
	case "True":
		value = []byte("true")
	case "False":
		value = []byte("false")
	}
	s.list = append(s.list, setting{argument: arg, value: in.intern(plainNumber(value)), line: line})
}

// get gives the last value of a label that holds for any dataset.
func (s *settings) get(label string) string {
	for i := len(s.list) - 1; i >= 0; i-- {
		if s.list[i].label == label && s.list[i].dataset == "" {
			return s.list[i].value
		}
	}
	return ""
}

// labels writes the settings as labels, without touching those that are set:
// what the block itself says is nearer to the run.
func (s *settings) labels(sheet *sheet) {
	dataset := s.get("dataset")
	for i := len(s.list) - 1; i >= 0; i-- {
		set := s.list[i]
		if _, known := sheet.labels.Lookup(set.label); known || set.several && (s.engine || s.own != nil) {
			continue
		}
		if set.dataset != "" && (dataset != "" && !isDataset(dataset, set.dataset) || s.get(set.label) != "") {
			continue
		}
		sheet.labels.Set(result.Label{Name: set.label, Value: set.value, Origin: result.Measured,
			Pos: result.Position{File: sheet.in.name, Line: set.line}})
	}
	sheet.parallelism()
}

// parallelism writes the sizes that are known as one label in their place,
// "tp4pp2".
func (s *sheet) parallelism() {
	text, line := "", 0
	for _, size := range []struct{ label, short string }{
		{tensorParallel, "tp"}, {pipelineParallel, "pp"}, {dataParallel, "dp"}, {expertParallel, "ep"},
	} {
		if l, ok := s.labels.Lookup(size.label); ok && (l.Value != "1" || size.short == "tp") {
			text += size.short + l.Value
			line = l.Pos.Line
		}
	}
	s.labels = slices.DeleteFunc(s.labels, func(l result.Label) bool {
		return l.Name == tensorParallel || l.Name == pipelineParallel || l.Name == dataParallel || l.Name == expertParallel
	})
	if text != "" {
		s.label("parallelism", []byte(text), line)
	}
}

// isDataset tells whether a dataset is of a kind: random-mm is random.
func isDataset(name, kind string) bool {
	return strings.HasPrefix(name, kind) || strings.ReplaceAll(name, "-", "_") == kind
}

// namespace finds the arguments of a serving benchmark in the "Namespace(…)"
// Python prints, -1 when the line holds none. The server prints its own the
// same way.
func namespace(text []byte) int {
	mark := []byte("Namespace(")
	i := bytes.Index(text, mark)
	if i < 0 || !bytes.Contains(text, []byte("num_prompts=")) && !bytes.Contains(text, []byte("request_rate=")) {
		return -1
	}
	return i + len(mark)
}

// readNamespace takes the arguments out of Python's "Namespace(a=1, b='x')",
// as both clients print it. Values may hold commas in brackets and quotes, and
// "<function f at 0x…>".
func (s *settings) readNamespace(in *input, text []byte, line int) {
	for len(text) > 0 {
		eq := bytes.IndexByte(text, '=')
		if eq < 0 {
			return
		}
		name := bytes.TrimLeft(text[:eq], ", ")
		text = text[eq+1:]
		n := valueEnd(text)
		s.set(in, name, unquote(text[:n]), line)
		text = text[n:]
		if len(text) > 0 && text[0] == ')' {
			return
		}
	}
}

// valueEnd finds the comma or closing bracket after a Python value.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		case '\'', '"':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return len(text)
}

func unquote(b []byte) []byte {
	if n := len(b); n >= 2 && (b[0] == '\'' || b[0] == '"') && b[n-1] == b[0] {
		return b[1 : n-1]
	}
	return b
}

// readCommand takes the flags out of a line of a shell command.
func (s *settings) readCommand(in *input, text []byte, line int) {
	text = bytes.TrimRight(text, " \t")
	text, s.continued = bytes.CutSuffix(text, []byte(`\`))
	var flag []byte
	taken := 0 // settings when the value of the latest flag was taken, 0 when it was none of ours
	for {
		var word []byte
		word, text = shellWord(text)
		if word == nil || bytes.IndexByte([]byte("|>&;"), word[0]) >= 0 {
			break
		}
		named := bytes.TrimLeft(word, "-")
		isFlag := bytes.HasPrefix(word, []byte("--")) || len(named) < len(word) && len(named) > 0 && unicode.IsLetter(rune(named[0])) // -tp
		if flag == nil && !isFlag && taken > 0 && len(s.list) == taken {
			s.list[taken-1].several = true
		}
		if isFlag {
			taken = 0
			if flag != nil {
				s.set(in, flag, []byte("true"), line)
			}
			flag = named
			if name, value, ok := bytes.Cut(flag, []byte("=")); ok {
				s.set(in, name, unquote(value), line)
				flag = nil
			}
			continue
		}
		if flag != nil {
			before := len(s.list)
			s.set(in, flag, unquote(bytes.TrimSuffix(word, []byte(";"))), line)
			if len(s.list) > before {
				taken = len(s.list)
			}
			flag = nil
		}
	}
	if flag != nil {
		s.set(in, flag, []byte("true"), line)
	}
}

// shellWord cuts the next word off, quotes and all.
func shellWord(text []byte) (word, rest []byte) {
	text = bytes.TrimLeft(text, " \t")
	if len(text) == 0 {
		return nil, nil
	}
	var quote byte
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' || c == '\t':
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// serveCommands are the names of the serving benchmarks' commands.
var serveCommands = [][]byte{[]byte("bench serve"), []byte("benchmark_serving.py"), []byte("bench_serving"),
	[]byte("bench_serving.py"), []byte("profile_restful_api.py")}

// commandFlags finds where the flags of one of the commands begin, -1 when the
// line holds none. vLLM's own warnings name the command too, so flags or a
// continuation have to follow.
func commandFlags(text []byte, commands [][]byte) int {
	for _, name := range commands {
		i := bytes.Index(text, name)
		if i < 0 {
			continue
		}
		i += len(name)
		rest := bytes.TrimLeft(text[i:], " \t")
		if flag, ok := bytes.CutPrefix(rest, []byte("-")); ok && len(flag) > 0 && (flag[0] == '-' || unicode.IsLetter(rune(flag[0]))) ||
			bytes.HasPrefix(rest, []byte(`\`)) {
			return i
		}
	}
	return -1
}
