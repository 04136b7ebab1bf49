package whole

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// front makes the front page: the models, machines and loads with the most runs, and the first parts.
func (w *writer) front() error {
	p, c := w.Printer, w.Census
	v := view{Sentences: []string{p.Words("whole.results", w.count("whole.results.n", c.Results), w.count("whole.parts.n", len(c.Parts)))}}
	if c.Runs < c.Results {
		v.Sentences = append(v.Sentences, p.Words("whole.counted", w.number(c.Runs)))
	}
	root := address.Root(w.dir + "index.html")
	more := func(l list, shown, all int) *link {
		if shown >= all {
			return nil
		}
		return &link{Name: p.Words(l.more), Href: template.URL(root + w.dir + l.path)}
	}
	for _, of := range []struct {
		kinds []address.Kind
		most  int
	}{{[]address.Kind{address.Models}, modelsInFront}, {[]address.Kind{address.Boards}, othersInFront}, {[]address.Kind{address.Loads, address.Scenarios}, othersInFront}} {
		all := w.of(of.kinds)
		if len(all) == 0 {
			continue
		}
		shown := mostRun(all, of.most)
		l := lists[of.kinds[0]]
		v.Parts = append(v.Parts, part{p.Words(l.name), w.subjectTable(shown, root), more(l, len(shown), len(all))})
	}
	shown := c.Parts[:min(partsInFront, len(c.Parts))]
	v.Parts = append(v.Parts, part{p.Words(partsList.name), w.partTable(shown, root), more(partsList, len(shown), len(c.Parts))})
	return w.put("index.html", list{}, v)
}

// number writes an integer with commas. count writes it in a message.
func (w *writer) number(n int) string { return w.Printer.Number(float64(n), 0) }

func (w *writer) count(words string, n int) string { return w.Printer.Words(words, n, w.number(n)) }

// of returns the subjects of some kinds.
func (w *writer) of(kinds []address.Kind) []*subject {
	var found []*subject
	for _, s := range w.subjects {
		if slices.Contains(kinds, s.kind) {
			found = append(found, s)
		}
	}
	return found
}

// mostRun returns the subjects with the most runs, in the original order.
func mostRun(all []*subject, most int) []*subject {
	if len(all) <= most {
		return all
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b *subject) int { return cmp.Compare(b.runs, a.runs) })
	kept := sorted[:most]
	return slices.DeleteFunc(slices.Clone(all), func(s *subject) bool { return !slices.Contains(kept, s) })
}

// listSubjects makes the pages that list all subjects of some kinds.
func (w *writer) listSubjects(kinds []address.Kind) error {
	all := w.of(kinds)
	l := lists[kinds[0]]
	v := view{Title: w.Printer.Words(l.name)}
	return w.paged(l.path, l, pagesFor(len(all), namesOnPage), v, func(i int, root string) []part {
		return []part{{v.Title, w.subjectTable(slice(all, i, namesOnPage), root), nil}}
	})
}

// listParts makes the pages that list all parts.
func (w *writer) listParts() error {
	v := view{Title: w.Printer.Words(partsList.name)}
	return w.paged(partsList.path, partsList, pagesFor(len(w.Census.Parts), namesOnPage), v, func(i int, root string) []part {
		return []part{{v.Title, w.partTable(slice(w.Census.Parts, i, namesOnPage), root), nil}}
	})
}

// pagesFor returns the number of pages needed for n entries.
func pagesFor(n, most int) int { return (n + most - 1) / most }

// slice returns the entries of the i-th page.
func slice[T any](all []T, i, most int) []T {
	return all[min(len(all), i*most):min(len(all), (i+1)*most)]
}

// pageLinks returns links to the pages of a list: all of them if they are few, else the first, the last and those
// around the current one.
func pageLinks(pages, current int, href func(i int) string) []link {
	if pages < 2 {
		return nil
	}
	var links []link
	for i := range pages {
		if pages > mostPages && i > 0 && i < pages-1 && (i < current-mostPages/4 || i > current+mostPages/4) {
			continue
		}
		links = append(links, link{Name: strconv.Itoa(i + 1), Href: template.URL(href(i)), Current: i == current})
	}
	return links
}

// partTable returns the table of parts.
func (w *writer) partTable(shown []census.Part, root string) template.HTML {
	p := w.Printer
	var b parts.Writer
	b.OpenScroll(p.Words(partsList.name), p)
	b.Tag(`<table class="subjects whole"><thead><tr><th scope="col">`)
	b.Text(p.Label("campaign"))
	b.Tag(`</th><th scope="col" class="num">`, p.Words("page.results"), "</th>")
	for _, label := range []string{"model", "hardware", "engine"} {
		b.Tag(`<th scope="col">`)
		b.Text(p.Label(label))
		b.Tag("</th>")
	}
	b.Tag("</tr></thead>\n<tbody>\n")
	for _, one := range shown {
		b.Tag(`<tr><th scope="row">`)
		w.toPart(&b, one.Name, "index.html", root, one.Name)
		b.Tag(`</th><td class="num">`)
		b.Text(w.number(one.Results))
		b.Tag("</td>")
		for i, values := range [...][]string{one.Models, one.Hardware, one.Engines} {
			b.Tag(`<td><span class="held">`)
			b.Text(w.few([]string{"model", "hardware", "engine"}[i], values))
			b.Tag("</span></td>")
		}
		b.Tag("</tr>\n")
	}
	b.Tag("</tbody></table></div>\n")
	return b.HTML()
}

// few names some values of a label and counts the others.
func (w *writer) few(label string, values []string) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = w.Value(label, v)
	}
	return w.Printer.Say(locale.Few(words, mostNamed))
}

// subjectTable returns the table of subjects, with the best figure of the first metric that any of them has.
func (w *writer) subjectTable(shown []*subject, root string) template.HTML {
	p := w.Printer
	other := "hardware"
	if len(shown) > 0 && shown[0].kind != address.Models {
		other = "model"
	}
	metric := leading(shown)
	var b parts.Writer
	b.OpenScroll("", p)
	b.Tag(`<table class="subjects whole"><thead><tr><th scope="col">`)
	if len(shown) > 0 {
		b.Text(p.Label(shown[0].label()))
	}
	b.Tag(`</th><th scope="col" class="num">`, p.Words("page.runs"), `</th><th scope="col" class="num">`, p.Words(partsList.name), `</th><th scope="col" class="num">`)
	b.Text(p.Label(other))
	b.Tag("</th>")
	if metric != "" {
		d, _ := vocabulary.Define(metric)
		b.Tag(`<th scope="col" class="num">`)
		b.Text(p.Words("whole.best", p.Say(locale.Inside(locale.MetricName(metric)))))
		b.HeadUnit(d.Unit, d.Better, p)
		b.Tag(`</th><th scope="col">`, p.Words("whole.where"), "</th>")
	}
	b.Tag("</tr></thead>\n<tbody>\n")
	for _, s := range shown {
		b.Tag(`<tr><th scope="row">`)
		w.toSubject(&b, s.label(), s.value, root)
		b.Tag("</th>")
		for _, n := range []int{s.runs, len(s.parts), s.values(other)} {
			b.Tag(`<td class="num">`)
			b.Text(w.number(n))
			b.Tag("</td>")
		}
		if metric != "" {
			best, row := s.best(metric)
			b.Tag(`<td class="num">`)
			if row == nil {
				b.Missing(p)
				b.Tag("</td><td></td>")
			} else {
				w.toRun(&b, best, root)
				b.Tag("</td><td>")
				b.Text(w.place(row, s.label()))
				b.Tag("</td>")
			}
		}
		b.Tag("</tr>\n")
	}
	b.Tag("</tbody></table></div>\n")
	return b.HTML()
}

// leading returns the first metric for which some subject has a figure, "" if there is none.
func leading(all []*subject) string {
	for _, name := range vocabulary.Listed(vocabulary.View) {
		for _, s := range all {
			if _, row := s.best(name); row != nil {
				return name
			}
		}
	}
	return ""
}

// place describes what a row was measured on: model, machine and load, except the known label.
func (w *writer) place(row *census.Row, known string) string {
	run := result.Result{Labels: row.Labels}
	var words []string
	for _, label := range []string{"model", "hardware"} {
		if v := row.Labels.Get(label); v != "" && label != known {
			words = append(words, w.Value(label, v))
		}
	}
	if label, _ := parts.LoadLabel(&run); label != known || label == "" {
		if load := w.LoadName(&run); load != "" {
			words = append(words, load)
		}
	}
	return strings.Join(words, " · ")
}

// toPart writes a text with a link to a page of a part's site, if the page exists. path is relative to the folder of
// the language.
func (w *writer) toPart(b *parts.Writer, name, path, root, text string) {
	file := name + "/site/" + w.dir + path
	if !w.Has(file) {
		b.Text(text)
		return
	}
	b.Tag(`<a href="`)
	b.Text(root + url.PathEscape(name) + "/site/" + w.dir + address.Escape(path))
	b.Tag(`">`)
	b.Text(text)
	b.Tag("</a>")
}

// toSubject writes the title of a value with a link to its page.
func (w *writer) toSubject(b *parts.Writer, label, value, root string) {
	b.Tag(`<a href="`)
	b.Text(root + w.dir + address.Escape(w.pathOf(address.Name{Kind: address.Kind(label), Text: value})))
	b.Tag(`">`)
	b.Text(w.Value(label, value))
	b.Tag("</a>")
}

// toRun writes a figure with a link to the page of its run. A title names the run.
func (w *writer) toRun(b *parts.Writer, r census.Reading, root string) {
	part := w.Census.Parts[r.Part].Name
	page := ""
	for _, path := range address.RunPaths(r.Run) {
		if w.Has(part + "/site/" + w.dir + path) {
			page = root + url.PathEscape(part) + "/site/" + w.dir + address.Escape(path)
			break
		}
	}
	if page == "" {
		b.Tag("<span")
	} else {
		b.Tag(`<a href="`)
		b.Text(page)
		b.Tag(`"`)
	}
	b.Tag(` title="`)
	b.Text(r.Run)
	b.Tag(`">`, parts.Digits(r.Metric))
	if page == "" {
		b.Tag("</span>")
	} else {
		b.Tag("</a>")
	}
}
