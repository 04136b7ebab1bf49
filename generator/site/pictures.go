package site

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// pictures stores drawn charts from build to build. The key contains everything that determines how a chart looks: what
// is drawn, the language, the theme with its fonts, and the program.
type pictures struct {
	kept interface {
		Get(key []byte) ([]byte, bool)
		Put(key []byte, pieces ...[]byte)
	}
}

// drawn is the header of a stored picture. It is one line of JSON, followed by the PNG and the SVGs.
type drawn struct {
	Width, Height, PNG, SVG, Narrow int // width and height in pixels, the others in bytes
	Notes                           []string
}

// openPictures opens the store of a site's pictures.
func openPictures(dir string) *cache.Store { return cache.OpenStore(dir, "charts") }

// albumOf opens the pictures of a post, which are stored in one file.
func albumOf(p *post, kept *cache.Store) *cache.Album {
	return kept.Album([]byte("album " + p.doc.File))
}

// draw returns a picture from the store, or draws it.
func (p pictures) draw(key []byte, draw func() (chart.Image, error)) (chart.Image, error) {
	if data, ok := p.kept.Get(key); ok {
		if image, ok := unpackImage(data); ok {
			return image, nil
		}
	}
	image, err := draw()
	if err == nil && len(image.Warnings) == 0 { // else it is drawn and reported again
		p.kept.Put(key, packImage(image)...)
	}
	return image, err
}

// sketch returns the form of a chart that pages show, from the store or newly drawn.
func (p pictures) sketch(c report.Chart, printer locale.Printer, t chart.Theme) (chart.Image, error) {
	key := chart.Key(c, printer, t)
	if data, ok := p.kept.Get(key); ok { // with a PNG, which is not needed here
		if image, ok := unpackImage(data); ok {
			return image, nil
		}
	}
	return p.draw(append(key, "sketch"...), func() (chart.Image, error) { return chart.Sketch(c, printer, t) })
}

// packImage returns the stored form of a picture, in pieces.
func packImage(image chart.Image) [][]byte {
	head := encodeJSON(drawn{image.Width, image.Height, len(image.PNG), len(image.SVG), len(image.Narrow), image.Notes})
	return [][]byte{append(head, '\n'), image.PNG, image.SVG, image.Narrow}
}

func unpackImage(data []byte) (chart.Image, bool) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	var d drawn
	if json.Unmarshal(head, &d) != nil || d.PNG < 0 || d.SVG < 0 || d.Narrow < 0 || d.PNG+d.SVG+d.Narrow != len(rest) {
		return chart.Image{}, false
	}
	image := chart.Image{PNG: rest[:d.PNG], SVG: rest[d.PNG : d.PNG+d.SVG], Notes: d.Notes, Width: d.Width, Height: d.Height}
	if d.Narrow > 0 {
		image.Narrow = rest[d.PNG+d.SVG:]
	}
	return image, true
}

// encodeJSON encodes a value whose encoding cannot fail.
func encodeJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// vectors returns a chart that a page shows without a request of the author, from the store or newly drawn: placing
// many names takes long. It drops warnings about what does not fit into the chart.
func (b *builder) vectors(lang string, c *report.Chart) (page.Drawing, error) {
	p, _ := locale.For(lang)
	key := append(chart.Key(*c, p, b.theme), "vectors"...)
	image, err := pictures{b.kept}.draw(key, func() (chart.Image, error) {
		image, err := chart.Sketch(*c, p, b.theme)
		image.Warnings = nil
		return image, err
	})
	d := drawing(image)
	d.CSV = export.Points(c, p)
	return d, err
}

// drawing returns a chart in the form that pages contain.
func drawing(image chart.Image) page.Drawing {
	return page.Drawing{SVG: image.SVG, Narrow: image.Narrow, Notes: image.Notes}
}

// job is a chart to draw, or the card of the post if pic is nil.
type job struct {
	post  *post
	block *document.Block
	pic   *picture
}

// jobs returns the charts of a post, in order, and its card. Pages of the manual have no card.
func (p *post) jobs() []job {
	var jobs []job
	for _, block := range p.doc.Blocks {
		if pic := p.charts[block]; pic != nil {
			jobs = append(jobs, job{p, block, pic})
		}
	}
	if p.manual {
		return jobs
	}
	return append(jobs, job{post: p})
}

// draw draws the charts and the cards of posts that have not been drawn, on all cores. Afterwards all messages about
// them are known. The pictures are stored until they are needed.
func (b *builder) draw(ctx context.Context, posts []*post) error {
	failed := make([]error, cores.Count())
	cores.EachOn(len(posts), func(core, i int) {
		p := posts[i]
		if p.drawn || ctx.Err() != nil {
			return
		}
		done := b.session.turn()
		defer done()
		if err := b.drawPost(p); err != nil {
			failed[core] = err
		}
		p.release()
	})
	return errors.Join(cmp.Or(failed...), ctx.Err())
}

// remarks returns the messages about the charts that were drawn.
func remarks(posts []*post) []result.Message {
	var ms []result.Message
	for _, p := range posts {
		ms = append(ms, p.remarks...)
	}
	return ms
}

// drawPost draws the charts and the card of a post. It makes PNGs of charts only for posts in the blog.
func (b *builder) drawPost(p *post) error { return b.drawFor(p, p.isForBlog(&b.config)) }

// drawFor draws the charts and the card of a post. files makes PNGs of the charts, too.
func (b *builder) drawFor(p *post, files bool) error {
	p.complete(b)
	p.remarks = nil
	album := albumOf(p, b.kept)
	defer album.Close(false)
	for _, j := range p.jobs() {
		remarks, err := j.draw(b, pictures{album}, files)
		p.remarks = append(p.remarks, remarks...)
		if err != nil {
			return err
		}
	}
	p.drawn = true
	return nil
}

// sketchPost draws the charts of a post as its page shows them. The page may be needed before the post's files are.
func sketchPost(b *builder, p *post) error {
	album := albumOf(p, b.kept)
	defer album.Close(true)
	for block, pic := range p.charts {
		image, err := (pictures{album}).sketch(*pic.spec, p.printer, b.theme)
		if err != nil {
			return locale.Errorf("%s: %s", block.Pos, err)
		}
		pic.show(image, p.printer)
	}
	return nil
}

// release frees the pictures of a post. When they are needed again, they are taken from the store or drawn again.
func (p *post) release() {
	p.card = nil
	for _, pic := range p.charts {
		pic.image, pic.figures, pic.dark = chart.Image{}, nil, nil
	}
}

// draw draws the chart of a job, or the card of its post. files makes PNGs of the chart, too. The warnings about what
// could not be shown as requested have the position of the block.
func (j job) draw(b *builder, kept pictures, files bool) ([]result.Message, error) {
	p, pos := j.post.printer, result.Position{File: j.post.doc.File}
	var image chart.Image
	var err error
	if j.pic == nil {
		card := b.card(j.post)
		image, err = kept.draw(card.Key(p, b.theme), func() (chart.Image, error) { return chart.DrawCard(card, p, b.theme) })
		j.post.card = image.PNG
	} else if pos = j.block.Pos; !files {
		image, err = kept.sketch(*j.pic.spec, p, b.theme)
		j.pic.show(image, p)
	} else {
		spec := *j.pic.spec
		image, err = kept.draw(chart.Key(spec, p, b.theme), func() (chart.Image, error) { return chart.Draw(spec, p, b.theme) })
		j.pic.show(image, p)
		if b.config.Charts.Dark && err == nil {
			var dark chart.Image
			dark, err = kept.draw(chart.Key(spec, p, b.dark), func() (chart.Image, error) { return chart.Picture(spec, p, b.dark) })
			j.pic.dark = dark.PNG
		}
	}
	for i := range image.Warnings {
		image.Warnings[i].Pos = pos
	}
	if err != nil {
		err = locale.Errorf("%s: %s", pos, err)
	}
	return image.Warnings, err
}

// card returns the card of a post, which is shown where the post is linked.
func (b *builder) card(p *post) chart.Card {
	c := chart.Card{Title: p.doc.Front.Title, Text: p.doc.Front.Description, Site: p.printer.Say(b.config.Title.Text)}
	if !p.doc.Front.Date.IsZero() {
		c.Date = p.printer.Date(p.doc.Front.Date)
	}
	if pic := p.firstPicture(); pic != nil {
		c.Chart = pic.spec
	}
	return c
}

// cardsOf returns a function that draws the cards of pages with a chart.
func cardsOf(b *builder) func(lang, title, text string, c *report.Chart) ([]byte, error) {
	return func(lang, title, text string, c *report.Chart) ([]byte, error) {
		p, _ := locale.For(lang)
		card := chart.Card{Title: title, Text: text, Site: p.Say(b.config.Title.Text), Chart: c}
		image, err := pictures{b.kept}.draw(card.Key(p, b.theme), func() (chart.Image, error) { return chart.DrawCard(card, p, b.theme) })
		return image.PNG, err
	}
}

// theme returns the theme of the charts. Names of font files are relative to the site's folder. A font that cannot be
// read is reported, and the others are used.
func theme(of *config.Config, dir string) (chart.Theme, []result.Message) {
	c, t := &of.Charts, chart.DefaultTheme()
	if c.Width > 0 {
		t.Scale = float64(c.Width) / float64(t.Width)
	}
	if c.Height > 0 {
		t.Height = int(float64(c.Height) / t.Scale)
	}
	if c.TextSize > 0 {
		t.TextSize = c.TextSize
	}
	t.Machine = font.Installed()
	if len(c.Palette) > 0 {
		t.Series = c.Colours()
	}
	var ms []result.Message
	fonts := func(key string, files []string) (found []*font.Font) {
		for i, name := range files {
			data, err := sitefile.Read(filepath.Join(dir, filepath.FromSlash(name)))
			var f *font.Font
			if err == nil {
				f, err = font.Parse(data)
			}
			if err != nil {
				ms = append(ms, result.Message{Pos: of.At("charts", key, i), Severity: result.Error, ID: "site.font",
					Text: locale.Textf("the font %s cannot be used: %v", name, result.Reason(err)), Hint: locale.Textf("name a TrueType or OpenType file (.ttf, .otf, .ttc) in the site's folder, or remove the line; until then charts use the built-in fonts")})
				continue
			}
			found = append(found, f)
		}
		return found
	}
	t.Regular, t.Bold = fonts("font", c.Font), fonts("bold", c.Bold)
	if t.Bold == nil {
		t.Bold = t.Regular
	}
	return t, ms
}

// darkTheme returns the theme's variant for dark pages. A palette of the site's own is the same in both.
func darkTheme(c *config.Charts, t chart.Theme) chart.Theme {
	dark := chart.DarkTheme()
	dark.Width, dark.Height, dark.Scale, dark.TextSize = t.Width, t.Height, t.Scale, t.TextSize
	dark.Regular, dark.Bold, dark.Machine = t.Regular, t.Bold, t.Machine
	if len(c.Palette) > 0 {
		dark.Series = t.Series
	}
	return dark
}
