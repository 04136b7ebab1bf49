package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"benchpost/generator/chart"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// pictures remembers drawn charts from build to build, by all that decides how
// they look: what is drawn, the language, the theme with its fonts, and the program.
// It lies in .benchpost/charts, safe to delete, and holds what the last build used.
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

// prune removes what this build did not use.
func (p *pictures) prune() {
	entries, _ := os.ReadDir(p.folder)
	for _, e := range entries {
		if !p.used[e.Name()] {
			os.Remove(filepath.Join(p.folder, e.Name()))
		}
	}
}
