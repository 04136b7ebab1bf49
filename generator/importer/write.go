package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// Write puts the runs and their run.toml files into a folder and returns how
// many files it wrote and how many were there already with the same bytes. A
// file that is there with other bytes is never overwritten: then nothing is
// written, and the error names every such file.
func (p *Plan) Write(dir string) (written, unchanged int, err error) {
	var missing []File
	var differ []error
	for _, f := range p.Outputs() {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		old, err := os.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, f)
		case err != nil:
			return 0, 0, err
		case bytes.Equal(old, f.Data):
			unchanged++
		default:
			differ = append(differ, fmt.Errorf("%s: is there already with other content", name))
		}
	}
	if differ != nil {
		differ = append(differ, errors.New("nothing was written; import into another folder, or move these files away"))
		return 0, 0, errors.Join(differ...)
	}
	for _, f := range missing {
		if err := create(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return written, unchanged, err
		}
		written++
	}
	return written, unchanged, nil
}

// create writes a new file whole or not at all.
func create(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(name)
	}
	return err
}

// Report writes what the import has found and what it could not determine.
func (p *Plan) Report(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s: %s", result.Count(p.Blocks, "result"), result.Count(p.Files, "file"), result.Count(len(p.Runs), "run"))
	if p.Blocks > len(p.Runs) {
		fmt.Fprintf(&b, ", the rest copies of them")
	}
	b.WriteByte('\n')
	for _, r := range p.Runs {
		fmt.Fprintf(&b, "\n%s\n  from     %s\n", r.Path, r.Sources[0])
		for _, s := range r.Sources[1:] {
			fmt.Fprintf(&b, "  also     %s\n", s)
		}
		var told, guessed []string
		for _, l := range r.Labels {
			text := l.Name + "=" + l.Value
			if note := r.notes[l.Name]; note != "" {
				text += " (" + note + ")"
			}
			switch {
			case l.Name == "source":
			case l.Origin == result.Guessed:
				guessed = append(guessed, text)
			default:
				told = append(told, text)
			}
		}
		for _, line := range []struct {
			head  string
			items []string
		}{{"told", told}, {"guessed", guessed}, {"not told", r.Unknown}} {
			if line.items != nil {
				fmt.Fprintf(&b, "  %-8s %s\n", line.head, oneLine(strings.Join(line.items, ", ")))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
