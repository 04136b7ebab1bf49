package site

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/unread"
)

// Folders of the author's texts.
const (
	contentFolder = "content"
	postsFolder   = "content/posts"
)

// UnreadMessages returns a message for each file that gives no result and may have been missed, with the severity set
// by the site. It leaves out files that have a message of their own in any case.
func UnreadMessages(c *config.Config, files []unread.File) []result.Message {
	severity := c.Check.Severity()
	var ms []result.Message
	for _, f := range unread.Counted(files) {
		switch f.Kind {
		case unread.Unreadable, unread.Format:
		case unread.Unfinished:
			if severity != result.Info {
				ms = append(ms, f.Message(severity))
			}
		default:
			ms = append(ms, f.Message(severity))
		}
	}
	return ms
}

// unnamedColumns reports columns and keys in tables of unknown tools that were kept under the file's own names, in one
// message per file.
func unnamedColumns(c *config.Config, results []*result.Result) []result.Message {
	by := map[string][]string{}
	for _, r := range results {
		if r.Format != "generic-csv" && !slices.ContainsFunc(c.Format, func(m format.Mapping) bool { return m.Name == r.Format }) {
			continue
		}
		add := func(name string) {
			if strings.HasPrefix(name, "x_") && !slices.Contains(by[r.Source.File], name) {
				by[r.Source.File] = append(by[r.Source.File], name)
			}
		}
		for _, m := range r.Metrics {
			if !m.Derived && m.File == "" {
				add(m.Name)
			}
		}
		for _, l := range r.Labels {
			if l.Pos.File == r.Source.File && l.Pos.Line > 0 {
				add(l.Name)
			}
		}
	}
	var ms []result.Message
	for _, file := range slices.Sorted(maps.Keys(by)) {
		ms = append(ms, result.Message{Pos: result.Position{File: file}, Severity: result.Info, ID: "format.unnamed",
			Text: locale.Textf("kept under names of the file's own: %s", locale.Few(by[file], 20)),
			Hint: locale.Textf("a [[format]] of site.toml gives them a meaning: benchpost results --explain FILE writes its lines")})
	}
	return ms
}

// markdownEndings lists file extensions used for Markdown.
var markdownEndings = []string{".md", ".markdown", ".mdown", ".mkd", ".mdwn", ".mdtext"}

// misplaced returns the texts in content/ that are not read as posts or pages because of their folder or extension.
// Files that a post links to are left out: they are published with it.
func misplaced(site, pages string, posts func() []*document.Document) []unread.File {
	var files []unread.File
	root := filepath.Join(site, contentFolder)
	// The walk stops at what cannot be read; reading the posts reports the reason.
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if (strings.HasPrefix(d.Name(), ".") || pages != "" && name == filepath.Join(site, filepath.FromSlash(pages))) && name != root {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(site, name)
		file := filepath.ToSlash(rel)
		ending := path.Ext(file)
		stem := strings.TrimSuffix(path.Base(file), ending)
		switch {
		case err != nil || d.IsDir() || strings.EqualFold(stem, "README") || !slices.Contains(markdownEndings, strings.ToLower(ending)):
		case path.Dir(file) != postsFolder:
			files = append(files, unread.File{Name: file, Kind: unread.Misplaced, Reason: locale.Textf("posts belong directly in %s; move it there", postsFolder)})
		case ending != ".md":
			files = append(files, unread.File{Name: file, Kind: unread.Misplaced, Reason: locale.Textf("posts end in .md; rename it to %s.md", stem)})
		}
		return nil
	})
	if len(files) == 0 {
		return nil
	}
	linked := map[string]bool{}
	for _, d := range posts() {
		for _, l := range d.Links {
			if file, ok := document.Local(d.File, l.Address); ok {
				linked[file] = true
			}
		}
	}
	return slices.DeleteFunc(files, func(f unread.File) bool { return linked[f.Name] })
}

// documents parses the posts of a site to find what they link to.
func documents(site string, lang string) []*document.Document {
	names, _ := filepath.Glob(filepath.Join(site, filepath.FromSlash(postsFolder), "*.md")) // the pattern is valid
	var all []*document.Document
	for _, name := range names {
		file := postsFolder + "/" + filepath.Base(name)
		if src, err := linkable(Options{Dir: site}, "").Read(file); err == nil {
			d, _ := document.Parse(file, src, document.Options{Language: lang, Location: time.UTC})
			all = append(all, d)
		}
	}
	return all
}

// suffixMessage warns about a post whose file name has an unknown suffix in the place of a language.
func suffixMessage(file, lang string) (m result.Message, wrong bool) {
	stem := strings.TrimSuffix(path.Base(file), ".md")
	suffix := strings.TrimPrefix(path.Ext(stem), ".")
	letters := strings.Trim(strings.ToLower(suffix), "abcdefghijklmnopqrstuvwxyz-") == ""
	if len(suffix) < 2 || !letters || strings.HasSuffix(stem, "."+lang) {
		return m, false
	}
	if primary, region, _ := strings.Cut(suffix, "-"); len(primary) == 2 && (region == "" || len(region) == 2) {
		return m, false
	}
	return result.Message{Pos: result.Position{File: file}, Severity: result.Warning, ID: "site.language-suffix",
		Text: locale.Textf("%q at the end of the name is not a language; the post is treated as one in %s", suffix, lang),
		Hint: locale.Textf("posts are called NAME.LANG.md, for example first-report.en.md")}, true
}

// unusedFormats warns about each [[format]] that no file matches, and about each of its columns or keys that no file
// has. It also lists unmatched formats among the files without a result.
func unusedFormats(c *config.Config, set *rundir.Dataset) []result.Message {
	var ms []result.Message
	warn := func(pos result.Position, id string, text, hint locale.Text) {
		ms = append(ms, result.Message{Pos: pos, Severity: result.Warning, ID: id, Text: text, Hint: hint})
	}
	for i, used := range set.Mapped {
		m := &c.Format[i]
		if used.Files == 0 {
			pos := c.At("format", i, "files")
			reason := locale.Textf("no file matches files = %q of format %q", m.Files, m.Name)
			hint := locale.Textf("a pattern without a slash matches a file's name, for example \"*.csv\"; one with a slash its path below runs, for example \"nightly/*/out.csv\"")
			if used.Shadowed > 0 {
				reason = locale.Textf("every file that matches files = %q of format %q is read by a format above it", m.Files, m.Name)
				hint = locale.Textf("put the narrower pattern first")
			}
			warn(pos, "site.format-unused", reason, hint)
			set.Unread = append(set.Unread, unread.File{Name: pos.File, Line: pos.Line, Kind: unread.Format, Reason: reason})
			continue
		}
		for _, a := range used.Missing {
			text, hint := locale.Textf("no file of format %q has the column %q", m.Name, a.Column), locale.Textf("the file has: %s", locale.Few(a.There, 20))
			if len(a.There) == 0 {
				hint = locale.Textf("no line of the file names columns like those of the format")
			}
			if strings.Contains(a.Column, ".") {
				text = locale.Textf("no file of format %q has the key %q", m.Name, a.Column)
			}
			if a.Near != "" {
				hint = locale.Textf("did you mean %q? %s", a.Near, hint)
			}
			warn(c.At("format", i, "columns", a.Column), "site.format-column", text, hint)
		}
	}
	unread.Sort(set.Unread)
	return ms
}
