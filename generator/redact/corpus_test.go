package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sample is a line of testdata: a text, and the parts that must be replaced.
type sample struct {
	at    string // file:line
	text  string
	spans []string // "start-end"
}

// samples reads testdata. Text between « and » must be replaced; · is removed, and ␛ ␍ ␊ ␉ become the characters that
// they depict.
func samples(t testing.TB) []sample {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	pictures := strings.NewReplacer("·", "", "␛", "\x1b", "␍", "\r", "␊", "\n", "␉", "\t")
	var out []sample
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			if line == "" || strings.HasPrefix(line, "# ") {
				continue
			}
			s := sample{at: fmt.Sprintf("%s:%d", name, i+1)}
			var text strings.Builder
			for at, part := range strings.Split(pictures.Replace(line), "«") {
				inside, after, marked := strings.Cut(part, "»")
				if at > 0 && marked {
					s.spans = append(s.spans, fmt.Sprintf("%d-%d", text.Len(), text.Len()+len(inside)))
				}
				text.WriteString(inside + after)
			}
			s.text = text.String()
			out = append(out, s)
		}
	}
	return out
}

func redactor(t testing.TB, o Options) *Redactor {
	t.Helper()
	if o.Key == nil {
		o.Key = []byte("a key of the tests")
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSamples checks that exactly the marked parts are replaced, and that a second pass finds nothing.
func TestSamples(t *testing.T) {
	r := redactor(t, Options{})
	all := samples(t)
	went, stayed := 0, 0
	for _, s := range all {
		if len(s.spans) > 0 {
			went++
		} else {
			stayed++
		}
		var got []string
		for _, f := range r.Find("run.log", []byte(s.text)) {
			got = append(got, fmt.Sprintf("%d-%d", f.Start, f.End))
		}
		once, found := r.Replace("run.log", []byte(s.text))
		if strings.Join(got, " ") != strings.Join(s.spans, " ") {
			t.Errorf("%s: %q\nbecomes %q\nspans %v, not %v %v", s.at, s.text, once, got, s.spans, found)
			continue
		}
		if again := r.Find("run.log", once); len(again) > 0 {
			t.Errorf("%s: in %q is found again: %v", s.at, once, again)
		}
	}
	if went < 200 || stayed < 200 {
		t.Errorf("only %d samples go and %d stay", went, stayed)
	}
}

// TestSamplesWithinJSON checks that the same is replaced when a line is in a JSON string, escaped once or twice, and
// that the JSON stays valid.
func TestSamplesWithinJSON(t *testing.T) {
	r := redactor(t, Options{})
	for _, s := range samples(t) {
		inner, _ := json.Marshal(map[string]any{"log": "first\n" + s.text + "\nlast", "n": 1.5})
		outer, _ := json.Marshal(map[string]any{"body": string(inner), "n": []int{1, 2}})
		for _, text := range [][]byte{inner, outer} {
			out, _ := r.Replace("x.json", text)
			if !json.Valid(out) || !reflect.DeepEqual(form(text), form(out)) {
				t.Errorf("%s: %s\nbecomes %s", s.at, text, out)
				continue
			}
			for _, span := range s.spans {
				var from, to int
				fmt.Sscanf(span, "%d-%d", &from, &to)
				if what := s.text[from:to]; len(what) > 3 && bytes.Contains(out, []byte(what)) {
					t.Errorf("%s: %q is left in %s", s.at, what, out)
				}
			}
			if again := r.Find("x.json", out); len(again) > 0 {
				t.Errorf("%s: in %s is found again: %v", s.at, out, again)
			}
		}
	}
}
