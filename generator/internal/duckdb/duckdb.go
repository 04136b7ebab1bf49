// Package duckdb runs SQL in DuckDB, for tests of files that other programs read.
package duckdb

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// Answer is the result of a query.
type Answer struct {
	Columns []string
	Types   []string
	Rows    [][]any
	Error   string
}

// Query runs queries in a folder, one after another.
func Query(t testing.TB, folder string, queries ...string) []Answer {
	t.Helper()
	ci := ".ci" // folder of the module, above the folder in which the test runs
	for _, err := os.Stat(ci); err != nil && len(ci) < 64; _, err = os.Stat(ci) {
		ci = filepath.Join("..", ci)
	}
	node := need.Command(t, "node")
	need.Path(t, filepath.Join(ci, "node_modules/@duckdb/node-api"))
	asked, err := json.Marshal(map[string]any{"folder": folder, "queries": queries})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, filepath.Join(ci, "duckdb.mjs"))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(asked), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []Answer
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(queries) {
		t.Fatalf("%v: %d answers to %d queries", err, len(answers), len(queries))
	}
	return answers
}
