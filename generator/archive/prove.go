package archive

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
)

// prove reads the runs in their new form, and refuses to archive them if the results differ: figures and lines must be
// the same, and labels too, except for redacted values.
func (p *Plan) prove() error {
	if !slices.ContainsFunc(p.Files, func(f *File) bool { return f.Compressed || len(f.Findings) > 0 }) {
		return nil
	}
	places := map[string]string{}
	for _, s := range p.all {
		places[s.path] = s.from
	}
	var replaced []string
	for _, s := range p.taken {
		if s.replaced == nil {
			continue
		}
		delete(places, s.path)
		places[s.target] = p.staged(s.target)
		pairs, err := replacements(s)
		if err != nil {
			return err
		}
		replaced = append(replaced, pairs...)
	}
	after, err := p.dataset("after", places)
	if err != nil {
		return err
	}
	compare := newComparison(p.opt.Redactor, replaced)
	var faults []string
	if len(p.before.Results) != len(after.Results) {
		faults = append(faults, fmt.Sprintf("%s instead of %d", result.Count(len(after.Results), "result"), len(p.before.Results)))
	}
	for i := range min(len(p.before.Results), len(after.Results)) {
		if fault := compare.differs(&p.before.Results[i], &after.Results[i]); fault != "" {
			faults = append(faults, fault)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return &Refusal{Text: "redacted and compressed, the runs would not say the same; nothing was changed", Details: few(faults),
		Hint: "a name that site.toml gives a meaning, as an alias, can be in [redact] keep; [archive] compress = \"never\" leaves files as they are"}
}

// replacements returns the redacted texts of a file, each followed by its replacement. They are kept in memory and
// never shown.
func replacements(s *source) ([]string, error) {
	if len(s.found) == 0 {
		return nil, nil
	}
	f, err := rawfile.Open(s.from)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var pairs []string
	at := 0
	for _, found := range s.found {
		if _, err := in.Discard(found.Start - at); err != nil {
			return nil, err
		}
		original := make([]byte, found.End-found.Start)
		if _, err := io.ReadFull(in, original); err != nil {
			return nil, err
		}
		at = found.End
		pairs = append(pairs, strings.ReplaceAll(string(original), "\x00", ""), found.Replacement) // the zeros are of UTF-16
	}
	return pairs, nil
}

// comparison compares results before and after archiving.
type comparison struct {
	redactor *redact.Redactor
	replace  *strings.Replacer
}

// written refuses secrets in files that the author has written, since these are published unchanged.
func (p *Plan) written() error {
	var details []string
	for _, m := range site.Private(&p.config, p.opt.Dir, inputs(&p.config)...) {
		if strings.HasPrefix(m.ID, "secret.") {
			details = append(details, m.Error())
		}
	}
	if len(details) == 0 {
		return nil
	}
	return &Refusal{Text: "what looks like a secret would be published; nothing was changed", Details: few(details),
		Hint: "take it out, and change it where it gives access; what is none goes to [redact] keep of " + config.Name}
}

func newComparison(redactor *redact.Redactor, pairs []string) *comparison {
	by := map[string]string{}
	var originals []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if _, known := by[pairs[i]]; !known {
			originals = append(originals, pairs[i])
		}
		by[pairs[i]] = pairs[i+1]
	}
	// Longest first: an address may contain a host name.
	slices.SortFunc(originals, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	var all []string
	for _, o := range originals {
		all = append(all, o, by[o])
	}
	return &comparison{redactor, strings.NewReplacer(all...)}
}

// replaces reports whether redaction turns one value into the other. It tries the replacements made in the files, and
// redacts the value itself, since a file may spell it with escapes.
func (c *comparison) replaces(was, is string) bool {
	if c.replace.Replace(was) == is {
		return true
	}
	if c.redactor == nil {
		return false
	}
	redacted, _ := c.redactor.Replace("", []byte(was))
	return string(redacted) == is
}

// differs describes how a result differs from the earlier one, "" if it does not.
func (c *comparison) differs(was, is *result.Result) string {
	say := func(format string, args ...any) string { return was.ID + ": " + fmt.Sprintf(format, args...) }
	if was.ID != is.ID {
		return say("has the id %s", is.ID)
	}
	names := func(r *result.Result) string {
		var all []string
		for name := range r.Labels.Values() {
			all = append(all, name)
		}
		return strings.Join(all, " ")
	}
	if a, b := names(was), names(is); a != b {
		return say("has other labels")
	}
	for i := range was.Labels {
		a, b := was.Labels[i], is.Labels[i]
		if a.Value != b.Value && !c.replaces(a.Value, b.Value) {
			return say("the label %s would have another value", a.Name)
		}
		if a.Origin != b.Origin || a.Pos.Line != b.Pos.Line || plain(a.Pos.File) != plain(b.Pos.File) {
			return say("the label %s would come from elsewhere", a.Name)
		}
	}
	for i := range max(len(was.Metrics), len(is.Metrics)) {
		if i >= len(was.Metrics) || i >= len(is.Metrics) {
			return say("has %s instead of %d", result.Count(len(is.Metrics), "figure"), len(was.Metrics))
		}
		a, b := was.Metrics[i], is.Metrics[i]
		for _, m := range []*result.Metric{&a, &b} {
			m.Kind = m.With(func(k *result.Kind) { k.File, k.Field = plain(k.File), c.replace.Replace(k.Field) })
		}
		if !a.Equal(b) {
			return say("%s would be %v %s (line %d), and is %v %s (line %d)", a.Name, b.Value, b.Unit, b.Line, a.Value, a.Unit, a.Line)
		}
	}
	var found [2][]string
	for i, r := range []*result.Result{was, is} {
		for _, check := range r.Checks {
			found[i] = append(found[i], fmt.Sprint(check.ID, check.Severity, check.Line, check.Waived, check.Figures))
		}
	}
	switch {
	case was.Tool != is.Tool || was.Format != is.Format || was.Status != is.Status:
		return say("would be read as %s, %s", is.Format, is.Status)
	case was.Source.Line != is.Source.Line || was.EndLine != is.EndLine || plain(was.Source.File) != plain(is.Source.File):
		return say("would be in another place: %v", is.Source)
	case !slices.Equal(found[0], found[1]):
		return say("would be judged otherwise")
	case !was.Period.From.Equal(is.Period.From) || !was.Period.To.Equal(is.Period.To) || !reflect.DeepEqual(was.Distributions, is.Distributions) || was.Requests.Stamp() != is.Requests.Stamp():
		return say("would have other times or distributions")
	}
	return ""
}
