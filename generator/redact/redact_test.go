package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/benchpost/benchpost/generator/need"
)

// fake looks like a token, but is split so that scanners of repositories do not report this file.
const fake = "hf" + "_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh"

// TestPseudonymsAreStable checks that a name always gets the same pseudonym, however it is written, and that other
// kinds, keys and names get different ones.
func TestPseudonymsAreStable(t *testing.T) {
	r := redactor(t, Options{})
	replaced := func(r *Redactor, text string) string {
		out, _ := r.Replace("x", []byte(text))
		return string(out)
	}
	one := replaced(r, "http://GPUbox:8000/v1")
	if other := replaced(r, "hostname: gpubox"); "http://"+strings.TrimPrefix(other, "hostname: ")+":8000/v1" != one {
		t.Errorf("%q and %q", one, other)
	}
	if a, b := replaced(r, "Alice@Acme.ORG"), replaced(r, "alice@acme.org"); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := replaced(r, "3C-6D-66-0A-1B-2C"), replaced(r, "3c:6d:66:0a:1b:2c"); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := replaced(r, "fe80:0:0:0:0:0:0:7f"), replaced(r, "fe80::7F"); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := replaced(r, "http://gpubox:1"), replaced(redactor(t, Options{Key: []byte("another")}), "http://gpubox:1"); a == b {
		t.Errorf("two keys give %q", a)
	}
	if a, b := r.Pseudonym(Host, "alice"), r.Pseudonym(User, "alice"); a[len(a)-6:] == b[len(b)-6:] {
		t.Errorf("%q and %q tell that they are the same", a, b)
	}
	if got := replaced(r, "http://[fd12::1]:80/ and http://10.0.0.5:80/"); !regexpMatch(`^http://ip-[0-9a-f]{6}:80/ and http://ip-[0-9a-f]{6}:80/$`, got) {
		t.Errorf("%q", got)
	}
}

// TestFindings checks that a finding has the place and the replacement, but not the original text.
func TestFindings(t *testing.T) {
	r := redactor(t, Options{})
	got := r.Find("a.log", []byte("one\ntwo http://10.0.0.5:80\n\nHF_TOKEN="+fake+"\n"))
	want := []Finding{
		{Rule: "ip", Kind: IP, Line: 2, Column: 12, Start: 15, End: 23, Replacement: r.Pseudonym(IP, "10.0.0.5")},
		{Rule: "huggingface-token", Kind: Secret, Line: 4, Column: 10, Start: 37, End: 37 + len(fake), Replacement: "redacted-huggingface-token"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestTitlesInRules checks that a title within a rule of dashes is not taken for a flag with a secret value.
func TestTitlesInRules(t *testing.T) {
	t.Parallel()
	all := redactor(t, Options{})
	for _, text := range []string{"-------------------Token Stats--------------------", "---Password policy and more---"} {
		if found := all.Find("x", []byte(text)); len(found) > 0 {
			t.Errorf("%q: %v", text, found)
		}
	}
	if found := all.Find("x", []byte("serve --token a1b2c3d4e5f6")); len(found) != 1 {
		t.Error(found)
	}
}

// TestKeep checks that words, patterns and networks to keep are not replaced.
func TestKeep(t *testing.T) {
	r := redactor(t, Options{Keep: []string{"bench01", "*.acme.org", "10.0.0.0/8", "alice", "bob@x.org", "192.168.0.7"}})
	const stays = "http://BENCH01:1 https://a.b.acme.org/ 10.2.3.4 /home/alice/ bob@x.org 192.168.0.7"
	if got := r.Find("x", []byte(stays)); len(got) > 0 {
		t.Errorf("%v", got)
	}
	if got := r.Find("x", []byte("http://bench02:1 https://acme.com/ 192.168.0.8 /home/alicia/ x@x.org")); len(got) != 5 {
		t.Errorf("%v", got)
	}
}

// TestOwnRules checks the rules of a site, with and without a group and of any kind, and errors in them.
func TestOwnRules(t *testing.T) {
	r := redactor(t, Options{Own: []Rule{
		{ID: "project", Pattern: `project[-_ ](\w+)`, Kind: "project", Group: 1},
		{ID: "ticket", Pattern: `\bBENCH-\d+\b`},
		{ID: "badge", Pattern: `badge: *(\d+)`, Kind: "badge", Group: 1},
		{ID: "line", Pattern: `^confidential.*$`},
	}})
	got, found := r.Replace("x", []byte("project_apollo and project-apollo, BENCH-12\r\nbadge: 123\n{\"badge\": 123, \"b\": \"badge: 124\"}\nconfidential: {\"a\": 1}\n"))
	want := fmt.Sprintf("project_%[1]s and project-%[1]s, redacted-ticket\r\nbadge: %[2]s\n{\"badge\": 123, \"b\": \"badge: %[3]s\"}\nredacted-line\"redacted-line\": 1}\n",
		r.Pseudonym("project", "apollo"), r.Pseudonym("badge", "123"), r.Pseudonym("badge", "124"))
	if string(got) != want {
		t.Errorf("%s\nnot\n%s\n%v", got, want, found)
	}
	if again := r.Find("x", got); len(again) > 0 {
		t.Errorf("found again: %v", again)
	}
	for field, rules := range map[string][]Rule{
		"pattern": {{ID: "a", Pattern: "("}},
		"id":      {{ID: "A b", Pattern: "x"}},
		"kind":    {{ID: "a", Pattern: "x", Kind: "No Kind"}},
		"group":   {{ID: "a", Pattern: "x", Group: 1}},
	} {
		var wrong *RuleError
		if _, err := New(Options{Own: rules}); !errors.As(err, &wrong) || wrong.Field != field || wrong.Index != 0 {
			t.Errorf("%v: %v", rules, err)
		}
	}
	if _, err := New(Options{Own: []Rule{{ID: "a", Pattern: "x"}, {ID: "a", Pattern: "y"}}}); err == nil {
		t.Error("two rules of one name")
	}
}

// TestPrivateKeys checks that private keys are replaced line by line, in files and in JSON, and also if truncated.
func TestPrivateKeys(t *testing.T) {
	r := redactor(t, Options{})
	body := strings.Repeat("MIIEfakefakefakefake+/fake\n", 5)
	begin, end := "-----BEGIN RSA PRIVATE "+"KEY-----\n", "-----END RSA PRIVATE "+"KEY-----\n"
	for _, text := range []string{"a\n" + begin + body + end + "b\n", "a\n" + begin + body, strings.ReplaceAll("a\n"+begin+body+end, "\n", "\r\n")} {
		got, found := r.Replace("x", []byte(text))
		if len(found) != 5 || bytes.Contains(got, []byte("fake")) || bytes.Count(got, []byte("\n")) != strings.Count(text, "\n") {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	quoted, _ := json.Marshal(map[string]string{"key": begin + body + end})
	got, _ := r.Replace("x", quoted)
	if bytes.Contains(got, []byte("fake")) || !json.Valid(got) || bytes.Count(got, []byte(`\n`)) != bytes.Count(quoted, []byte(`\n`)) {
		t.Errorf("%s", got)
	}
}

// TestUTF16 checks that UTF-16 keeps its byte order mark and all text that is not replaced.
func TestUTF16(t *testing.T) {
	r := redactor(t, Options{})
	text := "模型 😀 http://gpubox:8000\r\nHF_TOKEN=" + fake + "\r\n"
	wanted, plainFound := r.Replace("x", []byte(text))
	for _, big := range []bool{false, true} {
		got, found := r.Replace("x", inUTF16(text, big))
		if !bytes.Equal(got, inUTF16(string(wanted), big)) || len(found) != 2 || found[1].Line != plainFound[1].Line {
			t.Errorf("%q %v", got, found)
		}
	}
	broken := append(inUTF16("\nhttp://gpubox:8000 ", false), 0x00, 0xd8, 'x', 0, 'y')
	got, _ := r.Replace("x", broken)
	if !bytes.HasSuffix(got, []byte{0x00, 0xd8, 'x', 0, 'y'}) || bytes.Contains(got, inUTF16("gpubox", false)[2:]) {
		t.Errorf("%q", got)
	}
}

func inUTF16(s string, big bool) []byte {
	var out []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// TestCopyAtAllSeams checks that a stream gives the same as a text, wherever its windows end and however it is read.
func TestCopyAtAllSeams(t *testing.T) {
	r := redactor(t, Options{})
	var parts []string
	for _, s := range samples(t) {
		parts = append(parts, s.text)
	}
	begin, end := "-----BEGIN PRIVATE "+"KEY-----\n", "-----END PRIVATE "+"KEY-----\n"
	key := begin + strings.Repeat("MIIEfakefakefakefake+/fake\n", 40) + end
	filler := strings.Repeat(`{"ttft": 0.123, "itl": [0.01, 0.02]}, `, 30)
	random := rand.New(rand.NewPCG(1, 2))
	for _, joint := range []string{"\n", " ; " + filler} { // separate lines, and one long line
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		text := []byte(strings.Join(parts, joint) + joint + key + strings.Repeat("x ", reach) + strings.Join(parts, joint))
		want, wantFound := r.Replace("x", text)
		for _, size := range []int{40_009, windowSize} {
			var got bytes.Buffer
			found, err := r.copy(&got, halting{bytes.NewReader(text)}, "x", size)
			if err != nil || !bytes.Equal(got.Bytes(), want) || !reflect.DeepEqual(found, wantFound) {
				t.Fatalf("windows of %d bytes: %v, %d findings, not %d; %s", size, err, len(found), len(wantFound), difference(got.Bytes(), want))
			}
		}
	}
	// A secret at every position relative to a seam.
	for at := range 60 {
		text := strings.Repeat("a b ", 2000) + strings.Repeat("-", at) + ` "password": "` + fake + `" http://gpubox:80 ` + strings.Repeat("c d ", reach/4)
		var got bytes.Buffer
		found, err := r.copy(&got, strings.NewReader(text), "x", reach+8000)
		if err != nil || len(found) != 2 || strings.Contains(got.String(), "gpubox") || strings.Contains(got.String(), fake) {
			t.Fatalf("%d: %v %v", at, err, found)
		}
	}
	for _, big := range []bool{false, true} {
		text := inUTF16(strings.Repeat("模型 😀 http://gpubox:8000 \n", 5_000), big)
		want, wantFound := r.Replace("x", text)
		var got bytes.Buffer
		if found, err := r.copy(&got, bytes.NewReader(text), "x", 30<<10); err != nil || !bytes.Equal(got.Bytes(), want) || !reflect.DeepEqual(found, wantFound) {
			t.Fatalf("UTF-16: %v %d %d", err, len(found), len(wantFound))
		}
	}
}

// halting returns a stream in small parts, as a pipe does.
type halting struct{ r io.Reader }

func (h halting) Read(p []byte) (int, error) { return h.r.Read(p[:min(len(p), 1000)]) }

func difference(a, b []byte) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("at %d: %q, not %q", i, a[max(0, i-80):min(len(a), i+80)], b[max(0, i-80):min(len(b), i+80)])
}

// TestCopyHoldsLittle checks that a line of thirty megabytes is processed in windows.
func TestCopyHoldsLittle(t *testing.T) {
	need.Allocations(t)
	r := redactor(t, Options{})
	part := []byte(`{"ttft": 0.123, "text": "see http:\/\/gpubox:8000\/v1", "itl": [` + strings.Repeat("0.0123, ", 200) + `0]}, `)
	const times = 20_000 // some 30 MB
	stream := &endless{part: part, left: times}
	var before, after runtime.MemStats
	r.Find("x", part)
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	found, err := r.Copy(writerFunc(func(p []byte) (int, error) {
		runtime.ReadMemStats(&after)
		peak = max(peak, after.HeapAlloc)
		return len(p), nil
	}), stream, "x")
	if err != nil || len(found) != times {
		t.Fatal(err, len(found))
	}
	listed := uint64(len(found)) * uint64(reflect.TypeFor[Finding]().Size()+64)
	if grown := peak - min(peak, before.HeapAlloc); grown > 64<<20+4*listed {
		t.Errorf("%d MB", grown>>20)
	}
}

type endless struct {
	part []byte
	at   int
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && e.left > 0 {
		k := copy(p[n:], e.part[e.at:])
		n += k
		if e.at += k; e.at == len(e.part) {
			e.at = 0
			e.left--
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestKey checks that concurrent calls get the same key, and that only the owner can read it.
func TestKey(t *testing.T) {
	t.Setenv(KeyVariable, "")
	dir := t.TempDir()
	keys := make([][]byte, 16)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			key, err := LoadKey(dir)
			if err != nil {
				t.Error(err)
			}
			keys[i] = key
		})
	}
	all.Wait()
	for _, k := range keys {
		if !bytes.Equal(k, keys[0]) || len(k) != 32 {
			t.Fatalf("%x and %x", k, keys[0])
		}
	}
	info, err := os.Stat(KeyFile(dir))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".benchpost", "*")); len(left) != 2 { // the key, and .gitignore
		t.Errorf("left behind: %v", left)
	}
	text, _ := os.ReadFile(KeyFile(dir))
	t.Setenv(KeyVariable, string(text))
	if key, err := LoadKey(t.TempDir()); err != nil || !bytes.Equal(key, keys[0]) {
		t.Errorf("%x %v", key, err)
	}
	t.Setenv(KeyVariable, "short")
	if _, err := LoadKey(dir); err == nil || strings.Contains(err.Error(), "short") {
		t.Errorf("%v", err)
	}
}

// FuzzReplace checks for any text that a second pass finds nothing, that the number of lines is kept, that JSON keeps
// its structure, and that a stream gives the same.
func FuzzReplace(f *testing.F) {
	for _, s := range samples(f) {
		f.Add([]byte(s.text))
	}
	r := redactor(f, Options{})
	f.Fuzz(func(t *testing.T, text []byte) {
		once, found := r.Replace("x", text)
		at := 0
		for _, f := range found {
			if f.Start < at || f.End <= f.Start || f.End > len(text) {
				t.Fatalf("%v in %q", found, text)
			}
			at = f.End
		}
		if encodingOf(text) == plain && bytes.Count(once, []byte("\n")) != bytes.Count(text, []byte("\n")) {
			t.Fatalf("%q becomes %q", text, once)
		}
		if json.Valid(text) {
			if !json.Valid(once) {
				t.Fatalf("%q becomes %q", text, once)
			}
			if a, b := form(text), form(once); !reflect.DeepEqual(a, b) {
				t.Fatalf("%q becomes %q", text, once)
			}
		}
		if again := r.Find("x", once); len(again) > 0 {
			t.Fatalf("%q becomes %q, where is found %v", text, once, again)
		}
		var out bytes.Buffer
		if _, err := r.copy(&out, bytes.NewReader(text), "x", 64); err != nil || !bytes.Equal(out.Bytes(), once) {
			t.Fatalf("%q is copied as %q", text, out.Bytes())
		}
	})
}

// form returns the tokens of JSON with all strings made equal.
func form(text []byte) []json.Token {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var out []json.Token
	for {
		token, err := d.Token()
		if err != nil {
			return out
		}
		if _, ok := token.(string); ok {
			token = ""
		}
		out = append(out, token)
	}
}

// TestAllocationsOfALog checks that searching a log without findings allocates nothing.
func TestAllocationsOfALog(t *testing.T) {
	need.Allocations(t)
	r := redactor(t, Options{})
	log := []byte(strings.Repeat("Mean TTFT (ms):                          3895.42\nTotal input tokens:                      204169\n---------------Inter-token Latency----------------\n", 9))
	allocations := testing.AllocsPerRun(20, func() {
		if found := r.Find("run.log", log); len(found) > 0 {
			t.Fatal(found)
		}
	})
	if allocations > 0 {
		t.Errorf("%.0f allocations, none is expected", allocations)
	}
}

func BenchmarkReplace(b *testing.B) {
	r := redactor(b, Options{})
	itl := strings.Repeat("0.012345678901234, ", 60)
	for name, line := range map[string]string{
		"log":  "INFO 11-22 02:07:28 [loggers.py:123] Engine 000: Avg prompt throughput: 1024.5 tokens/s, Avg generation throughput: 298.1 tokens/s, Running: 8 reqs, Waiting: 0 reqs, GPU KV cache usage: 3.4%\n",
		"json": `{"input_lens": [1024], "ttfts": [0.123], "itls": [[` + itl + `0]], "generated_texts": ["They asked for a task: what is the key to it? It's a token.\n\nSee 1.\n"], "total_token_throughput": 298.1}, `,
	} {
		text := []byte(strings.Repeat(line, 4<<20/len(line)))
		r.Find("x", text[:1])
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r.Copy(io.Discard, bytes.NewReader(text), "x")
			}
		})
	}
}

func regexpMatch(expr, s string) bool { return regexp.MustCompile(expr).MatchString(s) }
