package document

import (
	"slices"
	"strings"
	"testing"
)

func TestProseIsWhatAReaderReads(t *testing.T) {
	const gap = string(Gap)
	for name, c := range map[string]struct {
		prose string
		want  []string
	}{
		"markup is gone":          {"**298.07** tok/s *and* [82 tok/s](a_9_ms.md)", []string{"298.07 tok/s and 82 tok/s"}},
		"headings, items, quotes": {"## 3 ms\n\n- 4 ms\n- 5 ms\n\n> 6 ms", []string{"3 ms", "4 ms", "5 ms", "6 ms"}},
		"cells":                   {"| a | b |\n|---|---|\n| 7 ms | `8 ms` |", []string{"a", "b", "7 ms", gap}},
		"the words for an image":  {"![9 ms](9ms.png)", []string{"9 ms"}},
		"code and values":         {"`10 ms` and `= ttft_mean{} | unit` ms", []string{gap + " and " + gap + " ms"}},
		"blocks of code and HTML": {"```\n11 ms\n```\n\n    12 ms\n\n<div>\n13 ms\n</div>", nil},
		"report blocks":           {"```benchpost table\ncaption = \"14 ms\"\n```", nil},
		"HTML inside":             {"15<sub>x</sub> ms<br>16 ms <code>17 ms</code> <!-- 18 ms -->", []string{"15x ms\n16 ms " + gap + " "}},
		"struck text, addresses":  {"~~19 ms~~ <https://a.b/20ms> https://a.b/21ms", []string{gap + " " + gap + " " + gap}},
		"escapes and entities":    {`5\.7&nbsp;G &times;`, []string{"5.7\u00a0G ×"}},
		"footnotes":               {"22 ms[^1]\n\n[^1]: 23 ms", []string{"22 ms" + gap, "23 ms"}},
	} {
		d, _ := Parse("a.en.md", []byte(head+c.prose+"\n"), Options{})
		var got []string
		for _, p := range d.Prose() {
			got = append(got, p.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestPlacesInProse: a byte of a passage is mapped to its position in the file, also after escapes and in other
// scripts. Columns count characters. The head has four lines.
func TestPlacesInProse(t *testing.T) {
	for prose, want := range map[string]string{
		"a 5 ms":                          "a.en.md:5:3",
		"吞吐量**提高** 5%":                    "a.en.md:5:11",
		`\*\* &times; 5 ms`:               "a.en.md:5:14",
		"one\ntwo [5 ms](x)":              "a.en.md:6:6",
		"| a | b |\n|---|---|\n| x | 5 |": "a.en.md:7:7",
		"- x\n\n  5 ms":                   "a.en.md:7:3",
	} {
		d, _ := Parse("a.en.md", []byte(head+prose+"\n"), Options{})
		got := ""
		for _, p := range d.Prose() {
			if i := strings.IndexByte(p.Text, '5'); i >= 0 {
				got = p.At(i).String()
			}
		}
		if got != want {
			t.Errorf("%q: at %s, want %s", prose, got, want)
		}
	}
}

func TestUncheckedNumbersOfTheFrontMatter(t *testing.T) {
	d, ms := Parse("a.en.md", []byte("+++\ntitle = \"T\"\ndate = 2025-10-12\nunchecked = [\"130 W\", \"3 %\"]\n+++\n"), Options{})
	if len(ms) > 0 || !slices.Equal(d.Front.Unchecked, []string{"130 W", "3 %"}) || d.Front.UncheckedPos.String() != "a.en.md:4:1" || d.Front.Extra != nil {
		t.Errorf("%+v, %v", d.Front, ms)
	}
	if _, ms := Parse("a.en.md", []byte("+++\ntitle = \"T\"\ndate = 2025-10-12\nunchecked = 3\n+++\n"), Options{}); len(ms) != 1 {
		t.Errorf("a number is no list: %v", ms)
	}
}
