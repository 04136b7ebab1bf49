package flags

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// texts is a flag that may be given several times and rejects "no".
type texts []string

func (t *texts) String() string { return strings.Join(*t, ",") }

func (t *texts) Set(s string) error {
	if s == "no" {
		return errors.New("it is not allowed")
	}
	*t = append(*t, s)
	return nil
}

func set() (*flag.FlagSet, func() string) {
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	strict, port, out, wait := fs.Bool("strict", false, ""), fs.Int("port", 0, ""), fs.String("out", "", ""), fs.Duration("idle", 0, "")
	var labels texts
	fs.Var(&labels, "label", "")
	return fs, func() string { return fmt.Sprintf("%v %d %q %s %q", *strict, *port, *out, *wait, labels) }
}

// TestFlagsAreWhereverTheyAre checks that flags are parsed as in package flag, at any place.
func TestFlagsAreWhereverTheyAre(t *testing.T) {
	t.Parallel()
	given := [][]string{{"--strict"}, {"-port", "80"}, {"--out=a b"}, {"--idle", "3s"}, {"--label", "x=1"}, {"--label=-"}, {"one"}, {"-"}}
	for turn := range given {
		args := slices.Concat(append(given[turn:], given[:turn]...)...)
		fs, values := set()
		rest, err := Parse(fs, append(args, "--", "--strict"))
		if err != nil || len(rest) != 3 || rest[2] != "--strict" || !slices.Contains(rest, "one") || !slices.Contains(rest, "-") {
			t.Fatalf("%q: %q, %v", args, rest, err)
		}
		if got := values(); !strings.HasPrefix(got, `true 80 "a b" 3s [`) || !strings.Contains(got, `"x=1"`) || !strings.Contains(got, `"-"`) {
			t.Errorf("%q: %s", args, got)
		}
		if n := fs.NFlag(); n != 5 {
			t.Errorf("%q: %d flags are known as given", args, n)
		}
	}
}

// TestFaultsOfFlags checks that errors use the words of the command line, and say what to write instead.
func TestFaultsOfFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--strct": "build has no flag --strct; did you mean --strict?", "-por 1": "build has no flag --por; did you mean --port?", "--st": "build has no flag --st; did you mean --strict?",
		"--nothing": "build has no flag --nothing; ", "---x": "build has no flag ---x; ", "--=": "build has no flag --; ", "--port": "--port needs a value; ",
		"--port abc": `--port takes a whole number, not "abc"; `, "--strict=maybe": `--strict takes true or false, not "maybe"; `, "--idle 5": `--idle takes a time such as 30s or 5m, not "5"; `,
		"--label no": `--label cannot be "no": it is not allowed; `,
	} {
		fs, _ := set()
		_, err := Parse(fs, strings.Fields(args))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", args, err)
		} else if got := e.Text + "; " + e.Hint; got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	for _, args := range []string{"-h", "--help", "x --help"} {
		fs, _ := set()
		if _, err := Parse(fs, strings.Fields(args)); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
