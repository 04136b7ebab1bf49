package meta

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Site holds what the pages of a site in one language have in common.
type Site struct {
	*parts.Reader
	Title, Author string
	Base          string // absolute address with a trailing slash; "" if unknown
	Dir           string // folder of the language
	Work          cite.Work
}

// URL returns the absolute address of a page in the folder of the language, "" if unknown.
func (s *Site) URL(page string) string {
	if s.Base == "" {
		return ""
	}
	return s.Base + address.Escape(s.Dir+page)
}

// File returns the download of a file of the site.
func (s *Site) File(name string) File {
	return File{URL: s.Base + address.Escape(name), Type: MediaType(name)}
}

// MediaType returns the media type of a data file by its extension, "" if unknown.
func MediaType(name string) string {
	switch path.Ext(name) {
	case ".parquet":
		return "application/vnd.apache.parquet"
	case ".csv":
		return "text/csv"
	case ".jsonl":
		return "application/jsonl"
	case ".json":
		return "application/json"
	case ".log", ".txt":
		return "text/plain"
	}
	return ""
}

// Article returns the metadata of a text. author is its author, "" for the authors of the site.
func (s *Site) Article(kind, author string) *Article {
	a := &Article{Type: kind, Authors: s.authors()}
	if author != "" {
		a.Authors = []cite.Author{{Family: author}}
	}
	return a
}

// authors returns the authors of the site. The one named by the key author is a person.
func (s *Site) authors() []cite.Author {
	all := slices.Clone(s.Work.Authors)
	for i, a := range all {
		if a.Name != "" && a.Name == s.Author {
			all[i] = cite.Author{Family: a.Name, ORCID: a.ORCID}
		}
	}
	return all
}

// Dataset returns the metadata of data of the site with some metrics.
func (s *Site) Dataset(metrics []string) *Dataset {
	d := &Dataset{About: s.Printer.Words("about.data"), License: s.Work.License, DOI: s.Work.DOI, Creators: s.authors(),
		Catalog: Step{s.Title, s.URL("index.html")}}
	for _, name := range metrics {
		one := Variable{Name: s.Printer.Metric(name)}
		if known, ok := vocabulary.Lookup(name); ok {
			one.Unit = parts.UnitOf(result.Metric{Kind: &result.Kind{Name: name, Unit: known.Unit}})
		}
		d.Measured = append(d.Measured, one)
	}
	return d
}

// OfRuns describes the data of some runs.
func (s *Site) OfRuns(runs []*result.Result) *Dataset {
	d := s.Dataset(Headlines(runs))
	d.Date = spanOf(runs)
	return d
}

// mostFigures is the number of figures in the description of a run.
const mostFigures = 5

// OfRun describes the data of a run by its leading metrics. It omits the values of an excluded run.
func (s *Site) OfRun(r *result.Result) *Dataset {
	d := s.Dataset(nil)
	d.Date = spanOf([]*result.Result{r})
	for _, m := range parts.Headline(r, mostFigures) {
		one := Variable{Name: s.Printer.Metric(m.Name), Unit: parts.UnitOf(m)}
		if !r.Excluded() {
			one.Value = parts.Readable(m).Digits()
		}
		d.Measured = append(d.Measured, one)
	}
	return d
}

// Headlines returns the names of the leading metrics that some runs have.
func Headlines(runs []*result.Result) []string {
	left := slices.Clone(vocabulary.Listed(vocabulary.Headline))
	var found []string
	for _, r := range runs {
		left = slices.DeleteFunc(left, func(name string) bool {
			m, ok := parts.Typical(r, name)
			if ok {
				found = append(found, m.Name)
			}
			return ok
		})
		if len(left) == 0 {
			break
		}
	}
	return found
}

// spanOf returns when runs were measured: a day, or the first and the last day; "" if unknown.
func spanOf(runs []*result.Result) string {
	first, last := "", ""
	date := result.Labelled("date")
	for _, r := range runs {
		day := date(r)
		if day == "" {
			continue
		}
		day = day[:min(len(day), len(time.DateOnly))]
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			continue
		}
		if first == "" || day < first {
			first = day
		}
		last = max(last, day)
	}
	if first == last {
		return first
	}
	return first + "/" + last
}

// Run describes a run in a sentence. The sentence contains the run's id, so it is unique.
func (s *Site) Run(title string, r *result.Result) string {
	facts := []string{title}
	if r.Excluded() {
		facts = append(facts, s.Printer.Words("page.quarantined"))
	}
	for _, label := range []string{"hardware", "engine"} {
		if value := r.Label(label); value != "" {
			facts = append(facts, s.Value(label, value))
		}
	}
	for _, m := range parts.Headline(r, mostFigures) {
		facts = append(facts, strings.TrimSpace(s.Printer.Metric(m.Name)+" "+parts.Digits(m)+" "+parts.UnitOf(m)))
	}
	return s.Printer.Words("about.of", s.listed(facts), r.ID)
}

// listed joins items with commas.
func (s *Site) listed(items []string) string {
	return strings.Join(items, s.Printer.Words("chart.comma"))
}

// mostNamed is the maximum number of values of a label that a description names.
const mostNamed = 6

// Runs describes some runs: their number, and the models, machines, loads and engines.
func (s *Site) Runs(title string, runs []*result.Result) string {
	p := s.Printer
	text := p.Words("about.label", title, p.Words("page.runs.n", len(runs)))
	for _, label := range []string{"model", "hardware", "load", "scenario", "engine"} {
		names := s.values(label, runs)
		said := p.List(names)
		switch {
		case len(names) == 0 || len(names) == 1 && names[0] == title:
			continue
		case len(names) > mostNamed:
			said = p.Words("about.more", s.listed(names[:mostNamed]))
		}
		text = p.Words("about.then", text, p.Words("about.label", p.Label(label), said))
	}
	return text
}

// values returns the titles of the values of a label, each once. It stops after mostNamed+1 values.
func (s *Site) values(label string, runs []*result.Result) []string {
	var names []string
	last, of := "", result.Labelled(label)
	for _, r := range runs {
		value := of(r)
		if value == last {
			continue
		}
		last = value
		if value == "" {
			continue
		}
		if name := s.Value(label, value); !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) > mostNamed {
			break
		}
	}
	return names
}

// List describes a list by its title and its first entries.
func (s *Site) List(title string, entries []string) string {
	return s.Printer.Words("about.label", title, s.listed(entries[:min(3, len(entries))]))
}
