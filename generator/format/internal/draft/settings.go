package draft

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
)

// argument is an argument of vLLM's serving benchmark that distinguishes runs: the label it becomes, and the dataset it
// applies to, "" for any. The lengths of the random dataset are among the defaults of every run.
type argument struct{ Label, Dataset string }

// Arguments maps names of arguments to their labels. Other arguments (paths, ports, output options) stay in the raw
// file only.
var Arguments = map[string]argument{
	"model":             {"model_raw", ""},
	"tokenizer":         {"tokenizer", ""},
	"dataset_name":      {"dataset", ""},
	"dataset_path":      {"dataset_path", ""},
	"hf_subset":         {"dataset_subset", ""},
	"hf_split":          {"dataset_split", ""},
	"num_prompts":       {"num_prompts", ""},
	"max_concurrency":   {"max_concurrency", ""},
	"request_rate":      {"request_rate", ""},
	"burstiness":        {"burstiness", ""},
	"seed":              {"seed", ""},
	"ignore_eos":        {"ignore_eos", ""},
	"backend":           {"backend", ""},
	"endpoint":          {"endpoint", ""},
	"served_model_name": {"x_served_model_name", ""},
	"temperature":       {"temperature", ""},
	"goodput":           {"goodput_slo", ""},
	"num_warmups":       {"x_num_warmups", ""},
	"ramp_up_strategy":  {"x_ramp_up_strategy", ""},
	"ramp_up_start_rps": {"x_ramp_up_start_rps", ""},
	"ramp_up_end_rps":   {"x_ramp_up_end_rps", ""},

	"input_len":                    {"input_len", ""}, // for any dataset; takes precedence over the dataset's own
	"output_len":                   {"output_len", ""},
	"random_input_len":             {"input_len", "random"},
	"random_output_len":            {"output_len", "random"},
	"random_range_ratio":           {"random_range_ratio", "random"},
	"random_prefix_len":            {"random_prefix_len", "random"},
	"random_batch_size":            {"prompts_per_request", "random"},
	"sonnet_input_len":             {"input_len", "sonnet"},
	"sonnet_output_len":            {"output_len", "sonnet"},
	"sharegpt_output_len":          {"output_len", "sharegpt"},
	"custom_output_len":            {"output_len", "custom"},
	"hf_output_len":                {"output_len", "hf"},
	"prefix_repetition_output_len": {"output_len", "prefix_repetition"},
}

// engineArguments lists the arguments of benchmarks that run the engine themselves: vLLM's latency, throughput and
// startup, SGLang's bench_one_batch and bench_offline_throughput. They also accept the arguments of the serving
// benchmark and the names in the table of settings.
var engineArguments = map[string]argument{
	"model_path":             {"model_raw", ""},
	"tokenizer_path":         {"tokenizer", ""},
	"batch":                  {"batch_size", ""},
	"batch_size":             {"batch_size", ""},
	"n":                      {"x_n", ""},
	"num_iters":              {"x_num_iters", ""},
	"num_iters_warmup":       {"x_num_iters_warmup", ""},
	"quantization":           {"quantization", ""},
	"tp":                     {TensorParallel, ""},
	"tp_size":                {TensorParallel, ""},
	"tensor_parallel_size":   {TensorParallel, ""},
	"pp":                     {PipelineParallel, ""},
	"pp_size":                {PipelineParallel, ""},
	"pipeline_parallel_size": {PipelineParallel, ""},
	"dp":                     {DataParallel, ""},
	"dp_size":                {DataParallel, ""},
	"data_parallel_size":     {DataParallel, ""},
	"ep_size":                {ExpertParallel, ""},

	"cp":                            {contextParallel, ""},
	"cp_size":                       {contextParallel, ""},
	"context_parallel_size":         {contextParallel, ""},
	"pcp":                           {prefillContextParallel, ""},
	"prefill_context_parallel_size": {prefillContextParallel, ""},
}

const (
	TensorParallel   = "x_tensor_parallel_size"
	PipelineParallel = "x_pipeline_parallel_size"
	DataParallel     = "x_data_parallel_size"
	ExpertParallel   = "x_expert_parallel_size"

	contextParallel        = "x_context_parallel_size"
	prefillContextParallel = "x_prefill_context_parallel_size"
)

// Setting is an argument with its value.
type Setting struct {
	argument
	Value   string
	Line    int
	several bool // the first of several values
}

// NewSetting returns a setting that applies to any dataset.
func NewSetting(label, value string, line int) Setting {
	return Setting{argument: argument{Label: label}, Value: value, Line: line}
}

// Settings holds what the lines above a block say about its run.
type Settings struct {
	List      []Setting
	Engine    bool              // for a benchmark that runs the engine itself
	Own       map[string]string // labels of another client's arguments; they replace [Arguments]
	Program   string            // the program of the command, "sglang.bench_serving"; "" for none
	Continued bool              // the command continues in the next line
	Line      int               // the first line, 0 for none

	Dataset string // the dataset that is used if no argument names one; "" if unknown

	Client string // the client that made the run, if the lines show it
	Warmup bool
}

func (s *Settings) Reset(line int) {
	*s = Settings{List: s.List[:0], Engine: s.Engine, Own: s.Own, Line: line}
}

// Set adds an argument if it is one of the known ones.
func (s *Settings) Set(in *File, argument, value []byte, line int) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || bytes.EqualFold(value, []byte("none")) {
		return
	}
	var lower [40]byte
	key := append(lower[:0], argument...)
	for i, c := range key {
		if c == '-' {
			key[i] = '_'
		}
	}
	if s.Own == nil && speculates(string(key)) {
		method := speculation(string(key), string(scan.Clip(value, maxValue)))
		if method == "true" && s.Get("speculative_decoding") != "" {
			return
		}
		if method != "" {
			s.List = append(s.List, NewSetting("speculative_decoding", method, line))
			return
		}
	}
	if len(value) > maxValue || bytes.ContainsAny(value, "$<{") || isStandIn(value) {
		return
	}
	switch { // argparse takes --random-input and --num-prompt too
	case bytes.HasSuffix(key, []byte("put")):
		key = append(key, "_len"...)
	case string(key) == "num_prompt":
		key = append(key, 's')
	}
	arg, ok := Arguments[string(key)]
	switch {
	case s.Own != nil:
		arg.Label, ok = s.Own[string(key)]
		arg.Dataset = ""
		ok = ok && (bytes.IndexByte(value, ',') < 0 || strings.HasPrefix(arg.Label, CommandOnly)) // "1,4,16" are several runs
	case !ok && s.Engine:
		if arg, ok = engineArguments[string(key)]; !ok {
			arg.Label, ok = SettingName(string(key))
		}
	}
	if !ok || arg.Label == "prompts_per_request" && string(value) == "1" { // 1 is the value of every other client
		return
	}
	switch string(value) {
	case "True":
		value = []byte("true")
	case "False":
		value = []byte("false")
	}
	value = settingValue(arg.Label, value)
	s.List = append(s.List, Setting{argument: arg, Value: in.Intern(scan.PlainNumber(value)), Line: line})
}

// isStandIn reports whether a value is a placeholder that a reader of a page replaces by a name or path.
func isStandIn(value []byte) bool {
	if len(value) < len("your_") || value[0]|0x20 != 'y' && value[0] != '/' {
		return false
	}
	lower := bytes.ToLower(value)
	return bytes.HasPrefix(lower, []byte("your_")) || bytes.HasPrefix(lower, []byte("your-")) || bytes.HasPrefix(lower, []byte("/path/to/"))
}

const maxValue = 200 // bytes of an argument's value

// Get returns the last value of a label among the settings that apply to any dataset.
func (s *Settings) Get(label string) string {
	for i := len(s.List) - 1; i >= 0; i-- {
		if s.List[i].Label == label && s.List[i].Dataset == "" {
			return s.List[i].Value
		}
	}
	return ""
}

// One returns the last value of a label, for whatever dataset, that is not one of several values.
func (s *Settings) One(label string) string {
	for i := len(s.List) - 1; i >= 0; i-- {
		if s.List[i].Label == label && !s.List[i].several {
			return s.List[i].Value
		}
	}
	return ""
}

// Sole returns the value of a label that is set exactly once, to a single value.
func (s *Settings) Sole(label string) (value string, ok bool) {
	for _, set := range s.List {
		if set.Label != label {
			continue
		}
		if ok || set.several {
			return "", false
		}
		value, ok = set.Value, true
	}
	return value, ok
}

// Labels adds the settings to a draft as labels. It keeps labels that are already set, because what the block itself
// says is closer to the run.
func (s *Settings) Labels(d *Draft) {
	dataset := cmp.Or(s.Get("dataset"), s.Dataset)
	for i := len(s.List) - 1; i >= 0; i-- {
		set := s.List[i]
		if _, known := d.Labels.Lookup(set.Label); known || set.several && (s.Engine || s.Own != nil) {
			continue
		}
		if set.Dataset != "" && (dataset != "" && !IsDataset(dataset, set.Dataset) || s.Get(set.Label) != "") ||
			set.Label == "input_len" && set.Dataset == "" && !s.takesInput() {
			continue
		}
		d.Labels.Set(result.Label{Name: set.Label, Value: set.Value, Origin: result.Measured,
			Pos: result.Position{File: d.In.Name, Line: set.Line}})
	}
	s.dropRefutedLengths(d)
	d.Parallelism()
}

// parallelSizes lists the kinds of parallelism, with the labels that hold their sizes until Parallelism joins them.
var parallelSizes = []struct{ label, short string }{
	{TensorParallel, "tp"}, {PipelineParallel, "pp"}, {contextParallel, "cp"}, {prefillContextParallel, "pcp"},
	{DataParallel, "dp"}, {ExpertParallel, "ep"},
}

// Parallelism replaces the known sizes by one label, such as "tp4pp2". The ranks of data-parallel attention are the
// ranks of tensor parallelism, so their number does not multiply the devices and is omitted.
func (s *Draft) Parallelism() {
	text, line := "", 0
	for _, size := range parallelSizes {
		l, ok := s.Labels.Lookup(size.label)
		if !ok || l.Value == "1" && size.short != "tp" || size.short == "dp" && s.Label("dp_attention") == "true" {
			continue
		}
		text += size.short + l.Value
		line = l.Pos.Line
	}
	s.Labels = slices.DeleteFunc(s.Labels, func(l result.Label) bool {
		return slices.ContainsFunc(parallelSizes, func(size struct{ label, short string }) bool { return size.label == l.Name })
	})
	if text != "" {
		s.SetLabel("parallelism", []byte(text), line)
	}
}

// IsDataset reports whether a dataset is of the given kind: random-mm is of the kind random.
func IsDataset(name, kind string) bool {
	return strings.HasPrefix(name, kind) || strings.ReplaceAll(name, "-", "_") == kind
}

// Namespace returns where the arguments of a serving benchmark begin in the "Namespace(…)" that Python prints, or -1.
// The server prints its own arguments in the same form.
func Namespace(text []byte) int {
	mark := []byte("Namespace(")
	i := bytes.Index(text, mark)
	if i < 0 || !bytes.Contains(text, []byte("num_prompts=")) && !bytes.Contains(text, []byte("request_rate=")) {
		return -1
	}
	return i + len(mark)
}

// ReadNamespace reads the arguments in Python's "Namespace(a=1, b='x')", which both clients print. Values may contain
// commas in brackets and quotes, and "<function f at 0x…>".
func (s *Settings) ReadNamespace(in *File, text []byte, line int) {
	for len(text) > 0 {
		eq := bytes.IndexByte(text, '=')
		if eq < 0 {
			return
		}
		name := bytes.TrimLeft(text[:eq], ", ")
		text = text[eq+1:]
		n := valueEnd(text)
		s.Set(in, name, unquote(text[:n]), line)
		text = text[n:]
		if len(text) > 0 && text[0] == ')' {
			return
		}
	}
}

// valueEnd returns the index of the comma or closing bracket after a Python value.
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

// ReadCommand reads the flags in a line of a shell command.
func (s *Settings) ReadCommand(in *File, text []byte, line int) {
	text = bytes.TrimRight(text, " \t")
	text, s.Continued = bytes.CutSuffix(text, []byte(`\`))
	var flag []byte
	taken := 0 // number of settings after the value of the latest flag was added, 0 if that flag is unknown
	for {
		var word []byte
		word, text = shell.Word(text)
		if word == nil || bytes.IndexByte([]byte("|>&;"), word[0]) >= 0 {
			break
		}
		named := bytes.TrimLeft(word, "-")
		isFlag := bytes.HasPrefix(word, []byte("--")) || len(named) < len(word) && len(named) > 0 && unicode.IsLetter(rune(named[0])) // -tp
		if flag == nil && !isFlag && taken > 0 && len(s.List) == taken {
			s.List[taken-1].several = true
		}
		if isFlag {
			taken = 0
			if flag != nil {
				s.Set(in, flag, []byte("true"), line)
			}
			flag = named
			if name, value, ok := bytes.Cut(flag, []byte("=")); ok {
				s.Set(in, name, unquote(value), line)
				flag = nil
			}
			continue
		}
		if flag != nil {
			before := len(s.List)
			s.Set(in, flag, unquote(bytes.TrimSuffix(word, []byte(";"))), line)
			if len(s.List) > before {
				taken = len(s.List)
			}
			flag = nil
		}
	}
	if flag != nil {
		s.Set(in, flag, []byte("true"), line)
	}
}

// ServeCommands lists the names of the serving benchmarks' commands.
var ServeCommands = [][]byte{[]byte("bench serve"), []byte("benchmark_serving.py"), []byte("bench_serving"),
	[]byte("bench_serving.py"), []byte("profile_restful_api.py")}

// CommandOnly is the prefix of labels for arguments that a reader processes itself. A result does not keep them.
const CommandOnly = "x_command_"

// CommandFlags returns where the flags of one of the commands begin, or -1. Flags or a continuation must follow the
// name, because vLLM's own warnings name the command too.
func CommandFlags(text []byte, commands [][]byte) int {
	i, _, _ := commandFlags(text, commands)
	return i
}

// programIn returns the start of the path of the program whose name is at the given index of a line.
func programIn(line []byte, name int) int { return bytes.LastIndexAny(line[:name], " \t`'\"(*") + 1 }

// commandFlags is CommandFlags that also returns the name it has found, and the flags.
func commandFlags(text []byte, commands [][]byte) (int, []byte, []byte) {
	if bytes.IndexByte(text, '-') < 0 && bytes.IndexByte(text, '\\') < 0 {
		return -1, nil, nil // quick check that excludes most lines
	}
	for _, name := range commands {
		i := bytes.Index(text, name)
		if i < 0 {
			continue
		}
		i += len(name)
		rest := bytes.TrimLeft(text[i:], " \t")
		if flag, ok := bytes.CutPrefix(rest, []byte("-")); ok && len(flag) > 0 && (flag[0] == '-' || unicode.IsLetter(rune(flag[0]))) ||
			bytes.HasPrefix(rest, []byte(`\`)) {
			if flags, ok := commandIn(text, programIn(text, i-len(name)), i); ok {
				return i, name, flags
			}
		}
	}
	return -1, nil, nil
}

// KeyValue is a setting as stated in a line.
type KeyValue struct {
	Key, Value string
	Line       int
}
