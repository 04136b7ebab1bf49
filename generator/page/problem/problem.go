// Package problem shows the problems of a site: messages about files, findings of checks about runs, and runs that were
// begun and have no result.
//
//	all := problem.Find(results, messages, unfinished)
//	list := problem.Writer{Reader: reader, Home: home, Rules: rules}
//	front := list.HTML(problem.Summed(all)[:6])
//	page := list.ByRule(all)
//
// ByRule has one entry for each rule: a title, the number of findings, what the rule checks, what to do, and the
// findings, folded if there are many. Its anchor is the id of the rule.
package problem

import (
	"html/template"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// Problem is a message, a finding about a run, or a run without a result.
type Problem struct {
	Severity result.Severity
	message  *result.Message
	run      *result.Result
	check    *result.Check
	begun    *result.Unfinished
	more     int // number of further runs of the model with the same finding
}

// Find lists all problems, the worst first, so that errors are not overlooked.
func Find(results []*result.Result, messages []result.Message, unfinished []*result.Unfinished) []Problem {
	var all []Problem
	for _, severity := range []result.Severity{result.Error, result.Warning} {
		for i := range messages {
			if messages[i].Severity == severity {
				all = append(all, Problem{Severity: severity, message: &messages[i]})
			}
		}
		for _, r := range results {
			for i := range r.Checks {
				if r.Checks[i].Severity == severity && r.Checks[i].Waived == "" {
					all = append(all, Problem{Severity: severity, run: r, check: &r.Checks[i]})
				}
			}
		}
	}
	for _, u := range unfinished {
		if !u.Running {
			all = append(all, Problem{Severity: result.Info, begun: u})
		}
	}
	return all
}

// Summed keeps one problem for all findings of a rule about the runs of a model, since repeats fail alike.
func Summed(all []Problem) []Problem {
	type kind struct{ id, model string }
	at := map[kind]int{}
	var out []Problem
	for _, f := range all {
		if f.check == nil {
			out = append(out, f)
			continue
		}
		k := kind{f.check.ID, f.run.Labels.Get("model")}
		if i, ok := at[k]; ok && out[i].Severity == f.Severity {
			out[i].more++
			continue
		}
		at[k] = len(out)
		out = append(out, f)
	}
	return out
}

// unfinishedID is the id of runs without a result.
const unfinishedID = "run.unfinished"

// id returns the id of the rule that found the problem.
func (f *Problem) id() string {
	switch {
	case f.message != nil:
		return f.message.ID
	case f.check != nil:
		return f.check.ID
	}
	return unfinishedID
}

func (f *Problem) hint(p locale.Printer) string {
	switch {
	case f.message != nil:
		return p.Say(f.message.Hint)
	case f.check != nil:
		return p.Say(f.check.Hint)
	}
	return p.Words("running.unfinished.hint")
}

// Writer writes problems on a page.
type Writer struct {
	Reader *parts.Reader
	Home   string // prefix of links to the language's folder
	Rules  []result.Rule
}

// HTML returns a list of problems with their places, "" if there are none.
func (l *Writer) HTML(all []Problem) template.HTML { return l.list(all, false, true) }

// list returns a list of problems. If grouped, they are of one rule and their common advice is written elsewhere.
func (l *Writer) list(all []Problem, grouped, hints bool) template.HTML {
	if len(all) == 0 {
		return ""
	}
	var w parts.Writer
	w.Tag("<ul class=\"findings\">\n")
	for i := range all {
		l.write(&w, &all[i], grouped, hints)
	}
	w.Tag("</ul>\n")
	return w.HTML()
}

func (l *Writer) write(w *parts.Writer, f *Problem, grouped, hints bool) {
	p := l.Reader.Printer
	w.OpenFinding(f.Severity, f.id(), p)
	hint := func() {
		if hints {
			w.Hint(f.hint(p))
		}
	}
	switch {
	case f.begun != nil:
		w.Text(p.Say(f.begun.State()))
		hint()
		place(w, f.begun.Source.String())
	case f.message != nil:
		w.Text(p.Say(f.message.Text))
		hint()
		if f.message.Pos.File != "" {
			place(w, f.message.Pos.String())
		}
	default:
		w.Text(p.Say(f.check.Text))
		if grouped {
			hint()
			w.Tag(` <small>`)
			w.Text(l.called(f.run))
			w.Tag(`</small>`)
		}
		w.Tag(` <small class="code"><a href="`)
		w.Text(l.Home + address.Escape(l.Reader.Names.Run(f.run.ID)))
		w.Tag(`">`)
		w.Text(f.run.ID)
		w.Tag("</a>")
		if f.more > 0 {
			w.Tag(" ")
			w.Text(p.Words("page.findings.more", f.more))
		}
		w.Tag("</small>")
	}
	w.Tag("</div></li>\n")
}

// called returns the description of a run: its model, load and machine.
func (l *Writer) called(r *result.Result) string {
	var words []string
	for _, w := range []string{l.Reader.Value("model", parts.RunName(r)), l.Reader.LoadName(r), l.Reader.Value("hardware", r.Label("hardware"))} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " · ")
}

func place(w *parts.Writer, pos string) {
	w.Tag(` <small class="code">`)
	w.Text(pos)
	w.Tag("</small>")
}

// The maximum number of findings that the page shows for a rule; the command prints all of them. Rules with at most
// inSight findings are not folded.
const (
	perRule = 50
	inSight = 3
)

// ByRule returns the problems grouped by rule, in order.
func (l *Writer) ByRule(all []Problem) template.HTML {
	type rule struct {
		severity result.Severity
		id       string
	}
	var rules []rule
	by := map[rule][]Problem{}
	for _, f := range all {
		of := rule{f.Severity, f.id()}
		if by[of] == nil {
			rules = append(rules, of)
		}
		by[of] = append(by[of], f)
	}
	var w parts.Writer
	anchors := map[string]bool{}
	for _, of := range rules {
		anchor := of.id
		if anchors[anchor] { // the same rule with another severity
			anchor += "-" + of.severity.String()
		}
		anchors[anchor] = true
		l.group(&w, of.severity, of.id, anchor, by[of])
	}
	return w.HTML()
}

// group writes the findings of one rule with one severity.
func (l *Writer) group(w *parts.Writer, severity result.Severity, id, anchor string, list []Problem) {
	p := l.Reader.Printer
	w.Tag(`<details class="unread problem"`)
	if len(list) <= inSight {
		w.Tag(" open")
	}
	w.Tag(`><summary class="`, severity.String(), `"><span class="severity">`, p.Words("page.severity."+severity.String()), "</span> <b>")
	title, asked := l.title(id)
	w.Text(title)
	w.Tag(`</b> <small class="count">`)
	w.Int(len(list))
	w.Tag(`</small></summary>`, "\n", `<p class="hint" id="`)
	w.Text(anchor)
	w.Tag(`">`)
	if asked != "" {
		w.Tag(`<a href="`)
		w.Text(l.Home + address.Methodology + "#" + parts.CheckAnchor + asked)
		w.Tag(`"><code>`)
		w.Text(id)
		w.Tag("</code></a>")
	} else {
		w.Tag("<code>")
		w.Text(id)
		w.Tag("</code>")
	}
	common := list[0].hint(p)
	for i := range list {
		if list[i].hint(p) != common || strings.Contains(common, "\n") {
			common = ""
		}
	}
	if common != "" {
		w.Tag(" ")
		w.Text(common)
	}
	w.Tag("</p>\n", string(l.list(list[:min(perRule, len(list))], true, common == "")))
	if more := len(list) - perRule; more > 0 {
		w.Tag(`<p class="more">`, p.Words("page.problems.more", more), "</p>")
	}
	w.Tag("</details>\n")
}

// title returns the title of a rule: that of its check, or else of its area. asked is the id of the check, "" if the
// rule is not a check.
func (l *Writer) title(id string) (title, asked string) {
	p := l.Reader.Printer
	for _, rule := range l.Rules {
		for _, raised := range append([]string{rule.ID}, rule.Raises...) {
			if raised == id {
				return p.Say(rule.Title), rule.ID
			}
		}
	}
	area, _, _ := strings.Cut(id, ".")
	for _, key := range []string{"problem." + id, "problem." + area} {
		if p.Has(key) {
			return p.Words(key), ""
		}
	}
	return p.Words("problem.other"), ""
}
