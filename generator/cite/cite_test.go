package cite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
)

// TestTheRevisionIsWhatCoreutilsGive: coreutils compute the same revision, for any names of files.
func TestTheRevisionIsWhatCoreutilsGive(t *testing.T) {
	for _, program := range []string{"sha256sum", "sort", "sh"} {
		need.Command(t, program)
	}
	dir := t.TempDir()
	var files []File
	for i, name := range []string{"runs/b.log", "runs/a.log", "runs/a b.json", "runs/中文/日志.txt", "runs/a.log.zst", "runs/A.log", "runs/-x", "runs/back\\slash", "runs/two\nlines", "runs/10", "runs/9"} {
		data := strings.Repeat(name, i)
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(data))
		files = append(files, File{name, int64(len(data)), hex.EncodeToString(sum[:])})
	}
	files = append(files, files[0]) // two runs may be from the same file
	cmd := exec.Command("sh", "-c", "find runs -type f -exec sha256sum {} + | LC_ALL=C sort -k 2 | sha256sum")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want, _, _ := strings.Cut(string(out), " "); Revision(files) != want {
		t.Errorf("%s, not %s, of\n%s", Revision(files), want, Sums(files))
	}
	list := filepath.Join(dir, "sums")
	if err := os.WriteFile(list, Sums(files), 0o644); err != nil {
		t.Fatal(err)
	}
	check := exec.Command("sha256sum", "--check", "--strict", "sums")
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestORCID(t *testing.T) {
	for id, want := range map[string]bool{
		"0000-0002-1825-0097": true, "0000-0001-5109-3700": true, "0000-0002-1694-233X": true,
		"0000-0002-1825-0098": false, "0000-0002-1694-2330": false, "0000000218250097": false, "": false, "https://orcid.org/0000-0002-1825-0097": false,
	} {
		if IsORCID(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}

var revision = strings.Repeat("0123456789abcdef", 4)

// hostile contains titles and names that are difficult for some format.
var hostile = []string{
	"Qwen3-8B 量化对比：FP8 与 AWQ", `100% of $5 & #1_a ~x^2 {unbalanced`, `}} closes \input{/etc/passwd}`, `say "yes": no`, "two\nlines\tand\rmore",
	"- [not, a, list]", "&anchor *alias !tag", "@string{x}", "null", "2025-10-12", "a\u2028b\u0085c\x00d\xff", "😀 <script>", "Anderson and Co, Ltd", "'", "",
}

func works() []Work {
	var all []Work
	for i, s := range hostile {
		all = append(all, Work{ID: Key("post", s), Title: s, Authors: []Author{{Name: s + "x"}, {Family: s + "f", Given: s + "g", ORCID: "0000-0002-1825-0097"}},
			Date: time.Date(2025, 10, 1+i, 0, 0, 0, 0, time.UTC), In: s, Lang: "zh-CN", IsReport: i%2 == 0,
			URL: "https://example.org/a_b/%E4%BD%A0?x={1}&y=~2#f", DOI: "10.5281/zenodo.1003150", License: "CC-BY-4.0", Revision: revision})
	}
	return all
}

// TestCFF: a CITATION.cff is YAML with the keys, and with values in the forms, that the schema of version 1.2.0
// requires.
func TestCFF(t *testing.T) {
	known := []string{"cff-version", "message", "type", "title", "authors", "date-released", "version", "commit", "doi", "url", "repository-code", "license", "license-url", "identifiers"}
	for _, w := range append(works(), Work{ID: "x", Title: "x", Authors: []Author{{Name: "x"}}, License: "https://example.org/l", Repository: "https://example.org/r", Commit: "ab12", Revision: revision}) {
		var got map[string]any
		if err := yaml.Unmarshal([]byte(w.CFF()), &got); err != nil {
			t.Fatalf("%q: %v\n%s", w.Title, err, w.CFF())
		}
		for key, value := range got {
			if !slices.Contains(known, key) {
				t.Errorf("%q is no key", key)
			}
			if s, ok := value.(string); ok && s == "" {
				t.Errorf("%q of %q is empty", key, w.Title)
			}
		}
		if got["cff-version"] != "1.2.0" || got["type"] != "dataset" || got["message"] == "" || w.Title != "" && got["title"] != clean(w.Title) {
			t.Errorf("%q: %v", w.Title, got)
		}
		if date, ok := got["date-released"]; ok && !regexp.MustCompile(`^\d{4}-\d\d-\d\d$`).MatchString(date.(string)) {
			t.Errorf("date %v", date)
		}
		authors := got["authors"].([]any)
		if len(authors) != len(w.Authors) {
			t.Fatalf("%d authors", len(authors))
		}
		for i, a := range authors {
			a := a.(map[string]any)
			if _, person := a["family-names"]; person == (a["name"] != nil) {
				t.Errorf("%v is neither a person nor an entity", a)
			}
			if w.Authors[i].Family != "" && a["family-names"] != clean(w.Authors[i].Family) {
				t.Errorf("%q, not %q", a["family-names"], w.Authors[i].Family)
			}
			if id, ok := a["orcid"]; ok && !regexp.MustCompile(`^https://orcid\.org/[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$`).MatchString(id.(string)) {
				t.Errorf("orcid %v", id)
			}
		}
		for _, key := range []string{"license", "license-url"} {
			if v, ok := got[key].(string); ok && strings.Contains(v, "://") != (key == "license-url") {
				t.Errorf("%s: %v", key, v)
			}
		}
	}
}

// parseBibTeX parses one entry as BibTeX does, by counting braces. It fails if they are not balanced.
func parseBibTeX(t *testing.T, entry string) (key string, fields map[string]string) {
	t.Helper()
	head := regexp.MustCompile(`^@misc\{([a-z0-9-]+),\n`).FindStringSubmatch(entry)
	if head == nil {
		t.Fatalf("no entry: %s", entry)
	}
	fields = map[string]string{}
	rest := entry[len(head[0]):]
	for !strings.HasPrefix(rest, "}") {
		m := regexp.MustCompile(`^\s*([a-z]+)\s*= \{`).FindStringSubmatch(rest)
		if m == nil {
			t.Fatalf("no field at %.60q of\n%s", rest, entry)
		}
		rest = rest[len(m[0]):]
		depth, end := 1, 0
		for ; depth > 0; end++ {
			if end == len(rest) {
				t.Fatalf("%s has no end in\n%s", m[1], entry)
			}
			switch rest[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		fields[m[1]] = rest[:end-1]
		rest = strings.TrimPrefix(rest[end:], ",\n")
	}
	if strings.TrimSpace(rest) != "}" {
		t.Errorf("behind the entry is %q", rest)
	}
	return head[1], fields
}

// untex reverses tex.
var untex = strings.NewReplacer(`\textbackslash{}`, `\`, `\textbraceleft{}`, "{", `\textbraceright{}`, "}", `\$`, "$", `\&`, "&", `\#`, "#", `\%`, "%", `\_`, "_",
	`\textasciitilde{}`, "~", `\textasciicircum{}`, "^", `\textless{}`, "<", `\textgreater{}`, ">", `\textquotedbl{}`, `"`)

func TestBibTeX(t *testing.T) {
	for _, w := range works() {
		_, fields := parseBibTeX(t, w.BibTeX())
		if got := untex.Replace(strings.TrimSuffix(strings.TrimPrefix(fields["title"], "{"), "}")); got != clean(w.Title) {
			t.Errorf("title %q, not %q", got, clean(w.Title))
		}
		if special := regexp.MustCompile(`(^|[^\\])[$&#%_~^]`).FindString(fields["title"] + fields["author"] + fields["howpublished"]); special != "" {
			t.Errorf("%q is not escaped in\n%s", special, w.BibTeX())
		}
		depth, separators := 0, 0 // separators between names, outside of braces
		for i, r := range fields["author"] {
			switch {
			case r == '{':
				depth++
			case r == '}':
				depth--
			case depth == 0 && strings.HasPrefix(fields["author"][i:], " and "):
				separators++
			}
		}
		if separators != len(w.Authors)-1 {
			t.Errorf("%d names, not %d: %s", separators+1, len(w.Authors), fields["author"])
		}
		if fields["url"] != "https://doi.org/10.5281/zenodo.1003150" || !strings.Contains(fields["note"], revision) || fields["year"] != "2025" || fields["month"] != "oct" {
			t.Errorf("%v", fields)
		}
	}
	w := works()[0]
	w.DOI = ""
	if _, fields := parseBibTeX(t, w.BibTeX()); fields["url"] != "https://example.org/a_b/%E4%BD%A0?x=%7B1%7D&y=~2#f" {
		t.Errorf("%q", fields["url"])
	}
}

// TestBibTeXIsRead: bibtool, which parses BibTeX, finds the same number of entries without errors.
func TestBibTeXIsRead(t *testing.T) {
	bibtool := need.Command(t, "bibtool")
	var all strings.Builder
	for i, w := range works() {
		w.ID += strings.Repeat("x", i+1)
		all.WriteString(w.BibTeX())
	}
	file := filepath.Join(t.TempDir(), "all.bib")
	if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(bibtool, "-i", file).CombinedOutput()
	if err != nil || strings.Contains(string(out), "***") {
		t.Errorf("%v\n%s", err, out)
	}
	if n := strings.Count(strings.ToLower(string(out)), "@misc{"); n != len(hostile) {
		t.Errorf("%d entries, not %d:\n%s", n, len(hostile), out)
	}
}

func TestCSL(t *testing.T) {
	for _, w := range works() {
		var got []struct {
			ID, Type, Title, URL, DOI string
			Author                    []struct{ Family, Given, Literal string }
			Issued                    struct {
				Parts [][]int `json:"date-parts"`
			}
		}
		if err := json.Unmarshal([]byte(w.CSL()), &got); err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Title != clean(w.Title) || len(got[0].Author) != 2 || got[0].Issued.Parts[0][0] != 2025 || (got[0].Type == "report") != w.IsReport {
			t.Errorf("%+v", got)
		}
	}
}

func TestText(t *testing.T) {
	w := Work{Title: "量化对比", Authors: []Author{{Name: "王军建"}, {Family: "Doe", Given: "Jane"}}, Date: time.Date(2025, 10, 12, 0, 0, 0, 0, time.UTC),
		In: "推理实测", URL: "https://example.org/", Revision: revision}
	for lang, want := range map[string]string{
		"zh-CN": "王军建和 Jane Doe：《量化对比》，载推理实测，2025 年 10 月 12 日。https://example.org/。数据修订版 0123456789ab。",
		"en":    "王军建 and Jane Doe. 量化对比. 推理实测, 12 October 2025. https://example.org/. Data revision 0123456789ab.",
	} {
		p, _ := locale.For(lang)
		if got := w.Text(p); got != want {
			t.Errorf("%s\nnot %s", got, want)
		}
	}
}

func TestKey(t *testing.T) {
	for want, words := range map[string][]string{
		"qwen3-8b-2025": {"Qwen3-8B", "2025"}, "2025": {"量化", "2025"}, "benchpost": {"量化"}, "a-b-c": {"a/b  _{c}%"},
	} {
		if got := Key(words...); got != want {
			t.Errorf("%v: %q", words, got)
		}
	}
}
