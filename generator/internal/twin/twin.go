// Package twin writes tables of test cases that a Go package decides. Scripts of pages must decide them in the
// same way: the test in Go writes the table, and the test of the script reads it.
package twin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Table is a JSON object. Each line contains a member, or an element of a list.
type Table struct {
	t    testing.TB
	path string
	text bytes.Buffer
}

// New begins a table that is stored at path.
func New(t testing.TB, path string) *Table {
	table := &Table{t: t, path: path}
	table.text.WriteByte('{')
	return table
}

// Put adds a member.
func (c *Table) Put(key string, v any) {
	c.begin(key)
	c.value(v)
}

// List adds a member that is a list of n elements.
func (c *Table) List(key string, n int, one func(i int) any) {
	c.begin(key)
	c.text.WriteString("[\n")
	for i := range n {
		c.value(one(i))
		if i < n-1 {
			c.text.WriteByte(',')
		}
		c.text.WriteByte('\n')
	}
	c.text.WriteByte(']')
}

func (c *Table) begin(key string) {
	if c.text.Len() > 1 {
		c.text.WriteString(",\n")
	}
	fmt.Fprintf(&c.text, "%q: ", key)
}

func (c *Table) value(v any) {
	c.t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		c.t.Fatal(err)
	}
	c.text.Write(data)
}

// Check compares the table with its file. If update is true, it writes the file first.
func (c *Table) Check(update bool) {
	c.t.Helper()
	c.text.WriteString("}\n")
	if update {
		if err := os.WriteFile(c.path, c.text.Bytes(), 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(c.path)
	if err != nil {
		c.t.Fatal(err)
	}
	if !bytes.Equal(c.text.Bytes(), kept) {
		c.t.Errorf("%s is not what this package decides: run the test with -update, and then the scripts' tests", c.path)
	}
}

// Seen reports an error for each wanted property that fewer than least of the cases have.
func Seen(t testing.TB, seen map[string]int, least int, wanted ...string) {
	t.Helper()
	for _, what := range wanted {
		if seen[what] < least {
			t.Errorf("only %d times %q: %v", seen[what], what, seen)
		}
	}
}

// Metrics returns metrics in the form that pages use.
func Metrics(names ...string) map[string]map[string]string {
	metrics := map[string]map[string]string{}
	for _, name := range names {
		d, _ := vocabulary.Define(name)
		metrics[name] = map[string]string{"title": name, "unit": d.Unit, "better": d.Better.String()}
	}
	return metrics
}
