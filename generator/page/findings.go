package page

import (
	"html/template"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// Findings lays out what runs show: the claims, then what is not claimed and
// why, each sentence told as such, then what the data cannot say. Below each
// stand the runs it rests on, which link to the address link gives for them,
// unless that is ""; link may be nil.
func Findings(f report.Findings, p locale.Printer, link func(runID string) string) template.HTML {
	var w writer
	w.tag("<div class=\"said\">\n")
	if title := p.Say(f.Title); title != "" {
		w.tag(`<p class="name">`)
		w.text(title)
		w.tag("</p>\n")
	}
	if len(f.Claims)+len(f.Withheld)+len(f.Limits) == 0 {
		w.tag(`<p class="empty">`, p.Words("findings.none"), "</p>\n</div>\n")
		return w.html()
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
		w.tag(`<p class="label">`, label, "</p>\n")
		w.findings(`<ul class="limits" aria-label="`+label+`">`, f.Limits, s)
	}
	w.tag("</div>\n")
	return w.html()
}

// findings writes a list of sentences with their sources.
func (w *writer) findings(opening string, fs []report.Finding, s sources) {
	w.tag(opening, "\n")
	for i := range fs {
		f := &fs[i]
		w.openRule(f.Rule)
		w.text(s.p.Say(f.Text))
		w.reason(s.p.Say(f.Reason))
		s.write(w, f)
		w.tag("</li>\n")
	}
	w.tag("</ul>\n")
}

// reason writes why something is not claimed, or what an answer left out.
func (w *writer) reason(text string) {
	if text != "" {
		w.tag(` <span class="reason">`)
		w.text(text)
		w.tag("</span>")
	}
}

// withheld writes sentences that are not claimed. Each is quoted and says so
// itself: a reader who meets one alone must not take it for a claim.
func (w *writer) withheld(fs []report.Finding, s sources) {
	label := s.p.Words("findings.withheld")
	w.tag(`<ul class="withheld" aria-label="`, label, "\">\n")
	for i := range fs {
		f := &fs[i]
		w.openRule(f.Rule)
		w.tag(`<b class="tag">`, label, `</b> <span class="unclaimed">“`)
		w.text(s.p.Say(f.Text))
		w.tag(`”</span>`)
		w.reason(s.p.Say(f.Reason))
		s.write(w, f)
		w.tag("</li>\n")
	}
	w.tag("</ul>\n")
}

// openRule begins an entry made by a rule.
func (w *writer) openRule(rule string) {
	w.tag("<li")
	if rule != "" {
		w.tag(` data-rule="`)
		w.text(rule)
		w.tag(`"`)
	}
	w.tag(">")
}

// sources writes what findings rest on.
type sources struct {
	p      locale.Printer
	link   func(runID string) string
	folder string // left out of the names of runs, which all begin with it
}

// mostSources is how many runs of a finding are linked; the others are named
// in a title.
const mostSources = 4

// write appends the repeats and the runs behind a finding.
func (s *sources) write(w *writer, f *report.Finding) {
	if f.N == 0 && len(f.Runs) == 0 {
		return
	}
	w.tag(` <small class="sources">`)
	if f.N > 0 {
		w.tag(`<span class="n">`, s.p.Words("findings.repeats", f.N), "</span>")
	}
	shown := min(len(f.Runs), mostSources)
	for i, id := range f.Runs[:shown] {
		if i > 0 || f.N > 0 {
			w.tag(" · ")
		}
		s.run(w, id)
	}
	if rest := f.Runs[shown:]; len(rest) > 0 {
		w.tag(` · <span title="`)
		w.text(strings.Join(rest, "\n"))
		w.tag(`">`, s.p.Words("findings.more", len(rest)), "</span>")
	}
	w.tag("</small>")
}

func (s *sources) run(w *writer, id string) {
	href := ""
	if s.link != nil {
		href = s.link(id)
	}
	end := "</span>"
	if href == "" {
		w.tag("<span")
	} else {
		w.tag(`<a href="`)
		w.text(href)
		w.tag(`"`)
		end = "</a>"
	}
	w.tag(` title="`)
	w.text(id)
	w.tag(`">`)
	w.text(strings.TrimPrefix(id, s.folder))
	w.tag(end)
}

// commonFolder gives the folders that the ids of all runs begin with, but
// leaves of each id its last two segments, by which a reader knows it.
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

// parentFolder gives what holds a file or a folder, with the slash at its end,
// "" for the topmost.
func parentFolder(path string) string {
	return path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
}
