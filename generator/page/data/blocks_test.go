package data

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of cases")

// A run's raw text is found by the scripts where it was put: the table of cases
// is theirs too.
func TestRawTextIsFoundByItsID(t *testing.T) {
	t.Parallel()
	type blockCase struct {
		Campaign string `json:"campaign"`
		Results  int    `json:"results"`
		ID       string `json:"id"`
		Name     string `json:"name"`
	}
	var cases []blockCase
	for _, results := range []int{0, 1, 32, 33, 64, 65, 16000} {
		for _, id := range []string{"", "a", "edge/qwen3-8b/high", "模型/高负载", "a&b=<c>\"", "🙂"} {
			cases = append(cases, blockCase{Columns("edge~board"), results, id, blocksName("edge~board", blockFile(id, blockFiles(results)))})
		}
	}
	got, _ := json.MarshalIndent(cases, "", " ")
	got = append(got, '\n')
	const name = "../script/testdata/blocks.json"
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not where raw text is put: run the test with -update, and then the modules' tests (%v)", name, err)
	}
}

// One line of JSON is broken behind its members, and no character is lost.
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
