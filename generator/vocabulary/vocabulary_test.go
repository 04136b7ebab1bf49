package vocabulary

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestRowsAreWhole: every row has words in both languages and a unique name.
func TestRowsAreWhole(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	seen := map[string]bool{}
	words := func(of string, w Words) {
		if strings.TrimSpace(w.English) == "" || strings.TrimSpace(w.Chinese) == "" {
			t.Errorf("%s lacks words: %+v", of, w)
		}
	}
	means := func(of string, w Words) {
		words(of, w)
		if !strings.HasSuffix(w.English, ".") || !strings.HasSuffix(w.Chinese, "。") || !strings.ContainsFunc(w.Chinese, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s is defined by no sentence: %+v", of, w)
		}
	}
	for _, m := range Metrics() {
		if !name.MatchString(m.Name) || seen[m.Name] {
			t.Errorf("metric %q is not a name, or is declared twice", m.Name)
		}
		seen[m.Name] = true
		words(m.Name, m.Words)
		means(m.Name, m.Means)
		if m.Family != (m.Group == Latency) || m.Family && m.Unit != "ms" {
			t.Errorf("%s: latencies are families in ms: %+v", m.Name, m)
		}
		if m.Unit == "" && m.Name != "quality" && m.Name != "quality_stderr" && !Cost(m.Name) {
			t.Errorf("%s has no unit", m.Name)
		}
	}
	for _, s := range Statistics() {
		words("statistic "+s.Name, s.Words)
		means("statistic "+s.Name, s.Means)
	}
	for _, l := range Labels() {
		if !name.MatchString(l.Name) || seen["label "+l.Name] {
			t.Errorf("label %q is not a name, or is declared twice", l.Name)
		}
		seen["label "+l.Name] = true
		words("label "+l.Name, l.Words)
	}
}

// TestListsAreOrdered: the ranks of each list are unique, and it contains only metrics.
func TestListsAreOrdered(t *testing.T) {
	t.Parallel()
	for list := View; list <= CurveY; list++ {
		ranks := map[int]string{}
		for _, m := range Metrics() {
			for _, p := range m.Places {
				if p.List != list {
					continue
				}
				if other := ranks[p.Rank]; p.Rank <= 0 || other != "" {
					t.Errorf("list %d: %s has rank %d, as has %q", list, m.Name, p.Rank, other)
				}
				ranks[p.Rank] = m.Name
				if p.Statistic != "" && !m.Family {
					t.Errorf("list %d: %s has no statistics", list, m.Name)
				}
			}
		}
		names := Listed(list)
		if len(names) != len(ranks) || len(names) < 5 {
			t.Errorf("list %d has %d names of %d ranks", list, len(names), len(ranks))
		}
		last := 0
		for _, name := range names {
			row := name
			if family, _, ok := Statistic(name); ok {
				row = family
			}
			m, ok := Lookup(row)
			if !ok {
				t.Errorf("list %d names %s, which is no metric", list, name)
			}
			rank := 0
			for _, p := range m.Places {
				if p.List == list && (p.Statistic == "" && name == row || p.Statistic != "" && name == row+"_"+p.Statistic) {
					rank = p.Rank
				}
			}
			if rank <= last {
				t.Errorf("list %d: %s comes after what ranks lower", list, name)
			}
			last = rank
		}
	}
	// A verdict needs a direction. A view needs one figure for each column.
	for _, name := range append(Listed(Compared), Listed(View)...) {
		if d, ok := Define(name); !ok || d.Better == Neutral {
			t.Errorf("%s is compared and has no better direction", name)
		}
	}
}

func TestDefine(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Definition{
		"output_throughput": {"tok/s", Higher},
		"ttft_p99_9":        {"ms", Lower},
		"tpot_std":          {"ms", Neutral},
	} {
		if got, ok := Define(name); !ok || got != want {
			t.Errorf("Define(%q) = %+v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"ttft", "ttft_p", "ttft_p9x", "x_mean", ""} {
		if got, ok := Define(name); ok {
			t.Errorf("Define(%q) = %+v", name, got)
		}
	}
	for _, m := range Metrics() {
		name := m.Name
		if m.Family {
			name += "_mean"
		}
		if d, ok := Define(name); !ok || d != (Definition{m.Unit, m.Better}) {
			t.Errorf("Define(%q) = %+v, %v", name, d, ok)
		}
	}
}

// TestStatistic: a name is split at its statistic, also if families begin alike.
func TestStatistic(t *testing.T) {
	t.Parallel()
	for _, family := range Families() {
		for _, stat := range []string{"mean", "p50", "p99", "p99_9", "min", "max", "std"} {
			if f, s, ok := Statistic(family + "_" + stat); !ok || f != family || s != stat {
				t.Errorf("%s_%s is %s of %s, %v", family, stat, s, f, ok)
			}
		}
	}
	for _, name := range Names() {
		if family, stat, ok := Statistic(name); ok {
			t.Errorf("%s is %s of %s", name, stat, family)
		}
	}
}

// TestSpeeds: all speeds and metrics derived from them are marked as dependent on clocks; counts, quality and
// temperature are not.
func TestSpeeds(t *testing.T) {
	t.Parallel()
	for _, name := range Speeds() {
		m, _ := Lookup(name)
		if m.Better == Neutral || m.Unit == "1" || m.Group == Quality || m.Group == Server {
			t.Errorf("%s is no speed: %+v", name, m)
		}
	}
	for _, m := range Metrics() {
		if (m.Family || strings.HasSuffix(m.Unit, "/s")) && !m.Speed {
			t.Errorf("%s (%s) is a speed that throttling is said not to touch", m.Name, m.Unit)
		}
	}
}
