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

// runsFolder begins the names of runs' files in positions.
const runsFolder = "runs/"

// rawFiles gives access to the files below runs on the disk.
type rawFiles struct {
	at     func(name string) string // path on disk of a file of the site
	memory *rundir.Memory
	sums   *cache.Sums
	mask   *mask.Masker
	opener *rawfile.Unpacker
	recent *recent
}

// recent caches the small files that were shown last: a post shows each on its page and in the blog.
type recent struct {
	mu    sync.Mutex
	files [64]recentFile
	next  int
}

// recentFile is the masked text of a file, with its sum when it was read.
type recentFile struct {
	name string
	one  cache.Sum
	by   *mask.Masker
	raw  page.Raw
}

// of returns the cached text of a file if the file has not changed since.
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

// onDisk returns the file on disk that contains a file of runs: the file itself or an archive. It also returns the mark
// that the file had when it was found. file is "" if it was not read.
func (s rawFiles) onDisk(name string) (file string, mark filemark.Mark) {
	rel, mark := s.memory.OnDisk(strings.TrimPrefix(name, runsFolder))
	if rel == "" {
		return "", mark
	}
	return runsFolder + rel, mark
}

// measured returns the file on disk and its checksums.
func (s rawFiles) measured(name string) (file string, one cache.Sum, err error) {
	file, mark := s.onDisk(name)
	if file == "" {
		return name, one, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	one, err = s.sums.Of(file, mark)
	return file, one, err
}

// of returns the files on disk that runs were read from, sorted by name.
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

// reading returns a function that reads a file of the site as it was measured and as it is published. Bytes appended
// since then, as to a log, are left out. Any other change is a [cache.ChangedError].
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

// unchanged returns an error unless the file on disk still begins with the bytes that were measured.
func (s rawFiles) unchanged(file string, one cache.Sum) error {
	if filemark.At(s.path(file)) == one.Mark {
		return nil
	}
	return s.sums.Verify(file, one)
}

// path returns the path on disk of a file with the given published name.
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

// version returns a string that changes when the file does.
func (s rawFiles) version(file string) string {
	return s.memory.Version(strings.TrimPrefix(file, runsFolder))
}

const (
	sourceContext = 3         // lines read before and after the block of a large file
	sourceMost    = 256 << 10 // most bytes read of a large file
	mostRecent    = 64 << 10  // largest file that is cached for a moment
)

// source returns the raw file of a result for its page. A small file is returned whole. Of a large file it returns the
// result's lines with some context, so that memory does not grow with the files. It fails if the file has changed since
// the result was read.
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
		if most < 0 { // it may be small after decompression
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

// linesOf reads lines from to to, counted from 1, at most about sourceMost bytes.
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
	here := *r // position of the block within what was read
	here.Source.Line -= source.First - 1
	here.EndLine -= source.First - 1
	return format.Raw(source.Data, &here), nil
}
