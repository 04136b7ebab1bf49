package page

import (
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/difference"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// diffData is the data of diff.html: the comparison of two sets of results.
type diffData struct {
	A, B     string // the names of the sides
	Sentence string // in plain words
	Verdict  string // in one line
	Pairs    int    // results that were matched
	Compared int    // number of their figures
	Shows    template.HTML
	Changes  template.HTML // other differences between the sides
	Overall  template.HTML // summary of all pairs
	Figures  template.HTML // of each pair
	Removed  template.HTML
	Added    template.HTML
	Method   []string // the method of the verdicts, in sentences
}

// RenderDiff makes the page of a comparison, which is not part of the site, and the files that it needs. It returns the
// path of the page.
func (s *Site) RenderDiff(lang string, of *compare.Comparison, emit func(path string, data []byte) error) (string, error) {
	b, err := s.newBuilder()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(b.languages, func(l *language) bool { return l.tag == lang })
	if i < 0 {
		return "", locale.Errorf("the site does not speak %q", lang)
	}
	l := b.languages[i]
	v := b.compose(l, "diff", "diff.html", l.Printer.Say(of.Title()))
	v.pg.Elsewhere, v.pg.Feed = nil, false
	d := difference.Tables{Of: of, Printer: l.Printer}
	data := &diffData{
		A: l.Printer.Say(of.A.Name), B: l.Printer.Say(of.B.Name), Sentence: l.Printer.Say(of.Sentence()), Verdict: l.Printer.Words("diff.sentence", of.Verdict()),
		Pairs: len(of.Pairs), Compared: of.Compared,
		Shows: parts.Findings(of.Findings(), l.Printer, nil), Changes: d.Changes(), Overall: d.Overall(), Figures: d.Figures(),
		Removed: d.Cells(&of.A, of.Removed), Added: d.Cells(&of.B, of.Added),
	}
	for _, text := range of.Method() {
		data.Method = append(data.Method, l.Printer.Say(text))
	}
	v.pg.Data = data
	page, err := l.execute(v.pg.kind, v.pg.path, v.pg)
	if err != nil {
		return "", err
	}
	if err := emit(page.path, page.data); err != nil {
		return "", err
	}
	return page.path, inOrder(slices.Values(b.assetArtifacts()), emitter(emit), b.turn)
}
