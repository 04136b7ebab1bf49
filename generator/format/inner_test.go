package format_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// wrapped puts a text into a JSON string, as scripts save it.
func wrapped(t *testing.T, key, text, around string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("{\n  %s\n  %q: %s\n}\n", around, key, quoted)
}

// statedBy formats what results state, without positions and settings.
func statedBy(rs []result.Result) []string {
	var out []string
	for i := range rs {
		r := &rs[i]
		var b strings.Builder
		b.WriteString(r.Format)
		for _, m := range r.Metrics {
			fmt.Fprintf(&b, " %s=%s %s", m.Name, m.Text(), m.Unit)
		}
		out = append(out, b.String())
	}
	slices.Sort(out)
	return out
}

// TestTextsInsideJSON checks that a text in a JSON string, under any key and at any place, gives the same results as a
// file, at the line of the string.
func TestTextsInsideJSON(t *testing.T) {
	t.Parallel()
	for _, path := range fixture.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		plain := fixture.Read(t, text)
		wanted := slices.DeleteFunc(slices.Clone(plain.Results), func(r result.Result) bool { return r.Tool == "generic" })
		if len(wanted) == 0 || len(text) > 60_000 || strings.HasPrefix(strings.TrimSpace(text), "{") || strings.HasPrefix(strings.TrimSpace(text), "[") {
			continue
		}
		for _, key := range []string{"raw_output", "stdout", "log", "output", "x"} {
			out := fixture.Read(t, wrapped(t, key, text, `"success": true, "note": "two\nlines",`))
			if got, want := statedBy(out.Results), statedBy(wanted); !slices.Equal(got, want) {
				t.Errorf("%s as %s: %d results, not %d\n%s\n%s", filepath.Base(path), key, len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
				break
			}
			for _, r := range out.Results {
				if r.Source.Line != 3 || r.EndLine != 3 {
					t.Errorf("%s: a result is at line %d", filepath.Base(path), r.Source.Line)
				}
			}
		}
	}
}

// TestSettingsAroundTexts checks that the settings around a text become labels of its results, unless the results state
// them or their counts contradict them.
func TestSettingsAroundTexts(t *testing.T) {
	t.Parallel()
	for around, want := range map[string]string{
		`"model": "org/m", "concurrency": 99, "config": {"quantization": "AWQ", "input_len": 2048},`: "max_concurrency=8 model_raw=org/m quantization=AWQ",
		`"model": "org/m", "input_len": 512, "num_prompts": 100,`:                                    "max_concurrency=8 model_raw=org/m",
		`"model": "org/m", "num_prompts": 100,`:                                                      "max_concurrency=8 model_raw=org/m num_prompts=100",
		`"model": {"name": "org/m"}, "comment": "words",`:                                            "max_concurrency=8",
	} {
		r := fixture.One(t, wrapped(t, "raw_output", fixture.Table, around))
		if got := fixture.SettingsOf(r); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", around, got, want)
		}
	}
}

// TestObjectsInsideJSON checks that a tool's object inside another object gives the same results as a file, with the
// settings around it, unless the keys of the outer object are read themselves.
func TestObjectsInsideJSON(t *testing.T) {
	t.Parallel()
	read := 0
	for _, path := range fixture.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain := fixture.Read(t, string(data))
		if !json.Valid(data) || data[0] != '{' || len(plain.Results) != 1 || plain.Results[0].Tool == "generic" {
			continue
		}
		for _, around := range []string{`{"note": "n", "gpu": "a card", "raw": %s}`, `{"note": "n", "gpu": "a card", "runs": [{"of": {"x": %s}}]}`} {
			out := fixture.Read(t, fmt.Sprintf(around, data))
			if len(out.Results) == 0 && plain.Results[0].Format != "evalscope-percentile-json" { // made of several objects
				t.Errorf("%s: nothing of\n%s", filepath.Base(path), around)
			}
			if len(out.Results) == 0 || out.Results[0].Tool == "generic" { // read by its keys, with all that is around it
				continue
			}
			read++
			if got, want := statedBy(out.Results), statedBy(plain.Results); len(got) != 1 || got[0] != want[0] || out.Results[0].Label("gpu") == "" {
				t.Errorf("%s in an object:\n%s\n%s", filepath.Base(path), got, want)
			}
		}
	}
	if read < 20 {
		t.Errorf("%d objects are read by the readers of their tools", read)
	}
	both := fixture.Read(t, `{"first": `+llamaObject+`, "second": `+llamaObject+`}`)
	if len(both.Results) != 2 || both.Results[0].Label("x_name") != "first" || both.Results[1].Label("x_name") != "second" {
		t.Errorf("two objects: %+v", both.Results)
	}
	for _, aside := range []string{`{"example": ` + llamaObject + `}`, `{"targets": [` + llamaObject + `]}`} {
		if out := fixture.Read(t, aside); len(out.Results) > 0 {
			t.Errorf("%s is a result", aside)
		}
	}
}

const llamaObject = `{"build_commit": "abcdef01", "build_number": 7000, "n_prompt": 512, "n_gen": 0, "avg_ts": 812.5, "stddev_ts": 1.5}`

// TestTextsWithoutResults checks that texts that only mention results give none.
func TestTextsWithoutResults(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"conversations": [{"from": "human", "value": "What does\nSuccessful requests: 10\nmean?"}]}`,
		`{"scripts": {"bench": "vllm bench serve --model m\n"}, "description": "a\nb\nc\nd\ne and more words to make it long"}`,
	} {
		if out := fixture.Read(t, text); len(out.Results)+len(out.Unfinished) > 0 {
			t.Errorf("%s: %+v", text, out.Results)
		}
	}
}
