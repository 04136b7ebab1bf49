package record

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/shell"
)

// masked replaces a secret.
const masked = "***"

// redactor finds secrets by their names and forms. It leaves private names, since a recording stays on the machine that
// it describes. Archiving redacts what is published.
var redactor = sync.OnceValue(func() *redact.Redactor {
	r, err := redact.New(redact.Options{OnlySecrets: true})
	if err != nil {
		panic(err) // cannot happen without rules of a site
	}
	return r
})

// mask replaces what looks like a secret by its name or by its form.
func mask(s string) string {
	var out strings.Builder
	at := 0
	for _, f := range redactor().Find("", []byte(s)) {
		out.WriteString(s[at:f.Start] + masked)
		at = f.End
	}
	return out.String() + s[at:]
}

// masker masks secrets in everything that is written: what looks like a secret, and every occurrence of a value that is
// known to be one.
type masker struct{ known []string }

func (m masker) text(s string) string {
	for _, secret := range m.known {
		s = strings.ReplaceAll(s, secret, masked)
	}
	return mask(s)
}

// command masks the arguments of a command. A word after a flag that takes a secret is masked whatever it looks like.
func (m masker) command(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		if i > 0 && redact.SecretFlag(words[i-1]) && !strings.HasPrefix(w, "--") {
			out[i] = masked
			continue
		}
		out[i] = m.text(w)
	}
	return out
}

// secrets returns values that must not be in any file: those that the command and the environment give under the name
// of a secret.
func secrets(words, environ []string) []string {
	const least = 6 // shorter values appear everywhere
	var found []string
	add := func(s string) {
		if len(s) >= least && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for i, w := range words {
		if i > 0 && redact.SecretFlag(words[i-1]) && !strings.HasPrefix(w, "--") {
			add(w)
		}
		if strings.ContainsAny(w, " \t\n") { // the script of bash -c
			inner, err := shell.Split(w)
			if err != nil { // it contains a pipe, for example
				inner = strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()", r) })
			}
			if len(inner) > 1 {
				for _, s := range secrets(inner, nil) {
					add(s)
				}
				continue
			}
		}
		if name, value, ok := strings.Cut(w, "="); ok && (redact.SecretFlag(name) || !strings.HasPrefix(name, "-") && redact.IsSecretName(name)) {
			add(value)
		}
	}
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); redact.IsSecretName(name) && strings.ContainsFunc(value, func(r rune) bool { return r >= '0' && r <= '9' }) && !strings.Contains(value, "/") {
			add(value)
		}
	}
	return found
}

// findSecret returns the first line of a file that contains one of the secrets, or what looks like one; 0 for none.
func findSecret(name string, secrets []string) int {
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	known := &knownSecrets{secrets: secrets}
	first := 0
	if found, err := redactor().Copy(io.Discard, io.TeeReader(f, known), name); err == nil && len(found) > 0 {
		first = found[0].Line
	}
	if known.line > 0 && (first == 0 || known.line < first) {
		first = known.line
	}
	return first
}

// knownSecrets searches what is written to it for values, and notes the line of the first one.
type knownSecrets struct {
	secrets []string
	tail    []byte // the last bytes written, in which a value may begin
	lines   int    // number of lines that ended before the tail
	line    int
}

// Write searches a part of a file. It never fails.
func (k *knownSecrets) Write(p []byte) (int, error) {
	text := append(k.tail, p...)
	first, longest := -1, 0
	for _, s := range k.secrets {
		longest = max(longest, len(s))
		if i := bytes.Index(text, []byte(s)); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first >= 0 && k.line == 0 {
		k.line = k.lines + bytes.Count(text[:first], []byte("\n")) + 1
	}
	keep := max(0, len(text)-longest)
	k.lines += bytes.Count(text[:keep], []byte("\n"))
	k.tail = bytes.Clone(text[keep:])
	return len(p), nil
}

// variables lists environment variables that a report may need. A name that ends in * matches every name with that
// prefix.
var variables = []string{
	"CUDA_*", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "NCCL_*", "HIP_*", "HSA_*", "ROCR_VISIBLE_DEVICES", "GPU_MAX_HW_QUEUES", "RCCL_*",
	"ONEAPI_DEVICE_SELECTOR", "ZE_AFFINITY_MASK", "ASCEND_RT_VISIBLE_DEVICES",
	"VLLM_*", "SGLANG_*", "SGL_*", "TRTLLM_*", "TLLM_*", "LLAMA_*", "GGML_*", "OLLAMA_*", "MLX_*", "FLASHINFER_*", "AITER_*",
	"TORCH_*", "PYTORCH_*", "TORCHINDUCTOR_*", "TRITON_*", "OMP_*", "MKL_*", "OPENBLAS_*", "KMP_*", "GOMP_*", "MALLOC_*", "LD_PRELOAD",
	"HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "TRANSFORMERS_CACHE",
}

// environment returns the environment variables to note, with masked values.
func (m masker) environment(environ []string) map[string]string {
	noted := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		allowed := func(pattern string) bool {
			begin, all := strings.CutSuffix(pattern, "*")
			return name == pattern || all && strings.HasPrefix(name, begin)
		}
		if slices.ContainsFunc(variables, allowed) && !redact.IsSecretName(name) {
			noted[name] = m.text(value)
		}
	}
	return noted
}
