package shard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
	"github.com/benchpost/benchpost/generator/vocabulary"
	"github.com/benchpost/benchpost/generator/weights"
)

// Source is what a shard is written of.
type Source struct {
	Root    string           // the folder runs/ of a site
	Part    string           // a folder or file below it, as a slash path; "" for all
	Mask    *mask.Masker     // what is published is masked; nil for as it is
	Results []*result.Result // of the part, whose files are called "runs/…"
}

// Write writes the files of the part and those that lie in the folders above it, which declare what holds for
// the part. The same files give the same bytes. Memory does not grow with the files, but for those that are archives
// or compressed.
func (s Source) Write(w io.Writer) error {
	l := lister{Source: s, names: s.Mask.Names()}
	if err := l.folder(""); err != nil {
		return err
	}
	slices.SortFunc(l.files, func(a, b rawFile) int { return strings.Compare(a.path, b.path) })
	results := map[string][]*result.Result{} // by file, or by the archive that has it
	known := map[string]bool{}
	for _, f := range l.files {
		known[f.path] = true
	}
	for _, r := range s.Results {
		at := strings.TrimPrefix(r.Source.File, "runs/")
		for at != "." && !known[at] {
			at = path.Dir(at)
		}
		results[at] = append(results[at], r)
	}
	sheet, err := datapackage.Of(s.Results).Sheet(w, columns()...)
	if err != nil {
		return err
	}
	to := writer{sheet: sheet, mask: s.Mask}
	for _, f := range l.files {
		if err := to.file(f, results[f.path]); err != nil {
			return err
		}
	}
	return sheet.Close()
}

// rawFile is a file that a shard takes along.
type rawFile struct {
	path string // below runs/, as it is published
	disk string // where it is
}

type lister struct {
	Source
	names *mask.Names
	files []rawFile
}

// folder lists a folder below the root, which is named as it is on the disk.
func (l *lister) folder(rel string) error {
	entries, err := os.ReadDir(filepath.Join(l.Root, filepath.FromSlash(rel)))
	if err != nil {
		return err
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == result.OutputList }) {
		return nil // pages and posts that benchpost made
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	l.names.Add(rel, names)
	for _, e := range entries {
		at := path.Join(rel, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if l.wants(at) || strings.HasPrefix(l.Part, at+"/") {
				if err := l.folder(at); err != nil {
					return err
				}
			}
		case e.Type().IsRegular():
			published := l.names.Published(at)
			if !utf8.ValidString(published) {
				return locale.Errorf("the name of %q is not UTF-8, so no column can hold it: rename it", published)
			}
			l.files = append(l.files, rawFile{published, filepath.Join(l.Root, filepath.FromSlash(at))})
		}
	}
	return nil
}

// wants reports whether a path is of the part.
func (l *lister) wants(at string) bool {
	return l.Part == "" || at == l.Part || strings.HasPrefix(at, l.Part+"/")
}

type writer struct {
	sheet *datapackage.Sheet
	mask  *mask.Masker
	bytes int // of the group of rows
}

// file writes the rows of a file.
func (w *writer) file(f rawFile, results []*result.Result) error {
	in, err := w.open(f)
	if err != nil {
		return err
	}
	h := sha256.New()
	size, err := io.Copy(h, in)
	in.Close()
	if err != nil {
		return err
	}
	sum := hex.EncodeToString(h.Sum(nil))
	if in, err = w.open(f); err != nil {
		return err
	}
	defer in.Close()
	again := sha256.New()
	for i := int64(0); i < max(pieces(size), int64(len(results))); i++ {
		piece, data := parquet.NullValue().Level(0, 0, 2), parquet.NullValue().Level(0, 0, 5)
		if i < pieces(size) {
			part := make([]byte, min(pieceSize, size-i*pieceSize))
			if _, err := io.ReadFull(in, part); err != nil {
				return changed(f)
			}
			again.Write(part)
			w.bytes += len(part)
			piece, data = parquet.Int64Value(i).Level(0, 1, 2), parquet.ByteArrayValue(part).Level(0, 1, 5)
		}
		var r *result.Result
		conditions, decimals := parquet.NullValue().Level(0, 0, 6), parquet.NullValue().Level(0, 0, 7)
		if i < int64(len(results)) {
			r = results[i]
			conditions = parquet.ByteArrayValue(jsonOf(maps.Collect(dataset.Conditions(r).Values()))).Level(0, 1, 6)
			decimals = parquet.ByteArrayValue(jsonOf(decimalsOf(r))).Level(0, 1, 7)
		}
		if err := w.sheet.Add(r, parquet.ValueOf(Form).Level(0, 0, 0), parquet.ValueOf(f.path).Level(0, 0, 1), piece,
			parquet.Int64Value(size).Level(0, 0, 3), parquet.ValueOf(sum).Level(0, 0, 4), data, conditions, decimals); err != nil {
			return err
		}
		if w.bytes >= groupSize {
			w.bytes = 0
			if err := w.sheet.Flush(); err != nil {
				return err
			}
		}
	}
	if hex.EncodeToString(again.Sum(nil)) != sum {
		return changed(f)
	}
	return nil
}

// jsonOf writes a map as JSON, sorted by name.
func jsonOf[V string | int8](values map[string]V) []byte {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // texts and numbers always have a form
	}
	return text
}

// decimalsOf returns how many digits after the point a tool printed of each metric that has a unit in the vocabulary.
func decimalsOf(r *result.Result) map[string]int8 {
	printed := map[string]int8{}
	for _, m := range r.Metrics {
		d, _ := vocabulary.Define(m.Name)
		if to, ok := dataset.ConversionOf(m.Unit, d.Unit); ok && m.Decimals != result.FullPrecision {
			if places, exact := to.Places(); exact {
				printed[m.Name] = int8(max(0, int(m.Decimals)-places))
			}
		}
	}
	return printed
}

func changed(f rawFile) error {
	return locale.Errorf("runs/%s was changed while the shard was written; write it again", f.path)
}

// open opens a file as it is published.
func (w *writer) open(f rawFile) (io.ReadCloser, error) {
	in, err := sitefile.Open(f.disk)
	if err != nil {
		return nil, err
	}
	if name := filepath.Base(f.disk); weights.IsFile(name) && filepath.Ext(name) != ".json" {
		size, err := weights.HeaderSize(f.disk)
		return limited{io.LimitReader(in, size), in}, err
	}
	if w.mask == nil {
		return in, nil
	}
	if compression, archive := rawfile.Recognize(in); compression == rawfile.Plain && archive == rawfile.Plain {
		_, err := in.Seek(0, io.SeekStart)
		return limited{w.mask.Through(f.disk, in), in}, err
	}
	in.Close()
	data, err := w.mask.Published(f.disk)
	return io.NopCloser(bytes.NewReader(data)), err
}

// limited is a file of which something else is read.
type limited struct {
	io.Reader
	io.Closer
}
