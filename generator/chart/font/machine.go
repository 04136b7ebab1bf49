package font

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// Machine has the fonts installed on a machine, for characters that no other font has. It searches for them
// when first asked. It is safe for concurrent use.
type Machine struct {
	folders []string

	mu     sync.Mutex
	listed bool
	fonts  []*installed          // in order of preference
	found  map[string]*installed // by cluster; nil if no font has it
}

// installed is the file of an installed font.
type installed struct {
	path          string
	rank          int // lower is better
	known         bool
	cmap          font.Cmap // nil for a file that cannot be used
	opened        bool
	regular, bold *Font // nil for a file that cannot be used
}

// NewMachine returns the fonts in folders and below them.
func NewMachine(folders ...string) *Machine {
	return &Machine{folders: folders, found: map[string]*installed{}}
}

// Installed returns the fonts of this machine.
var Installed = sync.OnceValue(func() *Machine {
	home, _ := os.UserHomeDir()
	switch runtime.GOOS {
	case "windows":
		return NewMachine(filepath.Join(os.Getenv("WINDIR"), "Fonts"), filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts"))
	case "darwin":
		return NewMachine("/System/Library/Fonts", "/Library/Fonts", filepath.Join(home, "Library", "Fonts"))
	}
	return NewMachine("/usr/share/fonts", "/usr/local/share/fonts", filepath.Join(home, ".local", "share", "fonts"), filepath.Join(home, ".fonts"))
})

// font returns the installed font for a cluster, or nil.
func (m *Machine) font(cluster []rune, bold bool) *Font {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.listed {
		m.fonts, m.listed = list(m.folders), true
	}
	f, known := m.found[string(cluster)]
	if !known {
		if i := slices.IndexFunc(m.fonts, func(f *installed) bool { return f.draws(cluster) }); i >= 0 {
			f = m.fonts[i]
		}
		m.found[string(cluster)] = f
	}
	switch {
	case f == nil:
		return nil
	case bold:
		return f.bold
	}
	return f.regular
}

// largest is the size limit of files that are read as fonts, in bytes.
const largest = 100 << 20

// list returns the font files in folders and below them.
func list(folders []string) []*installed {
	var fonts []*installed
	for _, folder := range folders {
		filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil // unreadable folders have no fonts
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				if info, err := d.Info(); err == nil && info.Size() <= largest {
					fonts = append(fonts, &installed{path: path, rank: rank(filepath.Base(path))})
				}
			}
			return nil
		})
	}
	slices.SortStableFunc(fonts, func(a, b *installed) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(filepath.Base(a.path), filepath.Base(b.path)))
	})
	return fonts
}

// rank rates a font by its file name: the lower, the better it fits Noto Sans.
func rank(name string) int {
	name = strings.ToLower(name)
	n := 0
	for _, style := range []string{"bold", "italic", "oblique", "light", "thin", "black", "medium", "semi", "condensed"} {
		if strings.Contains(name, style) {
			n += 8
			break
		}
	}
	for i, word := range []string{"mono", "serif", "display"} {
		if strings.Contains(name, word) {
			n += 4 - i
		}
	}
	if !strings.HasPrefix(name, "notosans") {
		n += 2
	}
	if !strings.Contains(name, "sans") {
		n++
	}
	return n
}

// draws reports whether a font has all runes of a cluster, with outlines.
func (f *installed) draws(cluster []rune) bool {
	if !f.known {
		f.known = true
		sparing(func() error { f.cmap = characters(f.path); return nil })
	}
	if f.cmap == nil || slices.ContainsFunc(cluster, func(r rune) bool {
		_, ok := f.cmap.Lookup(r)
		return !ok && !unseen(r)
	}) {
		return false
	}
	if !f.opened {
		f.opened = true
		file, err := os.ReadFile(f.path)
		if err != nil {
			return false
		}
		regular, err := parseOpenType(file)
		if err != nil {
			return false
		}
		regular.name = filepath.Base(f.path)
		f.regular, f.bold = regular, regular.thicken()
	}
	if f.regular == nil {
		return false
	}
	f.regular.mu.Lock()
	defer f.regular.mu.Unlock()
	found := false
	err := sparing(func() error {
		outline, ok := f.regular.face.GlyphData(font.GID(f.regular.glyph(cluster[0]).index)).(font.GlyphOutline)
		found = ok && len(outline.Segments) > 0
		return nil
	})
	return found && err == nil
}

// characters returns the characters of a font file, or nil if it cannot be read.
func characters(path string) font.Cmap {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	loaders, err := opentype.NewLoaders(file)
	if err != nil || len(loaders) == 0 {
		return nil
	}
	raw, err := loaders[0].RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return nil
	}
	cmap, _, err := font.ProcessCmap(table, tables.FPNone)
	if err != nil {
		return nil
	}
	return cmap
}
