package draft

import (
	"strings"
	"testing"
)

// TestCommandsInSentences checks that a line with a command counts as executed, and a sentence only if it ends with the
// command and gives no advice. Text around the command belongs to no flag.
func TestCommandsInSentences(t *testing.T) {
	names := [][]byte{[]byte("llama-bench"), []byte("llama-bench.exe")}
	for line, want := range map[string]string{
		"./llama-bench -m a.gguf -fa 1":                                       "-m a.gguf -fa 1",
		"$ CUDA_VISIBLE_DEVICES=0 build/bin/llama-bench -fa 1":                "-fa 1",
		"user@host:~/in/my/dir$ time ./llama-bench -fa 1 && echo done":        "-fa 1 && echo done",
		`PS C:\llama> .\llama-bench.exe -fa 1`:                                "-fa 1",
		"for m in *.gguf; do ./llama-bench -m $m -fa 1; done":                 "-m $m -fa 1; done",
		"sudo numactl --cpunodebind=0 ./llama-bench -t 8":                     "-t 8",
		"docker run --rm -v /my:/models with-it:latest llama-bench -t 8":      "-t 8",
		"Command: llama-bench -t 8":                                           "-t 8",
		"测试命令：llama-bench -t 8":                                               "-t 8",
		"**llama-bench -t 8**":                                                "-t 8",
		"`llama-bench -t 8`":                                                  "-t 8",
		"- `llama-bench -t 8` gives":                                          "-t 8",
		"Results of llama-bench -m a.gguf -t 8:":                              "-m a.gguf -t 8",
		"This is what I got with `llama-bench -t 8`.":                         "-t 8",
		"If you run llama-bench -fa 1 it is slower":                           "",
		"I would run `llama-bench -fa 1`":                                     "",
		"Please compare with llama-bench -fa 1 -t 4":                          "",
		"The flags of llama-bench --flash-attn and --threads are documented.": "",
		"I ran `llama-bench -fa 1` and then without it":                       "",
		"no flags of llama-bench":                                             "",
	} {
		_, _, flags := commandFlags([]byte(line), names)
		if got := strings.TrimSpace(string(flags)); got != want {
			t.Errorf("%s: flags %q, not %q", line, got, want)
		}
	}
}
