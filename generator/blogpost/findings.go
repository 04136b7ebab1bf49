package blogpost

import (
	"strings"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/visible"
)

// Findings returns findings as a list: the claims, then the withheld statements. A withheld statement is
// quoted, marked as such and followed by its reason, so that it cannot be mistaken for a claim. The limits of
// the data follow as a second list. A line of small text below each finding names its repeats and runs, because
// a blog has no pages of runs to link to.
func (w Writer) Findings(f report.Findings) Markdown {
	p := w.Printer
	var parts []string
	if title := p.Say(f.Title); title != "" {
		parts = append(parts, w.emphasis(kramdown.Em, title))
	}
	var items []string
	for i := range f.Claims {
		items = append(items, w.item(&f.Claims[i], false))
	}
	for i := range f.Withheld {
		items = append(items, w.item(&f.Withheld[i], true))
	}
	if len(items) > 0 {
		parts = append(parts, strings.Join(items, "\n"))
	}
	if len(f.Limits) > 0 {
		parts = append(parts, w.emphasis(kramdown.Strong, p.Words("findings.limits")))
		items = nil
		for i := range f.Limits {
			items = append(items, w.item(&f.Limits[i], false))
		}
		parts = append(parts, strings.Join(items, "\n"))
	}
	if len(f.Claims)+len(f.Withheld)+len(f.Limits) == 0 {
		parts = append(parts, w.emphasis(kramdown.Em, p.Words("findings.none")))
	}
	return Markdown{strings.Join(parts, "\n\n") + "\n"}
}

// item returns a finding as a list item.
func (w Writer) item(f *report.Finding, withheld bool) string {
	in, p := w.inline(), w.Printer
	text := visible.Words(p.Say(f.Text))
	if withheld {
		in.Start("strong")
		lead := p.Words("report.lead", locale.T("findings.withheld"))
		in.Text(strings.TrimRight(lead, " "))
		in.End("strong")
		in.Text(lead[len(strings.TrimRight(lead, " ")):])
		text = visible.Words(p.Say(locale.Sentences(locale.Lit("“"+text+"”"), f.Reason)))
	}
	in.Text(text)
	runs(&in, f, p)
	return "- " + strings.ReplaceAll(string(in.Append(nil, kramdown.Block)), "\n", "\n  ")
}

// mostRuns is the maximum number of runs of a finding that are named in the text. The others are in a title
// attribute.
const mostRuns = 4

// runs adds the line with the repeats and runs of a finding.
func runs(in *kramdown.Inline, f *report.Finding, p locale.Printer) {
	var words []string
	if f.N > 0 {
		words = append(words, p.Words("findings.repeats", f.N))
	}
	shown := min(len(f.Runs), mostRuns)
	for _, id := range f.Runs[:shown] {
		words = append(words, visible.Words(id))
	}
	if len(words) == 0 {
		return
	}
	in.Break()
	in.Start("small")
	in.Text(strings.Join(words, " · "))
	if rest := f.Runs[shown:]; len(rest) > 0 {
		in.Text(" · ")
		in.Start("span", "title", visible.Words(strings.Join(rest, ", ")))
		in.Text(p.Words("findings.more", len(rest)))
		in.End("span")
	}
	in.End("small")
}
