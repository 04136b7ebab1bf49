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

// post is one article while it is built: its source and its evaluated blocks and values.
type post struct {
	doc     *document.Document
	printer locale.Printer
	blocks  map[*document.Block]report.Block
	values  map[*document.Value]string
	charts  map[*document.Block]*picture
	files   map[string]string   // files beside the source that the post shows: address → path in the site
	runs    map[string]bool     // ids of the results that the post depends on
	ids     []string            // runs in order; valid while it has the same length
	absent  map[any]locale.Text // blocks and values without figures because of a broken run, with the reason
	lacks   bool                // the post lacks figures, which a run that could not be read may have
	others  map[string]place    // by file name: where each post will be, for links between posts
	used    map[string]bool     // folded names of pictures used so far
	blog    string              // path of the post in the blog
	struck  []*result.Result    // excluded results behind values in the prose
	card    []byte              // picture shown for the post where it is linked; nil until it is drawn
	stamp   result.Stamp        // key of everything that the post's files are made from
	count   int                 // number of charts
	pending bool                // the blocks and values are not evaluated yet; everything else is known from before
	teaser  *teaser             // what other pages show of the post; nil until it is needed
	remarks []result.Message    // messages about what could not be drawn as requested
	drawn   bool                // remarks is complete
	manual  bool                // a page of the manual, which is not for the blog
	pages   *manual.Manual      // the manual that the page belongs to; nil for a post
	draft   bool                // composed from the runs: it has no file and is not for the blog
}

// teaser is what other pages show of a post, and what the post's own page shows besides the text.
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

// source returns the file that the post was written in, or "" for a composed post.
func (p *post) source() string {
	if p.draft {
		return ""
	}
	return p.doc.File
}

// dagger follows a value in the prose whose run is excluded. A note at the end of the post explains it.
const dagger = "†"

// remark returns that note, or "" if no value needs it.
func (p *post) remark() string {
	if len(p.struck) == 0 {
		return ""
	}
	return dagger + " " + p.printer.Say(block.Excluded(p.struck))
}

// place is where a post will be.
type place struct {
	page string // path of its page in the site
	blog string // path in the blog; "" if the post is not there
	away bool   // its page is in another part of an archive
}

// picture is a chart and the file it is written to.
type picture struct {
	name    string // file name
	spec    *report.Chart
	image   chart.Image
	figures []byte // the chart's figures as CSV
	dark    []byte // the PNG for dark pages of a blog; nil for none
}

// show sets the image and the figures of the chart. They are kept until release.
func (p *picture) show(image chart.Image, printer locale.Printer) {
	p.image, p.figures = image, export.Points(p.spec, printer)
}

func (p *picture) darkName() string {
	return strings.TrimSuffix(p.name, path.Ext(p.name)) + "-dark.png"
}

// id returns the chart's id on the post's page.
func (p *picture) id() string { return strings.TrimSuffix(p.name, path.Ext(p.name)) }

// csv returns the name of the file with the chart's figures.
func (p *picture) csv() string { return strings.TrimSuffix(p.name, path.Ext(p.name)) + ".csv" }

// evaluate evaluates the blocks and values. If some runs have errors (lenient), a block that finds no runs is only a
// warning, and the page states what is missing.
//
// Numbers typed into the prose are compared with the figures of the runs. Mismatches are not reported if some run could
// not be read, because that run may support the number.
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

// complete evaluates the blocks and values of a post that was recalled without them. Its messages are already known and
// are not returned again.
func (p *post) complete(b *builder) {
	if p.pending {
		b.evaluate(p)
		p.pending = false
	}
}

// mostWaiting is the number of posts that keep their evaluated blocks and values until they are written. This takes
// about 100 KB per post; evaluating a post again takes a millisecond or two.
const mostWaiting = 100

// wait frees the evaluated blocks and values before the post is written.
func (p *post) wait(b *builder) {
	if teaser, err := p.tease(b); err == nil { // otherwise prepare reports the error
		p.teaser = teaser
		p.forget()
	}
}

// rest frees the evaluated blocks and values of a post that has been written.
func (p *post) rest() {
	if !p.pending && p.teaser != nil && p.drawn {
		p.forget()
	}
}

// forget frees the evaluated blocks and values, which take most of the memory of a written site. They are evaluated
// again when they are needed. What other pages show is kept.
func (p *post) forget() {
	p.pending, p.struck, p.card = true, nil, nil
	p.blocks, p.values, p.charts = map[*document.Block]report.Block{}, map[*document.Value]string{}, map[*document.Block]*picture{}
	p.absent, p.used = map[any]locale.Text{}, map[string]bool{}
}

// noteRuns adds the results that a block shows to those the post depends on.
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

// noteIDs adds results to those the post depends on. It skips "".
func (p *post) noteIDs(ids ...string) {
	for _, id := range ids {
		if id != "" {
			p.runs[id] = true
		}
	}
}

// sortedRuns returns the ids of the results that the post depends on, in natural order. Ids are only ever added, so the
// sorted list is valid while its length is that of the set.
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

// pictureName returns the file name of a chart: the word after the kind in the info string, or "chart-" and a number.
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

// firstPicture returns the post's first chart, which lists show for the post; nil for none.
func (p *post) firstPicture() *picture {
	for _, block := range p.doc.Blocks {
		if pic := p.charts[block]; pic != nil {
			return pic
		}
	}
	return nil
}

// links checks the relative addresses in the prose against the site. Files beside the source are published with the
// post. Links to other posts lead to where those will be. A file that does not exist is a warning.
func (p *post) links(b *builder) []result.Message {
	if p.manual {
		return p.pageLinks(b)
	}
	var ms []result.Message
	published := map[string]locale.Text{cardName: locale.Textf("the post's card")} // folded name → file; all files of a post are in one folder
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
				m.Severity = result.Warning // the folder itself is not needed by the post
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

// aims returns the places to which the links to other posts lead. For each link that leads to no post it adds the files
// of all posts, because one of them may be meant.
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

// linkable returns the folders of a site whose files posts and pages may show. pages is the folder of the manual, or
// "".
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

// localFile resolves a relative address against the post's file. ok is false for addresses elsewhere.
func (p *post) localFile(address string) (file string, ok bool) {
	return document.Local(p.doc.File, address)
}

// aim returns what an address in the prose points to: another post, a file published with this one, or neither.
// fragment includes the #.
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
		return &at, "", "" // its headings have other names
	}
	return nil, p.files[address], fragment
}

// absence returns the text that the post's page shows for a block or value without figures.
func (p *post) absence(why locale.Text) string { return p.printer.Words("site.absent", why) }

// htmlFill renders blocks for a page of the HTML site.
type htmlFill struct {
	b    *builder
	p    *post
	page string // path of the page in the site
	ids  bool   // blocks have ids by number, such as block:3 for the third
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

// picture returns a chart as a page shows it.
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
			data, _ = f.b.ownFile(file) // a file that cannot be read has no address
		}
		return f.to.asset(path.Base(file), data).At(fragment)
	case f.to.form != blogpost.Jekyll && isRelative(l.Address):
		return f.to.relative(l.Address)
	}
	return blogpost.Address{}
}

// pictureFile returns the path of a chart, or of its data, in the HTML site. It is beside the post.
func (b *builder) pictureFile(p *post, name string) string {
	return path.Dir(p.path(b.pages)) + "/" + name
}

// assetFile returns the path of a file of the author's in the HTML site.
func (b *builder) assetFile(p *post, address string) string {
	return path.Dir(b.pages.PostPage(p.doc.Lang, p.doc.Slug)) + "/" + path.Base(p.files[address])
}

func hasErrors(ms []result.Message) bool {
	return slices.ContainsFunc(ms, func(m result.Message) bool { return m.Severity == result.Error })
}
