package cli

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"strings"
)

var completionCommand = command{
	name:    "completion",
	args:    "bash|zsh|fish",
	summary: "print a script that completes commands and flags in a shell",
	help: `Prints a script for a shell, made from the same table as this help.

Examples
  source <(benchpost completion bash)
  source <(benchpost completion zsh)
  benchpost completion fish > ~/.config/fish/completions/benchpost.fish
`,
	run: func(_ context.Context, a *app, _ *options, args []string) int {
		script, ok := map[string]func([]syntax) string{"bash": bash, "zsh": zsh, "fish": fish}[strings.Join(args, " ")]
		if !ok {
			a.say.fault("completion takes one of bash, zsh, fish")
			return Usage
		}
		fmt.Fprint(a.stdout, script(syntaxes(a.commands)))
		return Fine
	},
}

// syntax describes what may follow the name of a command.
type syntax struct {
	command
	words []string // choices for the first argument; nil if it is a path
	flags []flagSyntax
}

type flagSyntax struct {
	name   string
	takes  bool     // a value follows
	values []string // choices for the value; nil if any value is allowed
}

// syntaxes converts the table of commands. It takes the flags from the registered ones, and choices from the usage line
// ("--format text|json").
func syntaxes(table []command) []syntax {
	var out []syntax
	for _, c := range table {
		s := syntax{command: c}
		if first, _, _ := strings.Cut(c.args, " "); isChoice(first) {
			s.words = strings.Split(first, "|")
		}
		newFlags(c, &options{}).VisitAll(func(f *flag.Flag) {
			one := flagSyntax{name: f.Name, takes: true}
			if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
				one.takes = false
			}
			if m := regexp.MustCompile(`--` + regexp.QuoteMeta(f.Name) + ` ([^\] ]+)`).FindStringSubmatch(c.args); m != nil && isChoice(m[1]) {
				one.values = strings.Split(m[1], "|")
			}
			s.flags = append(s.flags, one)
		})
		out = append(out, s)
	}
	return out
}

// isChoice reports whether a word of a usage line is a list of choices: a|b.
func isChoice(word string) bool {
	return regexp.MustCompile(`^[a-z-]+(\|[a-z-]+)+$`).MatchString(word)
}

func (s syntax) flagNames() string {
	var names []string
	for _, f := range s.flags {
		if len(f.name) > 1 {
			names = append(names, "--"+f.name)
		}
	}
	return strings.Join(names, " ")
}

func bash(all []syntax) string {
	var names []string
	var values, flags, words strings.Builder
	for _, s := range all {
		names = append(names, s.name)
		fmt.Fprintf(&flags, "    %s) words=%q ;;\n", s.name, s.flagNames())
		if s.words != nil {
			fmt.Fprintf(&words, "    %s) words=%q ;;\n", s.name, strings.Join(s.words, " "))
		}
		for _, f := range s.flags {
			if f.values != nil {
				fmt.Fprintf(&values, "    %q) words=%q ;;\n", s.name+" --"+f.name, strings.Join(f.values, " "))
			}
		}
	}
	return fmt.Sprintf(`# Completion of benchpost for bash. Where nothing below fits, paths are completed.
_benchpost() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=%q
  else case "${COMP_WORDS[1]} $prev" in
%s    *) case "$cur" in
    -*) case "${COMP_WORDS[1]}" in
%s    esac ;;
    *) if [ "$COMP_CWORD" -eq 2 ]; then case "${COMP_WORDS[1]}" in
%s    help) words=%q ;;
    esac; fi ;;
    esac ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _benchpost benchpost
`, strings.Join(append(names, "help"), " "), values.String(), flags.String(), words.String(), strings.Join(names, " "))
}

// zsh returns a script that may be sourced, or saved as _benchpost in a folder of fpath.
func zsh(all []syntax) string {
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	var names, cases strings.Builder
	for _, s := range all {
		fmt.Fprintf(&names, "    %s\n", quoted(s.name+":"+s.summary))
		fmt.Fprintf(&cases, "    %s) _arguments", s.name)
		for _, f := range s.flags {
			dashes := strings.Repeat("-", min(len(f.name), 2))
			switch {
			case f.values != nil:
				fmt.Fprintf(&cases, " %s", quoted("*"+dashes+f.name+":"+f.name+":("+strings.Join(f.values, " ")+")"))
			case f.takes:
				fmt.Fprintf(&cases, " %s", quoted("*"+dashes+f.name+":"+f.name+":_files"))
			default:
				fmt.Fprintf(&cases, " %s", quoted("*"+dashes+f.name))
			}
		}
		if s.words != nil {
			fmt.Fprintf(&cases, " %s", quoted("1:"+s.name+":("+strings.Join(s.words, " ")+")"))
		}
		cases.WriteString(" '*:file:_files' ;;\n")
	}
	return fmt.Sprintf(`#compdef benchpost
# Completion of benchpost for zsh.
_benchpost() {
  local -a commands
  commands=(
%s    'help:what a command does'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
%s    help) (( CURRENT == 2 )) && _describe command commands ;;
  esac
}
if [ "$funcstack[1]" = _benchpost ]; then
  _benchpost "$@"
else
  (( $+functions[compdef] )) || { autoload -U compinit && compinit; }
  compdef _benchpost benchpost
fi
`, names.String(), cases.String())
}

func fish(all []syntax) string {
	quoted := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	var b strings.Builder
	b.WriteString("# Completion of benchpost for fish.\n")
	b.WriteString("complete -c benchpost -n __fish_use_subcommand -a help -d 'what a command does'\n")
	for _, s := range all {
		fmt.Fprintf(&b, "complete -c benchpost -f -n '__fish_seen_subcommand_from help' -a %s -d %s\n", s.name, quoted(s.summary))
		fmt.Fprintf(&b, "complete -c benchpost -n __fish_use_subcommand -a %s -d %s\n", s.name, quoted(s.summary))
		of := quoted("__fish_seen_subcommand_from " + s.name)
		if s.words != nil {
			fmt.Fprintf(&b, "complete -c benchpost -n %s -a %s\n", of, quoted(strings.Join(s.words, " ")))
		}
		for _, f := range s.flags {
			fmt.Fprintf(&b, "complete -c benchpost -n %s -l %s", of, f.name)
			switch {
			case f.values != nil:
				fmt.Fprintf(&b, " -x -a %s", quoted(strings.Join(f.values, " ")))
			case f.takes:
				b.WriteString(" -r")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
