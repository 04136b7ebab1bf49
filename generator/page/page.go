// Package page makes the standalone HTML site: plain data in, files out.
//
//	site := &page.Site{Title: title, Languages: []string{"en"}, Results: results, Posts: posts}
//	err := site.Render(func(path string, data []byte) error { return write(path, data) })
//
// All kinds of pages are in one table (kinds.go); docs/adding-a-page.md explains how to add one. A session prepares a
// Renderer, which can make single pages at once. The Renderer gets a Store, which keeps artifacts whose inputs are
// unchanged.
//
// Pages are laid out by Go templates embedded from layouts/. A file of the same name in Site.Layouts overrides a
// template. Links are relative and end in a file name, so that the site works from file:// and below any address. Pages
// fetch nothing from other sites, and everything works without scripts.
package page

import (
	"html/template"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/manual"
	"github.com/benchpost/benchpost/generator/page/run"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// Site is the input for all pages.
type Site struct {
	Title       locale.Text
	Description locale.Text
	Author      string
	Languages   []string // tags known to locale; the first is served from the root
	BaseURL     string   // "https://example.org/bench/"; if "", whatever needs absolute addresses is omitted

	// Whole is for a site that is part of an archive: the link from its root to the page that links all parts; "" for
	// none.
	Whole string

	Names *address.Book // of all results, files and label values; nil if no two paths collide

	Posts     []Post           // in any order
	Manual    *manual.Manual   // documents that become pages; nil for none
	Documents []Post           // their pages: Slug, Lang, Title, Headings, Source, Stamp and Fill
	Results   []*result.Result // in any order; ids are unique
	Models    []Model          // declared models; models that only results name get pages too
	Hardware  []Hardware       // declared or known machines; results may name others
	Loads     []Load           // declared loads; results may name others
	Unread    []unread.File    // files without a result of their own, except those that only this copy of the site has
	Messages  []result.Message // problems to show

	// ChartStyle holds the CSS rules that make charts follow the page's colours; "" if charts are pictures.
	ChartStyle string

	// Colours is the number of colours for series of charts before shapes distinguish them.
	Colours int

	// Report selects the results that are shown outside the posts. If nil, it is made from Results.
	Report *dataset.Selection

	// Draw draws a chart as SVG in a language, in a wide form and in a narrow form, which may be nil. It may be called
	// concurrently. If Draw is nil, pages have no charts of their own.
	Draw func(lang string, c *report.Chart) (Drawing, error)

	// Card draws the preview picture of a page with a chart, as a PNG of 1200 by 630 pixels. text is used for a chart
	// that has no room there. It may be called concurrently, and may be nil.
	Card func(lang, title, text string, c *report.Chart) ([]byte, error)

	// Written lists the files below data/ that the caller writes, for the downloads page.
	Written []DataFile

	// Work describes how to cite the site: authors, licence and addresses of its data.
	Work cite.Work

	// Raw returns the source file of a result. It returns files of up to MaxRaw bytes completely; of larger ones the
	// lines of the result and some around them. It may be called concurrently. Errors are shown on the run's page.
	Raw func(*result.Result) (Raw, error)

	// Copies lists the raw files that are published unchanged, in addition to the runs' own; nil for none.
	Copies func() []Copy

	// Evidence returns the files behind a run and its citation, in a language. It may be called concurrently. If nil,
	// pages show no evidence.
	Evidence func(r *result.Result, lang string) (Evidence, error)

	// Verdicts returns the rules that a result passes, and those that could not be judged; nil if there are none.
	Verdicts func(*result.Result) (passed, unjudged []result.Check)

	// Commands returns the commands that started a run, from its source file or derived from its labels; nil if
	// unknown.
	Commands func(*result.Result, Raw) []result.Command

	// Drawings returns the charts of a run, drawn in a language. Most runs have none. It may be called concurrently,
	// and may be nil.
	Drawings func(r *result.Result, lang string) ([]Drawing, error)

	// Method describes how the site judges and compares results.
	Method Method

	// Titles are the site's titles of label values, by label and value, for example of a load or a machine. May be nil.
	Titles map[string]map[string]locale.Text

	// Settings of the pages that compare results. Auxiliary reports whether a result is auxiliary, such as a warm-up or
	// a copy; it may be nil.
	Auxiliary func(*result.Result) bool
	Orders    map[string][]string       // order of label values that are not sorted by name
	Styles    map[string]map[string]int // colour and shape of a label's values in charts, from 1
	Settings  []string                  // labels in which compared runs must agree
	Noise     float64                   // relative difference that single runs cannot show
	Comparing compare.Options           // options for comparisons of runs
	Limits    map[string]string         // limits for variants: metric or label → limit

	Layouts fs.FS // overrides of the embedded layouts; may be nil

	// Key is the stamp of what pages depend on besides results, posts and layouts: the configuration and the program. A
	// Store can keep artifacts only if Key is set.
	Key result.Stamp

	// Before is the renderer of an earlier state of the site, whose parsed layouts are reused if they are unchanged; it
	// may be nil.
	Before *Renderer

	// Version returns the version of a source file; it is nil if files do not change. If the version of a file of a
	// result changes, the result must be another one than in Before.
	Version func(file string) string

	// Embeds gives each chart an address that shows it alone, for frames on other sites.
	Embeds bool

	// Turn is called before an artifact's files are read, and the returned function afterwards. It lets more urgent
	// work go first, such as a page that a reader waits for. It may be nil. Whoever sets Turn must also call it in
	// Post.Fill.
	Turn func() (done func())
}

// Drawing is a chart of a page, drawn in one language.
type Drawing struct {
	Name        string // for a chart of a run: its name on the page
	Trace       bool   // x is the time of the run; otherwise its requests
	Alt         string
	SVG, Narrow []byte
	Notes       []string // remarks on the chart, and its source
	CSV         []byte   // the figures behind it
}

// MaxRaw is the maximum size, in bytes, of source files that are copied into the site.
const MaxRaw = 4 << 20

// Raw is text of a source file.
type Raw struct {
	Data  []byte
	First int   // number of the first line of Data; 1 for a complete file
	Size  int64 // of the file, in bytes
}

// Whole returns the Raw of a complete file.
func Whole(data []byte) Raw { return Raw{data, 1, int64(len(data))} }

// Copy is a raw file to publish.
type Copy struct {
	Path  string // path in the site; see RawCopy
	Stamp result.Stamp
	Read  func() ([]byte, error)
}

// Evidence is what a run rests on. Exhibit is one of its files.
type (
	Evidence = run.Evidence
	Exhibit  = run.Exhibit
)

// Post is one article in one language.
type Post struct {
	Slug, Lang string
	Manual     bool // a page of the manual; Slug is its name
	Title      string
	Author     string // "" for the site's author
	Date       time.Time
	Updated    time.Time // zero when never

	// Description is the author's one-line summary; if "", the beginning of Excerpt is used.
	Description string

	Tags       []string
	Categories []string

	// Body is finished HTML. Its links are relative to the post's page (PostPage). Those of Excerpt are relative to
	// HomePage.
	Excerpt, Body template.HTML
	Headings      []Heading // for the table of contents

	// Outline lists the levels of the headings and the kinds of the blocks, in order. If a translation has the same
	// outline, equal numbers (section:3, block:2) refer to the same section or block in both.
	Outline string

	Translations map[string]string // language tag to slug
	Image        string            // path of a picture in the site, "" when none
	Card         string            // path of the preview picture; if "", Image is used
	Charts       []string          // names of the interactive charts on its page
	Source       string            // the file the post was written in
	Runs         []string          // ids of the results that it uses

	// Stamp is the stamp of all its inputs; zero if unknown.
	Stamp result.Stamp

	// Fill sets Body, Charts and Data in a copy of the post when its page is made. It is nil if they are set already.
	Fill func(*Post) error

	// Provenance is the statement about the data at the end of the post; nil for none.
	Provenance *cite.Provenance

	// Data holds the evaluated blocks in order, for layouts. It may be nil if no layout uses it. The caller writes the
	// same data to the document at PostData.
	Data []export.Block
}

// Heading is an entry of a table of contents.
type Heading struct {
	Level int    // 2 for <h2>
	ID    string // the name in links to it
	Text  string
}

// Model is what the site's author declared about a model.
type Model struct {
	ID           string // value of the label "model"
	Title        locale.Text
	Base         string // the model that it was quantized or tuned from
	URL          string
	Quantization string
	Size         string // size of the weights, with unit
	Params       string
	ActiveParams string // for a mixture of experts
	Note         locale.Text
}

// Hardware describes a machine.
type Hardware struct {
	ID                string // value of the label "hardware"
	Title             locale.Text
	Product           string // the vendor's name of it; "" if unknown
	Memory, Bandwidth string
	Peaks             []Peak
	Price, PriceDate  string // price of one accelerator per hour
	Declared          bool   // the site declares some of it
	Source            string // the vendor's document with the other values; "" for none
}

// Peak is a dense peak rate of the matrix units for a data type.
type Peak struct{ Type, Value string }

// Load is a load or a scenario that the site declares.
type Load struct {
	Label string // "load" or "scenario"
	Name  string
	When  string // the condition under which a run gets the label; "" if only runs declare it
}

// HomePage returns the path of a language's front page.
func (s *Site) HomePage(lang string) string { return s.dir(lang) + "index.html" }

// Address returns the site's address with a trailing slash, "" if unknown.
func (s *Site) Address() string {
	if s.BaseURL == "" || strings.HasSuffix(s.BaseURL, "/") {
		return s.BaseURL
	}
	return s.BaseURL + "/"
}

// PostPage returns the path of a post's page.
func (s *Site) PostPage(lang, slug string) string {
	return s.dir(lang) + address.Post(slug)
}

// PageOf returns the path of the page of a post or of a document of the manual.
func (s *Site) PageOf(p *Post) string {
	if p.Manual {
		return s.dir(p.Lang) + manual.Path(p.Slug)
	}
	return s.PostPage(p.Lang, p.Slug)
}

// RunPage returns the path of a result's page.
func (s *Site) RunPage(lang, id string) string {
	return s.dir(lang) + s.Names.Run(id)
}

// RunPages returns the folder of all results' pages.
func (s *Site) RunPages(lang string) string { return s.dir(lang) + "runs/" }

// ModelPage returns the path of a model's page.
func (s *Site) ModelPage(lang, id string) string {
	return s.dir(lang) + s.Names.Model(id)
}

// HardwarePage returns the path of a machine's page.
func (s *Site) HardwarePage(lang, id string) string { return s.dir(lang) + s.Names.Hardware(id) }

// LoadPage returns the path of the page of a load or a scenario. label says which.
func (s *Site) LoadPage(lang, label, name string) string {
	return s.dir(lang) + s.Names.Load(label, name)
}

// dir returns the folder of a language. It is "" for the first language.
func (s *Site) dir(lang string) string {
	if slices.Index(s.Languages, lang) <= 0 {
		return ""
	}
	return lang + "/"
}
