package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// Write writes the runs and their run.toml files into a folder. It returns how many files it wrote and how many already
// existed with the same content. It never overwrites a file with different content: it then writes nothing, and the
// error names every such file. Otherwise all files are written, or none. Before that, Write completes or undoes what a
// killed import left.
func (p *Plan) Write(ctx context.Context, dir string) (written, unchanged int, err error) {
	out, err := publish.At(dir, publish.Options{Foreign: publish.Refuse, Unlisted: true, Durable: true}).Open()
	if err != nil {
		return 0, 0, err
	}
	written, unchanged, err = p.put(ctx, dir, out)
	if err != nil {
		return 0, 0, errors.Join(err, out.Discard())
	}
	_, err = out.Commit()
	return written, unchanged, err
}

// put adds the files that the folder lacks.
func (p *Plan) put(ctx context.Context, dir string, out *publish.Output) (written, unchanged int, err error) {
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
		if err := errors.Join(ctx.Err(), out.Put(f.Name, f.Data)); err != nil {
			return 0, 0, err
		}
	}
	return len(missing), unchanged, ctx.Err()
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
		var stated, guessed []string
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
				stated = append(stated, text)
			}
		}
		for _, line := range []struct {
			head  string
			items []string
		}{{"stated", stated}, {"guessed", guessed}, {"missing", r.Unknown}} {
			if line.items != nil {
				fmt.Fprintf(&b, "  %-8s %s\n", line.head, oneLine(strings.Join(line.items, ", ")))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
