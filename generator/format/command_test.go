package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// TestCommandsAreThoseOfTheFile checks that a command is returned as written, with all its lines, and that the
// arguments printed by the tool are returned as well.
func TestCommandsAreThoseOfTheFile(t *testing.T) {
	const command = "$ vllm bench serve --model m \\\n    --dataset-name random --random-input-len 2048 \\\n    --num-prompts 100 --max-concurrency 8"
	const arguments = "Namespace(backend='vllm', num_prompts=100, max_concurrency=8, seed=0)"
	for name, c := range map[string]struct {
		text string
		want []result.Command
	}{
		"typed":    {"# first\n" + command + "\n\n" + fixture.Table, []result.Command{{Text: command, Line: 2}}},
		"Windows":  {strings.ReplaceAll(command+"\n\n"+fixture.Table, "\n", "\r\n"), []result.Command{{Text: command, Line: 1}}},
		"printed":  {"INFO " + arguments + "\n" + fixture.Table, []result.Command{{Text: arguments, Line: 1, Arguments: true}}},
		"of a run": {"vllm serve m --max-num-seqs 8\n" + command + "\n" + fixture.Table, []result.Command{{Text: command, Line: 2}}},
	} {
		r := fixture.One(t, c.text)
		got := format.Commands([]byte(c.text), 1, &r)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d commands: %+v", name, len(got), got)
			continue
		}
		for i, want := range c.want {
			text := strings.ReplaceAll(got[i].Text, "\r", "")
			if text != want.Text || got[i].Line != want.Line || got[i].Arguments != want.Arguments || got[i].Flags != nil {
				t.Errorf("%s: got %+v\nwant %+v", name, got[i], want)
			}
		}
	}
}

// TestEachRunHasItsCommand checks that each of several runs in a file gets its own command.
func TestEachRunHasItsCommand(t *testing.T) {
	text := "vllm bench serve --num-prompts 100 --seed 1\n" + fixture.Table +
		"vllm bench serve --num-prompts 100 --seed 2\n" + fixture.Table
	rs := fixture.Read(t, text).Results
	if len(rs) != 2 {
		t.Fatalf("%d results", len(rs))
	}
	for i, want := range []string{"--seed 1", "--seed 2"} {
		if got := format.Commands([]byte(text), 1, &rs[i]); len(got) != 1 || !strings.HasSuffix(got[0].Text, want) {
			t.Errorf("run %d: %+v", i, got)
		}
	}
}

// TestCommandsOfDocuments checks that a command is read from a document's field. If there are several commands, none is
// returned, because their runs are unknown. A text without a flag is not a command.
func TestCommandsOfDocuments(t *testing.T) {
	r := result.Result{Format: "aiperf-json", Tool: "aiperf"}
	for text, want := range map[string]string{
		"{\"input_config\": {\n\"cli_command\" : \"aiperf profile --x 'a' \\\"b\\\"\"}}": "2: aiperf profile --x 'a' \"b\"",
		`{"cmd": "run --a", "results": [{"cmd": "run --a"}]}`:                            "1: run --a",
		`[{"command": "run --a"}, {"command": "run --b"}]`:                               "",
		`{"command": "serve", "cmd": ["run", "--a"], "note": "\"cmd\": \"x"}`:            "",
		`{"cmd": "run --cut`: "",
	} {
		got := ""
		for _, c := range format.Commands([]byte(text), 1, &r) {
			got += fmt.Sprintf("%d: %s", c.Line, c.Text)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestCommandsBeforeAnExcerptAreNotSeen checks that an excerpt without the command gives no command from its other
// lines.
func TestCommandsBeforeAnExcerptAreNotSeen(t *testing.T) {
	text := "vllm bench serve --num-prompts 100\n" + fixture.Table
	r := fixture.One(t, text)
	_, rest, _ := strings.Cut(text, "\n")
	if got := format.Commands([]byte(rest), 2, &r); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestCommandsArePutTogetherFromLabels checks that a command that was not recorded is rebuilt from labels, one per
// flag, but not for a tool or dataset whose flags are uncertain.
func TestCommandsArePutTogetherFromLabels(t *testing.T) {
	r := fixture.One(t, fixture.Table)
	set := func(name, value string, origin result.Origin) {
		r.Labels.Set(result.Label{Name: name, Value: value, Origin: origin})
	}
	if got := format.Commands([]byte(fixture.Table), 1, &r); len(got) != 0 {
		t.Errorf("out of nothing: %+v", got)
	}
	set("dataset", "random", result.Declared)
	set("num_prompts", "100", result.Declared)
	set("input_len", "2048", result.Declared)
	set("output_len", "128", result.Declared)
	set("model", "its display name", result.Declared)
	set("tokenizer", "a tokenizer's name", result.Declared)
	set("seed", "1", result.Guessed)
	set("ignore_eos", "true", result.Declared)
	got := format.Commands([]byte(fixture.Table), 1, &r)
	want := `vllm bench serve \
  --tokenizer 'a tokenizer'\''s name' \
  --dataset-name random \
  --random-input-len 2048 \
  --random-output-len 128 \
  --num-prompts 100 \
  --max-concurrency 8 \
  --ignore-eos`
	if len(got) != 1 || got[0].Text != want || got[0].Line != 0 || len(got[0].Flags) != 7 {
		t.Fatalf("got %+v\nwant %s", got, want)
	}
	for _, f := range got[0].Flags {
		if r.Labels.Get(f.Label) == "" {
			t.Errorf("%s rests on the label %q, which is not there", f.Name, f.Label)
		}
	}
	set("dataset", "sharegpt", result.Declared)
	if got := format.Commands(nil, 1, &r)[0].Text; strings.Contains(got, "input-len") || !strings.Contains(got, "--sharegpt-output-len 128") {
		t.Errorf("of another dataset: %s", got)
	}
	r.Tool = "sglang-serve"
	if got := format.Commands(nil, 1, &r); len(got) != 0 {
		t.Errorf("of another tool: %+v", got)
	}
}
