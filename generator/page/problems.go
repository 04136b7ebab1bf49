package page

import (
	"html/template"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// finding is a problem to show: a message about a file, the verdict of a check on
// a run, or a run that was begun and came to no result.
type finding struct {
	severity result.Severity
	message  *result.Message
	run      *result.Result
	check    *result.Check
	begun    *result.Unfinished
	more     int // further runs of the model with the same finding, which it represents
}

// findings lists what is wrong, the worst first: runs that were excluded or
// got nowhere are not lost among the others.
func (b *contents) findings() []finding {
	var fs []finding
	for _, severity := range []result.Severity{result.Error, result.Warning} {
		for i := range b.messages {
			if b.messages[i].Severity == severity {
				fs = append(fs, finding{severity: severity, message: &b.messages[i]})
			}
		}
		for _, r := range b.results {
			for i := range r.Checks {
				if r.Checks[i].Severity == severity && r.Checks[i].Waived == "" {
					fs = append(fs, finding{severity: severity, run: r, check: &r.Checks[i]})
				}
			}
		}
	}
	for _, u := range b.report.Unfinished {
		if !u.Running {
			fs = append(fs, finding{severity: result.Info, begun: u})
		}
	}
	return fs
}

// summed lets one finding represent all that a rule found about the runs of a
// model: repeats fail alike.
func summed(fs []finding) []finding {
	type kind struct{ id, model string }
	at := map[kind]int{}
	var out []finding
	for _, f := range fs {
		if f.check == nil {
			out = append(out, f)
			continue
		}
		k := kind{f.check.ID, f.run.Labels.Get("model")}
		if i, ok := at[k]; ok && out[i].severity == f.severity {
			out[i].more++
			continue
		}
		at[k] = len(out)
		out = append(out, f)
	}
	return out
}

// findingList writes problems with the place they concern.
func (v *composer) findingList(fs []finding) template.HTML {
	if len(fs) == 0 {
		return ""
	}
	var w parts.Writer
	w.Tag("<ul class=\"findings\">\n")
	for _, f := range fs {
		if f.begun != nil {
			writeBegun(&w, f.begun, v.l)
		} else if f.message != nil {
			w.OpenFinding(f.severity, f.message.ID, v.l.Printer)
			w.Text(v.l.Printer.Say(f.message.Text))
			writeHint(&w, v.l.Printer.Say(f.message.Hint))
			if f.message.Pos.File != "" {
				w.Tag(` <small class="code">`)
				w.Text(f.message.Pos.String())
				w.Tag("</small>")
			}
		} else {
			w.OpenFinding(f.severity, f.check.ID, v.l.Printer)
			w.Text(v.l.Printer.Say(f.check.Text))
			w.Tag(` <small class="code"><a href="`)
			w.Text(v.pg.home + address.Escape(v.Names.Run(f.run.ID)))
			w.Tag(`">`)
			w.Text(f.run.ID)
			w.Tag("</a>")
			if f.more > 0 {
				w.Tag(" ")
				w.Text(v.l.Printer.Words("page.findings.more", f.more))
			}
			w.Tag("</small>")
		}
		w.Tag("</div></li>\n")
	}
	w.Tag("</ul>\n")
	return w.HTML()
}

// writeHint writes what to do about a message. Its further lines are to be pasted somewhere.
func writeHint(w *parts.Writer, hint string) {
	if hint == "" {
		return
	}
	first, paste, _ := strings.Cut(hint, "\n")
	w.Tag(` <small class="hint">`)
	w.Text(first)
	w.Tag("</small>")
	if paste != "" {
		w.Tag("<pre><code>")
		w.Text(paste)
		w.Tag("</code></pre>")
	}
}

// writeBegun writes a run that came to no result, as far as is known.
func writeBegun(w *parts.Writer, u *result.Unfinished, l *language) {
	w.OpenFinding(result.Info, "run.unfinished", l.Printer)
	w.Text(l.Printer.Say(u.State()))
	w.Tag(` <small class="hint">`)
	w.Text(l.Printer.Words("running.unfinished.hint"))
	w.Tag(`</small> <small class="code">`)
	w.Text(u.Source.String())
	w.Tag("</small>")
}

// withoutResult are the files without a result, but for those of runs that are shown
// of by themselves.
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

// unreadGroup are the files of one kind without a result.
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

// problemsPerRule bounds what the page shows of each rule; who has more needs the
// command's output. Up to problemsInSight are seen without unfolding the rule.
const (
	problemsPerRule = 50
	problemsInSight = 3
)

// unreadPerKind bounds the files of one kind on the page.
const unreadPerKind = 300

func (v *composer) problemsPage() (any, error) {
	found := v.findings()
	d := &problemsData{Total: len(found), List: v.findingGroups(found)}
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

// findingGroups writes problems by the rule that found them, the worst first.
func (v *composer) findingGroups(fs []finding) template.HTML {
	type rule struct {
		severity result.Severity
		id       string
	}
	var rules []rule
	by := map[rule][]finding{}
	for _, f := range fs {
		of := rule{f.severity, f.id()}
		if by[of] == nil {
			rules = append(rules, of)
		}
		by[of] = append(by[of], f)
	}
	var out template.HTML
	for _, of := range rules {
		list := by[of]
		if len(list) <= problemsInSight {
			out += v.findingList(list)
			continue
		}
		var w parts.Writer
		w.Tag(`<details class="unread"><summary>`, v.l.Printer.Words("page.severity."+of.severity.String()), " <code>")
		w.Text(of.id)
		w.Tag(`</code> <small class="count">`)
		w.Int(len(list))
		w.Tag("</small></summary>\n", string(v.findingList(list[:min(problemsPerRule, len(list))])))
		if more := len(list) - problemsPerRule; more > 0 {
			w.Tag(`<p class="more">`, v.l.Printer.Words("page.problems.more", more), "</p>")
		}
		w.Tag("</details>\n")
		out += w.HTML()
	}
	return out
}

// id names the rule that found a problem.
func (f finding) id() string {
	switch {
	case f.message != nil:
		return f.message.ID
	case f.check != nil:
		return f.check.ID
	}
	return "run.unfinished"
}
