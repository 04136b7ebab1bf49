package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
	kinds "github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sweep"
)

const documents = root + "/docs"

// forContributors matches the documents that exist only in English.
var forContributors = regexp.MustCompile(`^(adding-.*|architecture|dependencies|design|quality|scripts)\.md$`)

// TestDocumentsInBothLanguages checks that each document for users exists in Chinese, with headings of the same levels,
// the same code and links to the same pages. Comments in code and the output of commands are translated.
func TestDocumentsInBothLanguages(t *testing.T) {
	t.Parallel()
	names := documentNames(t)
	if len(names) < 30 {
		t.Fatalf("there are %d documents", len(names))
	}
	for _, name := range names {
		if forContributors.MatchString(name) {
			if _, err := os.Stat(filepath.Join(documents, "zh", name)); err == nil {
				t.Errorf("docs/zh/%s: documents for contributors are in English", name)
			}
			continue
		}
		chineseFile := filepath.Join(documents, "zh", name)
		if _, err := os.Stat(chineseFile); err != nil {
			t.Errorf("%s is not there in Chinese", name)
			continue
		}
		english, chinese := parsed(t, name), parsed(t, "zh/"+name)
		if a, b := levels(english), levels(chinese); a != b {
			t.Errorf("%s has headings of the levels %s, in Chinese %s", name, a, b)
		}
		if a, b := targets(english), targets(chinese); !slices.Equal(a, b) {
			t.Errorf("%s links to\n%q, in Chinese to\n%q", name, a, b)
		}
		if strings.HasPrefix(name, "guide/") || name == "commands.md" { // see TestGuideInChinese; help is in the reader's language
			continue
		}
		a, b := blocksOf(t, filepath.Join(documents, name)), blocksOf(t, chineseFile)
		if len(a) != len(b) {
			t.Errorf("%s has %d pieces of code, in Chinese %d", name, len(a), len(b))
			continue
		}
		for i := range a {
			if a[i].language != b[i].language || !alike(a[i].text, b[i].text) {
				t.Errorf("%s:%d: the code is another in Chinese, line %d:\n%s\n%s", name, a[i].line, b[i].line, a[i].text, b[i].text)
			}
		}
	}
}

// han matches Chinese words, which a translation has in comments, titles and prose in code.
var han = regexp.MustCompile(`\p{Han}`)

// alike reports whether two pieces of code are equal except for translated lines.
func alike(english, chinese string) bool {
	a, b := strings.Split(english, "\n"), strings.Split(chinese, "\n")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !han.MatchString(b[i]) {
			return false
		}
	}
	return true
}

// documentNames returns the English documents, by their path in docs.
func documentNames(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(documents, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(documents, file)
		name := filepath.ToSlash(rel)
		switch {
		case d.IsDir() && (name == "zh" || name == "guide/examples"):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ".md":
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func parsed(t *testing.T, name string) *document.Document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(documents, name))
	if err != nil {
		t.Fatal(err)
	}
	d, _ := document.Parse(name, text, document.Options{Page: true})
	return d
}

// TestTheIndexListsAllDocuments checks that both indexes list every document.
func TestTheIndexListsAllDocuments(t *testing.T) {
	t.Parallel()
	for _, index := range []string{"README.md", "zh/README.md"} {
		listed := targets(parsed(t, index))
		for _, name := range documentNames(t) {
			if name != "README.md" && !slices.Contains(listed, name) {
				t.Errorf("docs/%s lacks %s", index, name)
			}
		}
	}
}

func levels(d *document.Document) string {
	var all []byte
	for _, h := range d.Headings {
		all = append(all, byte('0'+h.Level))
	}
	return string(all)
}

// targets returns the pages, files and addresses that a document links to, each once, in order.
func targets(d *document.Document) []string {
	var all []string
	for _, l := range d.Links {
		to, _, _ := strings.Cut(strings.Replace(l.Address, "/lang/zh-CN/", "/", 1), "#")
		if file, ok := document.Local(d.File, l.Address); ok {
			to = strings.TrimPrefix(file, "zh/")
			to = strings.ReplaceAll(to, "README.zh.md", "README.md")
		}
		all = append(all, to)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestCommandsInDocuments checks that each benchpost command line in a document names an existing command and flags.
func TestCommandsInDocuments(t *testing.T) {
	t.Parallel()
	flag := regexp.MustCompile(`(?:^|\s)(--[a-z][a-z-]*)`)
	help := map[string]string{}
	looked := 0
	for _, file := range documentFiles(t) {
		for _, b := range blocksOf(t, file) {
			if !slices.Contains([]string{"bash", "sh", "shell", "console"}, b.language) {
				continue
			}
			text := strings.ReplaceAll(b.text, "\\\n", " ")
			for line := range strings.Lines(text) {
				line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
				line, _, _ = strings.Cut(line, " # ")
				rest, ok := strings.CutPrefix(line, "benchpost ")
				if !ok {
					continue
				}
				rest, _, _ = strings.Cut(rest, " -- ") // without the recorded command
				rest, _, _ = strings.Cut(rest, " | ")
				rest, _, _ = strings.Cut(rest, " && ")
				words := strings.Fields(rest)
				if len(words) == 0 || strings.HasPrefix(words[0], "-") || strings.HasPrefix(words[0], "…") {
					continue
				}
				command := words[0]
				if _, known := help[command]; !known {
					var out, trouble bytes.Buffer
					code := cli.Run(context.Background(), []string{"help", command}, strings.NewReader(""), &out, &trouble)
					help[command] = out.String() + trouble.String()
					if code != 0 {
						t.Errorf("%s:%d: there is no command %q", file, b.line, command)
					}
				}
				looked++
				for _, m := range flag.FindAllStringSubmatch(rest, -1) {
					if m[1] != "--site" && m[1] != "--help" && !strings.Contains(help[command], m[1]) {
						t.Errorf("%s:%d: benchpost %s has no flag %s", file, b.line, command, m[1])
					}
				}
			}
		}
	}
	if looked < 100 {
		t.Errorf("only %d commands were found", looked)
	}
}

// TestSettingsInDocuments checks that each piece of TOML is valid in site.toml, run.toml or sweep.toml.
func TestSettingsInDocuments(t *testing.T) {
	t.Parallel()
	looked := 0
	for _, file := range documentFiles(t) {
		for _, b := range blocksOf(t, file) {
			if b.language != "toml" {
				continue
			}
			looked++
			var of config.Config
			asSite := settings.Decode(file, b.line+1, []byte(b.text), &of)
			var plans sweep.File
			asSweep := settings.Decode(file, b.line+1, []byte(b.text), &plans)
			var labels map[string]any
			asRun := settings.Decode(file, b.line+1, []byte(b.text), &labels)
			for key, value := range labels { // labels are values; only files is a table
				if _, isTable := value.(map[string]any); isTable && key != "files" {
					asRun = asSite
				}
				if _, isList := value.([]map[string]any); isList {
					asRun = asSite
				}
			}
			if labels["markup"] != nil || labels["rule"] != nil { // settings of Hugo, of Taplo
				continue
			}
			if len(asSite) > 0 && len(asSweep) > 0 && len(asRun) > 0 {
				t.Errorf("%v: %s", asSite[0].Pos, locale.English(asSite[0].Text))
			}
		}
	}
	if looked < 25 {
		t.Errorf("only %d pieces of TOML were found", looked)
	}
}

// documentFiles returns all documents in both languages.
func documentFiles(t *testing.T) []string {
	t.Helper()
	files := []string{root + "/README.md", root + "/README.zh.md"}
	for _, name := range documentNames(t) {
		files = append(files, filepath.Join(documents, name))
		if chinese := filepath.Join(documents, "zh", name); exists(chinese) {
			files = append(files, chinese)
		}
	}
	return files
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// TestTheGalleryShowsWhatItSays checks that each piece of source is followed by the block itself or, if the runs of the
// sample are not sufficient for it, by nothing or a picture; and that every kind of block and of chart is there.
func TestTheGalleryShowsWhatItSays(t *testing.T) {
	t.Parallel()
	// What the runs of the sample cannot show: plans, several accelerators, sweeps, series of versions, single
	// requests, and telemetry.
	still := []string{"coverage", "scaling", "chart curves", "chart history", "chart boxes", "chart cdf", "chart histogram", "chart power"}
	kind := regexp.MustCompile(`(?m)^kind = "([a-z]+)"`)
	charts := map[string]bool{}
	for _, b := range blocksOf(t, documents+"/charts.md") {
		if m := kind.FindStringSubmatch(b.text); m != nil && b.language == "benchpost" {
			charts["chart "+m[1]] = true
		}
	}
	for _, file := range []string{documents + "/gallery.md", documents + "/zh/gallery.md"} {
		all := blocksOf(t, file)
		shown := map[string]bool{}
		for i, b := range all {
			if b.language != "markdown" || !strings.HasPrefix(b.text, "```benchpost ") {
				continue
			}
			info, body, _ := strings.Cut(strings.TrimPrefix(b.text, "```benchpost "), "\n")
			body = strings.TrimSuffix(body, "```\n")
			name, _, _ := strings.Cut(info, " ")
			if m := kind.FindStringSubmatch(body); name == "chart" && m != nil {
				name += " " + m[1]
			}
			shown[name] = true
			live := i+1 < len(all) && all[i+1].language == "benchpost"
			if live != !slices.Contains(still, name) {
				t.Errorf("%s:%d: %s is shown: %v", file, b.line, name, live)
			}
			if live && (all[i+1].text != body || all[i+1].file != info) {
				t.Errorf("%s:%d: below is another block than the source of %s", file, b.line, name)
			}
		}
		for name := range kinds.Specs() {
			if name != "chart" && !shown[name] {
				t.Errorf("%s lacks the block %s", file, name)
			}
		}
		for name := range charts {
			if !shown[name] {
				t.Errorf("%s lacks the %s", file, name)
			}
		}
	}
	if len(charts) < 10 {
		t.Errorf("docs/charts.md has %d kinds", len(charts))
	}
}
