package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/need"
)

var update = flag.Bool("update", false, "write docs/commands.md and docs/zh/commands.md anew")

// TestTheReferenceIsTheHelp checks that docs/commands.md equals the table of commands, and docs/zh/commands.md its
// Chinese texts.
func TestTheReferenceIsTheHelp(t *testing.T) {
	t.Parallel()
	for _, d := range []struct{ name, lang, head string }{
		{"commands.md", "en", "# Commands\n\nThe help of every command, as printed by `benchpost help COMMAND`.\n"},
		{"zh/commands.md", "zh-CN", "# 命令\n\n以下是每个命令的帮助，与 `benchpost help COMMAND --lang zh` 的输出相同。\n"},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n```\n%s```\n", d.head, overview(d.lang))
		for _, c := range commands() {
			fmt.Fprintf(&b, "\n## %s\n\n```\n%s```\n", c.name, strings.TrimRight(usage(c, d.lang), "\n")+"\n")
		}
		name := "../../../docs/" + d.name
		if *update {
			if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != b.String() {
			t.Errorf("docs/%s is not what the table of commands gives: go test ./cmd/benchpost/cli -run Reference -update", d.name)
		}
	}
}

// TestTheHelpIsChineseToo checks that the Chinese help of a command describes the same flags and has the same examples
// as the English one, in the same order.
func TestTheHelpIsChineseToo(t *testing.T) {
	t.Parallel()
	flags := regexp.MustCompile(`(?m)^  (-[^\s=\[]*)`)
	// A note after an example is separated by blanks.
	examples := regexp.MustCompile(`(?m)^  (benchpost .*?)(?:   *[^ ].*)?$`)
	known := 0
	for _, c := range commands() {
		words, ok := inChinese[c.name]
		if !ok || words.summary == "" {
			t.Errorf("%s has no help in Chinese", c.name)
			continue
		}
		known++
		for _, form := range []*regexp.Regexp{flags, examples} {
			english, chinese := matches(form, c.help), matches(form, words.help)
			if !slices.Equal(english, chinese) {
				t.Errorf("%s: the English help has %q, the Chinese %q", c.name, english, chinese)
			}
		}
	}
	if known != len(inChinese) {
		t.Errorf("%d commands, but %d have help in Chinese", known, len(inChinese))
	}
	var english, chinese bytes.Buffer
	for lang, out := range map[string]*bytes.Buffer{"en": &english, "zh": &chinese} {
		if code := Run(context.Background(), []string{"help", "build", "--lang", lang}, nil, out, out); code != Fine {
			t.Fatal(code, out.String())
		}
	}
	if build, _ := find("build"); english.String() != usage(build, "en") || chinese.String() != usage(build, "zh-CN") {
		t.Errorf("benchpost help build --lang prints\n%s\n%s", &english, &chinese)
	}
}

// matches returns the first group of every match.
func matches(form *regexp.Regexp, text string) []string {
	var out []string
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestEveryFlagIsInTheHelp checks that the usage line or the text below it names each flag of a command.
func TestEveryFlagIsInTheHelp(t *testing.T) {
	t.Parallel()
	for _, s := range syntaxes(commands()) {
		for _, f := range s.flags {
			if slices.Contains([]string{"site", "quiet", "verbose"}, f.name) {
				continue // common to all commands
			}
			if !strings.Contains(usage(s.command, "en"), "-"+f.name) {
				t.Errorf("the help of %s does not name --%s", s.name, f.name)
			}
		}
	}
}

// TestBashCompletes checks that the script completes commands, flags, and the values of flags.
func TestBashCompletes(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("cannot be tested here: %v", err)
	}
	var out bytes.Buffer
	if code := Run(context.Background(), []string{"completion", "bash"}, nil, &out, &out); code != Fine {
		t.Fatal(code, out.String())
	}
	for line, want := range map[string]string{
		"benchpost bui":                 "build",
		"benchpost results --for":       "--format",
		"benchpost results --format cs": "csv",
		"benchpost check --format ":     "text json github gitlab",
		"benchpost list m":              "metrics models",
		"benchpost list metrics --al":   "--all",
		"benchpost help ver":            "verify version",
		"benchpost completion f":        "fish",
		"benchpost build x":             "",
		"benchpost init --bare ":        "",
	} {
		words := strings.Split(line, " ")
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+w+"'")
		}
		script := fmt.Sprintf("%s\nCOMP_WORDS=(%s)\nCOMP_CWORD=%d\n_benchpost\necho \"${COMPREPLY[*]}\"\n", out.String(), strings.Join(quoted, " "), len(words)-1)
		got, err := exec.Command(shell, "--norc", "-c", script).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%s: %q, want %q (%v)", line, got, want, err)
		}
	}
	for _, other := range []string{"zsh", "fish"} {
		out.Reset()
		if code := Run(context.Background(), []string{"completion", other}, nil, &out, &out); code != Fine {
			t.Fatal(code, out.String())
		}
		for _, s := range syntaxes(commands()) {
			if !strings.Contains(out.String(), s.name) {
				t.Errorf("completion %s does not know %s", other, s.name)
			}
		}
	}
}

// TestZshAndFishComplete completes words in a session of each shell.
func TestZshAndFishComplete(t *testing.T) {
	need.Thorough(t, "it types into a session of zsh")
	zsh, fish := need.Command(t, "zsh"), need.Command(t, "fish")
	t.Parallel()
	dir := t.TempDir()
	script := func(shell string) string {
		var out bytes.Buffer
		if code := Run(context.Background(), []string{"completion", shell}, nil, &out, &out); code != Fine {
			t.Fatal(code, out.String())
		}
		file := filepath.Join(dir, "_benchpost."+shell)
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	sourced, installed := script("zsh"), script("fish")
	for typed, want := range map[string]string{
		"benchpost results --format parq":       "parquet",
		"benchpost list met":                    "metrics",
		"benchpost help comp":                   "completion",
		"benchpost check --drift --format gitl": "gitlab",
	} {
		session := exec.CommandContext(ctx, zsh, "-f", "-c", `zmodload zsh/zpty
zpty session zsh -f -i
zpty -w session 'PS1=; autoload -U compinit; compinit -u -D; source "$COMPLETION"; print READY-$((1+1))'
zpty -r session out '*READY-2*'
zpty -n -w session "$TYPED"$'\t'
zpty -r session out "*$WANT*"
zpty -d session`)
		session.Env = append(os.Environ(), "COMPLETION="+sourced, "TYPED="+typed, "WANT="+want)
		if out, err := session.CombinedOutput(); err != nil {
			t.Errorf("zsh: %s: %v\n%s", typed, err, out)
		}
		out, err := exec.CommandContext(ctx, fish, "--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, installed, typed).CombinedOutput()
		if got, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\t"); err != nil || got != want {
			t.Errorf("fish: %s: %s, want %s (%v)", typed, out, want, err)
		}
	}
}
