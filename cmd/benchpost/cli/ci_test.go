package cli

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/benchpost/benchpost/cmd/benchpost/flags"
	"github.com/benchpost/benchpost/generator/shell"
)

// scripts collects the scripts of a workflow: the values of the keys that contain them.
func scripts(v any, out *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			switch lines, isList := item.([]any); {
			case key == "run":
				if text, ok := item.(string); ok {
					*out = append(*out, text)
				}
			case isList && (key == "script" || key == "before_script" || key == "after_script"):
				var text []string
				for _, line := range lines {
					text = append(text, line.(string))
				}
				*out = append(*out, strings.Join(text, "\n"))
			default:
				scripts(item, out)
			}
		}
	case []any:
		for _, item := range v {
			scripts(item, out)
		}
	}
}

// used collects the actions of a workflow.
func used(v any, out *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			if name, ok := item.(string); ok && key == "uses" {
				*out = append(*out, name)
			}
			used(item, out)
		}
	case []any:
		for _, item := range v {
			used(item, out)
		}
	}
}

var called = regexp.MustCompile(`(?m)(?:^|[;&|(]|\bthen|\bdo)\s*benchpost +([^|;&>\n]*)`)

// TestWorkflowsCallWhatThereIs checks that the workflows that users copy are valid YAML, that their scripts are valid
// shell scripts, and that the benchpost commands in them exist.
func TestWorkflowsCallWhatThereIs(t *testing.T) {
	files, err := filepath.Glob("../../../docs/ci/*.yml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v %v", files, err)
	}
	files = append(files, "../../../.ci/action/action.yml")
	calls := 0
	for _, file := range files {
		name := filepath.Base(file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := yaml.Unmarshal(data, &doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var all, actions []string
		scripts(doc, &all)
		used(doc, &actions)
		for _, text := range all {
			if strings.Contains(text, "${{") {
				t.Errorf("%s: an expression is in a script, where what it comes to would be run:\n%s", name, text)
			}
			cmd := exec.Command("sh", "-n")
			cmd.Stdin = strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s\n%s", name, err, out, text)
			}
			for _, m := range called.FindAllStringSubmatch(text, -1) {
				calls++
				if fault := faultOf(strings.TrimSpace(m[1])); fault != "" {
					t.Errorf("%s: benchpost %s: %s", name, m[1], fault)
				}
			}
		}
		for _, action := range actions {
			if !regexp.MustCompile(`^[\w-]+/[\w-]+@(v\d+|[0-9a-f]{40})$`).MatchString(action) {
				t.Errorf("%s: %s is pinned to no version", name, action)
			}
		}
		if strings.HasPrefix(name, "github-") {
			if doc["permissions"] == nil {
				t.Errorf("%s: says nothing of permissions", name)
			}
			if on, ok := doc["on"].(map[string]any); ok && on["pull_request_target"] != nil {
				t.Errorf("%s: gives code of strangers the rights of the repository", name)
			}
		}
	}
	if calls < 8 {
		t.Errorf("only %d calls were found", calls)
	}
}

// TestHooksCallWhatThereIs checks the same for the hooks of pre-commit.
func TestHooksCallWhatThereIs(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Name, Entry, Language, Files string }
	if err := yaml.Unmarshal(data, &hooks); err != nil || len(hooks) < 2 {
		t.Fatal(len(hooks), err)
	}
	for _, h := range hooks {
		line, ok := strings.CutPrefix(h.Entry, "benchpost ")
		if fault := faultOf(line); !ok || fault != "" || h.ID == "" || h.Name == "" || h.Language != "golang" {
			t.Errorf("%+v: %s", h, fault)
		}
		files := regexp.MustCompile(h.Files)
		for file, asks := range map[string]bool{"runs/a/high.log": true, "site.toml": true, "bench/content/posts/a.en.md": true, "README.md": false, "returns/x": false} {
			if files.MatchString(file) != asks {
				t.Errorf("%s asks about %s: %t", h.ID, file, !asks)
			}
		}
	}
}

// faultOf returns what is wrong with a command line, "" if nothing is.
func faultOf(line string) string {
	words, err := shell.Split(regexp.MustCompile(`=\$[A-Z_]+`).ReplaceAllString(line, "=true"))
	if err != nil || len(words) == 0 {
		return "is no command"
	}
	c, ok := find(words[0])
	if !ok {
		return "there is no such command"
	}
	var o options
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.site, "site", "", "")
	if c.flags != nil {
		c.flags(fs, &o)
	}
	if _, err := flags.Parse(fs, words[1:]); err != nil {
		return err.Error()
	}
	if o.format != "" && !regexp.MustCompile(`[ |]`+regexp.QuoteMeta(o.format)+`[\]|]`).MatchString(c.args) {
		return "there is no format " + o.format
	}
	return ""
}
