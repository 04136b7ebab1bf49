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

// Cited is the citation of a post, a run or a site, with the raw files it depends on.
type Cited struct {
	cite.Work
	Files   []cite.File
	Printer locale.Printer // for the language of the citation
}

// FindCited returns the citation of a post, of a result or, if name is "", of the site. A post is named as for
// BuildSingle, a result by its id or its raw file. FindCited writes no output. Errors are those of Build, and
// UnknownPostError. If the title is empty, the messages report why.
func FindCited(opt Options, name string) (Cited, []result.Message, error) {
	s := Open(opt)
	defer s.Close()
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
	return found, e.Messages, nil
}

// named returns the result with an id, or the only result in a file; nil for none.
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

// orResult adds the nearest result to an error about an unknown post.
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
