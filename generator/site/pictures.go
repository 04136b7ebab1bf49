package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"benchpost/generator/bench"
	"benchpost/generator/chart"
	"benchpost/generator/document"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// pictures remembers drawn charts from build to build, by all that decides how
// they look: what is drawn, the language, the theme with its fonts, and the program.
// It lies in .benchpost/charts, safe to delete, and holds what the last builds used.
// What cannot be read or written is drawn again.
type pictures struct {
	folder  string
	program []byte
	frozen  bool // nothing is written

	mu   sync.Mutex
	used map[string]bool
}

// drawn is how a picture is kept: this line, then the PNG and the SVGs.
type drawn struct {
	Width, Height, PNG, SVG, Narrow int // pixels, bytes

	Sum [sha256.Size]byte // of the rest: a damaged file must not be published
}

func openPictures(dir string) *pictures {
	p := &pictures{folder: filepath.Join(dir, stateFolder, "charts"), used: map[string]bool{}}
	h := sha256.New()
	if exe, err := os.Executable(); err == nil {
		stamp(h, exe)
	}
	p.program = h.Sum(nil)
	return p
}

// draw gives a picture from before, or draws it.
func (p *pictures) draw(key []byte, draw func() (chart.Image, error)) (chart.Image, error) {
	sum := sha256.Sum256(append(bytes.Clone(p.program), key...))
	name := hex.EncodeToString(sum[:])
	if image, ok := p.read(name); ok {
		p.use(name)
		return image, nil
	}
	image, err := draw()
	if err == nil && len(image.Warnings) == 0 { // warnings are to be told again
		p.write(name, image)
		p.use(name)
	}
	return image, err
}

// vectors draws a chart of a page of its own, without a picture beside it, or takes
// it from before: room for many names takes long to find.
func (b *builder) vectors(lang string, c *report.Chart) (wide, narrow []byte, err error) {
	p, _ := locale.For(lang)
	key := append(chart.Key(*c, p, b.theme), "vectors"...)
	image, err := b.kept.draw(key, func() (image chart.Image, err error) {
		image.SVG, image.Narrow, err = chart.Vectors(*c, p, b.theme)
		return image, err
	})
	return image.SVG, image.Narrow, err
}

func (p *pictures) use(name string) {
	p.mu.Lock()
	p.used[name] = true
	p.mu.Unlock()
}

func (p *pictures) read(name string) (chart.Image, bool) {
	data, err := os.ReadFile(filepath.Join(p.folder, name))
	if err != nil {
		return chart.Image{}, false
	}
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	var d drawn
	if json.Unmarshal(head, &d) != nil || d.PNG < 0 || d.SVG < 0 || d.Narrow < 0 || d.PNG+d.SVG+d.Narrow != len(rest) || d.Sum != sha256.Sum256(rest) {
		return chart.Image{}, false
	}
	image := chart.Image{PNG: rest[:d.PNG], SVG: rest[d.PNG : d.PNG+d.SVG], Width: d.Width, Height: d.Height}
	if d.Narrow > 0 {
		image.Narrow = rest[d.PNG+d.SVG:]
	}
	return image, true
}

func (p *pictures) write(name string, image chart.Image) {
	if p.frozen || os.MkdirAll(p.folder, 0o755) != nil {
		return
	}
	all := slices.Concat(image.PNG, image.SVG, image.Narrow)
	head, err := json.Marshal(drawn{image.Width, image.Height, len(image.PNG), len(image.SVG), len(image.Narrow), sha256.Sum256(all)})
	if err != nil {
		return
	}
	f, err := os.CreateTemp(p.folder, "new-*")
	if err != nil {
		return
	}
	_, err = fmt.Fprintf(f, "%s\n%s", head, all)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), filepath.Join(p.folder, name)) != nil {
		os.Remove(f.Name())
	}
}

// mostKept bounds, in bytes, the pictures that are kept though they were not used:
// pages that were not made anew may still want them.
const mostKept = 64 << 20

// prune removes what was not used: all of it when everything was made anew, else
// the oldest beyond a bound.
func (p *pictures) prune(all bool) {
	type unused struct {
		name string
		size int64
		time time.Time
	}
	var rest []unused
	entries, _ := os.ReadDir(p.folder)
	for _, e := range entries {
		if p.used[e.Name()] {
			continue
		}
		if info, err := e.Info(); err == nil {
			rest = append(rest, unused{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(rest, func(a, b unused) int { return b.time.Compare(a.time) })
	var kept int64
	for _, u := range rest {
		if kept += u.size; all || kept > mostKept {
			os.Remove(filepath.Join(p.folder, u.name))
		}
	}
}

// job is a chart to draw, or without one the card of the post.
type job struct {
	post  *post
	block *document.Block
	pic   *picture
}

// jobs are the charts of a post, in order, and its card.
func (p *post) jobs() []job {
	var jobs []job
	for _, block := range p.doc.Blocks {
		if pic := p.charts[block]; pic != nil {
			jobs = append(jobs, job{p, block, pic})
		}
	}
	return append(jobs, job{post: p})
}

// draw renders the charts and the cards of the posts that have not been drawn, on
// all cores, and gives what there is to say of all.
func (b *builder) draw(ctx context.Context) ([]bench.Message, error) {
	b.opt.Progress("drawing charts")
	work := make(chan *post)
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range work {
				if err := b.drawPost(p); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			}
		})
	}
	for _, p := range b.posts {
		if !p.drawn && ctx.Err() == nil {
			work <- p
		}
	}
	close(work)
	wg.Wait()
	var ms []bench.Message
	for _, p := range b.posts {
		ms = append(ms, p.remarks...)
	}
	return ms, errors.Join(failed, ctx.Err())
}

// drawPost renders the charts and the card of a post.
func (b *builder) drawPost(p *post) error {
	p.remarks = nil
	for _, j := range p.jobs() {
		remarks, err := b.drawOne(j)
		p.remarks = append(p.remarks, remarks...)
		if err != nil {
			return err
		}
	}
	p.drawn = true
	return nil
}

// release lets go of the pictures of a post: they are drawn again, or taken from
// those kept, when they are wanted again.
func (p *post) release() {
	p.card = nil
	for _, pic := range p.charts {
		pic.image, pic.dark = chart.Image{}, nil
	}
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
