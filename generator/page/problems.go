package page

import (
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/page/problem"
	"github.com/benchpost/benchpost/generator/unread"
)

// problems returns what is wrong in the site, the worst first.
func (b *contents) problems() []problem.Problem {
	return problem.Find(b.results, b.messages, b.report.Unfinished)
}

// problemWriter writes problems on the page.
func (v *composer) problemWriter() *problem.Writer {
	return &problem.Writer{Reader: &v.l.Reader, Home: v.pg.home, Rules: v.Method.Rules}
}

// withoutResult returns the files without a result, except those of unfinished runs, which are shown separately.
func (b *contents) withoutResult() []unread.File {
	shown := map[string]bool{}
	for _, u := range b.report.Unfinished {
		shown[u.Source.File] = true
	}
	return slices.DeleteFunc(slices.Clone(b.Unread), func(u unread.File) bool { return shown[u.Name] })
}

// problemsData is the data of problems.html.
type problemsData struct {
	Total  int
	List   template.HTML
	Lost   int // files without an expected result
	Unread []unreadGroup
}

// unreadGroup holds the files of one kind without a result.
type unreadGroup struct {
	Title, Hint string
	Count       int
	Files       []unreadFile // at most as many as the page has room for
	More        int
}

type unreadFile = struct {
	Name   string
	Line   int // 0 for the whole file
	Reason string
}

// unreadPerKind is the maximum number of listed files of one kind.
const unreadPerKind = 300

func (v *composer) problemsPage() (any, error) {
	found := v.problems()
	d := &problemsData{Total: len(found), List: v.problemWriter().ByRule(found)}
	for _, g := range unread.Groups(v.withoutResult()) {
		files := make([]unreadFile, min(unreadPerKind, len(g.Files)))
		for i := range files {
			files[i] = unreadFile{g.Files[i].Name, g.Files[i].Line, v.l.Printer.Say(g.Files[i].Reason)}
		}
		d.Unread = append(d.Unread, unreadGroup{v.l.Printer.Say(g.Kind.Title()), v.l.Printer.Say(g.Kind.Hint()), len(g.Files), files, len(g.Files) - len(files)})
		if g.Kind.Counted() {
			d.Lost += len(g.Files)
		}
	}
	return d, nil
}
