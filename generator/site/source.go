package site

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// runsFolder is how the files of runs are called in positions.
const runsFolder = "runs/"

// rawFiles are the files below runs, as they lie on the disk.
type rawFiles struct {
	at     func(name string) string // where a file lies
	memory *rundir.Memory
	sums   *cache.Sums
	mask   *mask.Masker
	opener *rawfile.Unpacker
	recent *recent
}

// recent has the small files that were shown last: a post shows each on its page and in the blog.
type recent struct {
	mu    sync.Mutex
	files [64]recentFile
	next  int
}

// recentFile is what is known of a file as it was read, and its text, masked.
type recentFile struct {
	name string
	one  cache.Sum
	by   *mask.Masker
	raw  page.Raw
}

// of returns the text of a file that is still what was measured.
func (r *recent) of(name string, one cache.Sum, by *mask.Masker) (page.Raw, bool) {
	if r == nil {
		return page.Raw{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.files {
		if f := &r.files[i]; f.name == name && f.one == one && f.by == by {
			return f.raw, true
		}
	}
	return page.Raw{}, false
}

func (r *recent) keep(f recentFile) {
	if r == nil || f.raw.First != 1 || int64(len(f.raw.Data)) != f.raw.Size || f.raw.Size > mostRecent {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[r.next] = f
	r.next = (r.next + 1) % len(r.files)
}

func (b *builder) files() rawFiles {
	return rawFiles{b.opt.path, b.session.runs, b.session.sums, b.session.mask, &b.session.raw, &b.session.recent}
}

// onDisk returns the file that one of the runs lies in: itself, or the archive that contains
// it, and the mark it was found with. File is "" when it was not read.
func (s rawFiles) onDisk(name string) (file string, mark filemark.Mark) {
	rel, mark := s.memory.OnDisk(strings.TrimPrefix(name, runsFolder))
	if rel == "" {
		return "", mark
	}
	return runsFolder + rel, mark
}

// measured returns a file of runs as it lies on the disk.
func (s rawFiles) measured(name string) (file string, one cache.Sum, err error) {
	file, mark := s.onDisk(name)
	if file == "" {
		return name, one, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	one, err = s.sums.Of(file, mark)
	return file, one, err
}

// of are the files that runs were read from, as they lie on the disk, by name.
func (s rawFiles) of(runs []*result.Result) ([]cite.File, error) {
	files := map[string]cite.File{}
	seen := map[string]bool{}
	for _, r := range runs {
		for _, f := range r.Files() {
			if seen[f.Name] {
				continue
			}
			seen[f.Name] = true
			name, one, err := s.measured(f.Name)
			if err != nil {
				return nil, err
			}
			files[name] = one.File(name)
		}
	}
	return slices.SortedFunc(maps.Values(files), func(x, y cite.File) int { return strings.Compare(x.Path, y.Path) }), nil
}

// reading reads a file of the site, as it is published and as it was measured, when it is asked
// to. What was added at its end since, as to a log, is left out; another change is a
// [cache.ChangedError].
func (s rawFiles) reading(name string, one cache.Sum) func() ([]byte, error) {
	return func() ([]byte, error) {
		data, err := s.mask.Published(s.path(name))
		if err != nil {
			return nil, err
		}
		if data = data[:min(int64(len(data)), one.Bytes)]; one.Contains(data) {
			return data, nil
		}
		if data, err = sitefile.Read(s.path(name)); err != nil {
			return nil, err
		}
		if data = s.mask.Text(data[:min(int64(len(data)), one.Mark.Size)]); one.Contains(data) {
			return data, nil
		}
		return nil, &cache.ChangedError{File: name}
	}
}

// unchanged reports whether a file on the disk still begins with what was measured of it.
func (s rawFiles) unchanged(file string, one cache.Sum) error {
	if filemark.At(s.path(file)) == one.Mark {
		return nil
	}
	return s.sums.Verify(file, one)
}

// path returns where a file lies that is called so where it is published.
func (s rawFiles) path(name string) string {
	return s.at(runsFolder + s.memory.Disk(strings.TrimPrefix(name, runsFolder)))
}

// open opens a file of runs, masked.
func (s rawFiles) open(name string) (*rawfile.File, error) {
	f, err := s.opener.Open(s.path(name))
	if err != nil {
		return nil, err
	}
	return s.mask.Opened(s.path(name), f), nil
}

// version differs when a file does.
func (s rawFiles) version(file string) string {
	return s.memory.Version(strings.TrimPrefix(file, runsFolder))
}

const (
	sourceContext = 3         // lines read around the block of a large file
	sourceMost    = 256 << 10 // bytes read of it
	mostRecent    = 64 << 10  // bytes of a file that is kept for a moment
)

// source returns the raw file of a result for its page: whole when it is small,
// and of a large one the result's lines and some around them, so that memory
// does not grow with the files. Its text is of the bytes that the result was read from.
func (s rawFiles) source(r *result.Result) (page.Raw, error) {
	file, one, err := s.measured(r.Source.File)
	if err != nil {
		return page.Raw{}, err
	}
	if raw, ok := s.recent.of(r.Source.File, one, s.mask); ok && filemark.At(s.path(file)) == one.Mark {
		return raw, nil
	}
	raw, err := s.text(r)
	if err == nil {
		err = s.unchanged(file, one)
	}
	if err == nil {
		s.recent.keep(recentFile{r.Source.File, one, s.mask, raw})
	}
	return raw, err
}

func (s rawFiles) text(r *result.Result) (page.Raw, error) {
	f, err := s.open(r.Source.File)
	if err != nil {
		return page.Raw{}, err
	}
	defer f.Close()
	if f.Size <= page.MaxRaw {
		most := f.Size
		if most < 0 { // it may turn out to be small
			most = page.MaxRaw + 1
		}
		var data bytes.Buffer
		data.Grow(int(max(f.Size, 0)) + bytes.MinRead) // read in one go
		n, err := io.Copy(&data, io.LimitReader(f, most))
		if err != nil || n <= page.MaxRaw {
			return page.Whole(data.Bytes()), err
		}
		f.Close()
		if f, err = s.open(r.Source.File); err != nil {
			return page.Raw{}, err
		}
		defer f.Close()
	}
	first := max(1, r.Source.Line-sourceContext)
	data, err := linesOf(f, first, r.EndLine+sourceContext)
	return page.Raw{Data: data, First: first, Size: max(f.Size, page.MaxRaw+1)}, err
}

// linesOf reads the lines from … to, counted from 1, at most sourceMost bytes.
func linesOf(f io.Reader, from, to int) ([]byte, error) {
	in := bufio.NewReaderSize(f, 64<<10)
	var data []byte
	for n := 1; n <= to && len(data) < sourceMost; {
		part, err := in.ReadSlice('\n')
		if n >= from {
			data = append(data, part...)
		}
		switch {
		case err == nil:
			n++
		case errors.Is(err, io.EOF):
			return data, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return data, err
		}
	}
	return data, nil
}

// raw returns the lines of a result's block.
func (s rawFiles) raw(r *result.Result) ([]byte, error) {
	source, err := s.source(r)
	if err != nil {
		return nil, err
	}
	here := *r // the block's place in what was read
	here.Source.Line -= source.First - 1
	here.EndLine -= source.First - 1
	return format.Raw(source.Data, &here), nil
}
