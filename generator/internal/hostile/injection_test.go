package hostile_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/chromedp/chromedp"
	"go.yaml.in/yaml/v3"
	"golang.org/x/net/html"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/checks"
	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/block/effects"
	"github.com/benchpost/benchpost/generator/block/finding"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/block/raw"
	"github.com/benchpost/benchpost/generator/block/sweep"
	"github.com/benchpost/benchpost/generator/block/table"
	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/hostile"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/visible"
	"github.com/benchpost/benchpost/generator/vocabulary"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
)

// specs lists the kinds of report blocks: the type of the keys of each, and the body of a valid block.
var specs = map[string]struct {
	keys reflect.Type
	base string
}{
	"table":       {reflect.TypeFor[table.Spec](), "columns = [\"output_throughput\"]"},
	"matrix":      {reflect.TypeFor[table.MatrixSpec](), "rows = \"model\"\ncolumns = \"load\"\nvalue = \"output_throughput\""},
	"tradeoff":    {reflect.TypeFor[tradeoff.Spec](), ""},
	"coverage":    {reflect.TypeFor[coverage.Spec](), "plan = \"a plan\""},
	"history":     {reflect.TypeFor[trends.Spec](), "value = \"output_throughput\"\nover = \"date\""},
	"sweep":       {reflect.TypeFor[sweep.Spec](), ""},
	"scaling":     {reflect.TypeFor[sweep.ScalingSpec](), ""},
	"effects":     {reflect.TypeFor[effects.Spec](), "factors = [\"engine_version\"]"},
	"config":      {reflect.TypeFor[table.ConfigSpec](), ""},
	"environment": {reflect.TypeFor[table.EnvironmentSpec](), ""},
	"chart":       {reflect.TypeFor[plot.Spec](), "kind = \"bars\"\nvalue = \"output_throughput\""},
	"findings":    {reflect.TypeFor[finding.Spec](), ""},
	"raw":         {reflect.TypeFor[raw.Spec](), ""},
	"checks":      {reflect.TypeFor[checks.Spec](), ""},
}

// bases lists the required keys of the tables of site.toml.
var bases = map[string]map[string]any{
	"model": {"id": "some model"}, "hardware": {"id": "some hardware"}, "load": {"name": "some load", "when": `{x_note="a"}`}, "scenario": {"name": "some scenario", "when": `{x_note="a"}`},
	"plan": {"name": "some plan", "labels": map[string]any{"model": []any{"a"}}}, "waive": {"check": "physics.compute-roofline", "reason": "some reason"},
	"format": {"files": "*.nothing", "read": map[string]any{}}, "cite": {}, "redact": {},
}

// invented generates the site of the tests, with each text in each place where data can occur.
type invented struct {
	t     *testing.T
	dir   string
	texts []string
	tried int // number of combinations of a place and a text
	files map[string]string
	posts map[string]*post
}

// post is a post that consists of parts. Invalid parts are removed.
type post struct {
	front string
	parts []string
}

func (p *post) text() string { return "+++\n" + p.front + "+++\n" + strings.Join(p.parts, "") }

// at returns the index of the part that contains a line of the file.
func (p *post) at(line int) int {
	n := 2 + strings.Count(p.front, "\n") + 1
	for i, part := range p.parts {
		if n += strings.Count(part, "\n"); line < n {
			return i
		}
	}
	return -1
}

// set sets a value in a tree at the path of a leaf.
func set(tree map[string]any, path []string, value any, key string) {
	for len(path) > 0 && path[len(path)-1] == "#" {
		path, value = path[:len(path)-1], []any{value}
	}
	name := path[0]
	if name == "*" {
		name = key
	}
	if len(path) == 1 {
		tree[name] = value
		return
	}
	rest := path[1:]
	inList := rest[0] == "#"
	if inList {
		rest = rest[1:]
	}
	var below map[string]any
	switch at := tree[name].(type) {
	case map[string]any:
		below = at
	case []any:
		below = at[0].(map[string]any)
	default:
		below = map[string]any{}
	}
	set(below, rest, value, key)
	if inList {
		tree[name] = []any{below}
	} else {
		tree[name] = below
	}
}

func encode(t *testing.T, tree map[string]any) string {
	t.Helper()
	var b strings.Builder
	if err := toml.NewEncoder(&b).Encode(tree); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rotate returns the text for the n-th place of the i-th item.
func (s *invented) rotate(i, n int) string { return s.texts[(i+stride*n)%len(s.texts)] }

// stride is the distance in texts between one place and the next.
const stride = 7

// configuration generates a site.toml in which each key has each text that it accepts. A key in a list of
// tables has one text in each element. Any other key has all texts joined, or the first.
func (s *invented) configuration() {
	probe := s.t.TempDir()
	accepts := func(tree map[string]any) bool {
		folder.Write(s.t, probe, map[string]string{config.Name: encode(s.t, tree)})
		_, ms := config.Read(probe)
		return !slices.ContainsFunc(ms, func(m result.Message) bool { return m.Severity == result.Error })
	}
	whole := map[string]any{}
	lists := map[string][]any{}
	open := map[string]int{} // number of texts that keys of a table accept
	joined := strings.Join(s.texts, " · ")
	for n, leaf := range hostile.Leaves(reflect.TypeFor[config.Config]()) {
		top := leaf.Path[0]
		if top == "languages" || top == "timezone" || top == "time_zone" || top == "history" || top == "baseurl" || top == "base_url" {
			continue // set below
		}
		if (top == "jekyll" || top == "pages") && slices.Contains(leaf.Path, "dir") {
			continue // the folders of the author's blog and documents
		}
		started := func() map[string]any {
			base := map[string]any{}
			if len(leaf.Path) > 1 && leaf.Path[1] == "#" && bases[top] != nil {
				base[top] = []any{maps.Clone(bases[top])}
			} else if bases[top] != nil && len(leaf.Path) > 1 {
				base[top] = maps.Clone(bases[top])
			}
			return base
		}
		if len(leaf.Path) > 2 && leaf.Path[1] == "#" {
			for i := range s.texts {
				tree := started()
				text := s.rotate(i, n)
				set(tree, leaf.Path, text, text)
				s.tried++
				if !accepts(tree) {
					continue
				}
				open[top]++
				for len(lists[top]) <= i {
					element := maps.Clone(bases[top])
					for key, value := range element {
						if text, ok := value.(string); ok && strings.HasPrefix(text, "some ") {
							element[key] = fmt.Sprintf("%s %d", text, len(lists[top]))
						}
					}
					lists[top] = append(lists[top], element)
				}
				set(lists[top][i].(map[string]any), leaf.Path[2:], text, text)
			}
			continue
		}
		for _, text := range append([]string{joined}, s.texts...) {
			tree := started()
			set(tree, leaf.Path, text, "x_note")
			s.tried++
			if accepts(tree) {
				open[top]++
				set(whole, leaf.Path, text, "x_note")
				break
			}
		}
	}
	for top, elements := range lists {
		whole[top] = elements
	}
	for _, top := range []string{"title", "description", "author", "model", "hardware", "load", "scenario", "plan", "waive", "values", "order", "cite"} {
		if open[top] == 0 {
			s.t.Errorf("no text is accepted in %s of site.toml", top)
		}
	}
	whole["languages"], whole["base_url"] = []any{"zh-CN", "en"}, "https://example.org/bench/"
	plan := map[string]any{"name": "a plan", "labels": map[string]any{"x_note": []any{s.texts[0], s.texts[1], "a missing one"}}}
	list, _ := whole["plan"].([]any)
	whole["plan"] = append(list, plan)
	// Each element is valid alone, but some are not valid together. If an element is invalid because of
	// another, it may be valid after the other is removed.
	for range 400 {
		text := encode(s.t, whole)
		folder.Write(s.t, probe, map[string]string{config.Name: text})
		_, ms := config.Read(probe)
		wrong := map[string][]int{} // indices of invalid elements by table
		of := elements(text)
		for _, m := range ms {
			if m.Severity == result.Error {
				at := of[m.Pos.Line-1]
				if list, ok := whole[at.top].([]any); at.top == "" || ok && at.n >= len(list) {
					s.t.Fatal(m)
				}
				wrong[at.top] = append(wrong[at.top], at.n)
			}
		}
		if len(wrong) == 0 {
			s.files[config.Name] = text
			return
		}
		for top, gone := range wrong {
			list, ok := whole[top].([]any)
			if !ok {
				delete(whole, top)
				continue
			}
			slices.Sort(gone)
			if gone = slices.Compact(gone); len(gone) < len(list) {
				gone = gone[:min(len(gone), stride)]
			}
			for _, n := range slices.Backward(gone) {
				list = slices.Delete(list, n, n+1)
			}
			whole[top] = list
		}
	}
	s.t.Fatal("no configuration of all texts is right")
}

// element is an element of a list of tables in site.toml.
type element struct {
	top string
	n   int
}

// elements returns for each line of a configuration the element that contains it.
func elements(text string) (of []element) {
	seen := map[string]int{}
	var at element
	for line := range strings.Lines(text) {
		if header := strings.TrimLeft(line, " "); strings.HasPrefix(header, "[") {
			top, _, _ := strings.Cut(strings.TrimLeft(header, "["), "]")
			if strings.HasPrefix(header, "[[") && !strings.Contains(top, ".") {
				seen[top]++
			}
			top, _, _ = strings.Cut(top, ".")
			at = element{top, max(0, seen[top]-1)}
		}
		of = append(of, at)
	}
	return of
}

const block8 = `============ Serving Benchmark Result ============
Successful requests:                     100
Maximum request concurrency:             %d
Benchmark duration (s):                  52.16
Total input tokens:                      51200
Total generated tokens:                  12800
Request throughput (req/s):              1.92
Output token throughput (tok/s):         %d.40
Total Token throughput (tok/s):          1226.99
---------------Time to First Token----------------
Mean TTFT (ms):                          210.40
Median TTFT (ms):                        204.09
P99 TTFT (ms):                           336.64
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          30.40
==================================================
`

// runs generates a run for each text: the text is the value of every label in turn, and is in the names, in the
// log and in a file beside it. It also generates a few ordinary runs for blocks.
func (s *invented) runs() {
	names := []string{"x_note"}
	for _, l := range vocabulary.Labels() {
		names = append(names, l.Name)
	}
	for i, text := range s.texts {
		dir := fmt.Sprintf("runs/c%d/%s %d/", i%9, hostile.Name(text), i)
		labels := ""
		for n, name := range names {
			value := s.rotate(i, n)
			switch {
			case name == "model":
				value = text
			case name == "phase" && i%7 != 3: // tables do not show runs with a phase of their own
				continue
			}
			labels += name + " = " + hostile.Quote(value) + "\n"
			s.tried++
		}
		s.files[dir+"run.toml"] = labels
		s.files[dir+hostile.Name(text)+".log"] = "$ vllm bench serve --model '" + text + "' --served-model-name " + text + "\n" + text + "\n" + fmt.Sprintf(block8, 8, 100+i) + text + "\n"
		s.files[dir+"x_y="+hostile.Name(text)+"/none "+hostile.Name(text)+".txt"] = text
		s.files[dir+"lscpu.txt"] = "Architecture:        x86_64\nCPU(s):              8\nModel name:          " + text + "\n"
		s.tried += 4
	}
	for i, text := range hostile.Bytes() {
		s.files["runs/bytes/"+hostile.Name(text)+strconv.Itoa(i)+".log"] = text + "\n" + fmt.Sprintf(block8, 8, 900+i) + text
		s.tried += 2
	}
	for i := range 8 {
		s.files[fmt.Sprintf("runs/base/r%d.log", i)] = fmt.Sprintf(block8, 1+i%2*7, 300+10*i)
		s.files["runs/base/run.toml"] += fmt.Sprintf("[files.\"r%d.log\"]\nmodel = \"m%d\"\nload = \"l%d\"\ndate = \"2026-01-0%d\"\nengine = \"vllm\"\nengine_version = \"0.%d\"\nweight_size = \"%d G\"\nx_note = %s\n",
			i, i/4, i%2, 1+i, 9+i/2%2, 8+i/4, hostile.Quote(s.texts[i]))
	}
	record, err := json.Marshal(filled(reflect.TypeFor[format.Record](), strings.Join(s.texts[:min(20, len(s.texts))], " ")).Interface())
	if err != nil {
		s.t.Fatal(err)
	}
	s.files["runs/recorded/"+format.RecordName], s.files["runs/recorded/console.log"] = string(record), fmt.Sprintf(block8, 4, 777)
}

// filled returns a value of a type in which all strings are text.
func filled(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				v.Field(i).Set(filled(t.Field(i).Type, text))
			}
		}
	case reflect.Slice:
		v.Set(reflect.Append(v, filled(t.Elem(), text)))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(filled(t.Key(), text), filled(t.Elem(), text))
	case reflect.Pointer:
		if t.Elem().Kind() != reflect.Struct {
			v.Set(reflect.New(t.Elem()))
		}
	}
	return v
}

// articles generates posts: one for each text in the front matter, one for each key of each kind of block, and
// one for each label.
func (s *invented) articles() {
	for i, text := range s.texts {
		front := fmt.Sprintf("date = 2026-01-%02d\nextra_key = %s\n%s = 1\n", 1+i%28, hostile.Quote(text), hostile.Quote("k"+strconv.Itoa(i)+text))
		fields := reflect.TypeFor[document.Front]()
		for f := range fields.NumField() {
			field := fields.Field(f)
			name := strings.ToLower(field.Name)
			switch {
			case name == "layout" || name == "slug" && i%2 == 0 || name == "runs" || name == "accept" || name == "unchecked": // set below, or selectors, which are tested in blocks
			case field.Type.Kind() == reflect.String:
				front += name + " = " + hostile.Quote(text) + "\n"
			case field.Type == reflect.TypeFor[document.List]():
				front += name + " = [" + hostile.Quote(text) + ", " + hostile.Quote(s.rotate(i, 1)) + "]\n"
			default:
				continue
			}
			s.tried++
		}
		s.posts[fmt.Sprintf("content/posts/front-%d.en.md", i)] = &post{front, []string{"Text.\n\n| `= output_throughput{campaign=\"base\", id=~\".*r1\"}` |\n|---|\n"}}
	}
	for kind, spec := range specs {
		for n, leaf := range hostile.Leaves(spec.keys) {
			p := &post{front: fmt.Sprintf("title = \"%s %s\"\ndate = 2026-02-01\n", kind, strings.Join(leaf.Path, " "))}
			for k := range min(len(s.texts), need.Times(1, 4)) {
				text := s.texts[(n*13+k)%len(s.texts)]
				tree := map[string]any{"where": `{campaign="base"}`}
				if _, err := toml.Decode(spec.base, &tree); err != nil {
					s.t.Fatal(err)
				}
				if kind == "raw" || kind == "findings" {
					tree["where"] = `{campaign="base", id=~".*r[12]"}`
				}
				set(tree, leaf.Path, text, "model")
				p.parts = append(p.parts, "\n```benchpost "+kind+"\n"+encode(s.t, tree)+"```\n")
				s.tried++
			}
			s.posts[fmt.Sprintf("content/posts/%s-%d.en.md", kind, n)] = p
		}
	}
	labels := []string{"x_note", "id", "campaign"}
	for _, l := range vocabulary.Labels() {
		labels = append(labels, l.Name)
	}
	for i, name := range labels {
		where := fmt.Sprintf("where = '{id=~\"c%d/.*\"}'\n", i%9) // the label campaign has one of the texts
		p := &post{front: fmt.Sprintf("title = %q\ndate = 2026-03-01\n", name)}
		for k, body := range []string{
			"table\nrows = [\"id\"]\ncolumns = [\"" + name + "\", \"output_throughput\"]\n" + where, "raw\ntitle = [\"" + name + "\"]\n" + where,
			"chart\nkind = \"bars\"\ncategory = \"" + name + "\"\nvalue = \"output_throughput\"\n" + where, "matrix\nrows = \"" + name + "\"\ncolumns = \"load\"\nvalue = \"output_throughput\"\n" + where,
			"findings\nrows = \"" + name + "\"\n" + where, "environment\n" + where, "table\nrows = [\"" + name + "\"]\ncolumns = [\"ttft_mean\"]\n",
		} {
			if k > 1 && i > 0 && i%5 != k%5 { // the others show the same cells and take longer
				continue
			}
			p.parts = append(p.parts, "\n```benchpost "+body+"```\n")
			s.tried += len(s.texts)
		}
		s.posts[fmt.Sprintf("content/posts/label-%d.en.md", i)] = p
	}
	// The post quotes selectors that match nothing.
	absent := &post{front: "title = \"Absent\"\ndate = 2026-03-02\n"}
	for _, text := range s.texts {
		absent.parts = append(absent.parts, "\n```benchpost table\n"+encode(s.t, map[string]any{"where": `{model="` + strings.NewReplacer(`"`, "'", `\`, "", "\n", " ").Replace(text) + `", load="never"}`})+"```\n")
		s.tried++
	}
	s.posts["content/posts/absent.en.md"] = absent
}

// settle removes parts of posts with errors until there are none.
func (s *invented) settle() {
	for name, p := range s.posts {
		s.files[name] = p.text()
	}
	for {
		need.Granted(s.t, write(s.dir, s.files))
		clear(s.files)
		ms, _, err := site.Check(s.dir)
		if err != nil {
			s.t.Fatal(err)
		}
		wrong := map[string][]int{}
		for _, m := range ms {
			if m.Severity == result.Error && strings.HasPrefix(m.Pos.File, "content/") {
				wrong[m.Pos.File] = append(wrong[m.Pos.File], m.Pos.Line)
			}
		}
		if len(wrong) == 0 {
			return
		}
		for name, lines := range wrong {
			p := s.posts[name]
			var gone []int
			for _, line := range lines {
				gone = append(gone, p.at(line))
			}
			slices.Sort(gone)
			for _, i := range slices.Backward(slices.Compact(gone)) {
				if i < 0 {
					p.parts = nil
					break
				}
				p.parts = slices.Delete(p.parts, i, i+1)
			}
			if len(p.parts) == 0 {
				os.Remove(filepath.Join(s.dir, name))
				continue
			}
			s.files[name] = p.text()
		}
	}
}

// elsewhere matches addresses that lead to the host named in the texts.
var elsewhere = regexp.MustCompile(`^([a-z][a-z0-9+.-]*:|[/\\]{2}).*evil`)

// harm returns the markup in a page that can only come from data.
func harm(page []byte) (found []string) {
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return found
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		tag := tokens.Token()
		bad := slices.Contains([]string{"iframe", "base", "plaintext", "object", "embed", "form"}, tag.Data)
		for _, a := range tag.Attr {
			value := strings.ToLower(strings.TrimSpace(strings.Map(func(r rune) rune {
				if unicode.IsControl(r) || unicode.IsSpace(r) {
					return -1
				}
				return r
			}, a.Val)))
			shown := slices.Contains([]string{"src", "srcset", "action", "formaction", "poster", "xlink:href"}, a.Key)
			link := shown || a.Key == "href"
			bad = bad || strings.HasPrefix(a.Key, "on") || a.Key == "srcdoc" || a.Key == "http-equiv" && value == "refresh" ||
				link && (strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "vbscript:") || strings.HasPrefix(value, "data:text/html")) ||
				shown && (elsewhere.MatchString(value) || value == "x") || (a.Key == "class" || a.Key == "id") && value == "evil"
		}
		if tag.Data == "script" {
			src, typed := "", ""
			for _, a := range tag.Attr {
				switch a.Key {
				case "src":
					src = a.Val
				case "type":
					typed = a.Val
				}
			}
			data := typed == "application/json" || typed == "application/ld+json"
			bad = bad || src == "" && !data
			if src == "" && data { // no text may have ended the script early
				bad = bad || tokens.Next() != html.TextToken || !json.Valid(tokens.Text())
			}
		}
		if bad {
			found = append(found, tag.String())
		}
	}
}

// words returns the text of a page without markup.
func words(page []byte) string {
	var b strings.Builder
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.WriteString(html.UnescapeString(string(tokens.Raw())))
		}
	}
}

// ours matches the Liquid that benchpost itself writes in posts.
var ours = regexp.MustCompile(`\{\{ "/[^"{}]*" \| (?:relative|absolute)_url \}\}|\{% if jekyll\.version > "3" and jekyll\.version < "4" %\}\{\{ site\.baseurl \}\}\{% endif %\}\{% post_url [\p{L}\p{M}\p{N}._-]+ %\}|\{\{ "\{[{%]" \}\}|(?s)\{% raw %\}.*?\{% endraw %\}`)

// inspect checks a generated file with parsers of its format.
func inspect(t *testing.T, name string, data []byte) {
	t.Helper()
	fault := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: "+format, append([]any{name}, args...)...)
	}
	if strings.Contains(string(data), hostile.Secret) {
		fault("a secret is in it")
	}
	ext := path.Ext(name)
	if slices.Contains([]string{".html", ".xml", ".svg", ".md", ".css", ".js"}, ext) && !strings.HasPrefix(name, "site/script/") {
		for i, r := range string(data) {
			if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\ufffd")) || r != '\n' && r != '\t' && unicode.IsControl(r) && (r < 0x7f || ext != ".js") {
				fault("a control or broken UTF-8: %q", data[max(0, i-40):min(len(data), i+40)])
				break
			}
		}
	}
	switch {
	case strings.HasSuffix(name, ".html"):
		if found := harm(data); len(found) > 0 {
			fault("%s", found[0])
		}
	case ext == ".json":
		if !json.Valid(data) {
			fault("no JSON")
		}
	case ext == ".jsonl":
		for line := range bytes.Lines(data) {
			if !json.Valid(line) {
				fault("no JSON: %s", line)
			}
		}
	case ext == ".csv":
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			fault("%v", err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if _, err := strconv.ParseFloat(strings.TrimSuffix(cell, "%"), 64); cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) && err != nil {
					fault("the formula %q", cell)
				}
			}
		}
	case ext == ".xml" || ext == ".svg":
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				fault("%v", err)
				break
			}
		}
	case ext == ".js" && strings.Contains(name, "/data/"):
		value, ok := strings.CutPrefix(string(data), `(self.benchpost??={})[`)
		at, value, cut := strings.Cut(value, `]=`)
		value, end := strings.CutSuffix(strings.TrimSpace(value), ";")
		if !ok || !cut || !end || !json.Valid([]byte(at)) || !json.Valid([]byte(value)) || strings.ContainsAny(string(data), "<\u2028\u2029") {
			fault("no plain data")
		}
	case ext == ".md":
		front, body, ok := strings.Cut(strings.TrimPrefix(string(data), "---\n"), "\n---\n")
		var fields map[string]any
		if err := yaml.Unmarshal([]byte(front), &fields); err != nil || !ok {
			fault("%v in\n%s", err, front)
		}
		for _, text := range []string{front, ours.ReplaceAllString(body, "")} {
			if at := max(strings.Index(text, "{{"), strings.Index(text, "{%")); at >= 0 {
				fault("Liquid would run %q", text[max(0, at-40):min(len(text), at+60)])
			}
		}
	}
}

// TestNothingOfTheDataComesToLife: no text in any place where data can occur has an effect in any output. The
// places follow from the types and tables of the program, so new ones are included automatically. The thorough
// run also uses Jekyll and Chromium.
func TestNothingOfTheDataComesToLife(t *testing.T) {
	texts := hostile.Texts()
	thorough := need.Times(0, 1) > 0
	if !thorough { // a sample of all kinds
		var some []string
		for i, text := range texts {
			if i%13 == 0 {
				some = append(some, text)
			}
		}
		texts = some
	}
	_, ms := block.Evaluate(nil, "no such kind", nil, result.Position{})
	if want := "there are: " + strings.Join(slices.Sorted(maps.Keys(specs)), ", "); len(ms) != 1 || locale.English(ms[0].Hint) != want {
		t.Fatalf("the kinds of blocks are not those that are tried: %v, not %s", ms, want)
	}
	repository.Alone(t)
	repo := repository.New(t)
	s := &invented{t: t, dir: repo.Dir, texts: texts, files: map[string]string{}, posts: map[string]*post{}}
	s.configuration()
	s.runs()
	s.articles()
	s.settle()
	kept := 0
	for _, p := range s.posts {
		kept += len(p.parts)
	}
	opt := site.Options{Dir: s.dir}
	summary, ms, err := site.Build(t.Context(), opt)
	if err != nil || summary.Broken || summary.Results < len(texts) {
		t.Fatalf("%.500v, %v, %d messages, first %v", err, summary.Broken, len(ms), ms[:min(3, len(ms))])
	}
	out := filepath.Join(s.dir, "public")
	files := folder.Read(t, out)
	for name, data := range files {
		inspect(t, name, data)
	}
	single, _, err := site.BuildSingle(t.Context(), opt, "label-0.en")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(single.Data, []byte("</html>")) {
		t.Errorf("the one file is no page: %d bytes", len(single.Data))
	}
	for _, format := range []string{"bibtex", "cff", "csl-json"} {
		s.cited(format)
	}
	s.exported([]string{"markdown", "hugo"}[need.Times(0, 1)]) // each of them reads the whole site again
	t.Logf("%d texts, %d combinations of a place and a text, %d blocks, %d files", len(texts), s.tried, kept, len(files))
	if !thorough {
		return
	}
	s.jekyll()
	s.browse(out, files, single.Data)
}

// cited prints the site's bibliography entry and parses it.
func (s *invented) cited(format string) {
	code, text, errs := run(s.t, false, "cite", "--site", s.dir, "--format", format)
	if code != 0 {
		s.t.Errorf("cite --format %s: %s", format, errs)
	}
	switch format {
	case "bibtex":
		program, err := exec.LookPath("bibtool")
		if err != nil {
			return
		}
		var faults bytes.Buffer
		cmd := exec.Command(program)
		cmd.Stdin, cmd.Stderr = strings.NewReader(text), &faults
		if out, err := cmd.Output(); err != nil || len(out) < 100 || faults.Len() > 0 {
			s.t.Errorf("bibtool: %v, %.300s", err, faults.String())
		}
		if n := len(regexp.MustCompile(`(?m)^@`).FindAllString(text, -1)); n != 1 {
			s.t.Errorf("%d entries", n)
		}
	case "cff":
		var v map[string]any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil || v["cff-version"] != "1.2.0" {
			s.t.Errorf("cff: %v", err)
		}
	default:
		if !json.Valid([]byte(text)) {
			s.t.Errorf("%s is no JSON", format)
		}
	}
}

// hugoParam matches the shortcodes that benchpost itself writes in code for Hugo.
var hugoParam = regexp.MustCompile(`\{\{< param "benchpost\.(open|comment)" >\}\}`)

// exported exports all posts and renders them as lenient readers of Markdown do, with HTML. Every text must be
// shown unchanged, and none must become markup or a shortcode of Hugo.
func (s *invented) exported(target string) {
	t := s.t
	files, err := filepath.Glob(filepath.Join(s.dir, "content", "posts", "*.md"))
	if err != nil || len(files) < len(s.posts)/2 {
		t.Fatal(err, len(files))
	}
	dir := filepath.Join(t.TempDir(), target)
	done, ms, err := site.ExportPosts(t.Context(), site.Options{Dir: s.dir}, files, site.Target{For: target, Dir: dir})
	if err != nil || len(done.Posts) < len(files) {
		t.Fatalf("%s: %v, %d posts, %.300v", target, err, len(done.Posts), ms)
	}
	all := strings.Builder{}
	for name, data := range folder.Read(t, dir) {
		if path.Ext(name) != ".md" {
			if strings.HasSuffix(name, ".csv") {
				inspect(t, name, data)
			}
			continue
		}
		text := string(data)
		markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))
		if target == "hugo" {
			front, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
			var fields map[string]any
			if err := yaml.Unmarshal([]byte(front), &fields); err != nil || !ok {
				t.Errorf("%s: %v in\n%s", name, err, front)
			}
			title, _ := fields["title"].(string)
			all.WriteString(" " + strings.Join(strings.Fields(title), " ") + " ")
			if rest := hugoParam.ReplaceAllString(body, ""); strings.Contains(rest, "{{<") || strings.Contains(rest, "{{%") || strings.Contains(rest, "<!--more-->") && !strings.Contains(rest, "\n<!--more-->\n") {
				t.Errorf("%s: Hugo would run something of\n%s", name, rest)
			}
			text = hugoParam.ReplaceAllStringFunc(body, func(m string) string {
				return map[bool]string{true: "{{", false: "<!--"}[strings.Contains(m, "open")]
			})
			markdown = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.Typographer), goldmark.WithParserOptions(parser.WithAttribute()), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))
		}
		var page bytes.Buffer
		if err := markdown.Convert([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		if found := harm(page.Bytes()); len(found) > 0 {
			t.Errorf("%s: %s", name, found[0])
		}
		all.WriteString(words(page.Bytes()) + " ")
	}
	seen := all.String()
	for _, text := range s.texts {
		if want := strings.Join(strings.Fields(visible.Text(text)), " "); !strings.Contains(seen, want) {
			t.Errorf("%s: %q is nowhere as it is", target, text)
		}
	}
}

// jekyll builds the blog with Jekyll. Its configuration contains a secret.
func (s *invented) jekyll() {
	t := s.t
	program := need.Command(t, "jekyll")
	src := filepath.Join(s.dir, "public", "jekyll")
	folder.Write(t, src, map[string]string{
		"_config.yml":           "title: A\nsecret: " + hostile.Secret + "\nbaseurl: /blog\nplugins: []\npermalink: /:title/\n",
		"_includes/secret.html": hostile.Secret,
		"_layouts/single.html":  "<html><title>{{ page.title | escape }}</title><article>{{ content }}</article></html>\n",
		"_layouts/post.html":    "<html><title>{{ page.title | escape }}</title><article>{{ content }}</article></html>\n",
	})
	dest := t.TempDir()
	cmd := exec.Command(program, "build", "--strict_front_matter", "--trace", "--disable-disk-cache", "--source", src, "--destination", dest)
	cmd.Env = append(os.Environ(), "LANG=C.UTF-8")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("jekyll: %v\n%s", err, out[max(0, len(out)-3000):])
	}
	all := strings.Builder{}
	pages := 0
	for name, data := range folder.Read(t, dest) {
		if path.Ext(name) != ".html" {
			continue
		}
		pages++
		inspect(t, "blog/"+name, data)
		all.WriteString(words(data))
	}
	if pages < len(s.texts) {
		t.Errorf("Jekyll made only %d pages", pages)
	}
	seen := all.String()
	for _, text := range s.texts {
		want := strings.Join(strings.Fields(visible.Text(text)), " ")
		if !strings.Contains(seen, want) {
			t.Errorf("%q is nowhere in the blog as it is", text)
		}
	}
}

// browse opens pages in Chromium.
func (s *invented) browse(out string, files map[string][]byte, single []byte) {
	t := s.t
	tab := browser.Open(t)
	root := filepath.Join(out, "site")
	folder.Write(t, root, map[string]string{"one.html": string(single)})
	pages := []string{"one.html"}
	each := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		page, ok := strings.CutPrefix(name, "site/en/")
		if !ok || path.Ext(page) != ".html" {
			continue
		}
		kind, _, _ := strings.Cut(page, "/")
		if each[kind]++; each[kind] <= 40 {
			pages = append(pages, "en/"+page)
		}
	}
	base := "file://" + filepath.ToSlash(root) + "/"
	for _, page := range pages {
		tab.Do(chromedp.Navigate(base + (&url.URL{Path: page}).EscapedPath()))
		if browser.Eval[bool](tab, `"pwned" in window`) {
			t.Errorf("%q ran what it should show", page)
		}
		if found := browser.Eval[string](tab, `[...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => a.name.startsWith("on") || /^(src|href)$/.test(a.name) && /^\s*(javascript|data:text\/html)/i.test(a.value))).map(e => e.outerHTML.slice(0, 150)).join("\n")`); found != "" {
			t.Errorf("%q contains %s", page, found)
		}
		if troubles, _ := tab.Troubles(base); len(troubles) > 0 {
			t.Errorf("%q: %v", page, troubles)
		}
	}
	t.Logf("%d pages opened", len(pages))
}
