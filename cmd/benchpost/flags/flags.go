// Package flags parses the flags of a command at any place among its arguments. For a flag that is unknown or has an
// invalid value it suggests what to write instead.
//
//	rest, err := flags.Parse(fs, []string{"posts", "--strict", "--port=8080"})
package flags

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/settings"
)

// Error reports a flag that cannot be used.
type Error struct {
	Text string
	Hint string // what to write instead; "" if only the command's help can say that
}

func (e *Error) Error() string { return e.Text }

// Parse sets flags from arguments, up to "--", and returns the other arguments in order. As in package flag, which
// stores the values, a flag begins with one or two dashes, and its value follows as the next argument or after "=". The
// error is flag.ErrHelp for -h and -help, and otherwise an [Error].
func Parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return append(rest, args...), nil
		}
		name, isFlag := strings.CutPrefix(arg, "-")
		if !isFlag || name == "" {
			rest = append(rest, arg)
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		f := fs.Lookup(name)
		switch {
		case f == nil && (name == "h" || name == "help"):
			return nil, flag.ErrHelp
		case f == nil:
			return nil, unknown(fs, name)
		case !given && isSwitch(f):
			value = "true"
		case !given && len(args) == 0:
			return nil, &Error{Text: fmt.Sprintf("--%s needs a value", name)}
		case !given:
			value, args = args[0], args[1:]
		}
		if err := fs.Set(name, value); err != nil {
			return nil, invalid(f, value, err)
		}
	}
	return rest, nil
}

// isSwitch reports whether a flag needs no value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// unknown returns the error for a flag that a command does not have.
func unknown(fs *flag.FlagSet, name string) error {
	var known []string
	fs.VisitAll(func(f *flag.Flag) { known = append(known, "--"+f.Name) })
	e := &Error{Text: fmt.Sprintf("%s has no flag --%s", fs.Name(), name)}
	if near := settings.Nearest("--"+name, known); near != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", near)
	} else if i := slices.IndexFunc(known, func(k string) bool { return name != "" && strings.HasPrefix(k, "--"+name) }); i >= 0 {
		e.Hint = fmt.Sprintf("did you mean %s?", known[i])
	}
	return e
}

// invalid returns the error for a flag whose value does not have the flag's type.
func invalid(f *flag.Flag, value string, err error) error {
	wanted := ""
	if g, ok := f.Value.(flag.Getter); ok {
		switch g.Get().(type) {
		case int:
			wanted = "a whole number"
		case bool:
			wanted = "true or false"
		case time.Duration:
			wanted = "a time such as 30s or 5m"
		}
	}
	if wanted == "" {
		return &Error{Text: fmt.Sprintf("--%s cannot be %q: %v", f.Name, value, err)}
	}
	return &Error{Text: fmt.Sprintf("--%s takes %s, not %q", f.Name, wanted, value)}
}
