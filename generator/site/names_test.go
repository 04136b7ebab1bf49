package site

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/held"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// alike lists names that some file systems cannot distinguish.
var alike = []string{"Report", "report", "é", "e\u0301", "É", strings.Repeat("Long", 30), strings.Repeat("long", 30)}

// zipOf returns an archive with one file.
func zipOf(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipOf(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	pathsOfPoints = regexp.MustCompile(`data-runs="([^"]*)" data-paths="([^"]*)"`)
	pathsOfNames  = regexp.MustCompile(`"paths":(\{[^}]*\})`)
)

// TestNamesThatSomeDiskTakesForOne checks names of runs, files, models, machines, loads, scenarios and campaigns that
// some file systems cannot distinguish. They have different paths; links, charts and scripts lead to the right ones;
// and each is reported once. When a twin comes or goes, a session makes the same as a complete build.
func TestNamesThatSomeDiskTakesForOne(t *testing.T) {
	w := newWalk(t)
	block := func(n int) string { return strings.ReplaceAll(invent.Block(n), "\n", "\r\n") } // no page has it unchanged
	add := func(name, text string) { w.write("runs/"+name, text) }
	labels := func(value string) string {
		return fmt.Sprintf("model = %[1]q\nhardware = %[1]q\nload = %[1]q\nscenario = %[1]q\n", value)
	}
	for i, name := range alike {
		add(fmt.Sprintf("labelled/%d/run.toml", i), labels(name))
		add(fmt.Sprintf("labelled/%d/run.log", i), block(i))
		add(name+"/x.log", block(20+i))
		add("folder/"+name+".log", block(40+i))
		if i < 2 {
			add("zipped/"+name+".zip", zipOf(t, "y.log", block(60+i)))
			add("packed/"+name+".log.gz", gzipOf(t, block(80+i)))
		}
	}
	add("folder/run.toml", "model = \"m\"\n")
	entries, err := os.ReadDir(filepath.Join(w.dir, "runs", "folder"))
	if err == nil && len(entries) < len(alike) {
		err = errors.New("this disk has one file for several of the names")
	}
	need.Granted(t, err)
	for _, lang := range []string{"zh-CN", "en"} { // in these each cell has one model
		all := "content/posts/all." + lang + ".md"
		w.write(all, strings.Replace(w.read(all), "date = ", "runs = '{campaign=\"two\"}'\ndate = ", 1))
	}
	w.write("content/posts/alike.md", "+++\ntitle = \"Alike\"\ndate = 2026-01-03\n+++\n\n```benchpost table\nrows = [\"id\"]\ncolumns = [\"output_throughput\"]\n```\n\n"+
		"```benchpost chart bar\nkind = \"bars\"\nvalue = \"output_throughput\"\nseries = \"id\"\nwhere = '{campaign=\"folder\"}'\n```\n\n```benchpost raw\nwhere = '{id=\"folder/Report\"}'\n```\n")
	w.compare("at first", []string{})
	snapshot, err := Open(Options{Dir: w.dir}).Read()
	if err != nil || w.compared != 1 {
		t.Fatal(err, snapshot.Messages)
	}

	all := files(t, filepath.Join(w.dir, "public"))
	folded := map[string]string{}
	for name := range all {
		if other, taken := folded[address.Fold(name)]; taken {
			t.Errorf("%q and %q are one file where case does not count", other, name)
		}
		folded[address.Fold(name)] = name
	}
	site := files(t, filepath.Join(w.dir, "public", "site"))
	if links := countLinks(t, site); links < 1000 {
		t.Errorf("only %d links found", links)
	}

	of := map[string]*result.Result{}
	for _, r := range snapshot.results {
		of[r.ID] = r
		for _, lang := range snapshot.config.Languages {
			if text := site[snapshot.pages.RunPage(lang, r.ID)]; !bytes.Contains(text, []byte(html.EscapeString(r.ID))) {
				t.Errorf("the page of %q is not about it", r.ID)
			}
		}
		copied := string(site[snapshot.names.RawText(r.Source.File)])
		if _, text, ok := held.File(site[snapshot.pages.RunPage("en", r.ID)]); ok {
			copied = text
		}
		if !strings.Contains(copied, "Serving Benchmark Result") {
			t.Errorf("%q is not published", r.Source.File)
		}
	}
	leads := func(page, home, id, to string) {
		at := filepath.ToSlash(filepath.Join(filepath.Dir(page), home, to+".html"))
		if text := site[at]; of[id] == nil || !bytes.Contains(text, []byte(html.EscapeString(id))) {
			t.Errorf("%s: the path of %q leads to %s, which is not about it", page, id, at)
		}
	}
	points, names := 0, 0
	for page, text := range site {
		for _, m := range pathsOfPoints.FindAllSubmatch(text, -1) {
			var paths map[string]string
			if err := json.Unmarshal([]byte(html.UnescapeString(string(m[2]))), &paths); err != nil {
				t.Fatal(page, err)
			}
			for id, to := range paths {
				points++
				leads(page, string(m[1]), id, to)
			}
		}
		if m := pathsOfNames.FindSubmatch(text); m != nil && strings.HasSuffix(page, ".html") {
			var paths map[string]string
			if err := json.Unmarshal(m[1], &paths); err != nil {
				t.Fatal(page, err)
			}
			for id, to := range paths {
				names++
				leads(page, address.Root(page)+"runs", id, to)
			}
		}
	}
	if points == 0 || names == 0 {
		t.Errorf("%d points and %d names lead to other paths", points, names)
	}

	reported := map[string]int{}
	for _, m := range snapshot.Messages {
		if m.ID == "site.name" {
			reported[locale.English(m.Text)]++
			if m.Pos.File == "" || m.Hint.IsZero() || reported[locale.English(m.Text)] > 1 {
				t.Errorf("%+v is reported %d times", m, reported[locale.English(m.Text)])
			}
		}
	}
	for _, kind := range []string{"campaign", "model", "hardware", "load", "scenario"} {
		for _, name := range alike {
			severity := result.Warning
			if len(name) > 100 {
				severity = result.Info // the checksum of the long name distinguishes it
			}
			if !slices.ContainsFunc(snapshot.Messages, func(m result.Message) bool {
				return m.ID == "site.name" && m.Severity == severity &&
					(strings.HasPrefix(locale.English(m.Text), fmt.Sprintf("the %s %q ", kind, name)) || strings.HasPrefix(locale.English(m.Text), fmt.Sprintf("the %s %+q ", kind, name)))
			}) {
				t.Errorf("%s %q is not reported", kind, name)
			}
		}
	}

	// One of two twins is removed, and comes back.
	w.remove("runs/folder/report.log")
	w.compare("a twin went", []string{"runs/folder/report.log"})
	if _, ok := files(t, filepath.Join(w.dir, "public", "site"))["runs/folder/Report.html"]; !ok {
		t.Error("a run without a twin has not the path that it has alone")
	}
	w.write("runs/folder/report.log", invent.Block(41))
	w.write("runs/one/model=A/run.log", invent.Block(42))
	w.compare("a twin came, and another of a declared model", []string{"runs/folder/report.log", "runs/one/model=A/run.log"})
}
