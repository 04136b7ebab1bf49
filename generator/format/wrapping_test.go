package format_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// TestWrappings checks that every fixture gives the same output in every wrapping as alone.
func TestWrappings(t *testing.T) {
	for _, path := range fixture.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		alone := fixture.Sane(t, data)
		want := fixture.Placeless(alone)
		for _, w := range fixture.Wrappings {
			if w.Broken || !w.Fits(path, data) {
				continue
			}
			t.Run(w.Name+"/"+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				wrapped := w.Wrap(bytes.Clone(data))
				got, err := format.Read("f", bytes.NewReader(wrapped))
				if err != nil {
					t.Fatal(err)
				}
				if text := fixture.Placeless(got); text != want {
					t.Fatalf("got\n%s\nwant\n%s", text, want)
				}
				if !w.Joined && bytes.IndexByte(wrapped, 0) < 0 && bytes.IndexByte(wrapped, '\n') >= 0 {
					fixture.SamePlaces(t, data, wrapped, alone, got)
				}
			})
		}
	}
}

// TestIndentedLogs checks that a log in a Markdown list, whose lines are indented, gives the same output as alone.
func TestIndentedLogs(t *testing.T) {
	for _, path := range fixture.All(t) {
		name := filepath.Base(path)
		if !slices.Contains([]string{"mlx-lm.txt", "inferencex-replay.log", "ollama-verbose.txt", "lm-studio.txt", "llama-timings.log", "vllm-latency.txt", "trtllm-bench.txt"}, name) {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		indented := "   " + strings.ReplaceAll(string(data), "\n", "\n   ")
		if got, want := fixture.Placeless(fixture.Read(t, strings.TrimRight(indented, " "))), fixture.Placeless(fixture.Sane(t, data)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestBrokenLines checks that broken lines give what the whole lines give, or less with a message.
func TestBrokenLines(t *testing.T) {
	for _, path := range fixture.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		alone := fixture.Sane(t, data)
		for _, w := range fixture.Wrappings {
			if !w.Broken || !w.Fits(path, data) {
				continue
			}
			t.Run(w.Name+"/"+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				got, err := format.Read("f", bytes.NewReader(w.Wrap(bytes.Clone(data))))
				if err != nil {
					t.Fatal(err)
				}
				fixture.SameOrLess(t, alone, got)
			})
		}
	}
}

// TestBrokenLinesAreJoined checks that broken tables, CSV, JSON and arguments are read completely at any width.
func TestBrokenLinesAreJoined(t *testing.T) {
	const header = "| model                          |       size |     params | backend    | ngl |            test |                  t/s |\n" +
		"| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | -------------------: |\n"
	const row = "| qwen3 8B Q4_K - Medium         |   4.68 GiB |     8.19 B | CUDA       |  99 |           %5s |      %9s ± 21.07 |\n"
	rows := header + fmt.Sprintf(row, "pp512", "2714.36") + fmt.Sprintf(row, "tg128", "71.28") + "\nbuild: 0c74f3263 (7105)\n"
	for name, test := range map[string]struct {
		text     string
		from, to int
	}{
		"Markdown":  {rows, 40, 115},
		"JSON":      {fixture.Saved + "\n", 40, 400},
		"block":     {fixture.Table, 36, 49},
		"arguments": {"Namespace(backend='vllm', model='Qwen/Qwen3-8B', dataset_name='random', num_prompts=100, random_input_len=2048, random_output_len=128, max_concurrency=8, seed=0, percentile_metrics='ttft,tpot,itl')\n" + fixture.Table, 50, 90},
	} {
		alone := fixture.Read(t, test.text)
		full := 0
		for columns := test.from; columns <= test.to; columns++ {
			got := fixture.Read(t, fixture.Folded(test.text, columns))
			fixture.NothingNew(t, alone, got)
			got.Messages = alone.Messages
			if fixture.Placeless(got) == fixture.Placeless(alone) {
				full++
			}
		}
		if all := test.to - test.from + 1; full < all*9/10 {
			t.Errorf("%s is read in full at %d of %d widths", name, full, all)
		}
	}
}

// TestCommandsInWrappings checks that a command is returned as typed, without the prefixes of a log.
func TestCommandsInWrappings(t *testing.T) {
	text := "$ vllm bench serve --model m --dataset-name random \\\n  --random-input-len 2048 --random-output-len 128 --num-prompts 100 --max-concurrency 8\n" + fixture.Table
	commands := func(data []byte) string {
		out := fixture.Read(t, string(data))
		if len(out.Results) != 1 {
			t.Fatalf("%d results of %s", len(out.Results), data)
		}
		all := format.Commands(data, 1, &out.Results[0])
		if len(all) != 1 {
			t.Fatalf("%d commands", len(all))
		}
		return all[0].Text
	}
	want := commands([]byte(text))
	for _, name := range []string{"crlf", "colours", "compose", "kubectl", "mpirun", "srun", "journald", "iso-time", "github-actions", "quote", "vllm-process"} {
		i := slices.IndexFunc(fixture.Wrappings, func(w fixture.Wrapping) bool { return w.Name == name })
		if got := commands(fixture.Wrappings[i].Wrap([]byte(text))); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}

// usual lists pairs of wrappings that occur one inside the other, the inner one first.
var usual = [][2]string{
	{"colours", "compose"}, {"crlf", "utf-16le"}, {"python-log-with-time", "kubernetes-cri"}, {"vllm-log", "ts"}, {"ray", "iso-time"},
	{"mpirun", "journald"}, {"srun", "script"}, {"torchrun", "github-actions"}, {"vllm-process", "docker-json"}, {"compose-coloured", "asciinema"},
	{"bar-before-lines", "kubectl"}, {"iso-time", "html"}, {"crlf", "quote"}, {"python-log", "notebook"}, {"clock", "powershell-transcript"},
	{"quote", "rules"},
}

// atEnds lists wrappings that add something at the ends of lines or before lines, where parts of a line have to be
// joined.
var atEnds = []string{"trailing-blanks", "crcrlf", "form-feeds", "bar-before-lines"}

// TestWrappingsInWrappings checks that a fixture gives the same output in one wrapping within another as alone: by
// default in the usual pairs, with BENCHPOST_REQUIRE=1 in all.
func TestWrappingsInWrappings(t *testing.T) {
	all := os.Getenv("BENCHPOST_REQUIRE") == "1"
	used := map[[2]string]bool{}
	for _, path := range fixture.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := fixture.Placeless(fixture.Sane(t, data))
		for _, inner := range fixture.Wrappings {
			if inner.Outermost || inner.Broken || !inner.Fits(path, data) {
				continue
			}
			for _, outer := range fixture.Wrappings {
				pair := [2]string{inner.Name, outer.Name}
				if outer.Broken || !all && !slices.Contains(usual, pair) || !outer.Fits(path, data) || inner.Of != "" && inner.Of == outer.Of ||
					inner.Joined && (outer.Joined || slices.Contains(atEnds, outer.Name)) {
					continue
				}
				wrapped := inner.Wrap(bytes.Clone(data))
				if !outer.Fits(path, wrapped) {
					continue
				}
				used[pair] = true
				got, err := format.Read("f", bytes.NewReader(outer.Wrap(wrapped)))
				if err != nil {
					t.Fatal(err)
				}
				if text := fixture.Placeless(got); text != want {
					t.Errorf("%s: %s in %s: got\n%s\nwant\n%s", path, inner.Name, outer.Name, text, want)
				}
			}
		}
	}
	for _, pair := range usual {
		if !used[pair] {
			t.Errorf("no fixture is read in %s within %s", pair[0], pair[1])
		}
	}
}
