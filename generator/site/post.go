package site

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/blogpost"
	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/manual"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/prose"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// post is one article on its way: its source, and what its blocks and values
// came to.
type post struct {
	doc     *document.Document
	printer locale.Printer
	blocks  map[*document.Block]report.Block
	values  map[*document.Value]string
	charts  map[*document.Block]*picture
	files   map[string]string   // files beside the source that it shows: address → path in the site
	runs    map[string]bool     // ids of the results it rests on
	ids     []string            // those in order, while they are as many
	absent  map[any]locale.Text // blocks and values that a broken run left without figures: why
	lacks   bool                // figures that a run that could not be read may have
	others  map[string]place    // where all posts will be, by file name, for links between them
	used    map[string]bool     // names of pictures so far
	blog    string              // path of the post in the blog
	struck  []*result.Result    // behind values in the prose, though a check excluded some of them
	card    []byte              // the picture that is shown for it where it is linked; nil while it is not drawn
	stamp   result.Stamp        // of all that its files are made from
	count   int                 // of charts
	pending bool                // its blocks and values are not evaluated; the rest is known from before
	teaser  *teaser             // what other pages show of it; nil until it is needed
	remarks []result.Message    // about what could not be drawn as asked for
	drawn   bool                // they are known
	manual  bool                // a page of the manual, and not for the blog
	pages   *manual.Manual      // that it is of; nil for a post
	draft   bool                // composed from the runs: in no file, and not for the blog
}

// teaser is what other pages show of a post, and its own besides its text.
type teaser struct {
	excerpt        template.HTML
	image, outline string
	headings       []page.Heading
}

func newPost(doc *document.Document, printer locale.Printer, blog string) *post {
	return &post{doc: doc, printer: printer, blog: blog,
		blocks: map[*document.Block]report.Block{}, values: map[*document.Value]string{}, charts: map[*document.Block]*picture{},
		files: map[string]string{}, runs: map[string]bool{}, absent: map[any]locale.Text{}, used: map[string]bool{}}
}

// source is the file the post was written in, "" for one that was composed.
func (p *post) source() string {
	if p.draft {
		return ""
	}
	return p.doc.File
}

// dagger follows a value in the prose whose run is excluded; a note at
// the end of the post states that.
const dagger = "†"

// remark is that note, nothing when no value needs it.
func (p *post) remark() string {
	if len(p.struck) == 0 {
		return ""
	}
	return dagger + " " + p.printer.Say(block.Excluded(p.struck))
}

// place is where a post will be.
type place struct {
	page string // path of its page in the site
	blog string // path in the blog, "" when it is not there
	away bool   // its page is in another part of an archive
}

// picture is a chart and the file it becomes.
type picture struct {
	name    string // file name
	spec    *report.Chart
	image   chart.Image
	figures []byte // behind it, as CSV
	dark    []byte // the PNG for dark pages of a blog; nil for none
}

// show sets what is shown of the chart, until release.
func (p *picture) show(image chart.Image, printer locale.Printer) {
	p.image, p.figures = image, export.Points(p.spec, printer)
}

func (p *picture) darkName() string {
	return strings.TrimSuffix(p.name, path.Ext(p.name)) + "-dark.png"
}

// id is what the post's page calls the chart.
func (p *picture) id() string { return strings.TrimSuffix(p.name, path.Ext(p.name)) }

// csv is the file of the figures behind the chart.
func (p *picture) csv() string { return strings.TrimSuffix(p.name, path.Ext(p.name)) + ".csv" }

// evaluate works out the blocks and values. When the dataset itself has
// faults (lenient), a block that finds nothing is no error of the author: the
// page states what is missing.
//
// Numbers typed into the prose are compared with the figures of the runs unless some run could
// not be read, which might be the one that supports a number.
func (b *builder) evaluate(p *post) []result.Message {
	b.evaluated.Add(1)
	var ms []result.Message
	miss := func(key any, m result.Message) {
		p.lacks = p.lacks || m.ID == dataset.NoData
		if b.lenient && m.ID == dataset.NoData {
			m.Severity = result.Warning
			p.absent[key] = m.Text
		}
		ms = append(ms, m)
	}
	data, figures := b.data, b.figures
	if where := p.doc.Front.Runs; where != "" {
		narrowed, err := data.Narrow(where)
		if err != nil {
			miss(p, inline.Message(p.doc.Front.RunsPos, err))
			for _, block := range p.doc.Blocks {
				p.absent[block] = locale.Reason(err)
			}
			for _, value := range p.doc.Values {
				p.absent[value] = locale.Reason(err)
			}
			return append(ms, p.links(b)...)
		}
		data, figures = narrowed, prose.Of(narrowed)
	}
	if settings := p.doc.Front.Accept; len(settings) > 0 {
		if err := dataset.Unaccepted(settings); err != nil {
			ms = append(ms, inline.Message(p.doc.Front.AcceptPos, err))
		}
		data = data.Accepting(settings)
	}
	for _, fence := range p.doc.Blocks {
		v, problems := block.Evaluate(data, fence.Kind, fence.Body, fence.Pos)
		for _, m := range problems {
			miss(fence, m)
		}
		p.blocks[fence] = v
		p.noteRuns(v)
		if v.Chart != nil && !hasErrors(problems) {
			p.charts[fence] = &picture{name: p.pictureName(fence), spec: v.Chart}
		}
	}
	for _, value := range p.doc.Values {
		in, err := inline.Evaluate(data, value.Expr, p.printer)
		if err != nil {
			miss(value, inline.Message(value.Pos, err))
			continue
		}
		p.values[value] = in.Text
		if in.Excluded() {
			p.values[value] += dagger
			p.struck = append(p.struck, in.Runs...)
		}
		if m, unlike := in.Warning(value.Pos); unlike {
			ms = append(ms, m)
		}
		for _, r := range in.Runs {
			p.runs[r.ID] = true
		}
	}
	p.count = len(p.charts)
	if !p.pending && !p.doc.Plain {
		typed := figures.Check(p.doc)
		p.lacks = p.lacks || len(typed) > 0
		if !b.lenient {
			ms = append(ms, typed...)
		}
	}
	return append(ms, p.links(b)...)
}

// complete evaluates the blocks and values of a post of which only the rest is known. What there is
// to report of them is known, too.
func (p *post) complete(b *builder) {
	if p.pending {
		b.evaluate(p)
		p.pending = false
	}
}

// mostWaiting is how many posts keep what their blocks and values came to until they are written.
// It takes 100 KB a post, and a millisecond or two to evaluate again.
const mostWaiting = 100

// wait lets go of what the blocks and values came to, before the post is written.
func (p *post) wait(b *builder) {
	if teaser, err := p.tease(b); err == nil { // else prepare reports it
		p.teaser = teaser
		p.forget()
	}
}

// rest lets go of what the blocks and values came to of a post that is written.
func (p *post) rest() {
	if !p.pending && p.teaser != nil && p.drawn {
		p.forget()
	}
}

// forget lets go of what the blocks and values came to, which is most of the memory of a site that
// is written: it is evaluated again when it is wanted. What other pages show stays.
func (p *post) forget() {
	p.pending, p.struck, p.card = true, nil, nil
	p.blocks, p.values, p.charts = map[*document.Block]report.Block{}, map[*document.Value]string{}, map[*document.Block]*picture{}
	p.absent, p.used = map[any]locale.Text{}, map[string]bool{}
}

// noteRuns remembers which results a block shows.
func (p *post) noteRuns(v report.Block) {
	if v.Table != nil {
		for _, row := range v.Table.Rows {
			for _, c := range row.Cells {
				p.noteIDs(c.Run)
				p.noteIDs(c.Others...)
			}
		}
		p.noteSources(v.Table.Answers)
	}
	if v.Findings != nil {
		p.noteSources(v.Findings.Claims)
		p.noteSources(v.Findings.Withheld)
		p.noteSources(v.Findings.Limits)
	}
	if v.Chart != nil {
		p.noteChart(v.Chart)
	}
	for _, raw := range v.Raw {
		p.runs[raw.Result.ID] = true
	}
}

func (p *post) noteChart(c *report.Chart) {
	for _, s := range c.Series {
		for _, pt := range s.Points {
			p.noteIDs(pt.Run)
			p.noteIDs(pt.Others...)
		}
	}
	for i := range c.Panels {
		p.noteChart(&c.Panels[i].Chart)
	}
}

// noteIDs remembers results; "" is skipped.
func (p *post) noteIDs(ids ...string) {
	for _, id := range ids {
		if id != "" {
			p.runs[id] = true
		}
	}
}

// sortedRuns are the ids of the results that the post rests on, in natural order. They are never others when
// they are as many: none is taken away.
func (p *post) sortedRuns() []string {
	if len(p.ids) != len(p.runs) {
		p.ids = slices.SortedFunc(maps.Keys(p.runs), result.NaturalCompare)
	}
	return p.ids
}

func (p *post) noteSources(fs []report.Finding) {
	for _, f := range fs {
		p.noteIDs(f.Runs...)
	}
}

// pictureName names a chart's file: by the word after the kind in the
// info string, or chart and a number.
func (p *post) pictureName(block *document.Block) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|#% `, r) {
			return '-'
		}
		return r
	}, strings.TrimSpace(block.Args))
	if name != "" {
		name = address.Segment(name)
	}
	for n := 1; name == "" || p.used[address.Fold(name)]; n++ {
		name = fmt.Sprintf("chart-%d", n)
	}
	p.used[address.Fold(name)] = true
	return name + ".png"
}

// cardName is the file of the picture that is shown for a post where it is linked.
const cardName = "social-card.png"

// firstPicture is shown for the post in lists.
func (p *post) firstPicture() *picture {
	for _, block := range p.doc.Blocks {
		if pic := p.charts[block]; pic != nil {
			return pic
		}
	}
	return nil
}

// links checks the relative addresses of the prose against the site: files beside the source
// are published with the post, other posts are linked where they
// will be, and what does not exist is a warning.
func (p *post) links(b *builder) []result.Message {
	if p.manual {
		return p.pageLinks(b)
	}
	var ms []result.Message
	published := map[string]locale.Text{cardName: locale.Textf("the post's card")} // folded name → file: all of a post's files are in one folder
	for _, pic := range p.charts {
		for name, what := range map[string]locale.Text{pic.name: locale.Textf("a chart"), pic.csv(): locale.Textf("the data of a chart"), pic.darkName(): locale.Textf("a chart")} {
			published[address.Fold(name)] = what
		}
	}
	for _, l := range p.doc.Links {
		file, ok := p.localFile(l.Address)
		if !ok {
			continue
		}
		if _, ok := p.others[file]; ok {
			continue
		}
		err := linkable(b.opt, b.config.Pages.Dir).Check(file)
		var no *sitefile.Refusal
		if errors.As(err, &no) {
			m := result.Message{Pos: l.Pos, Severity: result.Error, ID: "post.link", Text: locale.Textf("%s %s; it cannot be published", l.Address, no.Why), Hint: no.Hint}
			if no.Folder {
				m.Severity = result.Warning // nothing is missing but what it leads to
			}
			ms = append(ms, m)
			continue
		}
		if err != nil {
			hint := locale.Textf("addresses are relative to the post's file")
			if near := settings.NearestFile(file, maps.Keys(p.others)); near != "" {
				hint = locale.Textf("did you mean %s?", path.Base(near))
			}
			ms = append(ms, result.Message{Pos: l.Pos, Severity: result.Warning, ID: "post.link",
				Text: locale.Textf("%s does not exist", l.Address), Hint: hint})
			continue
		}
		base := address.Fold(path.Base(file))
		if other, taken := published[base]; taken && locale.English(other) != file {
			ms = append(ms, result.Message{Pos: l.Pos, Severity: result.Error, ID: "post.link",
				Text: locale.Textf("%s has the name of %s, which the post shows too", l.Address, other), Hint: locale.Textf("rename one of them")})
			continue
		}
		published[base] = locale.Lit(file)
		p.files[l.Address] = file
	}
	return ms
}

// aims are the places to which the links to other posts lead, and, where one leads to none, what all are called, one
// of which may be meant.
func (p *post) aims() (places []string) {
	for _, l := range p.doc.Links {
		file, ok := p.localFile(l.Address)
		if !ok || path.Ext(file) != ".md" {
			continue
		}
		at, isPost := p.others[file]
		if page := p.pages.Meant(file); !isPost && page != nil {
			at, isPost = p.others[page.Doc.File], true
		}
		if !isPost {
			places = slices.AppendSeq(places, maps.Keys(p.others))
			slices.Sort(places)
			continue
		}
		places = append(places, l.Address, at.page, at.blog)
	}
	return places
}

// linkable are the folders of a site whose files posts and pages may show; pages is the folder of these, "" for
// none.
func linkable(opt Options, pages string) sitefile.Folders {
	folders := []string{"content", "runs"}
	if top, _, _ := strings.Cut(pages, "/"); top != "" && top != "content" {
		folders = append(folders, top)
	}
	in := sitefile.In(opt.Dir, folders...)
	if opt.Runs != "" {
		in = in.With("runs", opt.Runs)
	}
	return in
}

// localFile resolves a relative address against the post's file; ok is false
// for addresses elsewhere.
func (p *post) localFile(address string) (file string, ok bool) {
	return document.Local(p.doc.File, address)
}

// aim returns what an address of the prose points to: another post, a file
// published with this one, or neither; and the fragment with its #.
func (p *post) aim(address string) (other *place, file, fragment string) {
	if i := strings.IndexByte(address, '#'); i >= 0 {
		fragment = address[i:]
	}
	name, ok := p.localFile(address)
	if !ok {
		return nil, "", ""
	}
	if at, ok := p.others[name]; ok {
		return &at, "", fragment
	}
	if meant := p.pages.Meant(name); meant != nil {
		at := p.others[meant.Doc.File]
		return &at, "", "" // its headings are called otherwise
	}
	return nil, p.files[address], fragment
}

// absence says on the post's page why a block or value has no figures.
func (p *post) absence(why locale.Text) string { return p.printer.Words("site.absent", why) }

// htmlFill renders blocks for a page of the HTML site.
type htmlFill struct {
	b    *builder
	p    *post
	page string // path of the page in the site
	ids  bool   // blocks can be linked to by their number, block:3 for the third
}

func (f htmlFill) Block(dst []byte, block *document.Block) []byte {
	start := len(dst)
	dst = f.block(dst, block)
	if i := slices.Index(f.p.doc.Blocks, block); f.ids && i >= 0 {
		if tag := bytes.IndexByte(dst[start:], ' '); tag >= 0 {
			dst = slices.Insert(dst, start+tag, fmt.Appendf(nil, ` id="block:%d"`, i+1)...)
		}
	}
	return dst
}

func (f htmlFill) block(dst []byte, block *document.Block) []byte {
	p := f.p
	if why, ok := p.absent[block]; ok {
		return fmt.Appendf(dst, "<p class=\"absent\">%s</p>\n", template.HTMLEscapeString(p.absence(why)))
	}
	w := parts.Append(dst)
	link := func(id string) string { return address.Link(f.page, f.b.pages.RunPage(p.doc.Lang, id)) }
	v := p.blocks[block]
	if v.Findings != nil {
		w.Findings(*v.Findings, p.printer, link)
		return w.Bytes()
	}
	if v.Chart != nil {
		w.Figure(f.picture(p.charts[block]), p.printer)
	}
	if v.Table != nil {
		w.Table(*v.Table, p.printer, link)
	}
	for _, raw := range v.Raw {
		text, err := f.b.files().raw(raw.Result)
		if err != nil {
			text = []byte(err.Error())
		}
		w.RawBlock(strings.TrimRight(string(text), "\r\n"), p.printer.Say(raw.Title), link(raw.Result.ID), p.printer)
	}
	return w.Bytes()
}

// picture is a chart as a page shows it.
func (f htmlFill) picture(pic *picture) parts.Picture {
	p := f.p
	return parts.Picture{
		Title: p.printer.Say(pic.spec.Title), Alt: p.printer.Say(pic.spec.Alt),
		SVG: pic.image.SVG, Narrow: pic.image.Narrow, Notes: pic.image.Notes,
		CSV: pic.figures, File: address.Link(f.page, f.b.pictureFile(p, pic.csv())),
		Chart: pic.id(), From: f.b.pages.SourceOf(p.printer, p.doc.Front.Title), Runs: address.Link(f.page, f.b.pages.RunPages(p.doc.Lang)), Paths: f.b.pages.PathsOf(pic.spec),
	}
}

func (f htmlFill) Value(v *document.Value) string {
	if _, ok := f.p.absent[v]; ok {
		return "—"
	}
	return f.p.values[v]
}

func (f htmlFill) Link(l *document.Link) string {
	other, file, fragment := f.p.aim(l.Address)
	switch {
	case other != nil:
		return address.Link(f.page, other.page) + fragment
	case file != "" && f.p.manual:
		return address.Link(f.page, manualFolder(&f.b.config).File(file)) + fragment
	case file != "":
		return address.Link(f.page, f.b.assetFile(f.p, l.Address)) + fragment
	}
	if name, ok := f.p.localFile(l.Address); ok && f.p.manual {
		if to := inRepository(&f.b.config, name); to != "" {
			return to + fragment
		}
	}
	return l.Address
}

// markdownFill renders blocks for an outlet.
type markdownFill struct {
	b  *builder
	p  *post
	to outlet
}

func (f markdownFill) Block(block *document.Block) blogpost.Markdown {
	p, w := f.p, blogpost.Writer{Printer: f.p.printer, Form: f.to.form, Footnotes: f.p.doc.Footnotes()}
	if why, ok := p.absent[block]; ok {
		return w.Absent(p.printer.Say(why))
	}
	v := p.blocks[block]
	switch {
	case v.Findings != nil:
		return w.Findings(*v.Findings)
	case v.Chart != nil:
		pic := p.charts[block]
		var dark blogpost.Address
		if pic.dark != nil {
			dark = f.to.asset(pic.darkName(), pic.dark)
		}
		drawn := w.Chart(p.printer.Say(pic.spec.Alt), f.to.asset(pic.name, pic.image.PNG), dark, p.printer.Words("page.csv"), f.to.asset(pic.csv(), nil))
		if v.Table == nil {
			return drawn
		}
		return blogpost.Join(drawn, w.Table(*v.Table))
	case v.Table != nil:
		return w.Table(*v.Table)
	}
	var raws []blogpost.Markdown
	for _, raw := range v.Raw {
		text, err := f.b.files().raw(raw.Result)
		if err != nil {
			text = []byte(err.Error())
		}
		raws = append(raws, w.Raw(p.printer.Say(raw.Title), string(text), "text"))
	}
	return blogpost.Join(raws...)
}

func (f markdownFill) Value(v *document.Value) string { return htmlFill{b: f.b, p: f.p}.Value(v) }

func (f markdownFill) Link(l *document.Link) blogpost.Address {
	other, file, fragment := f.p.aim(l.Address)
	switch {
	case other != nil:
		return f.to.other(*other).At(fragment)
	case file != "":
		var data []byte
		if f.to.folder == "" && pictureTypes[path.Ext(file)] != "" {
			data, _ = f.b.ownFile(file) // one that cannot be read has no address
		}
		return f.to.asset(path.Base(file), data).At(fragment)
	case f.to.form != blogpost.Jekyll && isRelative(l.Address):
		return f.to.relative(l.Address)
	}
	return blogpost.Address{}
}

// pictureFile is where a chart, or its data, is in the HTML site: beside its
// post.
func (b *builder) pictureFile(p *post, name string) string {
	return path.Dir(p.path(b.pages)) + "/" + name
}

// assetFile is where a file of the author is in the HTML site.
func (b *builder) assetFile(p *post, address string) string {
	return path.Dir(b.pages.PostPage(p.doc.Lang, p.doc.Slug)) + "/" + path.Base(p.files[address])
}

func hasErrors(ms []result.Message) bool {
	return slices.ContainsFunc(ms, func(m result.Message) bool { return m.Severity == result.Error })
}
