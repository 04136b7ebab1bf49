package importer

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/shell"
)

// shell reads the command that begins in line i and may continue on further lines. It returns the command's facts and
// its last line. A single line without facts is prose, unless it looks like typed input.
func (r *reader) shell(i int) (facts []facet, last int, ok bool) {
	text, last := strings.TrimSpace(r.lines[i]), i
	for strings.HasSuffix(text, `\`) && last+1 < len(r.lines) && !r.inResult(last+2) {
		next := strings.TrimSpace(r.lines[last+1])
		if fenceMark().MatchString(next) {
			break
		}
		text = strings.TrimSuffix(text, `\`) + " " + next
		last++
	}
	if words := program(shell.First(prompt().ReplaceAllString(text, ""))); words != nil {
		facts = commandFacts(words)
	}
	return facts, last, facts != nil || last > i || typed().MatchString(text)
}

var (
	prompt     = lazy.Regexp(`^(?:\([\w.-]+\)\s*)?(?:[\w.-]+@[\w.-]+[^$#%]{0,60}[$#%]\s+|[$%>+]\s+)`)
	typed      = lazy.Regexp(`^(?:\$ |(?:export )?[A-Z_][A-Z0-9_]*=\S*$)`)
	assignment = lazy.Regexp(`^[A-Za-z_]\w*=`)
)

// program removes what comes before the relevant program (variables, sudo, python, a container) and returns the words
// from that program on; nil for unknown programs. It returns "docker run" with all its words, because the image is one
// of them.
func program(words []string) []string {
	root := false
	for len(words) > 0 {
		first := strings.ToLower(words[0])
		switch {
		case assignment().MatchString(words[0]):
		case first == "sudo":
			root = true
		case slices.Contains([]string{"nohup", "time", "exec", "env", "uv", "run", "-m", "-u"}, first):
		case strings.HasPrefix(path.Base(first), "python"):
		case first == "docker" || first == "podman" || first == "nvidia-docker":
			if len(words) > 1 && words[1] == "run" {
				return words
			}
			if len(words) > 1 && words[1] == "exec" {
				inner := slices.IndexFunc(words, func(w string) bool { return w == "vllm" || strings.HasPrefix(w, "python") })
				if inner > 0 {
					words = words[inner:]
					continue
				}
			}
			return nil
		case programs[path.Base(first)] != nil:
			if first == "jetson_clocks" && !root {
				return nil // without sudo it is mentioned in prose
			}
			return words
		default:
			return nil
		}
		words = words[1:]
	}
	return nil
}

// programs maps the known programs to the functions that read their arguments.
var programs = map[string]func(words []string) []facet{
	"vllm":                               vllmFacts,
	"vllm.entrypoints.openai.api_server": serverFacts,
	"vllm.entrypoints.api_server":        serverFacts,
	"sglang.launch_server":               sglangServerFacts,
	"llama-server":                       llamaServerFacts,
	"sglang.bench_serving":               clientFacts,
	"benchmark_serving.py":               clientFacts,
	"nvpmodel":                           nvpmodelFacts,
	"jetson_clocks":                      jetsonClocksFacts,
	"nvidia-smi":                         nvidiaSMIFacts,
	"pip":                                pipFacts,
	"pip3":                               pipFacts,
}

// commandFacts returns the facts that a command states about the runs after it.
func commandFacts(words []string) []facet {
	name := path.Base(strings.ToLower(words[0]))
	if read := programs[name]; read != nil {
		return read(words[1:])
	}
	return containerFacts(words[2:])
}

func vllmFacts(words []string) []facet {
	if len(words) > 1 && words[0] == "serve" {
		return serverFacts(words[1:])
	}
	if len(words) > 2 && words[0] == "bench" && words[1] == "serve" {
		return clientFacts(words[2:])
	}
	return nil
}

// flags parses --name value, --name=value and --name. Other words are positional. Underscores in names become dashes.
func flags(words []string) (named map[string]string, positional []string) {
	named = map[string]string{}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if !strings.HasPrefix(word, "-") || len(word) < 2 {
			positional = append(positional, word)
			continue
		}
		name, value, ok := strings.Cut(strings.TrimLeft(word, "-"), "=")
		name = strings.ReplaceAll(name, "_", "-")
		if !ok && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			i++
			value = words[i]
		}
		named[name] = value
	}
	return named, positional
}

// serverFacts reads the arguments of the command that starts vLLM.
func serverFacts(words []string) []facet {
	named, positional := flags(words)
	facts := []facet{{label: "engine", value: "vllm"}}
	model := named["model"]
	if model == "" && len(words) > 0 && len(positional) > 0 && words[0] == positional[0] {
		model = words[0]
	}
	m := modelFacts(model)
	if m == nil && len(named) == 0 {
		return nil // a sentence that mentions the command
	}
	facts = append(facts, m...)
	facts = append(facts, parallelism(named["tensor-parallel-size"]+named["tp"], named["pipeline-parallel-size"]+named["pp"], named["data-parallel-size"]+named["dp"])...)
	if q := quantizationIn(named["quantization"] + named["q"]); q != "" {
		facts = append(facts, facet{label: "quantization", value: q})
	}
	if _, ok := named["enable-prefix-caching"]; ok {
		facts = append(facts, facet{label: "prefix_caching", value: "true"})
	}
	if _, ok := named["no-enable-prefix-caching"]; ok {
		facts = append(facts, facet{label: "prefix_caching", value: "false"})
	}
	return facts
}

// sglangServerFacts reads the arguments of the command that starts SGLang.
func sglangServerFacts(words []string) []facet {
	named, _ := flags(words)
	m := modelFacts(named["model-path"] + named["model"])
	if m == nil {
		return nil
	}
	facts := append([]facet{{label: "engine", value: "sglang"}}, m...)
	return append(facts, parallelism(named["tp-size"]+named["tp"], "", named["dp-size"]+named["dp"])...)
}

// llamaServerFacts reads the arguments of the command that starts llama.cpp's server.
func llamaServerFacts(words []string) []facet {
	named, _ := flags(words)
	m := modelFacts(named["m"] + named["model"])
	if m == nil {
		return nil
	}
	return append([]facet{{label: "engine", value: "llama.cpp"}}, m...)
}

func parallelism(tp, pp, dp string) []facet {
	var parts []string
	for _, p := range [][2]string{{"tp", tp}, {"pp", pp}, {"dp", dp}} {
		if _, err := strconv.Atoi(p[1]); err == nil {
			parts = append(parts, p[0]+p[1])
		}
	}
	if parts == nil {
		return nil
	}
	return []facet{{label: "parallelism", value: strings.Join(parts, "-")}}
}

// modelFacts reads a model's path or repository id. A bare word may be the name under which a model is served
// ("qwen3"), and is not accepted.
func modelFacts(raw string) []facet {
	name := modelName(raw)
	if placeholder(raw) || !isModel(name) && !(strings.Contains(raw, "/") && hasDigit().MatchString(name)) {
		return nil
	}
	return []facet{{label: "model", value: name, raw: raw}}
}

// clientFlags lists the settings of serving benchmarks that become labels. The first flag that is set is used.
var clientFlags = []struct {
	label string
	flags []string
}{
	{"dataset", []string{"dataset-name", "dataset"}},
	{"input_len", []string{"input-len", "random-input-len", "random-input", "sonnet-input-len"}},
	{"output_len", []string{"output-len", "random-output-len", "random-output", "sonnet-output-len", "sharegpt-output-len", "custom-output-len", "hf-output-len"}},
	{"num_prompts", []string{"num-prompts", "num-prompt"}},
	{"max_concurrency", []string{"max-concurrency"}},
	{"request_rate", []string{"request-rate"}},
	{"burstiness", []string{"burstiness"}},
	{"seed", []string{"seed"}},
}

// clientFacts reads the arguments of the command that measures. The tokenizer is only a weak hint of the model, since
// another model's tokenizer may have been used.
func clientFacts(words []string) []facet {
	named, _ := flags(words)
	facts := modelFacts(named["model"])
	for _, f := range modelFacts(named["tokenizer"]) {
		f.unsure, f.note = true, "from the tokenizer"
		facts = append(facts, f)
	}
	for _, c := range clientFlags {
		for _, flag := range c.flags {
			value := named[flag]
			if value == "" || placeholder(value) || strings.ContainsAny(value, ",") {
				continue
			}
			if c.label != "dataset" {
				n, err := strconv.ParseFloat(value, 64)
				if err != nil {
					continue
				}
				value = strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(n, 'f', -1, 64), "+"))
			}
			facts = append(facts, facet{label: c.label, value: value})
			break
		}
	}
	if _, ok := named["ignore-eos"]; ok {
		facts = append(facts, facet{label: "ignore_eos", value: "true"})
	}
	for _, varies := range []string{"random-range-ratio", "random-prefix-len"} {
		if v := named[varies]; v != "" && !placeholder(v) {
			facts = append(facts, facet{label: strings.ReplaceAll(varies, "-", "_"), value: v})
		}
	}
	return facts
}

// valueFlags lists the flags of docker run whose value is the next word.
var valueFlags = strings.Fields(`-v -p -e -w -u -h -m --name --gpus --network --net --ipc --runtime --shm-size --device --cap-add
	--security-opt --ulimit --env --volume --publish --entrypoint --user --workdir --hostname --memory --env-file --restart
	--group-add --mount --platform --label -l --add-host --cpus --pid`)

// containerFacts reads the arguments of docker run: the image and the command in it.
func containerFacts(words []string) []facet {
	for i := 0; i < len(words); i++ {
		word := words[i]
		if strings.HasPrefix(word, "-") {
			if slices.Contains(valueFlags, word) {
				i++
			}
			continue
		}
		if !inference().MatchString(word) || placeholder(word) || !imageName().MatchString(word) {
			return nil
		}
		facts := []facet{{label: "image", value: word}}
		rest := words[i+1:]
		if inner := program(rest); inner != nil {
			return append(facts, commandFacts(inner)...)
		}
		if strings.Contains(word, "vllm-openai") {
			facts = append(facts, serverFacts(rest)...)
		}
		return facts
	}
	return nil
}

// inference matches the names of images that serve models.
var inference = lazy.Regexp(`(?i)vllm|sglang|triton|tensorrt|trt-?llm|text-generation|lmdeploy|llama|ollama`)

// nvpmodelFacts reads the power mode of a Jetson. Mode 0 is the one without limits on all Jetsons.
func nvpmodelFacts(words []string) []facet {
	if len(words) == 2 && words[0] == "-m" && words[1] == "0" {
		return []facet{{label: "power_mode", value: "MAXN", unsure: true, note: "nvpmodel -m 0"}}
	}
	return nil
}

// jetsonClocksFacts reads the command that locks a Jetson's clocks.
func jetsonClocksFacts(words []string) []facet {
	if len(words) > 0 {
		return nil // --show, --store, --restore
	}
	return []facet{{label: "clocks", value: "locked"}}
}

func nvidiaSMIFacts(words []string) []facet {
	named, _ := flags(words)
	var facts []facet
	if w := named["pl"] + named["power-limit"]; w != "" {
		if _, err := strconv.Atoi(w); err == nil {
			facts = append(facts, facet{label: "power_mode", value: w + "W"})
		}
	}
	if named["lgc"]+named["lock-gpu-clocks"] != "" {
		facts = append(facts, facet{label: "clocks", value: "locked"})
	}
	return facts
}

var pinned = lazy.Regexp(`(?i)^(vllm|sglang)(?:\[[^\]]*\])?==(\d+\.\d+[\w.+-]*)$`)

func pipFacts(words []string) []facet {
	for _, word := range words {
		if m := pinned().FindStringSubmatch(word); m != nil {
			return []facet{{label: "engine", value: engineName(m[1])}, {label: "engine_version", value: m[2]}}
		}
	}
	return nil
}
