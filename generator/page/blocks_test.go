package page

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/result"
)

// TestRawTextOfManyRuns checks that the scripts contain every block of up to 32 KiB, without the surrounding text, in a
// suitable number of files.
func TestRawTextOfManyRuns(t *testing.T) {
	t.Parallel()
	const mostBytes = 32 << 10 // of a block
	s := manyRuns(200)
	long := s.Results[0]
	raw := s.Raw
	s.Raw = func(r *result.Result) (Raw, error) {
		if r == long {
			return Whole(bytes.Repeat([]byte("x\n"), mostBytes)), nil
		}
		return raw(r)
	}
	long.Source.Line, long.EndLine = 1, mostBytes
	files := renderLists(t, s)
	blocks := map[string]data.Block{}
	count := 0
	for path, script := range files {
		name, ok := strings.CutPrefix(path, "data/blocks/")
		if !ok {
			continue
		}
		count++
		prefix := `(self.benchpost??={})["blocks/` + strings.TrimSuffix(name, ".js") + `"]=`
		text, ok := strings.CutPrefix(string(script), prefix)
		var in map[string]data.Block
		if err := json.Unmarshal([]byte(strings.TrimSuffix(text, ";\n")), &in); !ok || err != nil {
			t.Fatalf("%s: %v: %.80s", path, err, script)
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
				t.Errorf("%s is held, with %d lines", r.ID, len(block.Lines))
			}
		case r.Labels.Get("campaign") != "sweep":
		case block.Line != 4 || !strings.HasPrefix(block.Lines[0], "============ Serving") || !strings.HasSuffix(block.Lines[len(block.Lines)-1], "=") || strings.Contains(strings.Join(block.Lines, "\n"), "Process finished"):
			t.Errorf("%s: from line %d: %q", r.ID, block.Line, block.Lines)
		}
	}
}
