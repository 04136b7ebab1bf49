package parts

import (
	"html/template"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// Findings lays out findings: first the claims, then the claims that are withheld, each marked and with the reason,
// then what the data cannot show. Below each finding are its runs, linked to the address that link returns. There is no
// link if that is ""; link may be nil.
func Findings(f report.Findings, p locale.Printer, link func(runID string) string) template.HTML {
	var w Writer
	w.Findings(f, p, link)
	return w.HTML()
}

// Findings appends the result of the function Findings.
func (w *Writer) Findings(f report.Findings, p locale.Printer, link func(runID string) string) {
	w.Tag("<div class=\"said\">\n")
	if title := p.Say(f.Title); title != "" {
		w.Tag(`<p class="name">`)
		w.Text(title)
		w.Tag("</p>\n")
	}
	if len(f.Claims)+len(f.Withheld)+len(f.Limits) == 0 {
		w.Tag(`<p class="empty">`, p.Words("findings.none"), "</p>\n</div>\n")
		return
	}
	s := sources{p, link, commonFolder(f.Claims, f.Withheld, f.Limits)}
	if len(f.Claims) > 0 {
		w.findings(`<ul class="claims" aria-label="`+p.Words("findings.claims")+`">`, f.Claims, s)
	}
	if len(f.Withheld) > 0 {
		w.withheld(f.Withheld, s)
	}
	if len(f.Limits) > 0 {
		label := p.Words("findings.limits")
		w.Tag(`<p class="label">`, label, "</p>\n")
		w.findings(`<ul class="limits" aria-label="`+label+`">`, f.Limits, s)
	}
	w.Tag("</div>\n")
}

// findings writes a list of sentences with their sources.
func (w *Writer) findings(opening string, fs []report.Finding, s sources) {
	w.Tag(opening, "\n")
	for i := range fs {
		f := &fs[i]
		w.openRule(f.Rule)
		w.Text(s.p.Say(f.Text))
		w.reason(s.p.Say(f.Reason))
		s.write(w, f)
		w.Tag("</li>\n")
	}
	w.Tag("</ul>\n")
}

// reason writes why a finding is withheld, or what an answer omits.
func (w *Writer) reason(text string) {
	if text != "" {
		w.Tag(` <span class="reason">`)
		w.Text(text)
		w.Tag("</span>")
	}
}

// withheld writes withheld claims. Each is quoted and marked, so that a reader who sees one alone does not take it for
// a claim.
func (w *Writer) withheld(fs []report.Finding, s sources) {
	label := s.p.Words("findings.withheld")
	w.Tag(`<ul class="withheld" aria-label="`, label, "\">\n")
	for i := range fs {
		f := &fs[i]
		w.openRule(f.Rule)
		w.Tag(`<b class="tag">`, label, `</b> <span class="unclaimed">“`)
		w.Text(s.p.Say(f.Text))
		w.Tag(`”</span>`)
		w.reason(s.p.Say(f.Reason))
		s.write(w, f)
		w.Tag("</li>\n")
	}
	w.Tag("</ul>\n")
}

// openRule opens the entry of a rule.
func (w *Writer) openRule(rule string) {
	w.Tag("<li")
	if rule != "" {
		w.Tag(` data-rule="`)
		w.Text(rule)
		w.Tag(`"`)
	}
	w.Tag(">")
}

// sources writes the runs behind findings.
type sources struct {
	p      locale.Printer
	link   func(runID string) string
	folder string // omitted from the names of runs, which all begin with it
}

// mostSources is the number of linked runs of a finding. The others are named in a title.
const mostSources = 4

// write appends the number of repeats and the runs behind a finding.
func (s *sources) write(w *Writer, f *report.Finding) {
	if f.N == 0 && len(f.Runs) == 0 {
		return
	}
	w.Tag(` <small class="sources">`)
	if f.N > 0 {
		w.Tag(`<span class="n">`, s.p.Words("findings.repeats", f.N), "</span>")
	}
	shown := min(len(f.Runs), mostSources)
	for i, id := range f.Runs[:shown] {
		if i > 0 || f.N > 0 {
			w.Tag(" · ")
		}
		s.run(w, id)
	}
	if rest := f.Runs[shown:]; len(rest) > 0 {
		w.Tag(` · <span title="`)
		w.Text(strings.Join(rest, "\n"))
		w.Tag(`">`, s.p.Words("findings.more", len(rest)), "</span>")
	}
	w.Tag("</small>")
}

func (s *sources) run(w *Writer, id string) {
	href := ""
	if s.link != nil {
		href = s.link(id)
	}
	end := "</span>"
	if href == "" {
		w.Tag("<span")
	} else {
		w.Tag(`<a href="`)
		w.Text(href)
		w.Tag(`"`)
		end = "</a>"
	}
	w.Tag(` title="`)
	w.Text(id)
	w.Tag(`">`)
	w.Text(strings.TrimPrefix(id, s.folder))
	w.Tag(end)
}

// commonFolder returns the folders that all runs' ids begin with. It excludes the last two segments of each id, which
// identify the run.
func commonFolder(lists ...[]report.Finding) string {
	folder, first := "", true
	for _, fs := range lists {
		for i := range fs {
			for _, id := range fs[i].Runs {
				above := parentFolder(parentFolder(id))
				if first {
					folder, first = above, false
				}
				for !strings.HasPrefix(above, folder) {
					folder = parentFolder(folder)
				}
			}
		}
	}
	return folder
}

// parentFolder returns the folder that contains a file or folder, with a trailing slash, "" for the topmost.
func parentFolder(path string) string {
	return path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
}
