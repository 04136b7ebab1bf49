package site

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// Maskers returns the masker of the files of a site's runs, and that of what its author wrote; nil if the site masks
// nothing.
func Maskers(c *config.Config, dir string) (runs, author *mask.Masker, err error) {
	if c.Redact.Mode == config.Warn || c.Redact.Mode == config.Off {
		return nil, nil, nil
	}
	key, err := redact.FindKey(dir)
	if err != nil {
		return nil, nil, err
	}
	opt := c.Redact.Options(key)
	stamp := cache.Key(cache.NewMaskKey(opt.Own, opt.Keep, key))
	all, err := redact.New(opt)
	if err != nil {
		return nil, nil, err
	}
	opt.Authored = true
	written, err := redact.New(opt)
	return mask.New(all, stamp), mask.New(written, stamp), err
}

// Masked counts what was masked in the published files.
type Masked struct{ Secrets, Names, Files int }

// String returns the counts in words; "" if nothing was masked.
func (m Masked) String() string {
	var what []string
	if m.Secrets > 0 {
		what = append(what, result.Count(m.Secrets, "secret"))
	}
	if m.Names > 0 {
		what = append(what, result.Count(m.Names, "private name"))
	}
	verb := "were"
	switch m.Secrets + m.Names {
	case 0:
		return ""
	case 1:
		verb = "was"
	}
	return fmt.Sprintf("%s %s masked in %s", strings.Join(what, " and "), verb, result.Count(m.Files, "file"))
}

// masked counts what was masked in the files that were read.
func masked(by ...*mask.Masker) (all Masked) {
	for _, m := range by {
		for _, list := range m.Found() {
			all.Files++
			for _, f := range list {
				if f.Kind == redact.Secret {
					all.Secrets += f.Count
				} else {
					all.Names += f.Count
				}
			}
		}
	}
	return all
}

// private reports secrets in what is published; in a strict build they are errors. If the site is set to warn, it also
// reports private names.
func (s *Session) private() []result.Message {
	mode := s.config.Redact.Mode
	if mode == config.Off || mode == config.Mask && !s.opt.Strict {
		return nil
	}
	var ms []result.Message
	for _, m := range privateOf(&s.config, s.opt, append(inputFolders(s.config.Pages.Dir), config.Name)...) {
		isSecret := strings.HasPrefix(m.ID, "secret.")
		if isSecret && s.opt.Strict {
			m.Severity = result.Error
		}
		if isSecret || mode == config.Warn {
			ms = append(ms, m)
		}
	}
	return ms
}

// inlineValue matches a value in the prose of a post.
var inlineValue = regexp.MustCompile("`=[^`\\n]*`")

// maskPost masks what an author wrote, and returns the checksum of the text before masking. In blocks and inline
// values, which select runs, names are masked as they are in the runs. A text in which another process found nothing is
// not searched again.
func (s *Session) maskPost(name string, src []byte) (masked []byte, before [sha256.Size]byte) {
	before = sha256.Sum256(src)
	if s.mask == nil {
		return src, before
	}
	file := filepath.Join(s.opt.Dir, filepath.FromSlash(name))
	if s.evaluations.Plain(name, before, s.mask.Stamp()) {
		s.author.Recall(file, filemark.At(file), nil)
		return src, before
	}
	var out bytes.Buffer
	var block []byte
	within := false
	for line := range bytes.Lines(s.author.Bytes(file, src)) {
		begin := bytes.TrimLeft(line, " ")
		fence := bytes.HasPrefix(begin, []byte("```")) || bytes.HasPrefix(begin, []byte("~~~"))
		if within && !fence {
			block = append(block, line...)
			continue
		}
		out.Write(s.mask.Text(block))
		block, within = nil, fence && !within && bytes.HasPrefix(bytes.TrimLeft(begin, "`~ "), []byte("benchpost"))
		out.Write(inlineValue.ReplaceAllFunc(line, s.mask.Text))
	}
	out.Write(s.mask.Text(block))
	return out.Bytes(), before
}

// Private reports secrets and private names in what a site publishes. names are files and folders in dir, such as the
// runs, the content, the layouts and site.toml.
func Private(c *config.Config, dir string, names ...string) []result.Message {
	return privateOf(c, Options{Dir: dir}, names...)
}

func privateOf(c *config.Config, opt Options, names ...string) []result.Message {
	m, _, err := Maskers(c, opt.Dir)
	if err != nil {
		return nil // reading the runs reports errors in the rules or the key
	}
	var files []privateFile
	for _, name := range names {
		at := filepath.Join(opt.Dir, name)
		if name == "runs" {
			at = opt.runs()
		}
		files = append(files, filesBelow(at, name, m)...)
	}
	return private(c, files)
}

// PrivateIn reports the same about any files or folders. Messages use the given names, masked as the site in dir masks
// names.
func PrivateIn(c *config.Config, dir string, paths []string) []result.Message {
	m, _, err := Maskers(c, dir)
	if err != nil {
		return nil
	}
	var files []privateFile
	for _, name := range paths {
		files = append(files, filesBelow(name, string(m.Text([]byte(filepath.ToSlash(name)))), m)...)
	}
	return private(c, files)
}

// privateFile is a file or folder that will be published.
type privateFile struct {
	path     string
	below    string // slash path below the folder that is searched
	shown    string // its name in messages
	isFolder bool
	names    *mask.Names
}

// filesBelow lists files and folders in order of their names, without the folders that git and benchpost keep. It skips
// what cannot be read, which reading runs and posts reports.
func filesBelow(root, shown string, m *mask.Masker) []privateFile {
	var files []privateFile
	names := m.Names()
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && name != root && (d.Name() == ".git" || d.Name() == cache.Name):
			return fs.SkipDir
		case !d.Type().IsRegular() && !d.IsDir() && (name != root || d.Type()&fs.ModeSymlink == 0):
			return nil
		}
		below, err := filepath.Rel(root, name)
		if err != nil {
			return nil
		}
		below = filepath.ToSlash(below)
		if below != "." {
			names.Add(folderOf(below), []string{d.Name()})
		}
		files = append(files, privateFile{name, below, path.Join(shown, names.Published(below)), d.IsDir(), names})
		return nil
	})
	return files
}

// folderOf returns the folder of a slash path, or "" for a name without one.
func folderOf(name string) string {
	if folder := path.Dir(name); folder != "." {
		return folder
	}
	return ""
}

// private searches files on all cores.
func private(c *config.Config, files []privateFile) []result.Message {
	r, err := redact.New(c.Redact.Options(nil)) // no pseudonym is shown
	if err != nil {
		return nil // errors in site.toml are reported elsewhere
	}
	found := make([][]result.Message, len(files))
	cores.Each(len(files), func(i int) { found[i] = privateIn(r, files[i]) })
	return slices.Concat(found...)
}

// privateIn searches the name of a file or folder, and the uncompressed content of a file. It skips files that are not
// text.
func privateIn(r *redact.Redactor, file privateFile) []result.Message {
	var ms []result.Message
	if file.below != "." {
		ms = privateMessages(file.shown, r.FindInName(folderOf(file.names.Published(file.below)), path.Base(file.below)))
	}
	if file.isFolder {
		return ms
	}
	look := func(name string, in io.Reader) {
		head := make([]byte, 512)
		n, err := io.ReadFull(in, head)
		head = head[:n]
		if n == 0 || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || !mask.IsText(head) {
			return
		}
		found, _ := r.Copy(io.Discard, io.MultiReader(bytes.NewReader(head), in), name) // findings before a read error count
		ms = append(ms, privateMessages(name, found)...)
	}
	if rawfile.ArchiveAt(file.path) != rawfile.Plain {
		_ = rawfile.Each(file.path, func(member string, in io.Reader, err error) {
			shown := path.Join(file.shown, strings.TrimPrefix(file.names.Member(file.below, member), file.names.Published(file.below)))
			ms = append(ms, privateMessages(shown, r.FindInName(file.below, member))...)
			if err == nil {
				look(shown, in)
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

// privateMessages reports what was found in a file: one message for each rule, at the first place, without the text
// that was found. Secrets are warnings. Private names are only notes, because most logs contain some. Hosts and e-mail
// addresses in an author's own texts are skipped, because the author means to publish them.
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
		say := func(what locale.Text) locale.Text {
			if first.Line == 0 {
				return locale.Textf("%s: %s in its name", rule, what)
			}
			return locale.Textf("%s: %s", rule, what)
		}
		m := result.Message{Pos: result.Position{File: name, Line: first.Line, Column: first.Column}, Severity: result.Info, ID: "private." + rule,
			Text: say(locale.Plural(len(all), "1 private name", "%d private names")),
			Hint: locale.Textf("benchpost archive replaces them by pseudonyms; add what may be published to [redact] keep of %s", config.Name)}
		if first.Kind == redact.Secret {
			m.Severity, m.ID = result.Warning, "secret."+rule
			m.Text = say(locale.Plural(len(all), "1 secret", "%d secrets"))
			m.Hint = locale.Textf("revoke it, remove it here or let benchpost archive do so; if it is not a secret, add it to [redact] keep of %s", config.Name)
		}
		if first.Line == 0 {
			m.Hint = locale.Textf("rename it; add what may be published to [redact] keep of %s", config.Name)
		}
		ms = append(ms, m)
	}
	return ms
}
