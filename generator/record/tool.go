package record

import (
	"cmp"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/rundir"
)

// benchTool is the measuring tool of a command, with its arguments.
type benchTool struct {
	name   string // "vllm-bench-serve"
	pkg    string // its Python package, "" if unknown
	engine string // the engine that the tool itself runs, "" for a client
	python string // the interpreter named in the command, "" for none
	args   []string
}

// packages maps prefixes of tool names to Python packages; longer prefixes come before shorter ones. Clients of a
// server have no engine.
var packages = []struct{ name, pkg, engine string }{
	{"vllm-bench-latency", "vllm", "vllm"},
	{"vllm-bench-throughput", "vllm", "vllm"},
	{"vllm-bench-startup", "vllm", "vllm"},
	{"vllm", "vllm", ""},
	{"sglang.bench_one_batch_server", "sglang", ""},
	{"sglang.bench_one_batch", "sglang", "sglang"},
	{"sglang.bench_offline_throughput", "sglang", "sglang"},
	{"sglang.bench_serving", "sglang", ""},
	{"guidellm", "guidellm", ""},
	{"aiperf", "aiperf", ""},
	{"genai-perf", "genai-perf", ""},
	{"genai-bench", "genai-bench", ""},
	{"inference-perf", "inference-perf", ""},
	{"evalscope", "evalscope", ""},
	{"lm_eval", "lm_eval", ""},
	{"lm-eval", "lm_eval", ""},
	{"trtllm-bench", "tensorrt_llm", "tensorrt-llm"},
	{"mlx_lm", "mlx-lm", "mlx"},
	{"llama-benchy", "llama-benchy", ""},
	{"optimum-benchmark", "optimum-benchmark", ""},
}

var (
	assignment = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]*=`)
	pythonName = lazy.Regexp(`^python[0-9.]*$`)
	subcommand = lazy.Regexp(`^[a-z][a-z0-9_-]*$`)
)

// subcommands says how many of a tool's first words are subcommands.
var subcommands = map[string]int{"vllm": 2, "genai-perf": 1, "aiperf": 1, "guidellm": 1, "trtllm-bench": 0, "evalscope": 1, "genai-bench": 1, "ollama": 1}

// toolOf returns the tool that a command runs, without prefixes such as env or sudo.
func toolOf(words []string) benchTool {
	for len(words) > 1 {
		base := filepath.Base(words[0])
		switch {
		case assignment().MatchString(words[0]), base == "env", base == "sudo", base == "nohup", base == "time", base == "exec":
			words = words[1:]
			continue
		case base == "uv" && words[1] == "run":
			words = words[2:]
			continue
		}
		break
	}
	if len(words) == 0 {
		return benchTool{name: "run"}
	}
	var t benchTool
	t.name, t.args = strings.TrimSuffix(filepath.Base(words[0]), ".py"), words[1:]
	if pythonName().MatchString(t.name) && len(words) > 1 {
		t.python = words[0]
		for i, w := range words[1:] {
			if w == "-m" && i+2 < len(words) {
				t.name, t.args = words[i+2], words[i+3:]
				break
			}
			if !strings.HasPrefix(w, "-") {
				t.name, t.args = strings.TrimSuffix(filepath.Base(w), ".py"), words[i+2:]
				break
			}
		}
	}
	for range subcommands[t.name] {
		if n := strings.Count(t.name, "-"); len(t.args) > n && subcommand().MatchString(t.args[0]) {
			t.name, t.args = t.name+"-"+t.args[0], t.args[1:]
		}
	}
	for _, p := range packages {
		if t.pkg == "" && strings.HasPrefix(t.name, p.name) {
			t.pkg, t.engine = p.pkg, p.engine
		}
	}
	return t
}

// flag returns the value of the first of the given flags that the command has.
func (t *benchTool) flag(names ...string) string {
	for _, name := range names {
		for i, w := range t.args {
			if value, ok := strings.CutPrefix(w, name+"="); ok {
				return value
			}
			if w == name && i+1 < len(t.args) && !strings.HasPrefix(t.args[i+1], "--") {
				return t.args[i+1]
			}
		}
	}
	return ""
}

// NameOf derives a name for a run from its command: the tool, the model, the concurrency and the request rate.
func NameOf(words []string) string {
	t := toolOf(words)
	parts := []string{t.name}
	if model := t.flag("--model", "--model-path", "--model_path", "--model-name", "--model-id", "-m", "--hf-repo", "-hf"); model != "" {
		parts = append(parts, strings.TrimSuffix(path.Base(filepath.ToSlash(model)), ".gguf"))
	}
	if n := t.flag("--max-concurrency", "--concurrency", "--num-concurrent-requests", "--parallel", "--batch-size", "-c"); n != "" {
		if _, err := strconv.Atoi(n); err == nil {
			parts = append(parts, "c"+n)
		}
	}
	if rate := t.flag("--request-rate", "--rate"); rate != "" && rate != "inf" {
		parts = append(parts, "rate"+rate)
	}
	return cmp.Or(FolderName(strings.Join(parts, "-")), "run")
}

// FolderName converts a text into the name of a run's folder, without secrets; "" if nothing is left.
func FolderName(text string) string {
	name, _ := rundir.FolderName(mask(text))
	return name
}

// serverOf returns the URL of the server named in a command, "" for none.
func serverOf(words []string) string {
	t := toolOf(words)
	base := t.flag("--base-url", "--url", "--target", "-u", "--server-url", "--api-base", "--endpoint-url")
	if host, port := t.flag("--host"), t.flag("--port"); base == "" && (host != "" || port != "") && t.engine == "" {
		if host == "" || host == "0.0.0.0" {
			host = "127.0.0.1"
		}
		if _, err := strconv.Atoi(port); err == nil {
			base = host + ":" + port
		}
	}
	return address(base)
}

// address returns the scheme, host and port of a server's URL, "" if the text contains none.
func address(text string) string {
	if text == "" {
		return ""
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// outputs returns the paths of results named by the flags of a command.
func outputs(words []string) []string {
	t := toolOf(words)
	var found []string
	add := func(name string) {
		if name != "" && name != "-" && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	dir, file := t.flag("--result-dir", "--result_dir"), t.flag("--result-filename", "--result_filename")
	if file != "" {
		add(filepath.Join(dir, file)) // vLLM and SGLang join them
	} else {
		add(dir)
	}
	for _, name := range outputFlags {
		add(t.flag(name))
	}
	return found
}

// outputFlags are flags for results of the tools in docs/formats.md.
var outputFlags = []string{
	"--output-file", "--output_file", "--output-json", "--output-path", "--output_path", "--output-dir", "--output_dir", "--output",
	"--outputs-dir", "--report-json", "--report_json", "--export-path", "--export-json", "--export-csv", "--export-markdown",
	"--profile-export-file", "--profile-export-prefix", "--artifact-dir", "--artifact-directory", "--output-artifact-dir",
	"--summary-file", "--save-result", "--save", "--result", "--results", "--results-dir", "--csv", "--json", "--experiment-base-dir", "--experiment-folder-name",
	"--out", "-o", "-f", "--log-dir",
}
