package calendar

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// within returns a function that accepts at most that many places.
func within(most int) func([]Tick) bool { return func(ts []Tick) bool { return len(ts) <= most } }

// said joins the names of places.
func said(ts []Tick, lang string) string {
	p, _ := locale.For(lang)
	var names []string
	for _, t := range ts {
		names = append(names, p.Say(t.Text))
	}
	return strings.Join(names, ", ")
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		most     int
		en, zh   string
	}{
		{"2026-03-04", "2026-03-08", 6, "4 Mar 2026, 5 Mar, 6 Mar, 7 Mar, 8 Mar", "2026 年 3 月 4 日, 3 月 5 日, 3 月 6 日, 3 月 7 日, 3 月 8 日"},
		// 30 March 2026 is a Monday.
		{"2026-03-27", "2026-04-14", 5, "30 Mar 2026, 6 Apr, 13 Apr", "2026 年 3 月 30 日, 4 月 6 日, 4 月 13 日"},
		{"2025-11-20", "2026-02-10", 5, "Dec 2025, Jan 2026, Feb", "2025 年 12 月, 2026 年 1 月, 2 月"},
		{"2025-01-15", "2026-08-10", 8, "Apr 2025, Jul, Oct, Jan 2026, Apr, Jul", "2025 年 4 月, 7 月, 10 月, 2026 年 1 月, 4 月, 7 月"},
		{"2012-01-15", "2026-08-10", 8, "2014, 2016, 2018, 2020, 2022, 2024, 2026", "2014, 2016, 2018, 2020, 2022, 2024, 2026"},
		{"1969-12-20", "1970-01-12", 3, "22 Dec 1969, 5 Jan 1970", "1969 年 12 月 22 日, 1970 年 1 月 5 日"}, // Mondays
	} {
		from, _ := time.Parse(time.DateOnly, c.from)
		to, _ := time.Parse(time.DateOnly, c.to)
		got := Ticks(Place(from), Place(to), within(c.most))
		if en, zh := said(got, "en"), said(got, "zh"); en != c.en || zh != c.zh {
			t.Errorf("%s to %s: %s; %s", c.from, c.to, en, zh)
		}
	}
	if got := Ticks(20000.25, 20000.75, within(9)); got != nil {
		t.Errorf("within a day: %v", said(got, "en"))
	}
}

// TestTicksAreInOrder checks that the places of an axis ascend, lie within it and at the beginning of days,
// have different names, and name each year once.
func TestTicksAreInOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 3))
	shown := 0
	for range 3000 {
		from := 40000*random.Float64() - 10000
		to := from + 30000*random.Float64()*random.Float64()*random.Float64()
		ticks := Ticks(from, to, within(2+random.IntN(12)))
		before, years, names := from, map[string]int{}, map[string]bool{}
		for _, tick := range ticks {
			shown++
			if tick.At < before || tick.At > to || tick.At != float64(int(tick.At)) {
				t.Fatalf("%v after %v, in %v to %v", tick.At, before, from, to)
			}
			before = tick.At
			name := locale.English(tick.Text)
			for _, word := range strings.Fields(name) {
				if len(word) == 4 {
					years[word]++
				}
			}
			names[name] = true
		}
		for year, n := range years {
			if n > 1 {
				t.Fatalf("%s is named %d times: %s", year, n, said(ticks, "en"))
			}
		}
		if spans := slices.ContainsFunc(ticks, func(tick Tick) bool { return tick.At-ticks[0].At > 300 }); !spans && len(names) != len(ticks) {
			t.Fatalf("places share a name: %s", said(ticks, "en"))
		}
	}
	if shown < 3000 {
		t.Errorf("only %d places", shown)
	}
}

// TestPlaceIsByTheClock checks that a time is placed by its own clock: midnight in any zone is the beginning of
// a day.
func TestPlaceIsByTheClock(t *testing.T) {
	t.Parallel()
	for _, offset := range []int{-11, 0, 8} {
		at := time.Date(2026, 3, 4, 6, 0, 0, 0, time.FixedZone("", offset*3600))
		if got, want := Place(at), Place(time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC))+0.25; got != want {
			t.Errorf("UTC%+d: %v, want %v", offset, got, want)
		}
	}
}
