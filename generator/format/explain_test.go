package format_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/explain"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// factors lists the factors by which a figure may be multiplied to convert it to a unit of the vocabulary.
var factors = []float64{1, 1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9, 1 << 10, 1 << 20, 1 << 30, 100, 0.01, 60, 1 / 60., 3600, 8, 1. / 8}

// numbers lists the notations of a figure: plain, with commas between thousands, with a decimal comma.
var numbers = []*regexp.Regexp{regexp.MustCompile(`-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`), regexp.MustCompile(`\d{1,3}(,\d{3})+(\.\d+)?`), regexp.MustCompile(`\d+,\d+`)}

// hasFigure reports whether a line has a number that equals the value in some unit.
func hasFigure(line string, value float64) bool {
	for i, form := range numbers {
		for _, text := range form.FindAllString(line, -1) {
			v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", []string{"", "", "."}[i]), 64)
			if err != nil {
				continue
			}
			for _, f := range factors {
				if math.Abs(v*f-value) <= 1e-6*math.Abs(value)+1e-12 {
					return true
				}
			}
		}
	}
	return false
}

// TestEveryFigureIsOnItsLine checks, for every fixture, that each measured figure of a result is explained on exactly
// one line, and that this line contains its digits.
func TestEveryFigureIsOnItsLine(t *testing.T) {
	for _, name := range fixture.All(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := format.Read("f", strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		var results []*result.Result
		for i := range out.Results {
			out.Results[i].ID = strconv.Itoa(i)
			results = append(results, &out.Results[i])
		}
		lines := strings.Split(string(data), "\n")
		read := explain.Of("f", results, out.Captured, out.Messages)
		for _, r := range results {
			for _, m := range r.Metrics {
				if m.Derived || m.File != "" {
					continue
				}
				var on []int
				for n := range len(lines) + 1 {
					for _, item := range read.At(n) {
						if item.Kind == explain.Metric && item.Run == r.ID && item.Name == m.Name {
							on = append(on, n)
						}
					}
				}
				if len(on) != 1 || on[0] != int(m.Line) || m.Line < 1 || int(m.Line) > len(lines) {
					t.Errorf("%s: %s of result %s is on the lines %v, want %d", name, m.Name, r.ID, on, m.Line)
				} else if !hasFigure(lines[m.Line-1], m.Value) {
					t.Errorf("%s:%d: %s = %v is not on the line %.200q", name, m.Line, m.Name, m.Value, lines[m.Line-1])
				}
			}
		}
	}
}
