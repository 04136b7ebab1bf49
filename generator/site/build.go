// Package site ties the parts together: site.toml, the runs and the posts in;
// the HTML site and the Jekyll posts out.
package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"benchpost/generator/audit"
	"benchpost/generator/bench"
	"benchpost/generator/chart"
	"benchpost/generator/document"
	"benchpost/generator/export"
	"benchpost/generator/format"
	"benchpost/generator/jekyll"
	"benchpost/generator/page"
	"benchpost/generator/prose"
	"benchpost/generator/publish"
	"benchpost/generator/report"
	"benchpost/generator/rundir"
	"benchpost/generator/settings"
)

// Options say what to build and how.
type Options struct {
	Dir      string       // the site's folder
	Out      string       // the output folder; Dir/public when empty
	Drafts   bool         // publish drafts too
	Strict   bool         // a warning stops the build as an error does
	Progress func(string) // told what is being done; may be nil
}

// Summary is what a build did.
type Summary struct {
	publish.Summary
	Results, Posts, Charts int
	Aside                  int // results that a check has set aside
	Skipped                []rundir.Skipped
	Fresh                  bool // nothing had changed since the last build; nothing was done
	Broken                 bool // the output was left as it was
}

// ErrConfig is returned when site.toml is wrong: nothing can be done.
var ErrConfig = errors.New("the configuration is wrong")

type builder struct {
	opt      Options
	config   Config
	pages    *page.Site
	pictures []job // those still to be drawn
	dataset  *rundir.Dataset
	watched  watched
	theme    chart.Theme
	dark     chart.Theme
	kept     *pictures
	stream   func(path string, write func(io.Writer) error) error // into the HTML site
}

// job is a chart to draw, or without one the card of the post.
type job struct {
	post  *post
	block *document.Block
	pic   *picture
}

// Dataset reads the runs of a site and adds what the site knows of them. A
// site may be without runs.
func Dataset(dir string, c *Config) (*rundir.Dataset, error) {
	runs := filepath.Join(dir, "runs")
	if _, err := os.Stat(runs); errors.Is(err, fs.ErrNotExist) {
		return &rundir.Dataset{}, nil
	}
	set, err := rundir.Load(runs, rundir.Options{Name: "runs", Mappings: c.Format})
	if err != nil {
		return nil, err
	}
	set.Messages = append(set.Messages, c.Apply(set.Results)...)
	set.Messages = append(set.Messages, c.unmet(set.Results)...)
	bench.SortMessages(set.Messages)
	return set, nil
}

func pointers(rs []bench.Result) []*bench.Result {
	out := make([]*bench.Result, len(rs))
	for i := range rs {
		out[i] = &rs[i]
	}
	return out
}

// Build makes the outputs. Messages are sorted and complete whatever happens.
// The error is of the machine (a disk that is full) or ErrConfig; faults of
// runs and posts are messages. An error in site.toml or in a post leaves the
// output as it was; an unreadable run is shown as missing.
func Build(ctx context.Context, opt Options) (Summary, []bench.Message, error) {
	if opt.Out == "" {
		opt.Out = filepath.Join(opt.Dir, "public")
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	state := openState(opt)
	if s, ms, ok := state.fresh(); ok {
		return s, ms, nil
	}
	b := &builder{opt: opt}
	summary, ms, err := b.build(ctx)
	bench.SortMessages(ms)
	if err == nil && !summary.Broken {
		state.save(summary, ms, b.watched)
	}
	return summary, ms, err
}

// Check reads everything that Build reads and evaluates the posts, and writes
// nothing. Messages and errors are those of Build, and the checks of results.
func Check(dir string) ([]bench.Message, error) {
	b := &builder{opt: Options{Dir: dir, Drafts: true, Progress: func(string) {}}}
	in, err := b.read()
	if b.dataset != nil {
		in.messages = append(in.messages, ResultMessages(b.dataset.Results)...)
	}
	bench.SortMessages(in.messages)
	return in.messages, err
}

// ResultMessages words what was found about results as messages.
func ResultMessages(results []bench.Result) []bench.Message {
	var ms []bench.Message
	for i := range results {
		r := &results[i]
		for n := range r.Checks {
			ms = append(ms, r.Checks[n].Message(r))
		}
	}
	return ms
}

// input is what was read for a build.
type input struct {
	posts    []*post
	messages []bench.Message
	broken   bool // a post is wrong: nothing must be published
}

// read does all of a build that needs no output: configuration, runs, posts,
// and the evaluation of their blocks.
func (b *builder) read() (input, error) {
	in := input{broken: true}
	var err error
	if b.config, in.messages = LoadConfig(b.opt.Dir); hasErrors(in.messages) {
		return in, ErrConfig
	}
	in.messages = append(in.messages, b.strayLayouts()...)
	b.opt.Progress("reading runs")
	if b.dataset, err = Dataset(b.opt.Dir, &b.config); err != nil {
		return in, err
	}
	in.messages = append(in.messages, b.dataset.Messages...)
	lenient := hasErrors(b.dataset.Messages)

	b.opt.Progress("reading posts")
	posts, problems := b.readPosts()
	results := pointers(b.dataset.Results)
	theme, fontless := b.config.Charts.theme(b.opt.Dir)
	b.theme, b.dark = theme, b.config.Charts.dark(theme)
	in.messages = append(in.messages, fontless...)
	b.pages = b.site(results)
	data := b.config.data(results)
	b.pages.Report = data
	b.compares(data)
	b.pages.Drawings, b.pages.Commands, b.pages.Method = b.drawings(data), commands, b.config.method(data)
	figures := prose.Of(data)
	for _, p := range posts {
		problems = append(problems, b.evaluate(p, data, figures, lenient)...)
	}
	b.watched = b.watch(posts)
	in.posts, in.broken = posts, hasErrors(problems)
	in.messages = append(in.messages, problems...)
	return in, nil
}

func (b *builder) build(ctx context.Context) (Summary, []bench.Message, error) {
	broken := Summary{Broken: true}
	in, err := b.read()
	ms := in.messages
	if err != nil || in.broken {
		return broken, ms, err
	}
	if err := ctx.Err(); err != nil {
		return broken, ms, err
	}
	b.opt.Progress("drawing charts")
	charts := len(b.pictures)
	b.kept = openPictures(b.opt.Dir)
	drawn, err := b.draw(ctx, in.posts)
	b.pictures = nil
	ms = append(ms, drawn...)
	if err != nil {
		return broken, ms, err
	}
	if b.opt.Strict {
		ms = append(ms, ResultMessages(b.dataset.Results)...)
	}
	if b.opt.Strict && slices.ContainsFunc(ms, func(m bench.Message) bool { return m.Severity >= bench.Warning }) {
		return broken, ms, nil
	}

	b.opt.Progress("writing pages")
	counts, err := b.write(ctx, in.posts)
	if err == nil {
		b.kept.prune()
	}
	summary := Summary{Summary: counts, Results: len(b.dataset.Results), Posts: len(in.posts), Charts: charts, Skipped: b.dataset.Skipped}
	for i := range b.dataset.Results {
		if b.dataset.Results[i].Quarantined() {
			summary.Aside++
		}
	}
	var foreign *publish.ForeignError
	if errors.As(err, &foreign) {
		at := foreign.Path
		if rel, err := filepath.Rel(b.opt.Dir, at); err == nil {
			at = filepath.ToSlash(rel)
		}
		ms = append(ms, bench.Message{Pos: bench.Position{File: at}, Severity: bench.Error, ID: "publish.foreign",
			Text: "this file is in the way of a post and was not written by benchpost", Hint: "move it away, or give the post another slug or date"})
		summary.Broken = true
		return summary, ms, nil
	}
	return summary, ms, err
}

// draw renders the charts and the posts' cards, on all cores.
func (b *builder) draw(ctx context.Context, posts []*post) ([]bench.Message, error) {
	work := make(chan job)
	var ms []bench.Message
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for j := range work {
				warnings, err := b.drawOne(j)
				mu.Lock()
				ms = append(ms, warnings...)
				if err != nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	jobs := b.pictures
	for _, p := range posts {
		jobs = append(jobs, job{post: p})
	}
	for _, j := range jobs {
		if ctx.Err() != nil {
			break
		}
		work <- j
	}
	close(work)
	wg.Wait()
	return ms, errors.Join(failed, ctx.Err())
}

// drawOne renders the chart of a job, or its post's card, and says where in the
// post what could not be shown as asked for is written.
func (b *builder) drawOne(j job) ([]bench.Message, error) {
	p, pos := j.post.printer, bench.Position{File: j.post.doc.File}
	var image chart.Image
	var err error
	if j.pic == nil {
		card := b.card(j.post)
		image, err = b.kept.draw(card.Key(p, b.theme), func() (chart.Image, error) { return chart.DrawCard(card, p, b.theme) })
		j.post.card = image.PNG
	} else {
		pos = j.block.Pos
		spec := *j.pic.spec
		image, err = b.kept.draw(chart.Key(spec, p, b.theme), func() (chart.Image, error) {
			image, err := chart.Draw(spec, p, b.theme)
			image.Narrow = chart.Narrow(spec, p, b.theme)
			return image, err
		})
		j.pic.image = image
		if b.config.Charts.Dark && err == nil {
			var dark chart.Image
			dark, err = b.kept.draw(chart.Key(spec, p, b.dark), func() (chart.Image, error) { return chart.Draw(spec, p, b.dark) })
			j.pic.dark = dark.PNG
		}
	}
	for i := range image.Warnings {
		image.Warnings[i].Pos = pos
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", pos, err)
	}
	return image.Warnings, err
}

// card is what stands for a post where it is linked.
func (b *builder) card(p *post) chart.Card {
	c := chart.Card{Title: p.doc.Front.Title, Text: p.doc.Front.Description, Site: p.printer.Say(b.config.Title.Text)}
	if !p.doc.Front.Date.IsZero() {
		c.Date = p.printer.Date(p.doc.Front.Date)
	}
	return c
}

// site collects what the pages are made from, but for the posts.
func (b *builder) site(results []*bench.Result) *page.Site {
	c := &b.config
	titles, _ := c.titles()
	s := &page.Site{
		Titles: titles,
		Title:  c.Title.Text, Description: c.Description.Text, Author: c.Author, Languages: c.Languages, BaseURL: c.BaseURL,
		Results: results, Raw: b.source, ChartStyle: b.theme.Style(b.dark), ChartTheme: b.theme.Script(),
		Verdicts: func(r *bench.Result) (passed, unjudged []bench.Check) {
			verdicts := audit.Judge(r)
			return verdicts.Passed, verdicts.Unjudged
		},
	}
	for _, m := range c.Model {
		s.Models = append(s.Models, page.Model{ID: m.ID, Title: m.Title.Text, Base: m.Base, URL: m.URL, Quantization: m.Quantization,
			Size: m.WeightSize, Params: m.Params, ActiveParams: m.ActiveParams, Note: m.Note.Text})
	}
	s.Hardware = c.boards(results)
	for _, l := range c.Load {
		s.Loads = append(s.Loads, page.Load{Label: "load", Name: l.Name, When: l.When})
	}
	for _, l := range c.Scenario {
		s.Loads = append(s.Loads, page.Load{Label: "scenario", Name: l.Name, When: l.When})
	}
	s.Draw = b.vectors
	for _, sk := range b.dataset.Skipped {
		s.Skipped = append(s.Skipped, page.Skipped{File: sk.File, Reason: sk.Reason})
	}
	for _, m := range b.dataset.Messages {
		if m.Severity != bench.Info {
			s.Messages = append(s.Messages, m)
		}
	}
	if layouts := filepath.Join(b.opt.Dir, "layouts"); isDir(layouts) {
		s.Layouts = os.DirFS(layouts)
	}
	return s
}

// compares tells the pages what runs are compared by.
func (b *builder) compares(data *report.Data) {
	apart := map[*bench.Result]bool{}
	for _, r := range data.Apart {
		apart[r] = true
	}
	b.pages.Apart = func(r *bench.Result) bool { return apart[r] }
	b.pages.Orders, b.pages.Styles = data.Order, data.Styles
	b.pages.Settings, b.pages.Noise, b.pages.Limits = audit.Settings(), data.Rules.Noise, data.Limits
}

// strayLayouts tells of files among the layouts that nothing reads.
func (b *builder) strayLayouts() []bench.Message {
	known := []string{page.CustomStyle}
	entries, _ := fs.ReadDir(page.Layouts(), ".")
	for _, e := range entries {
		known = append(known, e.Name())
	}
	var ms []bench.Message
	entries, _ = os.ReadDir(filepath.Join(b.opt.Dir, "layouts"))
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || slices.Contains(known, name) || name == "README.md" || name[0] == '.' {
			continue
		}
		m := bench.Message{Pos: bench.Position{File: "layouts/" + name}, Severity: bench.Warning, ID: "site.layout",
			Text: "no layout has this name; it is not used", Hint: "there are: " + strings.Join(known, ", ") + ", and files to be copied in static/"}
		if near := settings.Nearest(name, known); near != "" {
			m.Hint = "did you mean " + near + "?"
		}
		ms = append(ms, m)
	}
	return ms
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// raw gives the lines of a result's block.
func (b *builder) raw(r *bench.Result) ([]byte, error) {
	source, err := b.source(r)
	if err != nil {
		return nil, err
	}
	here := *r // the block's place in what was read
	here.Source.Line -= source.First - 1
	here.EndLine -= source.First - 1
	return format.Raw(source.Data, &here), nil
}

// write renders everything into the output folder and moves it into place at
// the end, the blog's part last.
func (b *builder) write(ctx context.Context, posts []*post) (publish.Summary, error) {
	out, err := publish.Open(b.opt.Out, publish.Replace)
	if err != nil {
		return publish.Summary{}, err
	}
	blog := out
	blogPut := func(path string, data []byte) error { return out.Put("jekyll/"+path, data) }
	if dir := b.blogDir(); dir != "" {
		if blog, err = publish.Open(dir, publish.Refuse); err != nil {
			out.Discard()
			return publish.Summary{}, err
		}
		blogPut = blog.Put
	}
	sitePut := func(path string, data []byte) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return out.Put("site/"+path, data)
	}
	b.stream = func(path string, write func(io.Writer) error) error { return out.Stream("site/"+path, write) }
	if err := errors.Join(b.writeResults(), b.render(posts, sitePut, blogPut)); err != nil {
		out.Discard()
		blog.Discard()
		return publish.Summary{}, err
	}
	s, err := out.Commit()
	if err != nil {
		blog.Discard()
		return s, err
	}
	if blog != out {
		var t publish.Summary
		t, err = blog.Commit()
		s.Written, s.Unchanged, s.Removed = s.Written+t.Written, s.Unchanged+t.Unchanged, s.Removed+t.Removed
	}
	return s, err
}

// blogDir is the blog's folder, "" when the posts go to the output folder.
func (b *builder) blogDir() string {
	dir := b.config.Jekyll.Dir
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(b.opt.Dir, dir)
}

// watch names what a build read or wrote beside the site's own folders and
// the output folder.
func (b *builder) watch(posts []*post) watched {
	w := watched{Blog: b.blogDir()}
	for _, p := range posts {
		for _, file := range p.files {
			w.Files = append(w.Files, file)
		}
	}
	slices.Sort(w.Files)
	w.Files = append(w.Files, b.config.Charts.Font...)
	w.Files = append(w.Files, b.config.Charts.Bold...)
	slices.Sort(w.Files)
	w.Files = slices.Compact(w.Files)
	return w
}

type put func(path string, data []byte) error

func (b *builder) render(posts []*post, site, blog put) error {
	translations := translations(posts)
	for i, p := range posts {
		article, err := b.putPost(p, translations[p.doc.Name], site, blog)
		if err != nil {
			return err
		}
		b.pages.Posts = append(b.pages.Posts, article)
		posts[i] = nil // what is written need not be kept: a site may have thousands
	}
	return b.pages.Render(site)
}

// translations gives for the name of each post its slugs by language.
func translations(posts []*post) map[string]map[string]string {
	slugs := map[string]map[string]string{}
	for _, p := range posts {
		if slugs[p.doc.Name] == nil {
			slugs[p.doc.Name] = map[string]string{}
		}
		slugs[p.doc.Name][p.doc.Lang] = p.doc.Slug
	}
	return slugs
}

// putPost writes all files of a post but its page, for which it gives what the page
// is made from.
func (b *builder) putPost(p *post, translations map[string]string, site, blog put) (page.Post, error) {
	article, err := b.article(p, translations)
	if err != nil {
		return article, err
	}
	if err := b.putData(p, &article, site); err != nil {
		return article, err
	}
	fill := markdownFill{b, p}
	opt := b.jekyll()
	if p.doc.Front.Image == "" {
		// Front matter is no place for Liquid: themes put the base before it.
		opt.Image = strings.TrimSuffix(b.config.Jekyll.AssetsURL, "/") + "/" + assetFolder(p) + cardName
	}
	if err := errors.Join(site(b.pictureFile(p, cardName), p.card), blog(assetFolder(p)+cardName, p.card)); err != nil {
		return article, err
	}
	opt.Remark = p.remark()
	text, err := jekyll.Post(p.doc, fill, opt)
	if err != nil {
		return article, fmt.Errorf("%s: %w", p.doc.File, err)
	}
	if err := blog(p.blog, text); err != nil {
		return article, err
	}
	for _, block := range p.doc.Blocks {
		pic := p.charts[block]
		if pic == nil {
			continue
		}
		points := export.Points(pic.spec, p.printer)
		if err := errors.Join(site(b.pictureFile(p, pic.name), pic.image.PNG), blog(assetFolder(p)+pic.name, pic.image.PNG),
			site(b.pictureFile(p, pic.csv()), points), blog(assetFolder(p)+pic.csv(), points)); err != nil {
			return article, err
		}
		if pic.dark != nil {
			if err := blog(assetFolder(p)+pic.darkName(), pic.dark); err != nil {
				return article, err
			}
		}
	}
	if err := b.copyFiles(p, site, blog); err != nil {
		return article, err
	}
	return article, nil
}

// putData publishes what the blocks of a post came to. The blocks themselves
// are for layouts: where the site has none that could read them, they need not
// be kept.
func (b *builder) putData(p *post, a *page.Post, site put) error {
	var doc bytes.Buffer
	err := export.Report(&doc, export.Post{Slug: a.Slug, Lang: a.Lang, Title: a.Title, Date: a.Date, Source: a.Source, Runs: a.Runs, Blocks: a.Data}, p.printer)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Source, err)
	}
	if !b.ownLayout("base.html") && !b.ownLayout("post.html") {
		a.Data = nil
	}
	at := b.pages.PostData(a.Lang, a.Slug)
	sum := sha256.Sum256(doc.Bytes())
	b.pages.Written = append(b.pages.Written, page.DataFile{Path: at, Bytes: int64(doc.Len()), SHA256: hex.EncodeToString(sum[:])})
	return site(at, doc.Bytes())
}

// ownLayout tells whether the site overrides a layout.
func (b *builder) ownLayout(name string) bool {
	_, err := os.Stat(filepath.Join(b.opt.Dir, "layouts", name))
	return err == nil
}

// copyFiles publishes the author's own files that a post shows.
func (b *builder) copyFiles(p *post, site, blog put) error {
	done := map[string]bool{}
	addresses := make([]string, 0, len(p.files))
	for address := range p.files {
		addresses = append(addresses, address)
	}
	slices.Sort(addresses)
	for _, address := range addresses {
		file := p.files[address]
		if done[file] {
			continue
		}
		done[file] = true
		data, err := os.ReadFile(filepath.Join(b.opt.Dir, filepath.FromSlash(file)))
		if err == nil {
			err = errors.Join(site(b.assetFile(p, address), data), blog(assetFolder(p)+filepath.Base(file), data))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// article renders a post for the HTML site.
func (b *builder) article(p *post, translations map[string]string) (page.Post, error) {
	d := p.doc
	var body, excerpt bytes.Buffer
	fill := htmlFill{b, p, b.pages.PostPage(d.Lang, d.Slug), true}
	if err := d.HTML(&body, fill); err != nil {
		return page.Post{}, fmt.Errorf("%s: %w", d.File, err)
	}
	if d.Front.Excerpt != "" {
		excerpt.WriteString("<p>" + template.HTMLEscapeString(d.Front.Excerpt) + "</p>\n")
	} else if err := d.Excerpt(&excerpt, htmlFill{b, p, b.pages.HomePage(d.Lang), false}); err != nil {
		return page.Post{}, fmt.Errorf("%s: %w", d.File, err)
	}
	if remark := p.remark(); remark != "" {
		note := "<p class=\"remark\">" + template.HTMLEscapeString(remark) + "</p>\n"
		body.WriteString(note)
		if strings.Contains(excerpt.String(), dagger) {
			excerpt.WriteString(note)
		}
	}
	a := page.Post{
		Slug: d.Slug, Lang: d.Lang, Title: d.Front.Title, Date: d.Front.Date, Tags: d.Front.Tags.Items, Categories: d.Front.Categories.Items,
		Excerpt: template.HTML(excerpt.String()), Body: template.HTML(body.String()), Translations: translations, Source: d.File,
	}
	for _, h := range d.Contents(fill) {
		a.Headings = append(a.Headings, page.Heading{Level: h.Level, ID: h.ID, Text: h.Text})
		a.Outline += strconv.Itoa(h.Level)
	}
	for _, block := range d.Blocks {
		a.Outline += " " + block.Kind
	}
	for id := range p.runs {
		a.Runs = append(a.Runs, id)
	}
	slices.SortFunc(a.Runs, bench.NaturalCompare)
	for _, block := range d.Blocks {
		a.Data = append(a.Data, export.Block{Kind: block.Kind, Line: block.Pos.Line, Absent: p.absent[block], Block: p.blocks[block]})
	}
	for _, block := range d.Blocks {
		pic := p.charts[block]
		if pic == nil {
			continue
		}
		spec, err := export.Chart(*pic.spec, p.printer)
		if err != nil {
			return page.Post{}, fmt.Errorf("%s: %w", d.File, err)
		}
		a.Charts = append(a.Charts, page.Chart{ID: pic.id(), Spec: spec, Runs: page.RunsOf(pic.spec)})
	}
	a.Card = b.pictureFile(p, cardName)
	if pic := p.firstPicture(); pic != nil {
		a.Image = b.pictureFile(p, pic.name)
	}
	return a, nil
}
