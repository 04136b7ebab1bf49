package settings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

type sample struct {
	Title string
	Model []struct {
		ID         string
		WeightSize string `toml:"weight_size" unit:"GB"`
	}
	Peak   map[string]string `unit:"TFLOPS"`
	Limits map[string]struct{ TTFT float64 }
	Feed   struct{ Items int }
}

func TestDecodeTellsWhereAndWhatInstead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"good", "title = 'x'\n[[model]]\nid = 'a'\nweight_size = '8.9 G'\n[limits.high]\nttft = 1.5\n", ""},
		{"misspelt key", "# a site\ntitel = 'x'\n",
			`site.toml:2: error: unknown key "titel" [did you mean "title"? known here: title, model, peak, limits, feed]`},
		{"in the second of two tables", "[[model]]\nid='a'\n\n[[model]]\nid='b'\nwieght_size='1 G'\n",
			`site.toml:6: error: unknown key "model.wieght_size" [did you mean "weight_size"? known here: id, weight_size]`},
		{"inside an inline table", "feed = { items = 3, itmes = 4 }\n",
			`site.toml:1: error: unknown key "feed.itmes" [did you mean "items"? known here: items]`},
		{"below a map", "[limits.low]\nttfft = 3\n",
			`site.toml:2: error: unknown key "limits.low.ttfft" [did you mean "ttft"? known here: ttft]`},
		{"an unknown table is reported once", "title='x'\n[colours]\na = 1\nb = 2\n",
			`site.toml:2: error: unknown key "colours" [known here: title, model, peak, limits, feed]`},
		{"a key inside a long string is no key", "title = '''\ntitel = 1\n'''\nfoo = 1\n",
			`site.toml:4: error: unknown key "foo" [known here: title, model, peak, limits, feed]`},
		{"a quantity without its unit", "[[model]]\nweight_size = 16\n",
			`site.toml:2: error: this is a whole number, but text is expected (at key "model.weight_size") [write it with its unit, as weight_size = "16 GB"]`},
		{"a quantity below a map", "[peak]\nBF16 = 257.5\n",
			`site.toml:2: error: this is a number, but text is expected (at key "peak.BF16") [write it with its unit, as BF16 = "257.5 TFLOPS"]`},
		{"wrong type", "title = 3\n",
			`site.toml:1: error: this is a whole number, but text is expected (at key "title") [write title = "3"]`},
		{"text for a table", "feed = 'x'\n",
			`site.toml:1: error: this is text, but a table is expected (at key "feed") []`},
		{"text for a number", "title = 'x'\n[feed]\nitems = 'x'\n",
			`site.toml:3: error: this is text, but a whole number is expected (at key "feed.items") []`},
		{"broken", "title = 'x\n", `site.toml:1:11: error: the text is not closed [write title = 'x']`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v sample
			var got []string
			for _, m := range Decode("site.toml", 1, []byte(c.text), &v) {
				got = append(got, fmt.Sprintf("%s [%s]", m.Error(), locale.English(m.Hint)))
				if m.Severity != result.Error {
					t.Errorf("severity %v", m.Severity)
				}
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("got\n%s\nwant\n%s", s, c.want)
			}
		})
	}
}

func TestDecodeCountsLinesFromWhereTheTextBegins(t *testing.T) {
	t.Parallel()
	var v sample
	ms := Decode("post.md", 10, []byte("title='x'\nfoo=1\n"), &v)
	if len(ms) != 1 || ms[0].Pos.Line != 11 {
		t.Errorf("got %v", ms)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"output_throughput", "ttft_mean", "ttft_p99", "load"}
	for word, want := range map[string]string{
		"output_thoughput":  "output_throughput",
		"tfft_mean":         "ttft_mean",
		"laod":              "load",
		"colour":            "",
		"outpXt_throXghpXt": "output_throughput", // 3 of 17 letters
		"lXXd":              "",                  // 2 of 4
		"ttYt_YYYn":         "",                  // 4 of 9, where a third is 3
		"tXft_mXXn":         "ttft_mean",         // 3 of 9
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestNearestFile(t *testing.T) {
	t.Parallel()
	known := []string{"docs/zh/install.md", "docs/install.md", "docs/guide/charts.md", "docs/install.png"}
	for file, want := range map[string]string{
		"docs/instal.md":  "docs/install.md", // the folder's name does not count; the first of two
		"docs/charts.md":  "docs/guide/charts.md",
		"docs/guide/x.md": "",
		"docs/instal.png": "docs/install.png",
		"docs/instal.svg": "",
	} {
		if got := NearestFile(file, slices.Values(known)); got != want {
			t.Errorf("NearestFile(%q) = %q, want %q", file, got, want)
		}
	}
}

func TestOffer(t *testing.T) {
	t.Parallel()
	known := []string{"plain", "percent"}
	for word, want := range map[string]string{
		"precent": "did you mean percent? there are: plain, percent",
		"seconds": "there are: plain, percent",
	} {
		if got := locale.English(Offer(word, known, locale.Lit("there are: plain, percent"))); got != want {
			t.Errorf("Offer(%q) = %q, want %q", word, got, want)
		}
	}
}
