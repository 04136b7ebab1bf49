package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/weights"
)

// source is a file that is archived.
type source struct {
	path string // present or intended name, relative to the site
	from string // where it is on disk
	new  bool   // it is elsewhere and will be copied
	mode fs.FileMode

	target   string // its new name
	was, is  Content
	wasDisk  Content // as it is on disk
	disk     Content // as it will be on disk
	found    []redact.Finding
	packed   bool  // it is stored compressed
	replaced *File // nil if it does not change
	err      error
}

// collect finds the files below runs, and those to copy from elsewhere.
func (p *Plan) collect() error {
	var all []*source
	err := files(p.opt.Dir, runsName, func(name string) {
		all = append(all, &source{path: name, from: p.at(name)})
	}, func(string) {})
	if err != nil && !isAbsent(err) {
		return err
	}
	copied, err := p.copies(all)
	if err != nil {
		return err
	}
	p.taken = append(all, copied...)
	slices.SortFunc(p.taken, func(a, b *source) int { return strings.Compare(a.path, b.path) })
	if err := p.checkNames(); err != nil {
		return err
	}
	return nil
}

// copies returns the files of folders elsewhere, with their new places.
func (p *Plan) copies(here []*source) ([]*source, error) {
	known := map[string]*source{}
	for _, s := range here {
		known[s.path] = s
	}
	var all []*source
	for _, from := range p.opt.From {
		top := path.Join(runsName, from.Name)
		p.opt.Paths = append(p.opt.Paths, top)
		root, err := filepath.Abs(from.Path)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(root)
		var names []string
		if err := files(filepath.Dir(root), base, func(name string) { names = append(names, name) }, func(string) {}); err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, &Refusal{Text: from.Path + " holds no files", Usage: true}
		}
		for _, name := range names {
			at := path.Join(top, strings.TrimPrefix(strings.TrimPrefix(name, base), "/"))
			s := &source{path: at, from: filepath.Join(filepath.Dir(root), filepath.FromSlash(name)), new: true}
			if known[at] != nil || known[at+rawfile.Ending] != nil {
				if p.sameAs(s, known[at], known[at+rawfile.Ending]) {
					continue // it was copied earlier
				}
				return nil, &Refusal{Text: at + " exists and is another file", Hint: "--as NAME copies to another folder below runs", Usage: true}
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// sameAs reports whether a file from elsewhere exists here already, possibly in its archived form.
func (p *Plan) sameAs(s *source, here ...*source) bool {
	becomes := func(s *source) (Content, error) {
		sum := newSummer()
		_, _, _, err := p.converter().convert(s.from, s.path, sum)
		return sum.content(), err
	}
	want, err := becomes(s)
	return err == nil && slices.ContainsFunc(here, func(h *source) bool {
		if h == nil {
			return false
		}
		got, err := becomes(h)
		return err == nil && got == want
	})
}

// checkNames refuses names that a manifest cannot contain, that cannot be checked out on every system, or that must not
// be published.
func (p *Plan) checkNames() error {
	lower := map[string]string{}
	names := p.converter().namesOf(p.taken)
	var private []string
	for _, s := range p.taken {
		rel := strings.TrimPrefix(s.path, runsName+"/")
		if shown := names.Published(rel); shown != rel {
			private = append(private, path.Join(runsName, shown))
			continue
		}
		if !utf8.ValidString(s.path) || !isFileName(path.Base(s.path)) {
			return &Refusal{Text: fmt.Sprintf("the name %q is not UTF-8, or none that every system takes", s.path), Hint: "rename the file", Usage: true}
		}
		for at := s.path; at != "."; at = path.Dir(at) {
			folded := strings.ToLower(at)
			if other, ok := lower[folded]; ok && other != at {
				return &Refusal{Text: fmt.Sprintf("%q and %q differ in case alone: where case does not count only one of them can be checked out", other, at), Hint: "rename one of them", Usage: true}
			}
			lower[folded] = at
		}
	}
	if len(private) > 0 {
		return &Refusal{Text: result.Count(len(private), "file") + " would go into git under a name that must not be published; here it is masked", Details: few(private),
			Hint: "rename the file or its folder; what may be published goes to [redact] keep of " + config.Name}
	}
	return nil
}

// namesOf returns the published names of files below runs.
func (c *converter) namesOf(files []*source) *mask.Names {
	in := map[string][]string{} // names by folder
	known := map[string]bool{}
	for _, s := range files {
		for at := strings.TrimPrefix(s.path, runsName+"/"); at != "." && !known[at]; at = path.Dir(at) {
			known[at] = true
			in[path.Dir(at)] = append(in[path.Dir(at)], path.Base(at))
		}
	}
	names := c.names()
	for _, folder := range slices.Sorted(maps.Keys(in)) { // sorted, so a folder comes before its subfolders
		at := folder
		if at == "." {
			at = ""
		}
		names.Add(at, in[folder])
	}
	return names
}

// leave removes files that were not requested, and files of runs that have not ended.
func (p *Plan) leave(set *rundir.Dataset) {
	unfinished := map[string]string{}
	for i := range set.Unfinished {
		u := &set.Unfinished[i]
		unfinished[u.Source.File] = locale.English(u.Message().Text)
	}
	recording := map[string]bool{} // folders with a recording in progress
	for _, s := range p.taken {
		if path.Base(s.path) != format.RecordName {
			continue
		}
		r, err := format.ReadRecord(filepath.Dir(s.from))
		if err == nil && strings.HasPrefix(r.Schema, format.RecordSchema) && r.Ended == "" {
			recording[path.Dir(s.path)] = true
		}
	}
	p.taken = slices.DeleteFunc(p.taken, func(s *source) bool {
		if len(p.opt.Paths) > 0 && !within(s.path, p.opt.Paths) {
			return true
		}
		for at := path.Dir(s.path); at != "."; at = path.Dir(at) {
			if recording[at] {
				p.Left = append(p.Left, Left{s.path, "its recording has not ended"})
				return true
			}
		}
		for file, reason := range unfinished {
			if within(file, []string{s.path}) { // in the file, or in an archive's member
				p.Left = append(p.Left, Left{s.path, reason})
				return true
			}
		}
		return false
	})
}

// redactAndCompress stages the new form of all files that change.
func (p *Plan) redactAndCompress(ctx context.Context) error {
	set, err := p.dataset("before", nil)
	if err != nil {
		return err
	}
	p.before, p.all = set, slices.Clone(p.taken)
	p.leave(set)
	c := p.converter()
	cores.Each(len(p.taken), func(i int) {
		if s := p.taken[i]; ctx.Err() == nil {
			s.err = c.become(s)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var faults []error
	for _, s := range p.taken {
		faults = append(faults, s.err)
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	for _, s := range p.taken {
		if s.replaced != nil {
			p.Files = append(p.Files, s.replaced)
		}
	}
	return nil
}

// converter stages the new form of files.
type converter struct {
	workspace
	redactor *redact.Redactor // nil for no redaction
	compress int64            // files of more bytes are compressed; negative for none
}

func (p *Plan) converter() *converter {
	compress, _ := p.config.Archive.Sizes()
	return &converter{p.workspace, p.opt.Redactor, compress}
}

// names masks names in the same way as a build.
func (c *converter) names() *mask.Names {
	if c.redactor == nil {
		return nil
	}
	return mask.New(c.redactor, result.Stamp{}).Names()
}

// become stages the new form of a file, if it changes.
func (c *converter) become(s *source) error {
	info, err := os.Stat(s.from)
	if err != nil {
		return err
	}
	s.mode, s.target = info.Mode().Perm()|0o600, s.path
	if s.wasDisk, err = sumOf(s.from); err != nil {
		return err
	}
	s.disk = s.wasDisk
	out := &spill{dir: c.stage}
	defer out.close()
	kind, was, found, err := c.convert(s.from, s.path, out)
	if err != nil {
		var refused *Refusal
		if errors.As(err, &refused) {
			return err
		}
		if len(found) > 0 {
			return notWritten(s.path, s.path, found[0], "the file is damaged: repair it, or take it out of the folder")
		}
		// A file that cannot be decompressed is kept unchanged.
		s.was, s.is = s.wasDisk, s.wasDisk
		return c.copied(s)
	}
	s.was, s.is, s.found, s.packed = was, was, found, kind == rawfile.Gzip || kind == rawfile.Zstd || kind == rawfile.Bzip2
	if len(found) > 0 {
		s.is = out.content()
	}
	var form *spill
	switch {
	case s.packed && len(found) > 0:
		form, err = c.pack(out, kind)
	case kind == rawfile.Plain && c.compress >= 0 && s.is.Size > c.compress && compressible(s.path) && isAbsentFile(c.at(s.path+rawfile.Ending)):
		if form, err = c.pack(out, rawfile.Zstd); err == nil && form.n < s.is.Size {
			s.target, s.packed = s.path+rawfile.Ending, true
		} else if err == nil && len(found) == 0 {
			form.close()
			form = nil
		} else if err == nil {
			form.close()
			form = out
		}
	case len(found) > 0:
		form = out
	}
	if err != nil {
		return err
	}
	if form == nil {
		return c.copied(s)
	}
	if form != out {
		defer form.close()
	}
	s.disk = form.content()
	s.replaced = &File{Path: s.target, Was: s.path, Size: s.wasDisk.Size, Becomes: form.n, Findings: found, Compressed: s.target != s.path}
	if s.new {
		s.replaced.Was = ""
	}
	return form.save(c.staged(s.target), s.mode)
}

// copied stages a file from elsewhere without changes.
func (c *converter) copied(s *source) error {
	if !s.new {
		return nil
	}
	s.replaced = &File{Path: s.target, Size: s.wasDisk.Size, Becomes: s.wasDisk.Size}
	return copyFile(s.from, c.staged(s.target))
}

// compressible reports whether a file may be compressed, according to its name. It excludes files that are read by
// their name, and READMEs.
func compressible(name string) bool {
	base := path.Base(name)
	return base != "run.toml" && base != rundir.SweepName && base != format.RecordName && !weights.IsFile(base) && !strings.HasPrefix(base, "README")
}

// convert writes the content of a file, decompressed and redacted. It returns the content before redaction and the
// findings. Content that is not text is not redacted. If the file cannot be decompressed to its end, the findings are
// those up to the error.
func (c *converter) convert(name, called string, w io.Writer) (kind rawfile.Kind, was Content, found []redact.Finding, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, was, nil, err
	}
	defer f.Close()
	kind, packed := rawfile.Recognize(f)
	if packed != rawfile.Plain {
		return packed, was, nil, c.inArchive(name, called)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return kind, was, nil, err
	}
	in, err := rawfile.Decompress(kind, f)
	if err != nil {
		return kind, was, nil, err
	}
	defer in.Close()
	sum := newSummer()
	readable := &readable{Reader: in}
	content := io.TeeReader(readable, sum)
	start := make([]byte, 8<<10)
	n, err := io.ReadFull(content, start)
	small := err != nil
	whole := io.MultiReader(bytes.NewReader(start[:n]), content)
	switch {
	case !isText(start[:n]) || c.redactor == nil:
		_, err = io.Copy(w, whole)
	case small:
		var text []byte
		text, found = c.redactor.Replace(called, start[:n])
		_, err = w.Write(text)
	default:
		found, err = c.redactor.Copy(w, whole, called)
	}
	err = errors.Join(err, readable.err)
	if kind == rawfile.Bzip2 && len(found) > 0 && err == nil { // nothing here writes bzip2
		err = notWritten(called, called, found[0], "decompress the file with bunzip2")
	}
	return kind, sum.content(), found, err
}

// readable ends where a damaged stream can no longer be read, and keeps the error. A stream that is cut off is not
// damaged.
type readable struct {
	io.Reader
	err error
}

func (r *readable) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		r.err = err
	}
	return n, io.EOF
}

// inArchive refuses an archive that contains something to be redacted, or that cannot be searched.
func (c *converter) inArchive(name, called string) error {
	if c.redactor == nil {
		return nil
	}
	var refused *Refusal
	refuse := func(place string, found []redact.Finding, hint string) {
		if len(found) > 0 && refused == nil {
			refused = notWritten(called, place, found[0], hint)
		}
	}
	const unpack = "put the files of the archive into a folder in its place"
	names := c.names()
	err := rawfile.EachPart(name, func(p rawfile.Part) {
		if refused != nil {
			return
		}
		place := called + "/" + strings.TrimPrefix(names.Member("archive", p.Name), "archive/")
		refuse(place, c.redactor.FindInName("", p.Name), unpack)
		for _, text := range p.Texts {
			refuse(place, c.redactor.Find("", []byte(text)), unpack)
		}
		if p.Content != nil {
			if start := bufferedHead(p.Content); isText(start.head) {
				found, _ := c.redactor.Copy(io.Discard, start, p.Name)
				refuse(place, found, unpack)
			}
		}
		for _, owner := range p.Owners {
			if owner != "" {
				refuse(place, c.redactor.FindInName("home", owner), "leave out who owned the files, as tar --owner=0 --group=0 --numeric-owner does, or "+unpack)
			}
		}
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return &Refusal{Text: called + " cannot be opened, so that nothing can be redacted in it", Hint: "repair it, or take it out of the folder"}
	}
	return nil
}

// notWritten returns the Refusal for a file with findings that cannot be rewritten.
func notWritten(file, place string, found redact.Finding, hint string) *Refusal {
	if found.Line > 0 {
		place += fmt.Sprintf(":%d", found.Line)
	}
	return &Refusal{Text: file + " holds what must not be published, and is not written anew", Details: []string{place + ": " + found.Rule}, Hint: hint}
}

// beginning is a reader whose first bytes are known.
type beginning struct {
	io.Reader
	head []byte
}

func bufferedHead(r io.Reader) beginning {
	head := make([]byte, 8<<10)
	n, _ := io.ReadFull(r, head)
	return beginning{io.MultiReader(bytes.NewReader(head[:n]), r), head[:n]}
}

// isText reports whether a file is text according to its first bytes. UTF-16 with a byte order mark is text.
func isText(start []byte) bool {
	return bytes.IndexByte(start, 0) < 0 || bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
}

// pack returns the compressed form of the content.
func (c *converter) pack(content *spill, kind rawfile.Kind) (*spill, error) {
	in, err := content.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	form := &spill{dir: c.stage}
	if kind == rawfile.Gzip {
		z := gzip.NewWriter(form)
		_, err = io.Copy(z, in)
		return form, errors.Join(err, z.Close())
	}
	return form, rawfile.Compress(form, in)
}

// dataset reads the runs from the given places, which are a mix of present and staged files. With nil it reads the
// present runs, including those to be copied; if there are none to be copied, it reads the site's own folder.
func (p *Plan) dataset(name string, places map[string]string) (*rundir.Dataset, error) {
	config, _ := config.Read(p.opt.Dir) // a copy of its own, since reading adds the sweeps to it
	dir := p.opt.Dir
	if places == nil && slices.ContainsFunc(p.taken, func(s *source) bool { return s.new }) {
		places = map[string]string{}
		for _, s := range p.taken {
			places[s.path] = s.from
		}
	}
	if places != nil {
		dir = filepath.Join(p.stage, name)
		defer os.RemoveAll(dir)
		for to, from := range places {
			if err := link(from, filepath.Join(dir, filepath.FromSlash(to))); err != nil {
				return nil, err
			}
		}
	}
	return site.Dataset(dir, &config, nil)
}
