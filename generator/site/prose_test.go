package site

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

// unsupported adds a post to a site and returns the warnings about numbers typed into it, as "line: text".
func unsupported(t *testing.T, dir, post string) []string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "content", "posts", "typed.zh.md"), []byte(post), 0o644); err != nil {
		t.Fatal(err)
	}
	ms, _, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range ms {
		if strings.HasPrefix(m.ID, "prose.") {
			m.Pos.File = ""
			out = append(out, strings.TrimPrefix(m.Pos.String(), ":")+" "+locale.English(m.Text))
		}
	}
	return out
}

// TestNumbersOfTheReferenceGuide checks that the reference guide, whose author typed every number, agrees with the runs
// taken from it, and that altered numbers do not.
func TestNumbersOfTheReferenceGuide(t *testing.T) {
	t.Parallel()
	need.Beside(t, reference)
	data, err := os.ReadFile(filepath.Join(reference, "jetson-thor-guide.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// One fence in the text is not closed. The front matter has four lines.
	guide := "+++\ntitle = \"T\"\ndate = 2025-10-04\n+++\n" + strings.Replace(string(data), "```bash\n", "\n", 1)
	dir := copySite(t)
	if got := unsupported(t, dir, guide); got != nil {
		t.Errorf("the guide's own numbers: %q", got)
	}
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{"298.07 tok/s", "318.07 tok/s", []string{
			`14:66 no selected run supports "318.07 tok/s"`,
			`623:25 no selected run supports "318.07 tok/s"`,
			`623:42 "18.5%" is not the change between the figures before it`,
			`631:10 no selected run supports "318.07 tok/s"`,
			`1160:47 no selected run supports "318.07 tok/s"`,
			`1184:29 no selected run supports "318.07 tok/s"`}},
		{"18.5%", "28.5%", []string{
			`12:31 no two comparable runs support "28.5%"`,
			`623:42 "28.5%" is not the change between the figures before it`}},
		{"减少约 16%", "减少约 26%", []string{`623:87 "26%" is not the change between the figures before it`}},
		{"减少约 35%", "减少约 45%", []string{`644:67 "45%" is not the change between the figures before it`}},
		{"43.7 秒", "34.7 秒", []string{`1163:62 no selected run supports "34.7 秒"`}},
		{"(82.47 tok/s)的 3.6 倍", "(82.47 tok/s)的 4.9 倍", []string{
			`14:106 no two comparable runs support "4.9 倍"`}},
	} {
		if got := unsupported(t, dir, strings.ReplaceAll(guide, c.old, c.new)); !slices.Equal(got, c.want) {
			t.Errorf("%s for %s:\n%s\nwant\n%s", c.new, c.old, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

const typed = "+++\ntitle = \"T\"\ndate = 2025-10-04\nruns = '{model=\"Qwen3-8B\"}'\n+++\n\n"

// TestNumbersAreHeldAgainstThePostsRuns checks that only the runs that a post selects support its numbers.
func TestNumbersAreHeldAgainstThePostsRuns(t *testing.T) {
	t.Parallel()
	dir := copySite(t)
	if got := unsupported(t, dir, typed+"BF16 有 82.47 tok/s。"); got != nil {
		t.Errorf("got %q", got)
	}
	want := []string{`7:5 no selected run supports "298.07 tok/s"`}
	if got := unsupported(t, dir, typed+"FP8 298.07 tok/s。"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// A run that cannot be read may support the number.
	if err := os.WriteFile(filepath.Join(dir, "runs", "run.toml"), []byte("model ="), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := unsupported(t, dir, typed+"FP8 298.07 tok/s。"); got != nil {
		t.Errorf("with a run missing: %q", got)
	}
}

func TestAStrictBuildRefusesUnsupportedNumbers(t *testing.T) {
	t.Parallel()
	dir := copySite(t)
	if err := os.WriteFile(filepath.Join(dir, "content", "posts", "typed.zh.md"), []byte(typed+"FP8 298.07 tok/s。"), 0o644); err != nil {
		t.Fatal(err)
	}
	for strict, broken := range map[bool]bool{true: true, false: false} {
		s, ms, err := Build(context.Background(), Options{Dir: dir, Strict: strict})
		warned := slices.ContainsFunc(ms, func(m result.Message) bool { return m.ID == "prose.unsupported" })
		if err != nil || s.Broken != broken || !warned {
			t.Errorf("strict %v: broken %v, warned %v, %v", strict, s.Broken, warned, err)
		}
	}
}
