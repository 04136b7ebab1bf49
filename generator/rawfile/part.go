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

// Part is a member of an archive with everything that the archive stores about it.
type Part struct {
	Name    string
	Owners  []string  // names of the user and the group
	Texts   []string  // comments, the target of a link, and PAX records
	Content io.Reader // decompressed from a zip archive; nil if it cannot be read
}

// EachPart visits everything in an archive, including what Each leaves out, such as links and members that are replaced
// by a later one of the same name. The comment of the whole archive is a part without a name.
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
