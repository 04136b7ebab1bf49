package script

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/evanw/esbuild/pkg/api"
)

var update = flag.Bool("update", false, "write the bundles anew")

// TestBundlesAreUpToDate bundles the modules and compares with what is committed;
// with -update it writes the bundles instead, which is what go generate does.
func TestBundlesAreUpToDate(t *testing.T) {
	committed, err := bundles.ReadDir("bundle")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range slices.Concat(Entries, []string{Live}) {
		made, err := bundle(os.DirFS("."), entry+".js")
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile("bundle/"+entry+".js", made, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := Bundle(entry); err != nil || !bytes.Equal(got, made) {
			t.Errorf("bundle/%s.js is stale: run go generate ./generator/page/script", entry)
		}
		committed = slices.DeleteFunc(committed, func(f fs.DirEntry) bool { return f.Name() == entry+".js" })
	}
	if !*update && len(committed) > 0 {
		t.Errorf("no entry of this name: %v", committed)
	}
}

func TestABundleIsOneClosedScriptOfAModuleAndWhatItImports(t *testing.T) {
	got, err := bundle(fstest.MapFS{
		"page.js":      {Data: []byte(`import { name } from "./deep/name.js"; document.title = name;`)},
		"deep/name.js": {Data: []byte(`import { word } from "../word.js"; export const name = word + "中文";`)},
		"word.js":      {Data: []byte(`export const word = "benchpost";`)},
	}, "page.js")
	if err != nil {
		t.Fatal(err)
	}
	s := string(got)
	if !strings.HasPrefix(s, "(()=>{") || strings.Contains(s, "import") || !strings.Contains(s, `benchpost`) || !strings.Contains(s, "中文") {
		t.Errorf("%s", s)
	}
}

func TestChartsAreDrawnByOneScript(t *testing.T) {
	modules := fstest.MapFS{
		"chart.js":       {Data: []byte(`import * as chart from "./chart/index.js"; self.benchpost = { chart };`)},
		"page.js":        {Data: []byte(`import { mount } from "./chart/index.js"; mount();`)},
		"chart/index.js": {Data: []byte(`export const mount = () => "drawn"; export const draw = mount;`)},
	}
	for entry, has := range map[string]bool{"chart.js": true, "page.js": false} {
		got, err := bundle(modules, entry)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(got), "drawn") != has || strings.Contains(string(got), "self.benchpost.chart") == has {
			t.Errorf("%s: %s", entry, got)
		}
	}
}

func TestAFaultInAModuleNamesFileAndLine(t *testing.T) {
	_, err := bundle(fstest.MapFS{
		"page.js":  {Data: []byte("import './other.js'")},
		"other.js": {Data: []byte("let a = 1;\nlet a = 2;")},
	}, "page.js")
	if err == nil || !strings.Contains(err.Error(), "other.js:2") {
		t.Errorf("%v", err)
	}
	_, err = bundle(fstest.MapFS{"page.js": {Data: []byte("import './gone.js'")}}, "page.js")
	if err == nil || !strings.Contains(err.Error(), "page.js:1") {
		t.Errorf("%v", err)
	}
}

// bundle makes one script of a module and its imports. Its scope is separate from other scripts of the page.
func bundle(from fs.FS, entry string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelSilent,
		Plugins:           []api.Plugin{readFrom(from, entry)},
	})
	var faults []error
	for _, m := range slices.Concat(result.Errors, result.Warnings) {
		at := entry
		if m.Location != nil {
			at = fmt.Sprintf("%s:%d", m.Location.File, m.Location.Line)
		}
		faults = append(faults, fmt.Errorf("%s: %s", strings.TrimPrefix(at, "module:"), m.Text))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return result.OutputFiles[0].Contents, nil
}

// The functions for charts are in one script, which pages load before others that import them: those use
// benchpost.chart.
const (
	chartEntry  = "chart.js"
	chartModule = "chart/index.js"
	chartElse   = "export const { draw, mount } = self.benchpost.chart;"
)

// readFrom resolves imports inside a file system only, so that nothing else gets into a script.
func readFrom(from fs.FS, entry string) api.Plugin {
	return api.Plugin{Name: "module", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: path.Join(path.Dir(args.Importer), args.Path), Namespace: "module"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "module"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			data, err := fs.ReadFile(from, args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text := string(data)
			if args.Path == chartModule && entry != chartEntry {
				text = chartElse
			}
			loader := api.LoaderJS
			if path.Ext(args.Path) == ".css" { // a text that a script inserts into a page
				loader = api.LoaderText
			}
			return api.OnLoadResult{Contents: &text, Loader: loader}, nil
		})
	}}
}
