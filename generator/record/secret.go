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

// redactor finds secrets by their names and forms; private names stay, as the machine's
// own run is noted on it. What is published of it, archiving redacts.
var redactor = sync.OnceValue(func() *redact.Redactor {
	r, err := redact.New(redact.Options{OnlySecrets: true})
	if err != nil {
		panic(err) // there is no rule that could be wrong
	}
	return r
})

// mask takes out of a text what looks like a secret, by its name or by its form.
func mask(s string) string {
	var out strings.Builder
	at := 0
	for _, f := range redactor().Find("", []byte(s)) {
		out.WriteString(s[at:f.Start] + masked)
		at = f.End
	}
	return out.String() + s[at:]
}

// masker takes secrets out of all that is written: what looks like one, and the
// values that are known to be some wherever they appear again.
type masker struct{ known []string }

func (m masker) text(s string) string {
	for _, secret := range m.known {
		s = strings.ReplaceAll(s, secret, masked)
	}
	return mask(s)
}

// command masks the arguments of a command. What follows the name of a secret as a
// word of its own is one, whatever it looks like.
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

// secrets are the values that must be in no file: those that the command and
// the variables have under a secret's name.
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
		if strings.ContainsAny(w, " \t\n") { // of bash -c
			inner, err := shell.Split(w)
			if err != nil { // a pipe, or the like
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

// findSecret returns the first line of a file that holds one of the secrets, or what
// looks like one; 0 for none.
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

// knownSecrets looks for values in what is written to it, and notes the first line of one.
type knownSecrets struct {
	secrets []string
	tail    []byte // of what was written, in which a value may begin
	lines   int    // that ended before the tail
	line    int
}

// Write looks at a part of a file and never fails.
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

// variables are those of the environment that a report may need. A name that ends
// in a star means all that begin so.
var variables = []string{
	"CUDA_*", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "NCCL_*", "HIP_*", "HSA_*", "ROCR_VISIBLE_DEVICES", "GPU_MAX_HW_QUEUES", "RCCL_*",
	"ONEAPI_DEVICE_SELECTOR", "ZE_AFFINITY_MASK", "ASCEND_RT_VISIBLE_DEVICES",
	"VLLM_*", "SGLANG_*", "SGL_*", "TRTLLM_*", "TLLM_*", "LLAMA_*", "GGML_*", "OLLAMA_*", "MLX_*", "FLASHINFER_*", "AITER_*",
	"TORCH_*", "PYTORCH_*", "TORCHINDUCTOR_*", "TRITON_*", "OMP_*", "MKL_*", "OPENBLAS_*", "KMP_*", "GOMP_*", "MALLOC_*", "LD_PRELOAD",
	"HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "TRANSFORMERS_CACHE",
}

// environment returns the variables that are noted, their values masked.
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
