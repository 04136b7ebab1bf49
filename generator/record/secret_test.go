package record

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/shell"
)

// TestSecretsAreMasked checks that secrets in any form are masked, and that words that only resemble them are not.
func TestSecretsAreMasked(t *testing.T) {
	for line, want := range map[string]string{
		"vllm --api-key abc --model m":                     "vllm --api-key *** --model m",
		"vllm --api-key=abc --hf-token=x":                  "vllm --api-key=*** --hf-token=***",
		"vllm --hf_token hf_abcdefghij -m x":               "vllm --hf_token *** -m x",
		"aiperf -k --token -x":                             "aiperf -k --token *** ",
		"x hf_abcdefghij sk-proj-abcdefgh1 nvapi-abcdefgh": "x *** *** ***",
		"curl -H 'Authorization: Bearer eyJhbGciOi.a.b'":   "curl -H 'Authorization: Bearer ***'",
		"curl -H 'X-Api-Key: secret1'":                     "curl -H 'X-Api-Key: ***'",
		"x --url https://me:pass@host:8000/v1":             "x --url https://***@host:8000/v1",
		"env OPENAI_API_KEY=abc HF_TOKEN=def vllm serve":   "env OPENAI_API_KEY=*** HF_TOKEN=*** vllm serve",
		`sh -c 'vllm --api-key abc --model m'`:             `sh -c 'vllm --api-key *** --model m'`,
		`x --extra '{"api_key": "abc", "a": 1}'`:           `x --extra '{"api_key": "***", "a": 1}'`,

		"vllm --max-tokens 128 --tokenizer Qwen/Qwen3-8B --tokenizer-mode auto": "vllm --max-tokens 128 --tokenizer Qwen/Qwen3-8B --tokenizer-mode auto",
		"vllm --max-num-batched-tokens=8192 --base-url http://host:8000/v1":     "vllm --max-num-batched-tokens=8192 --base-url http://host:8000/v1",
		"mail a@b.c sk-1 task-abcdefghijk":                                      "mail a@b.c sk-1 task-abcdefghijk",
	} {
		words, err := shell.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		wanted, _ := shell.Split(want)
		if got := (masker{}).command(words); !slices.Equal(got, wanted) && strings.Join(got, " ") != strings.TrimSpace(strings.Join(wanted, " ")) {
			t.Errorf("%s\nis masked as %q", line, got)
		}
	}
}

// TestTextsOfShellsAreMaskedInTheirValues checks that in a shell command only the value of a secret is masked, and not
// what follows it.
func TestTextsOfShellsAreMaskedInTheirValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"python b.py --max-tokens 100 --concurrency=8 --model x":   "python b.py --max-tokens 100 --concurrency=8 --model x",
		"OPENAI_API_KEY=x vllm serve m --tp=2":                     "OPENAI_API_KEY=*** vllm serve m --tp=2",
		"export HF_TOKEN=geheim-123 && vllm serve m --port=80 | x": "export HF_TOKEN=*** && vllm serve m --port=80 | x",
		"vllm serve m --api-key geheim-123; echo geheim-123":       "vllm serve m --api-key ***; echo ***",
		"tokens=5 keys=3 python b.py --key-format=short":           "tokens=5 keys=3 python b.py --key-format=short",
	} {
		words := []string{"bash", "-c", text}
		if got := (masker{secrets(words, nil)}).command(words)[2]; got != want {
			t.Errorf("%s\nis masked as %s\nnot         %s", text, got, want)
		}
	}
}

// TestLabelsAreMasked checks that the value of a label with a secret's name is masked.
func TestLabelsAreMasked(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "run.toml")
	err := writeLabels(name, []Label{{"api_key", "short"}, {"token", "abc"}, {"password", "p"}, {"max_tokens", "128"}, {"sort_key", "x"}, {"note", "--api-key geheim-77"}}, masker{})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(name)
	if want := "api_key = \"***\"\ntoken = \"***\"\npassword = \"***\"\nmax_tokens = \"128\"\nsort_key = \"x\"\nnote = \"--api-key ***\"\n"; string(got) != want {
		t.Errorf("%s", got)
	}
}

func TestOnlyAllowedVariablesAreNoted(t *testing.T) {
	got := masker{}.environment([]string{"CUDA_VISIBLE_DEVICES=0,1", "VLLM_USE_V1=1", "VLLM_API_KEY=abc", "HF_HOME=/models", "HF_TOKEN=hf_abcdefghijkl",
		"OMP_NUM_THREADS=8", "HOME=/root", "SGLANG_SECRET=1", "NCCL_SOCKET_IFNAME=eth0", "LD_PRELOAD=", "VLLM_PROXY=http://u:p@host/", "AWS_SESSION=1"})
	want := map[string]string{"CUDA_VISIBLE_DEVICES": "0,1", "VLLM_USE_V1": "1", "HF_HOME": "/models", "OMP_NUM_THREADS": "8",
		"NCCL_SOCKET_IFNAME": "eth0", "LD_PRELOAD": "", "VLLM_PROXY": "http://***@host/"}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// TestSecretInLogIsFound checks that a secret in the console log, which is kept unchanged, is reported.
func TestSecretInLogIsFound(t *testing.T) {
	known := secrets([]string{"vllm", "--api-key", "geheim-77", "--token=anders-1", "FOO_SECRET=drittes"}, []string{"MY_TOKEN=viertes-4", "KEYMAP=de", "SSH_KEY_PATH=/a/b1c2d3"})
	if want := []string{"geheim-77", "anders-1", "drittes", "viertes-4"}; !slices.Equal(known, want) {
		t.Fatalf("%q", known)
	}
	for text, line := range map[string]int{
		"a\nb api_key='geheim-77'\n":  2,
		"\n\n" + "hf_abcdefghijklmno": 3,
		"Namespace(api_key='***')\n":  0,
		"":                            0,
	} {
		name := filepath.Join(t.TempDir(), "console.log")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := findSecret(name, known); got != line {
			t.Errorf("%q: line %d, not %d", text, got, line)
		}
	}
}
