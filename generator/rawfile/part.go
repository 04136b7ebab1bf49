package rawfile

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
)

// Part is a member of an archive with all that an archive keeps of it.
type Part struct {
	Name    string
	Owners  []string  // names of users and groups
	Texts   []string  // comments, and what a link leads to
	Content io.Reader // without a compression of the archive's own; nil where it cannot be read
}

// EachPart visits all that an archive consists of: what Each visits, and what that leaves out, as
// links and members of which there is a later one. A comment of the whole has no name.
func EachPart(path string, visit func(Part)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, kind := Recognize(f); kind == Tar {
		return eachTarPart(f, visit)
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return err
	}
	if len(z.File) > MaxMembers {
		return errTooMany(len(z.File))
	}
	if z.Comment != "" {
		visit(Part{Texts: []string{z.Comment}})
	}
	for _, m := range z.File {
		p := Part{Name: m.Name, Texts: []string{m.Comment}}
		in, err := open(m)
		if err != nil {
			visit(p)
			continue
		}
		p.Content = in
		visit(p)
		in.Close()
	}
	return nil
}

func eachTarPart(f io.ReadSeeker, visit func(Part)) error {
	t, err := openTar(f)
	if err != nil {
		return err
	}
	defer t.close()
	for n := 0; ; n++ {
		h, err := t.members.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n == MaxMembers:
			return errTooMany(n + 1)
		}
		p := Part{Name: h.Name, Owners: []string{h.Uname, h.Gname}, Texts: []string{h.Linkname}, Content: t.members}
		for _, key := range slices.Sorted(maps.Keys(h.PAXRecords)) {
			p.Texts = append(p.Texts, key+"="+h.PAXRecords[key])
		}
		if h.Typeflag != tar.TypeReg {
			p.Content = nil
		}
		visit(p)
	}
}
