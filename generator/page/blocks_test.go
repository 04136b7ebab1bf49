package page

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// A run's raw text is found by the scripts where it was put: the table of cases
// is theirs too.
func TestRawTextIsFoundByItsID(t *testing.T) {
	type blockCase struct {
		Campaign string `json:"campaign"`
		Results  int    `json:"results"`
		ID       string `json:"id"`
		Name     string `json:"name"`
	}
	var cases []blockCase
	for _, results := range []int{0, 1, 32, 33, 64, 65, 16000} {
		for _, id := range []string{"", "a", "edge/qwen3-8b/high", "模型/高负载", "a&b=<c>\"", "🙂"} {
			cases = append(cases, blockCase{columnsName("edge~board"), results, id, blocksName("edge~board", blockFile(id, blockFiles(results)))})
		}
	}
	got, _ := json.MarshalIndent(cases, "", " ")
	got = append(got, '\n')
	const name = "script/testdata/blocks.json"
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not where raw text is put: run the test with -update, and then the modules' tests (%v)", name, err)
	}
}

// The scripts hold every block of up to blockMost bytes, without what is around
// it, in as many files as are worth it.
func TestRawTextOfManyRuns(t *testing.T) {
	s := manyRuns(200)
	long := s.Results[0]
	raw := s.Raw
	s.Raw = func(r *result.Result) (Raw, error) {
		if r == long {
			return Whole(bytes.Repeat([]byte("x\n"), blockMost)), nil
		}
		return raw(r)
	}
	long.Source.Line, long.EndLine = 1, blockMost
	files, _ := render(t, s)
	blocks := map[string]rawBlock{}
	count := 0
	for path, data := range files {
		name, ok := strings.CutPrefix(path, "data/blocks/")
		if !ok {
			continue
		}
		count++
		prefix := `(self.benchpost??={})["blocks/` + strings.TrimSuffix(name, ".js") + `"]=`
		text, ok := strings.CutPrefix(string(data), prefix)
		var in map[string]rawBlock
		if err := json.Unmarshal([]byte(strings.TrimSuffix(text, ";\n")), &in); !ok || err != nil {
			t.Fatalf("%s: %v: %.80s", path, err, data)
		}
		for id, block := range in {
			blocks[id] = block
		}
	}
	if count != 2+8 {
		t.Errorf("%d files, want two of the campaign of 33 runs or more and eight of the one of 200", count)
	}
	for _, r := range s.Results {
		block, ok := blocks[r.ID]
		switch {
		case r == long:
			if ok {
				t.Errorf("%s is held, with %d bytes", r.ID, len(block.Text))
			}
		case r.Labels.Get("campaign") != "sweep":
		case block.Line != 4 || !strings.HasPrefix(block.Text, "============ Serving") || !strings.HasSuffix(block.Text, "=\n") || strings.Contains(block.Text, "Process finished"):
			t.Errorf("%s: from line %d: %q", r.ID, block.Line, block.Text)
		}
	}
}
