package rundir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// ReadFile reads one file like format.ReadFile, with its content masked by m.
func ReadFile(path, name string, m *mask.Masker) (format.Output, error) {
	if m == nil {
		return format.ReadFile(path, name)
	}
	f, err := m.Open(path)
	if err != nil { // reading reports the error
		return format.ReadFile(path, name)
	}
	defer f.Close()
	return format.Read(name, f)
}

// Read does what ReadFile does for a small file whose content was read before: data is all of it.
func Read(path, name string, data []byte, info fs.FileInfo, m *mask.Masker) (format.Output, error) {
	if m == nil {
		return format.Read(name, bytes.NewReader(data))
	}
	f, err := rawfile.Read(data, info)
	if err != nil { // reading reports the error
		return format.Read(name, bytes.NewReader(data))
	}
	defer f.Close()
	return format.Read(name, m.Opened(path, f))
}

// work reads the files that arrive in l.jobs.
func (l *loader) work() {
	for files := range l.jobs {
		for _, f := range files {
			f.state = state{read: true}
			if l.again {
				f.state = stateOf(l.tree.Mark(l.path(f.rel)))
			}
			if m := l.mapping(f.rel); m != nil {
				f.out, f.err = l.readMapped(f, m)
				l.hold(f)
				continue
			}
			f.out, f.err = l.read(l.path(f.rel), f.name, f.state.mark)
			l.title(f)
			l.hold(f)
			if f.out.Archive {
				l.unpack(f)
			}
		}
	}
}

// readMapped reads a file according to a mapping.
func (l *loader) readMapped(f *file, m *format.Mapping) (format.Output, error) {
	in, err := l.mask.Open(l.path(f.rel))
	if err != nil {
		return format.Output{}, err
	}
	defer in.Close()
	return format.ReadMapped(f.name, in, m)
}

// mapping returns the mapping that applies to a file, nil when the format is detected from the content.
func (l *loader) mapping(rel string) *format.Mapping {
	if len(l.mapped) == 0 {
		return nil
	}
	rel = uncompressed(l.memory.names.Disk(rel)) // mappings use the names on disk
	i := slices.IndexFunc(l.mapped, func(m format.Mapping) bool { return m.Match(rel) })
	if i < 0 {
		return nil
	}
	return &l.mapped[i]
}

// mappings returns statistics of the use of each mapping.
func (l *loader) mappings() []Mapped {
	used := make([]Mapped, len(l.mapped))
	lacking := make([]map[string]int, len(l.mapped)) // by column, how many files lack it
	for _, f := range l.files {
		first := true
		for i := range l.mapped {
			if !l.mapped[i].Match(uncompressed(l.memory.names.Disk(f.rel))) {
				continue
			}
			if !first {
				used[i].Shadowed++
				continue
			}
			first = false
			used[i].Files++
			for _, a := range f.out.Missing {
				if lacking[i] == nil {
					lacking[i] = map[string]int{}
				}
				if lacking[i][a.Column]++; lacking[i][a.Column] == 1 {
					used[i].Missing = append(used[i].Missing, a)
				}
			}
		}
	}
	for i := range used {
		used[i].Missing = slices.DeleteFunc(used[i].Missing, func(a format.Absent) bool { return lacking[i][a.Column] < used[i].Files })
		slices.SortFunc(used[i].Missing, func(a, b format.Absent) int { return strings.Compare(a.Column, b.Column) })
	}
	return used
}

// unpack reads the members of an archive as if they were files in a folder of the archive's name.
func (l *loader) unpack(f *file) {
	err := rawfile.Each(l.path(f.rel), func(member string, r io.Reader, err error) {
		rel := l.memory.names.Member(l.memory.names.Disk(f.rel), member)
		m := newFile(rel, l.called(rel))
		if err == nil {
			r = l.mask.Through(filepath.Join(l.path(f.rel), filepath.FromSlash(member)), r)
		}
		m.declared, m.model, m.err = f.declared, f.model, err
		if mapping := l.mapping(m.rel); err == nil && mapping != nil {
			m.out, m.err = format.ReadMapped(m.name, r, mapping)
		} else if err == nil {
			m.out, m.err = format.Read(m.name, r)
		}
		if m.out.Archive {
			m.out.Reason, m.out.Kind = locale.Textf("an archive in an archive"), unread.Archive
		}
		f.members = append(f.members, m)
	})
	f.err = errors.Join(f.err, err)
	slices.SortFunc(f.members, func(a, b *file) int { return strings.Compare(a.rel, b.rel) })
	of := len(f.members)
	if !slices.ContainsFunc(f.members, func(m *file) bool { return m.err != nil || m.out.Reason.IsZero() || len(m.out.Unfinished) > 0 }) {
		f.members = nil // a spreadsheet, a library, weights: its members are no files of the user
		f.out.Reason, f.out.Kind = locale.Textf("%s of %d files, none of them of a known format", f.out.Reason, of), unread.Archive
	} else if f.err == nil {
		f.out.Reason = locale.Text{}
	}
}

func (l *loader) skip(name string, kind unread.Kind, reason locale.Text) {
	l.unread = append(l.unread, unread.File{Name: name, Kind: kind, Reason: reason})
}

func (l *loader) unreadable(name string, err error) {
	l.skip(name, unread.Unreadable, result.Reason(err))
	l.messages = append(l.messages, unreadable(name, err))
}

func unreadable(name string, err error) result.Message {
	return result.Message{Pos: result.Position{File: name}, Severity: result.Error,
		ID: "run.unreadable", Text: locale.Textf("cannot be read: %s", result.Reason(err)), Hint: locale.Textf("replace it with a sound copy, or remove it")}
}
