package script

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// TestModules runs the modules' own tests, the *.test.mjs beside them.
func TestModules(t *testing.T) {
	t.Parallel()
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

// TestTypes checks the types in the modules' JSDoc.
func TestTypes(t *testing.T) {
	need.Thorough(t, "the compiler takes seconds; what the modules do is tested in TestModules")
	t.Parallel()
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

// TestScriptsAreLight limits the scripts of a page to 46 KiB, compressed by gzip -9, since readers with a slow
// connection wait for them.
func TestScriptsAreLight(t *testing.T) {
	t.Parallel()
	gzip := need.Command(t, "gzip")
	packed := map[string]int{}
	for _, entry := range Entries {
		data, err := Bundle(entry)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(gzip, "-9", "--no-name")
		c.Stdin = bytes.NewReader(data)
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d packed", entry, len(data), len(out))
		packed[entry] = len(out)
	}
	for _, entry := range Entries[2:] {
		if total := packed["site"] + packed["chart"] + packed[entry]; total > 46<<10 {
			t.Errorf("the scripts of a page with %s are %d bytes, packed", entry, total)
		}
	}
}

// TestTypesAreThoseOfGo checks that JSON written by Go for the scripts has the fields declared in types.d.ts.
func TestTypesAreThoseOfGo(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("types.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"Names": "../data/names.go", "Columns": "../../export/columns.go"} {
		_, body, found := strings.Cut(string(data), "interface "+name+" {\n")
		body, _, _ = strings.Cut(body, "\n}")
		if !found {
			t.Fatalf("types.d.ts has no %s", name)
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range regexp.MustCompile(`(?m)^  (\w+)\??:`).FindAllStringSubmatch(body, -1) {
			if !strings.Contains(string(source), `"`+field[1]+`"`) && !strings.Contains(string(source), "`json:\""+field[1]) {
				t.Errorf("%s.%s: %s writes no such field", name, field[1], file)
			}
		}
	}
}
