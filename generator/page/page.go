// Package page makes the standalone HTML site: plain data in, files out.
//
//	site := &page.Site{Title: title, Languages: []string{"en"}, Results: results, Posts: posts}
//	err := site.Render(func(path string, data []byte) error { return write(path, data) })
//
// All kinds of pages are in one table (kinds.go); docs/adding-a-page.md adds one. A
// session prepares a Renderer, which makes single pages at once, and hands it a Store,
// which keeps what would be made from the same.
//
// Pages are laid out by Go templates embedded from layouts/, each of which a
// file of the same name in Site.Layouts overrides. Links are relative and end
// in a file name, so that the site opens from file:// and below any address.
// Nothing is fetched from elsewhere, and everything works without scripts.
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

// Site is all that the pages are made from.
type Site struct {
	Title       locale.Text
	Description locale.Text
	Author      string
	Languages   []string // tags known to locale; the first is served from the root
	BaseURL     string   // "https://example.org/bench/"; "" leaves out what needs absolute addresses

	// Whole leads from the root of a site that is a part of an archive to the page that links all parts; "" for none.
	Whole string

	Names *address.Book // of all results, files and values of labels here; nil when none are alike

	Posts     []Post           // in any order
	Manual    *manual.Manual   // documents that are pages; nil for none
	Documents []Post           // what is to be shown of them: Slug, Lang, Title, Headings, Source, Stamp and Fill
	Results   []*result.Result // in any order; ids are unique
	Models    []Model          // what is declared; models that only results name get pages too
	Hardware  []Hardware       // what is declared or known; so with these
	Loads     []Load           // what is declared; so with these
	Unread    []unread.File    // files that give no result of their own, but for those that only this copy of the site has
	Messages  []result.Message // problems to show

	// ChartStyle are the rules of style by which charts follow the page's colours;
	// "" for charts that are pictures.
	ChartStyle string

	// Colours is how many colours the series of charts have before shapes distinguish them.
	Colours int

	// Report is what is shown of results beside the posts; made of Results when nil.
	Report *dataset.Selection

	// Draw returns a chart as SVG in a language, in a form for wide pages and in one
	// for narrow ones, which may be nil. It may be called from several goroutines
	// at once; without it pages have no charts of their own.
	Draw func(lang string, c *report.Chart) (Drawing, error)

	// Card returns the picture that represents a page with a chart where it is linked, as PNG of 1200 by 630
	// pixels; the text is for a chart that has no room there. It may be called from several goroutines at
	// once; nil for none.
	Card func(lang, title, text string, c *report.Chart) ([]byte, error)

	// Written are the files below data/ that the caller writes: for the page of
	// downloads.
	Written []DataFile

	// Work is the site as it is cited: whose authors, licence and addresses its data have.
	Work cite.Work

	// Raw returns the source file of a result: the whole of one up to MaxRaw
	// bytes, of a larger one the lines of the result and some around it. It
	// may be called from several goroutines at once. An error is shown on the
	// run's page.
	Raw func(*result.Result) (Raw, error)

	// Copies lists the raw files that are published as they lie on the disk, besides the
	// runs' own; nil for none.
	Copies func() []Copy

	// Evidence returns what a run rests on and how it is cited, in a language. It may be
	// called from several goroutines at once; nil where nothing of it is shown.
	Evidence func(r *result.Result, lang string) (Evidence, error)

	// Verdicts returns which rules a result passes and which could not be judged;
	// nil when there are none.
	Verdicts func(*result.Result) (passed, unjudged []result.Check)

	// Commands returns how a run was started, as its source file shows it or as
	// follows from its labels; nil when unknown.
	Commands func(*result.Result, Raw) []result.Command

	// Drawings returns the charts of a run, drawn in a language; most runs have
	// none. It may be called from several goroutines at once, and may be nil.
	Drawings func(r *result.Result, lang string) ([]Drawing, error)

	// Method is how the site judges and compares.
	Method Method

	// Titles are the site's words for the values of labels, by label and value:
	// what a load or a board is called. May be nil.
	Titles map[string]map[string]locale.Text

	// What the pages that compare results go by. Auxiliary reports whether a
	// result is no measurement of its own, as a warm-up or a copy; it may be nil.
	Auxiliary func(*result.Result) bool
	Orders    map[string][]string       // of the values of labels that are not sorted by name
	Styles    map[string]map[string]int // colour and shape of a label's values in charts, from 1
	Settings  []string                  // labels in which runs have to agree to be compared
	Noise     float64                   // relative difference that single runs do not show
	Comparing compare.Options           // how runs side by side are compared
	Limits    map[string]string         // what a variant has to keep within: a metric or label → its limit

	Layouts fs.FS // overrides of the embedded layouts; may be nil

	// What pages are made from besides what has a stamp of its own (results and
	// posts) and the layouts: the configuration, the program. With it a Store can keep
	// what is made from the same.
	Key result.Stamp

	// Before is a renderer of the same site at an earlier time, whose layouts need not be
	// parsed again where they are the same; it may be nil.
	Before *Renderer

	// Version distinguishes versions of a source file; nil where files do not change. A result with a file of
	// another version is not one that Before has.
	Version func(file string) string

	// Embeds has each chart have an address that shows it alone, for frames elsewhere.
	Embeds bool

	// Turn is called before files of the site are read to make an artifact, and what it returns
	// when that is done. What has to be done first, as a page that somebody looks at, lets it
	// wait; nil where nothing has. Who sets it calls it in Post.Fill, too.
	Turn func() (done func())
}

// Drawing is a chart of a page, drawn in one language.
type Drawing struct {
	Name        string // of a run's, as the page calls it
	Trace       bool   // over the time of the run; else over its requests
	Alt         string
	SVG, Narrow []byte
	Notes       []string // what to know of it, and its source
	CSV         []byte   // the figures behind it
}

// MaxRaw is the size, in bytes, up to which source files are copied into the
// site.
const MaxRaw = 4 << 20

// Raw is text of a source file.
type Raw struct {
	Data  []byte
	First int   // number of the first line of Data; 1 for a whole file
	Size  int64 // of the file, in bytes
}

// Whole is a file that is given whole.
func Whole(data []byte) Raw { return Raw{data, 1, int64(len(data))} }

// Copy is a raw file to be published.
type Copy struct {
	Path  string // in the site; see RawCopy
	Stamp result.Stamp
	Read  func() ([]byte, error)
}

// Evidence is what a run rests on, and Exhibit one of the files.
type (
	Evidence = run.Evidence
	Exhibit  = run.Exhibit
)

// Post is one article in one language.
type Post struct {
	Slug, Lang string
	Manual     bool // a page of the manual, whose name Slug is
	Title      string
	Author     string // of this post; "" for the site's
	Date       time.Time
	Updated    time.Time // zero when never

	// Description is a line about it, as its author has it; "" for the beginning of Excerpt.
	Description string

	Tags       []string
	Categories []string

	// Body is finished HTML; its references are relative to the post's own
	// page (PostPage). Those of Excerpt are relative to HomePage.
	Excerpt, Body template.HTML
	Headings      []Heading // for the table of contents

	// Outline lists the levels of its headings and the kinds of its blocks, in
	// order. Where it is that of a translation, what has a number in the one
	// (section:3, block:2) is what has it in the other.
	Outline string

	Translations map[string]string // language tag to slug
	Image        string            // path of a picture in the site, "" when none
	Card         string            // path of the picture that represents it where it is linked; Image when ""
	Charts       []string          // what its page calls those of its pictures that a reader can use
	Source       string            // the file the post was written in
	Runs         []string          // ids of the results it rests on

	// Stamp is of all that it is made from; zero when unknown.
	Stamp result.Stamp

	// Fill sets Body, Charts and Data in a copy of the post, when a page is made of
	// it; nil where it has them.
	Fill func(*Post) error

	// Provenance is what it states about its data at its end; nil for nothing.
	Provenance *cite.Provenance

	// Data is what its blocks came to, in order, for layouts; it may be nil
	// when no layout reads it. The document at PostData contains the same and is
	// written by the caller.
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
	Base         string // the model it was quantised or tuned from
	URL          string
	Quantization string
	Size         string // of the weights, with unit
	Params       string
	ActiveParams string // of a mixture of experts
	Note         locale.Text
}

// Hardware is what is known of a machine.
type Hardware struct {
	ID                string // value of the label "hardware"
	Title             locale.Text
	Product           string // the vendor's name of it; "" when that is not known
	Memory, Bandwidth string
	Peaks             []Peak
	Price, PriceDate  string // of one accelerator for an hour
	Declared          bool   // some of it by the site
	Source            string // the vendor's document that the rest is from; "" for none
}

// Peak is a dense peak of the matrix units for a data type.
type Peak struct{ Type, Value string }

// Load is a load or a scenario that the site declares.
type Load struct {
	Label string // "load" or "scenario"
	Name  string
	When  string // the condition under which a run gets the label; "" when only a run declares it
}

// HomePage returns the path of a language's front page.
func (s *Site) HomePage(lang string) string { return s.dir(lang) + "index.html" }

// Address returns the site's address with a slash at its end, "" when it has none.
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

// PageOf returns the path of the page of a post, or of the manual.
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

// LoadPage returns the path of the page of a load or a scenario, as label says.
func (s *Site) LoadPage(lang, label, name string) string {
	return s.dir(lang) + s.Names.Load(label, name)
}

// dir is the folder of a language: the first has none.
func (s *Site) dir(lang string) string {
	if slices.Index(s.Languages, lang) <= 0 {
		return ""
	}
	return lang + "/"
}
