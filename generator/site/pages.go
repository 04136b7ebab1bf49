package site

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// site collects what the pages are made from, but for the posts.
func (b *builder) site(results []*result.Result) *page.Site {
	c := &b.config
	titles, _ := c.Labels()
	s := &page.Site{
		Titles: titles,
		Title:  c.Title.Text, Description: c.Description.Text, Author: c.Author, Languages: c.Languages, BaseURL: c.BaseURL,
		Results: results, Raw: b.source, Key: b.key(), Version: b.version, ChartStyle: b.theme.Style(b.dark), Colours: len(b.theme.Series),
		Verdicts: func(r *result.Result) (passed, unjudged []result.Check) {
			verdicts := audit.Judge(r)
			return verdicts.Passed, verdicts.Unjudged
		},
	}
	for _, m := range c.Model {
		s.Models = append(s.Models, page.Model{ID: m.ID, Title: m.Title.Text, Base: m.Base, URL: m.URL, Quantization: m.Quantization,
			Size: m.WeightSize, Params: m.Params, ActiveParams: m.ActiveParams, Note: m.Note.Text})
	}
	s.Hardware = boards(c, results)
	for _, l := range c.Load {
		s.Loads = append(s.Loads, page.Load{Label: "load", Name: l.Name, When: l.When})
	}
	for _, l := range c.Scenario {
		s.Loads = append(s.Loads, page.Load{Label: "scenario", Name: l.Name, When: l.When})
	}
	s.Draw = b.vectors
	s.Copies, s.Evidence = b.copies, b.evidence
	for _, sk := range b.dataset.Skipped {
		s.Skipped = append(s.Skipped, page.Skipped{File: sk.File, Reason: sk.Reason})
	}
	for _, m := range b.dataset.Messages {
		if m.Severity != result.Info {
			s.Messages = append(s.Messages, m)
		}
	}
	if layouts := filepath.Join(b.opt.Dir, "layouts"); isDir(layouts) {
		s.Layouts = os.DirFS(layouts)
	}
	return s
}

// compares tells the pages what runs are compared by.
func (b *builder) compares(data *dataset.Selection) {
	apart := map[*result.Result]bool{}
	for _, r := range data.Auxiliary {
		apart[r] = true
	}
	b.pages.Apart = func(r *result.Result) bool { return apart[r] }
	b.pages.Orders, b.pages.Styles = data.Order, data.Styles
	b.pages.Settings, b.pages.Noise, b.pages.Limits = audit.Settings(), data.Rules.Noise, data.Limits
}

// version tells versions of a file below runs/ apart.
func (b *builder) version(file string) string {
	return b.session.runs.Version(strings.TrimPrefix(file, "runs/"))
}

// strayLayouts tells of files among the layouts that nothing reads.
func (b *builder) strayLayouts() []result.Message {
	known := []string{page.CustomStyle}
	entries, _ := fs.ReadDir(page.Layouts(), ".")
	for _, e := range entries {
		known = append(known, e.Name())
	}
	var ms []result.Message
	entries, _ = os.ReadDir(filepath.Join(b.opt.Dir, "layouts"))
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || slices.Contains(known, name) || name == "README.md" || name[0] == '.' {
			continue
		}
		m := result.Message{Pos: result.Position{File: "layouts/" + name}, Severity: result.Warning, ID: "site.layout",
			Text: "no layout has this name; it is not used", Hint: "there are: " + strings.Join(known, ", ") + ", and files to be copied in static/"}
		if near := settings.Nearest(name, known); near != "" {
			m.Hint = "did you mean " + near + "?"
		}
		ms = append(ms, m)
	}
	return ms
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// ownLayout tells whether the site overrides a layout.
func (b *builder) ownLayout(name string) bool {
	_, err := os.Stat(filepath.Join(b.opt.Dir, "layouts", name))
	return err == nil
}

// templateFault is how text/template and html/template word one.
var templateFault = regexp.MustCompile(`template: ([\w./-]+\.html):(\d+)(?::\d+)?: (.*)`)

// layoutMistake finds the place in a layout of the site's own that an error tells of.
func (b *builder) layoutMistake(err error) (result.Message, bool) {
	if err == nil {
		return result.Message{}, false
	}
	found := templateFault.FindStringSubmatch(err.Error())
	if found == nil || !b.ownLayout(found[1]) {
		return result.Message{}, false
	}
	line, _ := strconv.Atoi(found[2])
	return result.Message{Pos: result.Position{File: "layouts/" + found[1], Line: line}, Severity: result.Error, ID: "site.layout", Text: found[3],
		Hint: "docs/layouts.md lists what a layout is given; benchpost init --layouts writes the built-in ones"}, true
}
