package parts

import (
	"encoding/xml"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// series returns a spark of n values with gaps of one to ten places; level is the index at which the last level begins.
func series(random *rand.Rand, n, level int) report.Spark {
	s := report.Spark{Low: 90, High: 110, Level: level, Text: locale.Lit(`a "b" <c>`)}
	at := 0.0
	for range n {
		at += 1 + 9*random.Float64()
		s.Places, s.Values = append(s.Places, at), append(s.Values, 90+20*random.Float64())
	}
	return s
}

var sparkNumbers = regexp.MustCompile(`[0-9]+`)

// TestASparklineStaysInItsBox checks that a sparkline is small for any length of its series, stays inside its box,
// moves only to the right, shows the extremes, and ends at the latest value, which has the mark.
func TestASparklineStaysInItsBox(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	p, _ := locale.For("en")
	for range 300 {
		n := 2 + random.IntN(500)
		s := series(random, n, random.IntN(n))
		s.Values[random.IntN(n)] = s.High
		drawn := string(Sparkline(s, p))
		if len(drawn) > 1500 {
			t.Fatalf("%d bytes of %d values", len(drawn), n)
		}
		var svg struct {
			Label string `xml:"aria-label,attr"`
			Paths []struct {
				D string `xml:"d,attr"`
			} `xml:"path"`
			End struct {
				X string `xml:"cx,attr"`
				Y string `xml:"cy,attr"`
			} `xml:"circle"`
		}
		if err := xml.Unmarshal([]byte(drawn), &svg); err != nil || svg.Label != `a "b" <c>` {
			t.Fatal(err, svg.Label)
		}
		if want := 1 + min(1, s.Level); len(svg.Paths) != want {
			t.Fatalf("%d paths, want %d", len(svg.Paths), want)
		}
		top, end := false, ""
		for _, path := range svg.Paths {
			numbers := sparkNumbers.FindAllString(path.D, -1)
			before := -1
			for i := 0; i < len(numbers); i += 2 {
				x, _ := strconv.Atoi(numbers[i])
				y, _ := strconv.Atoi(numbers[i+1])
				if x < before || x < sparkEdge || x > sparkWidth-sparkEdge || y < sparkEdge || y > sparkHeight-sparkEdge {
					t.Fatalf("%d %d after %d in %s", x, y, before, drawn)
				}
				before, top, end = x, top || y == sparkEdge, numbers[i]
			}
		}
		if !top {
			t.Fatalf("the greatest value is not drawn: %s", drawn)
		}
		if end != svg.End.X {
			t.Fatalf("the line ends at %s, the mark is at %s", end, svg.End.X)
		}
	}
}

// TestASparklineOfALevel checks that one value has no sparkline, and that equal values are a level in the middle.
func TestASparklineOfALevel(t *testing.T) {
	t.Parallel()
	p, _ := locale.For("en")
	if one := Sparkline(report.Spark{Places: []float64{1}, Values: []float64{1}}, p); one != "" {
		t.Errorf("%s", one)
	}
	level := string(Sparkline(report.Spark{Places: []float64{0, 1, 2}, Values: []float64{5, 5, 5}, Low: 5, High: 5, Verdict: report.Unsettled}, p))
	if !strings.Contains(level, "M6 24 120 24 234 24") || !strings.Contains(level, `class="spark unsettled"`) {
		t.Error(level)
	}
}
