package builder_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// number returns the figure of a cell.
func number(c *report.Cell) string {
	n, _, _ := strings.Cut(locale.English(c.Text), " ")
	return n
}

// TestNothingLooksEqualToTheBest checks that the best is marked, that worse ones are marked only if six digits do not
// separate them, and that no unmarked candidate looks equal to a marked one.
func TestNothingLooksEqualToTheBest(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	finer, tied := 0, 0
	for range 20000 {
		center := math.Pow(10, 12*random.Float64()-4)
		spread := math.Pow(10, -10*random.Float64())
		decimals := random.IntN(5)
		cells := make([]*report.Cell, 1+random.IntN(5))
		before := make([]string, len(cells))
		best := math.Inf(1)
		better, sign := result.Lower, 1.0
		if random.IntN(2) == 0 {
			better, sign = result.Higher, -1
		}
		for i := range cells {
			v := center * (1 + spread*float64(random.IntN(4)))
			decimals := max(0, decimals+random.IntN(3)-1)
			cells[i] = &report.Cell{Numeric: true, Value: v, Text: locale.Lit(builder.Round(v, decimals)), Doubted: random.IntN(6) == 0}
			if random.IntN(3) == 0 {
				cells[i].Text = locale.Lit(locale.English(cells[i].Text) + " ± 4%")
			}
			before[i] = locale.English(cells[i].Text)
			if !cells[i].Doubted {
				best = min(best, sign*v)
			}
		}
		builder.MarkBest(cells, better)
		candidates, marked := 0, map[string]bool{}
		for i, c := range cells {
			if !c.Doubted {
				candidates++
			}
			if c.Best {
				marked[number(c)] = true
			}
			if c.Best && (c.Doubted || math.Abs(sign*c.Value-best) > 2e-5*math.Abs(best)) {
				t.Fatalf("%v is marked, the best is %v", c.Value, best)
			}
			if c.Best && sign*c.Value != best {
				tied++
			}
			_, after, _ := strings.Cut(locale.English(c.Text), " ")
			if _, was, _ := strings.Cut(before[i], " "); after != was || len(locale.English(c.Text)) < len(before[i]) {
				t.Fatalf("%s became %s", before[i], locale.English(c.Text))
			}
			if n := number(c); len(n) > len(strings.Fields(before[i])[0]) {
				finer++
				_, fraction, _ := strings.Cut(n, ".")
				if builder.Round(c.Value, len(fraction)) != n {
					t.Fatalf("%v is shown as %s", c.Value, n)
				}
			}
		}
		for i, c := range cells {
			switch {
			case !c.Doubted && candidates > 1 && sign*c.Value == best && !c.Best, c.Best && candidates < 2:
				t.Fatalf("%v of %d candidates: marked %v", c.Value, candidates, c.Best)
			case !c.Doubted && !c.Best && marked[number(c)]:
				t.Fatalf("%s (%s before) looks like the best", number(c), before[i])
			}
		}
	}
	if finer == 0 || tied == 0 {
		t.Errorf("%d have more digits, %d are ties", finer, tied)
	}
}

func TestDigitsOfTheBest(t *testing.T) {
	t.Parallel()
	cell := func(v float64, text string) *report.Cell {
		return &report.Cell{Numeric: true, Value: v, Text: locale.Lit(text)}
	}
	for _, c := range []struct {
		name  string
		cells []*report.Cell
		want  string
	}{
		{"two costs", []*report.Cell{cell(0.0912, "0.09"), cell(0.0874, "0.09"), cell(0.2, "0.20")}, "0.091 *0.087 0.20"},
		{"apart already", []*report.Cell{cell(1.26, "1.3"), cell(1.21, "1.2")}, "1.3 *1.2"},
		{"equal", []*report.Cell{cell(1.2, "1.2"), cell(1.2, "1.20"), cell(1.204, "1.20")}, "*1.200 *1.200 1.204"},
		{"of other tools", []*report.Cell{cell(0.0912, "0.09"), cell(0.094, "0.09"), cell(0.0914, "0.091")}, "*0.0912 0.094 0.0914"},
		{"what calculating adds", []*report.Cell{cell(0.3, "0.30"), cell(0.1+0.2, "0.30")}, "*0.30 *0.30"},
		{"in another unit", []*report.Cell{cell(16.41e9, "16.4 GB"), cell(16.42e9, "16.4 GB")}, "*16.4 GB *16.4 GB"},
	} {
		builder.MarkBest(c.cells, result.Lower)
		var got []string
		for _, cell := range c.cells {
			mark := ""
			if cell.Best {
				mark = "*"
			}
			got = append(got, mark+locale.English(cell.Text))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, " "), c.want)
		}
	}
}
