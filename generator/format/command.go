package format

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/unwrap"
	"github.com/benchpost/benchpost/generator/format/loadgen"
	"github.com/benchpost/benchpost/generator/format/nvidia"
	"github.com/benchpost/benchpost/generator/format/vllm"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
)

// Commands returns the commands that started a result's run, as its raw file shows them. For a text, they are the
// commands and printed arguments that labels of the result were read from; other commands in the text may belong to
// another run. For a document, it is the one command that the document keeps. data begins with line first of the file,
// counted from 1.
//
// If the file shows no command, Commands rebuilds it from the labels where the flags are certain. That is so for vLLM's
// serving benchmark only.
func Commands(data []byte, first int, r *result.Result) []result.Command {
	var out []result.Command
	if strings.HasSuffix(r.Format, "-text") {
		out = printed(data, first, r)
	} else if c, ok := kept(data); ok {
		c.Line += first
		out = append(out, c)
	}
	if len(out) == 0 {
		if c, ok := rebuilt(r); ok {
			out = append(out, c)
		}
	}
	return out
}

// printed returns the commands of a text that labels of a result were read from.
func printed(data []byte, first int, r *result.Result) []result.Command {
	var at []int
	for _, l := range r.Labels {
		if l.Origin == result.Measured && l.Pos.File == r.Source.File && l.Pos.Line >= first {
			at = append(at, l.Pos.Line)
		}
	}
	if len(at) == 0 {
		return nil
	}
	slices.Sort(at)
	if unwrap.IsBroken(data) { // the end of a line may be missing
		return nil
	}
	data = unwrap.SameLines(data)
	lines := bytes.SplitN(data, []byte("\n"), at[len(at)-1]-first+1+mostContinued)
	var out []result.Command
	end := 0 // the line after the last command, so that no command is returned twice
	for _, n := range slices.Compact(at) {
		if n < end || n-first >= len(lines) {
			continue
		}
		if c, last, ok := commandAt(lines, n-first); ok {
			c.Line += first
			end = last + first + 1
			out = append(out, c)
		}
	}
	return out
}

// commandFields lists the JSON keys under which documents keep the command that made them.
var commandFields = [][]byte{[]byte(`"cli_command"`), []byte(`"command_line"`), []byte(`"command"`), []byte(`"cmd"`)}

// commandKeys lists the names of [commandFields].
var commandKeys = []string{"cli_command", "command_line", "command", "cmd"}

// kept returns the command that a document keeps, with the index of its line. It returns none for a document with
// several different commands, because their runs are unknown.
func kept(data []byte) (c result.Command, ok bool) {
	for _, field := range commandFields {
		for from := 0; ; {
			i := bytes.Index(data[from:], field)
			if i < 0 {
				break
			}
			at := from + i
			from = at + len(field)
			text, found := stringAfter(data[from:])
			if !found || !strings.Contains(text, " -") || ok && text == c.Text {
				continue
			}
			if ok {
				return c, false
			}
			c, ok = result.Command{Text: text, Line: bytes.Count(data[:at], []byte("\n"))}, true
		}
	}
	return c, ok
}

// stringAfter returns the string value of a field. data begins after the field's name.
func stringAfter(data []byte) (string, bool) {
	data = bytes.TrimLeft(data, " \t\r\n")
	data, ok := bytes.CutPrefix(data, []byte(":"))
	data = bytes.TrimLeft(data, " \t\r\n")
	if !ok || len(data) == 0 || data[0] != '"' {
		return "", false
	}
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			var s string
			err := json.Unmarshal(data[:i+1], &s)
			return s, err == nil
		}
	}
	return "", false
}

// mostContinued is the maximum number of continuation lines before and after a line of a command.
const mostContinued = 100

// commandAt returns the command that contains the line with index at, and the index of the command's last line. Line of
// the command is the index of its first line.
func commandAt(lines [][]byte, at int) (c result.Command, last int, ok bool) {
	line := func(i int) []byte { return bytes.TrimRight(lines[i], " \t\r") }
	if i := bytes.Index(lines[at], []byte("Namespace(")); i >= 0 {
		return result.Command{Text: string(line(at)[i:]), Line: at, Arguments: true}, at, true
	}
	begin, last := at, at
	for begin > 0 && at-begin < mostContinued && bytes.HasSuffix(line(begin-1), []byte(`\`)) {
		begin--
	}
	for last+1 < len(lines) && last-at < mostContinued && bytes.HasSuffix(line(last), []byte(`\`)) {
		last++
	}
	named := false
	for i := begin; i <= last && !named; i++ {
		named = slices.ContainsFunc([][][]byte{draft.ServeCommands, vllm.LatencyCommands, vllm.ThroughputCommands, vllm.OneBatchCommands, loadgen.EvalScopeCommands, nvidia.NvidiaCommands},
			func(names [][]byte) bool { return draft.CommandFlags(lines[i], names) >= 0 })
	}
	if !named {
		return c, last, false
	}
	text := make([]string, 0, last-begin+1)
	for i := begin; i <= last; i++ {
		text = append(text, string(line(i)))
	}
	return result.Command{Text: strings.TrimSpace(strings.Join(text, "\n")), Line: begin}, last, true
}

// rebuiltFlags lists the arguments of vLLM's serving benchmark that a rebuilt command has, in vLLM's order. The label
// of each has a single meaning.
var rebuiltFlags = []string{
	"model", "tokenizer", "dataset_name", "random_input_len", "random_output_len", "random_range_ratio", "random_prefix_len",
	"sonnet_input_len", "sonnet_output_len", "sharegpt_output_len", "custom_output_len", "hf_output_len",
	"num_prompts", "max_concurrency", "request_rate", "burstiness", "seed", "ignore_eos",
}

// rebuilt builds the command of vLLM's serving benchmark from labels. It omits a flag whose label is absent or guessed.
// It fails without the dataset or the number of prompts, because the command would then measure something else.
func rebuilt(r *result.Result) (result.Command, bool) {
	c := result.Command{Text: "vllm bench serve"}
	dataset := r.Labels.Get("dataset")
	if r.Tool != "vllm-serve" || dataset == "" || r.Labels.Get("num_prompts") == "" {
		return c, false
	}
	for _, name := range rebuiltFlags {
		arg := draft.Arguments[name]
		l, ok := r.Labels.Lookup(arg.Label)
		if !ok || l.Origin == result.Guessed || arg.Dataset != "" && !draft.IsDataset(dataset, arg.Dataset) {
			continue
		}
		flag := "--" + strings.ReplaceAll(name, "_", "-")
		if name == "ignore_eos" {
			if l.Value != "true" {
				continue
			}
			c.Text += " \\\n  " + flag
		} else {
			c.Text += " \\\n  " + flag + " " + shell.Quote(l.Value)
		}
		c.Flags = append(c.Flags, result.Flag{Name: flag, Label: l.Name})
	}
	return c, true
}
