package script

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/need"
)

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
