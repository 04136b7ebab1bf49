package record

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// masked stands where a secret was.
const masked = "***"

// secretWords are the words in the name of a flag or a variable whose value is a
// secret. "--max-tokens" and "--tokenizer" are other words.
const secretWords = `(?:api[-_]?key|apikey|access[-_]?key|key|token|secret|passwd|password|credentials?)`

var (
	secretFlag  = regexp.MustCompile(`(?i)^--?(?:[a-z0-9]+[-_.])*` + secretWords + `$`)
	secretField = regexp.MustCompile(`(?i)((?:^|[\s"'])--?(?:[a-z0-9]+[-_.])*` + secretWords + `(?:=|\s+))("[^"]*"|'[^']*'|[^\s"'-][^\s"']*)`)
	secretName  = regexp.MustCompile(`(\b[A-Z0-9_]*(?:TOKEN|KEY|SECRET|PASSWORD|PASSWD)[A-Z0-9_]*=)("[^"]*"|'[^']*'|[^\s"'&;]+)`)
	secretJSON  = regexp.MustCompile(`(?i)("[a-z0-9_-]*` + secretWords + `"\s*:\s*")((?:[^"\\]|\\.)+)(")`)
	secretURL   = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)([^\s/@'"]+)@`)
	secretAuth  = regexp.MustCompile(`(?i)\b((?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{6,})`)
	secretHead  = regexp.MustCompile(`(?i)\b((?:x-api-key|api-key|authorization)\s*:\s*)([^\s"',]+)`)

	// Tokens that are known by how they begin: of Hugging Face, OpenAI and its
	// like, NVIDIA, GitHub, AWS, Slack.
	secretToken = regexp.MustCompile(`\b(?:hf_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{8,}|nvapi-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|AKIA[0-9A-Z]{16}|xox[abprs]-[A-Za-z0-9-]{8,})`)
)

// mask takes out of a text what looks like a secret, by its name or by its form.
func mask(s string) string {
	s = secretURL.ReplaceAllString(s, "${1}"+masked+"@")
	s = secretJSON.ReplaceAllString(s, "${1}"+masked+"${3}")
	s = secretField.ReplaceAllString(s, "${1}"+masked)
	s = secretName.ReplaceAllString(s, "${1}"+masked)
	s = secretAuth.ReplaceAllString(s, "${1}"+masked)
	s = secretHead.ReplaceAllStringFunc(s, func(header string) string {
		m := secretHead.FindStringSubmatch(header)
		if strings.EqualFold(m[2], "bearer") || strings.EqualFold(m[2], "basic") {
			return header // what follows was masked
		}
		return m[1] + masked
	})
	return secretToken.ReplaceAllString(s, masked)
}

// masker takes secrets out of all that is written: what looks like one, and the
// values that are known to be some wherever they stand again.
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
		if i > 0 && secretFlag.MatchString(words[i-1]) && !strings.HasPrefix(w, "--") {
			out[i] = masked
			continue
		}
		out[i] = m.text(w)
	}
	return out
}

// isSecret tells whether a variable's value must not be written, by its name.
func isSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// secrets are the values that must stand in no file: those that the command and
// the variables have under a secret's name.
func secrets(words, environ []string) []string {
	const least = 6 // shorter values stand everywhere
	var found []string
	add := func(s string) {
		if len(s) >= least && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for i, w := range words {
		if i > 0 && secretFlag.MatchString(words[i-1]) && !strings.HasPrefix(w, "--") {
			add(w)
		}
		if name, value, ok := strings.Cut(w, "="); ok && (secretFlag.MatchString(name) || !strings.HasPrefix(name, "-") && isSecret(name)) {
			add(value)
		}
	}
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); isSecret(name) && strings.ContainsFunc(value, func(r rune) bool { return r >= '0' && r <= '9' }) && !strings.Contains(value, "/") {
			add(value)
		}
	}
	return found
}

// findSecret gives the first line of a file that holds one of the secrets, or a
// token known by its form; 0 for none.
func findSecret(name string, secrets []string) int {
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	for n := 1; ; {
		part, err := in.ReadSlice('\n')
		holds := func(s string) bool { return bytes.Contains(part, []byte(s)) }
		if slices.ContainsFunc(secrets, holds) || secretToken.Match(part) || secretAuth.Match(part) {
			return n
		}
		if len(part) > 0 && part[len(part)-1] == '\n' {
			n++
		}
		if err == io.EOF || err != nil && err != bufio.ErrBufferFull {
			return 0
		}
	}
}

// variables are those of the environment that a report may need. A name that ends
// in a star stands for all that begin so.
var variables = []string{
	"CUDA_*", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "NCCL_*", "HIP_*", "HSA_*", "ROCR_VISIBLE_DEVICES", "GPU_MAX_HW_QUEUES", "RCCL_*",
	"ONEAPI_DEVICE_SELECTOR", "ZE_AFFINITY_MASK", "ASCEND_RT_VISIBLE_DEVICES",
	"VLLM_*", "SGLANG_*", "SGL_*", "TRTLLM_*", "TLLM_*", "LLAMA_*", "GGML_*", "OLLAMA_*", "MLX_*", "FLASHINFER_*", "AITER_*",
	"TORCH_*", "PYTORCH_*", "TORCHINDUCTOR_*", "TRITON_*", "OMP_*", "MKL_*", "OPENBLAS_*", "KMP_*", "GOMP_*", "MALLOC_*", "LD_PRELOAD",
	"HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "TRANSFORMERS_CACHE",
}

// environment gives the variables that are noted, their values masked.
func (m masker) environment(environ []string) map[string]string {
	noted := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		allowed := func(pattern string) bool {
			begin, all := strings.CutSuffix(pattern, "*")
			return name == pattern || all && strings.HasPrefix(name, begin)
		}
		if slices.ContainsFunc(variables, allowed) && !isSecret(name) {
			noted[name] = m.text(value)
		}
	}
	return noted
}
