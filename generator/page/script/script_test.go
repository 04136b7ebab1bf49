package script

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/benchpost/benchpost/generator/internal/need"
)

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

func TestEveryEntryIsBundled(t *testing.T) {
	for _, entry := range append([]string{Live}, Entries...) {
		if data, err := Bundle(entry); err != nil || len(data) == 0 {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// TestModules runs the modules' own tests, the *.test.mjs beside them.
func TestModules(t *testing.T) {
	node := need.Command(t, "node")
	var tests []string
	for _, pattern := range []string{"*.test.mjs", "*/*.test.mjs"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, found...)
	}
	if len(tests) == 0 {
		t.Fatal("there are none")
	}
	out, err := exec.Command(node, append([]string{"--test"}, tests...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTypes checks what the modules' JSDoc says of types.
func TestTypes(t *testing.T) {
	node := need.Command(t, "node")
	ci, err := filepath.Abs("../../../.ci")
	if err != nil {
		t.Fatal(err)
	}
	compiler := filepath.Join(ci, "node_modules", "typescript", "bin", "tsc")
	need.Path(t, compiler)
	if _, err := os.Stat(filepath.Join(ci, "tsconfig.json")); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, compiler, "--project", ci).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A reader on a slow line waits for all of them once: 60 KiB are the most, as gzip -9
// packs them.
func TestScriptsAreLight(t *testing.T) {
	gzip := need.Command(t, "gzip")
	total := 0
	for _, entry := range Entries {
		data, err := Bundle(entry)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(gzip, "-9", "--no-name")
		c.Stdin = bytes.NewReader(data)
		packed, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d packed", entry, len(data), len(packed))
		total += len(packed)
	}
	if total > 60<<10 {
		t.Errorf("the scripts are %d bytes, packed", total)
	}
}
