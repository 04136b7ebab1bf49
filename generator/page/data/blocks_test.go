package data

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestSpreadBlocks checks that the results of a group are distributed evenly over scripts, as Block says, and that one
// more result does not move the others.
func TestSpreadBlocks(t *testing.T) {
	t.Parallel()
	g := Group{Name: "edge~board"}
	for i := range 100 {
		g.Runs = append(g.Runs, &result.Result{ID: fmt.Sprintf("模型/%d", i)})
	}
	spread := SpreadBlocks(nil, g)
	if len(spread) != 4 {
		t.Fatalf("%d scripts of 100 results", len(spread))
	}
	fewer := Group{Name: g.Name, Runs: g.Runs[1:]}
	count := 0
	for i, b := range spread {
		if want := fmt.Sprintf("blocks/edge~7Eboard~%d", i); b.Name != want || len(b.Runs) > 2*blocksPerFile {
			t.Errorf("%s, want %s, has %d results", b.Name, want, len(b.Runs))
		}
		for _, r := range b.Runs {
			count++
			if g.Block(r) != i || fewer.Block(r) != i {
				t.Errorf("%s is in %d, not in %d or %d", r.ID, i, g.Block(r), fewer.Block(r))
			}
		}
	}
	if count != len(g.Runs) {
		t.Errorf("%d results of %d", count, len(g.Runs))
	}
}

// TestLinesOfRawText checks that one line of JSON is broken after its members, and that no character is lost.
func TestLinesOfRawText(t *testing.T) {
	t.Parallel()
	const json = `{"a": 1.50, "b": {"c": "x, {y\"", "d": [1, 2]}, "e": null}`
	block := newBlock(3, json+"\n")
	want := Block{3, []string{"{", `  "a": 1.50,`, `  "b": {`, `    "c": "x, {y\"",`, `    "d": [1, 2]},`, `  "e": null}`}, true}
	if !reflect.DeepEqual(block, want) {
		t.Errorf("%#v", block)
	}
	without := strings.NewReplacer(" ", "").Replace
	if got := without(strings.Join(block.Lines, "")); got != without(json) {
		t.Errorf("%s", got)
	}
	for text, lines := range map[string][]string{"{\r\n a\r\n}\n": {"{", " a", "}"}, "a: 1, {b}\n\n": {"a: 1, {b}"}, "]}": {"]}"}} {
		if got := newBlock(1, text); got.Broken || !reflect.DeepEqual(got.Lines, lines) {
			t.Errorf("%q: %#v", text, got)
		}
	}
	if got := newBlock(1, "[]]}"); !reflect.DeepEqual(got.Lines, []string{"[]]}"}) {
		t.Errorf("unbalanced: %#v", got)
	}
}
