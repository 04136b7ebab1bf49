package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/benchpost/benchpost/generator/locale"
)

// planted lists texts with the value "@" at every possible place, and the paths of these values in the order of
// lines.
var planted = []struct {
	name, text string
	paths      [][]any
}{
	{"keys, twice", "a = '@'\nb = '@'\n[t]\na = '@'\n", [][]any{{"a"}, {"b"}, {"t", "a"}}},
	{"lists of tables", "[[m]]\nid = '@'\n\n[[m]]\n# id = '@'\nid = '@'\n[m.sub]\nid = '@'\n[[m.list]]\nid='@'\n[[m.list]]\nid='@'\n", [][]any{{"m", 0, "id"}, {"m", 1, "id"}, {"m", 1, "sub", "id"}, {"m", 1, "list", 0, "id"}, {"m", 1, "list", 1, "id"}}},
	{"inline tables", "p = { x = '@', y = { z = '@' } }\nq = [{ x = '@' }, { x = '@' }]\n", [][]any{{"p", "x"}, {"p", "y", "z"}, {"q", 0, "x"}, {"q", 1, "x"}}},
	{"inline tables of several lines", "p = {\n  x = '@', # '@'\n  y = '@',\n}\nz = '@'\n", [][]any{{"p", "x"}, {"p", "y"}, {"z"}}},
	{"lists of several lines", "l = [\n  '@',\n\n  # '@',\n  '@', '@'\n  ,'@']\nn = [[1, '@'],\n['@']]\n", [][]any{{"l", 0}, {"l", 1}, {"l", 2}, {"l", 3}, {"n", 0, 1}, {"n", 1, 0}}},
	{"dotted and quoted keys", "a.b.c = '@'\na.\"b d\".'e.f' = '@'\n[x.\"y.z\"]\nw = '@'\n\"\\u00e9\" = '@'\n", [][]any{{"a", "b", "c"}, {"a", "b d", "e.f"}, {"x", "y.z", "w"}, {"x", "y.z", "é"}}},
	{"after long texts", "t = \"\"\"\na = '@'\n\\\"\"\"\n[no]\n\"\"\"\"\"\nu = '''\n# x = '@'\n'''\nv = '@' # ]\n[s]\nd = 1979-05-27 07:32:00 # '@'\ne = '@'\n", [][]any{{"v"}, {"s", "e"}}},
	{"line ends of Windows", "a = 1\r\n[[m]]\r\nid = '@'\r\n[[m]]\r\nid = '@'\r\n", [][]any{{"m", 0, "id"}, {"m", 1, "id"}}},
	{"numbers, dates and truth", "a = [true, 1e6, inf, 07:32:00, '@', 0x1f,\n'@']\nb={c=true,d='@'}\n", [][]any{{"a", 4}, {"a", 6}, {"b", "d"}}},
	{"a byte order mark", "\ufeffa = '@'\nb = '@'\n", [][]any{{"a"}, {"b"}}},
	{"elements of a list as tables of their own", "[a]\n[a.b]\nx = '@'\n[c]\ny = '@'\n[a.d]\nx = '@'\n", [][]any{{"a", "b", "x"}, {"c", "y"}, {"a", "d", "x"}}},
}

// TestEveryPlaceIsFound: the line of every value is found, even if the same value occurs elsewhere. For
// comparison, each value is replaced in turn and the parser shows which path changed.
func TestEveryPlaceIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range planted {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var v map[string]any
			if _, err := toml.Decode(c.text, &v); err != nil {
				t.Fatal(err)
			}
			var lines []int // lines of the values '@' that are not in comments or texts
			for i, path := range c.paths {
				got := Parse("f.toml", 1, []byte(c.text)).At(path...)
				if at(v, path) != "@" {
					t.Fatalf("the fixture has no value at %v", path)
				}
				line := strings.Split(c.text, "\n")[got.Line-1]
				if !strings.Contains(line, "'@'") {
					t.Errorf("%v is on line %d, %q", path, got.Line, line)
				}
				// The parser confirms the line.
				if want := brokenLine(t, c.text, path); got.Line != want {
					t.Errorf("%v is on line %d, not %d", path, want, got.Line)
				}
				lines = append(lines, got.Line)
				if i > 0 && lines[i] < lines[i-1] && c.name != "inline tables" {
					t.Errorf("%v is before the value written before it", path)
				}
			}
		})
	}
}

// at returns the value at a path.
func at(v any, path []any) any {
	for _, part := range path {
		switch part := part.(type) {
		case string:
			v = v.(map[string]any)[part]
		case int:
			if list, ok := v.([]map[string]any); ok {
				v = list[part]
			} else {
				v = v.([]any)[part]
			}
		}
	}
	return v
}

// brokenLine determines the line of a value with the parser alone: it is the line of the '@' whose replacement
// changes the value at the path.
func brokenLine(t *testing.T, text string, path []any) int {
	t.Helper()
	for from := 0; ; {
		i := strings.Index(text[from:], "'@'")
		if i < 0 {
			t.Fatalf("no value is at %v", path)
		}
		i += from
		var v map[string]any
		if _, err := toml.Decode(text[:i]+"'!'"+text[i+3:], &v); err == nil && at(v, path) == "!" {
			return 1 + strings.Count(text[:i], "\n")
		}
		from = i + 3
	}
}

// TestFaultsAreReportedWhereTheyAre: a value of the wrong type, or an unknown key, is reported at its position
// in every possible place.
func TestFaultsAreReportedWhereTheyAre(t *testing.T) {
	t.Parallel()
	type inner struct {
		Size  int
		Names []string
		Words words
	}
	type outer struct {
		Title string
		Inner inner
		List  []inner
		By    map[string]inner
		Many  map[string][]string
	}
	const sound = `title = "t"
inner = { size = 1, names = ["a"] }
[[list]]
size = 2
names = [
  "a",
  "b",
]
words = "w"
[[list]]
size = 2
names = ["a",
  "b"]
words.en = "w"
[by.x]
size = 2
[by.y]
names = ["a"]
words = { en = "w" }
[many]
a = ["b"]
`
	if ms := Decode("f.toml", 1, []byte(sound), new(outer)); ms != nil {
		t.Fatal(ms)
	}
	tried := 0
	for _, c := range []struct{ good, bad, text string }{
		{"2", `"@"`, "this is text, but a whole number is expected"},
		{"1", "1.5", "this is a number, but a whole number is expected"},
		{`"a"`, "7", "this is a whole number, but text is expected"},
		{`"b"`, "true", "this is true or false, but text is expected"},
		{`"t"`, "2026-01-01", "this is a date, but text is expected"},
		{`"w"`, "3", "words are text"},
		{"size", "sise", `did you mean "size"?`},
		{"names", "name", `did you mean "names"?`},
		{"words", "wrds", `did you mean "words"?`},
	} {
		for from := 0; ; {
			i := strings.Index(sound[from:], c.good)
			if i < 0 {
				break
			}
			i += from
			from = i + len(c.good)
			text := sound[:i] + c.bad + sound[from:]
			want := 1 + strings.Count(sound[:i], "\n")
			ms := Decode("f.toml", 11, []byte(text), new(outer))
			tried++
			if len(ms) != 1 || ms[0].Pos.Line != 10+want || !strings.Contains(locale.English(ms[0].Text)+locale.English(ms[0].Hint), c.text) {
				t.Errorf("%s for %s on line %d: %v", c.bad, c.good, 10+want, ms)
			}
		}
	}
	if tried < 18 {
		t.Errorf("only %d places were tried", tried)
	}
}

// words decodes itself.
type words struct{ text string }

func (w *words) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		w.text = v
		return nil
	case map[string]any:
		if s, ok := v["en"].(string); ok && len(v) == 1 {
			w.text = s
			return nil
		}
	}
	return fmt.Errorf("words are text")
}

// TestAllMistakesAreReported: several mistakes are all reported, in the order of their lines.
func TestAllMistakesAreReported(t *testing.T) {
	t.Parallel()
	var v sample
	ms := Decode("f.toml", 1, []byte("[feed]\nitems = 'x'\n[[model]]\nid = 3\n[[model]]\nid = 'a'\nsize = 1\n"), &v)
	var got []string
	for _, m := range ms {
		got = append(got, fmt.Sprintf("%d %s", m.Pos.Line, m.ID))
	}
	if want := "[2 settings.toml 4 settings.toml 7 settings.unknown-key]"; fmt.Sprint(got) != want {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestKeysAreInTheOrderWritten(t *testing.T) {
	t.Parallel()
	s := Parse("f.toml", 1, []byte("b = 1\n[t]\nz = 1\na.y = 2\na.x = 3\n[[l]]\nq = 1\nc = 2\n[[l]]\n[l.o]\nd = 1\nb = 2\n"))
	for _, c := range []struct {
		path []any
		want string
	}{
		{nil, "[b t l]"}, {[]any{"t"}, "[z a]"}, {[]any{"t", "a"}, "[y x]"}, {[]any{"l", 0}, "[q c]"}, {[]any{"l", 1, "o"}, "[d b]"}, {[]any{"no"}, "[]"},
	} {
		if got := fmt.Sprint(s.Keys(c.path...)); got != c.want {
			t.Errorf("%v: %s, not %s", c.path, got, c.want)
		}
	}
	if pos := s.At("l", 1, "missing"); pos.Line != 9 {
		t.Errorf("what is missing in a table is at %v, not at its header", pos)
	}
	if pos := s.At("no"); pos.Line != 1 {
		t.Errorf("what is missing is at %v", pos)
	}
}

// FuzzPlaces: for every valid text, the keys of each table are those that the parser decodes, and each has a
// position in the text.
func FuzzPlaces(f *testing.F) {
	for _, c := range planted {
		f.Add(c.text)
	}
	for _, text := range []string{"\xff\xfe", "\xfe\xffa=1", "\ufeff[t]", "a = [\n]\n", "a={}", "''=1\n\"\"=2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var decoded map[string]any
		if _, err := toml.Decode(text, &decoded); err != nil {
			return
		}
		lines := strings.Split(text, "\n")
		source := Parse("f.toml", 1, []byte(text))
		var compare func(path []any, v any)
		compare = func(path []any, v any) {
			if at := source.At(path...); at.Line < 1 || at.Line > len(lines) || at.Column > 1+len(lines[at.Line-1]) {
				t.Errorf("%q has the place %v", path, at)
			}
			switch v := v.(type) {
			case map[string]any:
				if got, want := slices.Sorted(slices.Values(source.Keys(path...))), slices.Sorted(maps.Keys(v)); !slices.Equal(got, want) {
					t.Errorf("%q has the keys %q, not %q", path, got, want)
				}
				for key, in := range v {
					compare(append(slices.Clone(path), key), in)
				}
			case []map[string]any:
				for n, in := range v {
					compare(append(slices.Clone(path), n), in)
				}
			case []any:
				for n, in := range v {
					compare(append(slices.Clone(path), n), in)
				}
			}
		}
		compare(nil, decoded)
	})
}
