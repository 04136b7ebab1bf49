package site

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// Private reports secrets and private names in what a site publishes: the files and
// folders of the names, as its runs, its content and layouts, and site.toml.
func Private(c *config.Config, dir string, names ...string) []result.Message {
	var files []privateFile
	for _, name := range names {
		files = append(files, filesBelow(filepath.Join(dir, name), name)...)
	}
	return private(c, files)
}

// PrivateIn reports the same of any files or folders, by the names under which they were
// asked for.
func PrivateIn(c *config.Config, paths []string) []result.Message {
	var files []privateFile
	for _, name := range paths {
		files = append(files, filesBelow(name, filepath.ToSlash(name))...)
	}
	return private(c, files)
}

// privateFile is a file that is to be published; shown is its name in messages.
type privateFile struct{ path, shown string }

// filesBelow lists files in order of their names, without what programs keep for
// themselves. What cannot be read, reading runs and posts has reported.
func filesBelow(root, shown string) []privateFile {
	var files []privateFile
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && name != root && (d.Name() == ".git" || d.Name() == cache.Name):
			return fs.SkipDir
		case !d.Type().IsRegular() && name != root || d.IsDir():
			return nil
		}
		if below, err := filepath.Rel(root, name); err == nil {
			files = append(files, privateFile{name, path.Join(shown, filepath.ToSlash(below))})
		}
		return nil
	})
	return files
}

// private looks at files on all cores.
func private(c *config.Config, files []privateFile) []result.Message {
	r, err := redact.New(c.Redact.Options(nil)) // no pseudonym is shown
	if err != nil {
		return nil // what is wrong with site.toml is reported by itself
	}
	found := make([][]result.Message, len(files))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				found[i] = privateIn(r, files[i])
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	workers.Wait()
	return slices.Concat(found...)
}

// privateIn looks at a file, and into its compression. What is no text is left out.
func privateIn(r *redact.Redactor, file privateFile) []result.Message {
	var ms []result.Message
	look := func(name string, in io.Reader) {
		head := make([]byte, 512)
		n, err := io.ReadFull(in, head)
		head = head[:n]
		if n == 0 || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || isBinary(head) {
			return
		}
		found, _ := r.Copy(io.Discard, io.MultiReader(bytes.NewReader(head), in), name) // a file cut off contains what it contains
		ms = append(ms, privateMessages(name, found)...)
	}
	kind := rawfile.Plain
	if f, err := os.Open(file.path); err == nil {
		head := make([]byte, rawfile.HeadSize)
		n, _ := io.ReadFull(f, head)
		kind = rawfile.KindOf(head[:n])
		f.Close()
	}
	if kind == rawfile.Zip {
		_ = rawfile.Each(file.path, func(member string, in io.Reader, err error) {
			if err == nil {
				look(path.Join(file.shown, member), in)
			}
		})
		return ms
	}
	if f, err := rawfile.Open(file.path); err == nil {
		defer f.Close()
		look(file.shown, f)
	}
	return ms
}

// isBinary reports whether a file is a picture or a model: in text no character is zero, but
// in UTF-16, which has a mark.
func isBinary(head []byte) bool {
	return bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(head, []byte{0xff, 0xfe}) && !bytes.HasPrefix(head, []byte{0xfe, 0xff})
}

// privateMessages reports what was found in a file: one message for each rule, at its first
// place, and never what was found. Secrets are warnings. Private names are in most
// logs; they are worth knowing. What an author writes names hosts and addresses of people
// because they are meant.
func privateMessages(name string, found []redact.Finding) []result.Message {
	written := strings.HasPrefix(name, "content/") || strings.HasPrefix(name, "layouts/") || name == config.Name
	byRule := map[string][]redact.Finding{}
	for _, f := range found {
		if written && (f.Kind == redact.Host || f.Kind == redact.Email) {
			continue
		}
		byRule[f.Rule] = append(byRule[f.Rule], f)
	}
	var ms []result.Message
	for _, rule := range slices.Sorted(maps.Keys(byRule)) {
		all := byRule[rule]
		first := all[0]
		m := result.Message{Pos: result.Position{File: name, Line: first.Line, Column: first.Column}, Severity: result.Info, ID: "private." + rule,
			Text: fmt.Sprintf("%s: %s", rule, counted(len(all), "private name")),
			Hint: "benchpost archive puts pseudonyms in their place; what may be published goes to [redact] keep of " + config.Name}
		if first.Kind == redact.Secret {
			m.Severity, m.ID = result.Warning, "secret."+rule
			m.Text = fmt.Sprintf("%s: %s", rule, counted(len(all), "secret"))
			m.Hint = "change it where it gives access, take it out here, or let benchpost archive do so; what is not one goes to [redact] keep of " + config.Name
		}
		ms = append(ms, m)
	}
	return ms
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
