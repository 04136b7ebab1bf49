package lines

import (
	"fmt"
	"html"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/explain"
)

var (
	anchor = regexp.MustCompile(`(?s)<(span|mark) id="L(\d+)">(.*?)</(?:span|mark)>\n`)
	beside = regexp.MustCompile(`(?s)<(?:em|a)[^>]*>.*?</(?:em|a)>`)
	fold   = regexp.MustCompile(`(?s)<details.*?</details>`)
	markup = regexp.MustCompile(`<(/?)([a-z]+)[^>]*>`)
)

// TestEveryLineIsThereWithWhatItBecame checks that each line has one anchor and its own text, that what was read from
// it is at that line only, that no such line is folded, and that all elements are closed.
func TestEveryLineIsThereWithWhatItBecame(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(4))
	for round := range 200 {
		var source []string
		for n := range 1 + random.Intn(80) {
			source = append(source, fmt.Sprintf("<b>%d & %s", n+1, strings.Repeat("y ", random.Intn(120))))
		}
		last := len(source)
		from, to := 1+random.Intn(last), last
		p := Part{Source: strings.Join(source, "\n") + "\n", First: 1, From: from, To: to, Budget: 1 << 20}
		p.BlockFrom = from + random.Intn(to-from+1)
		p.BlockTo = p.BlockFrom + random.Intn(to-p.BlockFrom+1)
		for range random.Intn(12) {
			n := from + random.Intn(to-from+1)
			kind := []string{explain.Metric, explain.Label}[random.Intn(2)]
			p.Items = append(p.Items, explain.Item{Kind: kind, Line: n, Name: fmt.Sprintf("name<%d>", len(p.Items)), Value: strconv.Itoa(n), Field: "f"})
		}
		slices.SortStableFunc(p.Items, func(a, b explain.Item) int { return a.Line - b.Line })
		shown := Write(p)
		text := string(shown.HTML)
		if shown.First != from || shown.Last != to || shown.Cut {
			t.Fatalf("round %d: %d to %d, cut %t; want %d to %d", round, shown.First, shown.Last, shown.Cut, from, to)
		}
		next := from
		for _, m := range anchor.FindAllStringSubmatch(text, -1) {
			if m[2] != strconv.Itoa(next) {
				t.Fatalf("round %d: line %s after %d", round, m[2], next-1)
			}
			became := explain.At(p.Items, next)
			found := beside.FindAllString(m[3], -1)
			if len(found) != len(became) {
				t.Errorf("round %d: line %d became %d things and shows %d", round, next, len(became), len(found))
			}
			for i := range min(len(found), len(became)) {
				if !strings.Contains(found[i], html.EscapeString(became[i].Name)) {
					t.Errorf("round %d: line %d shows %s, want %s", round, next, found[i], became[i].Name)
				}
			}
			if got := html.UnescapeString(beside.ReplaceAllString(m[3], "")); got != source[next-1] {
				t.Errorf("round %d: line %d is %q, want %q", round, next, got, source[next-1])
			}
			next++
		}
		if next != to+1 {
			t.Errorf("round %d: the lines end at %d, want %d", round, next-1, to)
		}
		for _, folded := range fold.FindAllString(text, -1) {
			if beside.MatchString(folded) {
				t.Errorf("round %d: a line that became something is folded: %.200s", round, folded)
			}
		}
		var open []string
		for _, tag := range markup.FindAllStringSubmatch(text, -1) {
			if tag[1] == "" {
				open = append(open, tag[2])
			} else if n := len(open) - 1; n < 0 || open[n] != tag[2] {
				t.Fatalf("round %d: </%s> closes %v", round, tag[2], open)
			} else {
				open = open[:n]
			}
		}
		if len(open) > 0 {
			t.Errorf("round %d: %v are left open", round, open)
		}
	}
}

// TestTheBudgetHolds checks that no more of the file is shown than the budget allows, and that a cut is reported.
func TestTheBudgetHolds(t *testing.T) {
	t.Parallel()
	for _, budget := range []int{1, 10, 99, 500} {
		source := strings.Repeat("123456789\n", 60)
		shown := Write(Part{Source: source, First: 1, From: 1, To: 60, BlockFrom: 1, BlockTo: 60, Budget: budget})
		text := markup.ReplaceAllString(string(shown.HTML), "")
		if n := strings.Count(text, "123456789"); 10*n > budget+10 || !shown.Cut || shown.Last != (budget+9)/10 {
			t.Errorf("budget %d: %d lines, cut %t, last %d", budget, n, shown.Cut, shown.Last)
		}
	}
}
