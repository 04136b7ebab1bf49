package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestSpansHoldEveryLineOnce checks that each line is in exactly one span, that shown lines and their neighbours are
// never folded, and that no fold is too short.
func TestSpansHoldEveryLineOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	for round := range 500 {
		from := 1 + random.Intn(5)
		to := from + random.Intn(120) - 1
		shown := map[int]bool{}
		for range random.Intn(6) {
			shown[from+random.Intn(max(1, to-from+1))] = true
		}
		next := from
		folded := map[int]bool{}
		for _, s := range Spans(from, to, func(n int) bool { return shown[n] }) {
			if s.From != next || s.To < s.From || s.Folded && s.To-s.From+1 < least {
				t.Fatalf("round %d: %+v after line %d", round, s, next-1)
			}
			for n := s.From; n <= s.To; n++ {
				folded[n] = s.Folded
			}
			next = s.To + 1
		}
		if next != to+1 {
			t.Fatalf("round %d: the lines end at %d, want %d", round, next-1, to)
		}
		for n := range shown {
			for near := n - around; near <= n+around; near++ {
				if folded[near] {
					t.Errorf("round %d: line %d is folded beside line %d", round, near, n)
				}
			}
		}
	}
}

// invented returns a file of random lines, and results read from it.
func invented(random *rand.Rand) (lines []string, results []*result.Result) {
	for n := range 5 + random.Intn(60) {
		lines = append(lines, fmt.Sprintf("%s line %d: 你好 \x1b[31m%d.5\x1b[0m", strings.Repeat("x ", random.Intn(60)), n+1, n+1))
	}
	for i := range 1 + random.Intn(3) {
		r := &result.Result{ID: fmt.Sprint("a/run", i), Source: result.Position{File: "runs/a.log", Line: 1}, EndLine: len(lines), Format: "f"}
		for m := range 1 + random.Intn(8) {
			line := 1 + random.Intn(len(lines))
			r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: fmt.Sprint("x_m", m), Unit: "ms", Field: fmt.Sprint("line ", line)},
				Value: float64(line) + 0.5, Decimals: 1, Line: int32(line)})
		}
		r.Labels.Set(result.Label{Name: "model", Value: "m\x1b]52;c;x\a", Pos: result.Position{File: "runs/a.log", Line: 1 + random.Intn(len(lines))}})
		r.Labels.Set(result.Label{Name: "engine", Value: "vllm", Origin: result.Declared, Pos: result.Position{File: "runs/run.toml", Line: 2}})
		results = append(results, r)
	}
	return lines, results
}

// TestTextFitsItsWidth checks in each language that no line is wider than the terminal, that no control characters are
// printed, and that every item is named.
func TestTextFitsItsWidth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(2))
	for round := range 60 {
		lines, results := invented(random)
		read := Of("runs/a.log", results, nil, []result.Message{{Pos: result.Position{File: "runs/a.log", Line: 2}, ID: "x", Text: locale.Textf("odd\n\x1b[2J")}})
		for _, lang := range locale.Languages {
			p, _ := locale.For(lang)
			for _, width := range []int{50, 80, 133} {
				var b bytes.Buffer
				if err := Text(&b, p, width, lines, read); err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(b.String()) {
					if w := locale.Width(strings.TrimSuffix(line, "\n")); w > width {
						t.Errorf("round %d, %s: %d columns of %d: %q", round, lang, w, width, line)
					}
				}
				if i := strings.IndexFunc(b.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 {
					t.Errorf("round %d: a control character at %d: %q", round, i, b.String()[max(0, i-20):i+1])
				}
				for _, item := range append(read.Items, read.Elsewhere...) {
					if !strings.Contains(b.String(), item.Name) && item.Kind != Note {
						t.Errorf("round %d, %s, %d: %s is not shown", round, lang, width, item.Name)
					}
				}
			}
		}
	}
}

// TestTheDocumentHoldsEveryLineOnce checks that each line has items or is in the ignored ranges, and that each item
// occurs once.
func TestTheDocumentHoldsEveryLineOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(3))
	for round := range 100 {
		lines, results := invented(random)
		read := Of("runs/a.log", results, nil, nil)
		var b bytes.Buffer
		if err := NewDocument(lines, read).Write(&b); err != nil {
			t.Fatal(err)
		}
		var d Document
		if err := json.Unmarshal(b.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		seen := make([]int, len(lines)+1)
		items := 0
		for _, l := range d.Lines {
			seen[l.Line]++
			items += len(l.Became)
			if l.Text != lines[l.Line-1] {
				t.Errorf("round %d: line %d is %q", round, l.Line, l.Text)
			}
		}
		for _, span := range d.Ignored {
			for n := span[0]; n <= span[1]; n++ {
				seen[n]++
			}
		}
		for n := 1; n < len(seen); n++ {
			if seen[n] != 1 {
				t.Errorf("round %d: line %d is there %d times", round, n, seen[n])
			}
		}
		if items != len(read.Items) {
			t.Errorf("round %d: %d items of %d", round, items, len(read.Items))
		}
	}
}
