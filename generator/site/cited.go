package site

import (
	"errors"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// Cited is something of a site as it is cited, with the raw files it rests on.
type Cited struct {
	cite.Work
	Files   []cite.File
	Printer locale.Printer // of its language
}

// FindCited returns a post, a result or, without a name, the site as it is cited. A post is
// named as for BuildSingle, a result by its id or its raw file. Nothing is written.
// Errors are those of Build, and UnknownPostError; without a title messages report why.
func FindCited(opt Options, name string) (Cited, []result.Message, error) {
	s := Open(opt)
	e, err := s.Read()
	if err != nil {
		return Cited{}, e.Messages, err
	}
	b := e.builder
	runs := b.results
	var p *post
	found := Cited{}
	found.Printer, _ = locale.For(b.config.Languages[0])
	if name != "" {
		if runs = b.named(name); runs == nil {
			if p, err = b.find(b.posts, name); err != nil {
				return Cited{}, nil, b.orResult(err, name)
			}
			if e.Broken {
				return Cited{}, e.Messages, nil
			}
			runs, found.Printer = b.cited(p), p.printer
		}
	}
	if found.Files, err = b.files().of(runs); err != nil {
		return Cited{}, e.Messages, err
	}
	switch {
	case p != nil:
		found.Work = b.postWork(p, found.Files)
	case name != "":
		found.Work = b.runWork(runs[0], found.Files, found.Printer.Lang())
	default:
		found.Work = b.siteWork(found.Files)
	}
	s.Close()
	return found, e.Messages, nil
}

// named returns the result of an id, or the only one of a file; nil for none.
func (b *builder) named(name string) []*result.Result {
	var of []*result.Result
	for _, r := range b.results {
		if r.ID == name {
			return []*result.Result{r}
		}
		if r.Source.File == strings.TrimPrefix(name, "./") {
			of = append(of, r)
		}
	}
	if len(of) == 1 {
		return of
	}
	return nil
}

// orResult adds to what may be meant by a name that no post has a result.
func (b *builder) orResult(err error, name string) error {
	var unknown *UnknownPostError
	if errors.As(err, &unknown) && unknown.Near == "" {
		ids := make([]string, len(b.results))
		for i, r := range b.results {
			ids[i] = r.ID
		}
		if unknown.Near = settings.Nearest(name, ids); unknown.Near == "" {
			if i := slices.IndexFunc(ids, func(id string) bool { return strings.HasSuffix(id, "/"+name) }); i >= 0 {
				unknown.Near = ids[i]
			}
		}
	}
	return err
}
