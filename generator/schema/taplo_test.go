package schema_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/site"
)

// newSite is the folder with the files of a new site.
const newSite = "../../cmd/benchpost/cli/newsite"

// TestEditorsFindTheSchemas: Taplo, on which Even Better TOML is based, finds the schemas of a new site after a
// build, accepts its files, and rejects wrong keys and values.
func TestEditorsFindTheSchemas(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "it runs Taplo, which takes a second for each file")
	node := need.Command(t, "node")
	taplo, err := filepath.Abs("../../.ci/node_modules/@taplo/cli/dist/cli.js")
	if err != nil {
		t.Fatal(err)
	}
	need.Path(t, taplo)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(newSite)); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "runs/night/sweep.toml", "[[sweep]]\nname = \"a\"\ncommand = [\"sh\", \"-c\", \"true\"]\ncool_down = \"5s\"\n[sweep.over]\nconcurrency = [1, 2]\n")
	write(t, dir, "runs/</script>'\"/run.toml", "model = \"</script>\"\nrepeat = 3\n[files.\"a.log\"]\nseed = 1\n")
	if _, _, err := site.Build(context.Background(), site.Options{Dir: dir, Out: filepath.Join(dir, "public")}); err != nil {
		t.Fatal(err)
	}
	lint := func(args ...string) (string, error) {
		cmd := exec.Command(node, append([]string{taplo, "lint"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := lint(); err != nil || !strings.Contains(out, "total=6") {
		t.Errorf("%v\n%s", err, out)
	}
	// An editor that does not read .taplo.toml finds the schema by the first line of site.toml alone.
	rules, err := os.ReadFile(filepath.Join(dir, ".taplo.toml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, ".taplo.toml", strings.Replace(string(rules), `"site.toml"`, `"other.toml"`, 1))
	wanted := []string{}
	for _, c := range []struct{ name, from, to, want string }{
		{"site.toml", "\ntitle =", "\ntitel =", "'titel' was unexpected"},
		{"site.toml", "\nlanguages = ", "\nlanguages = 3 # ", "3 is not of type \"array\""},
		{"runs/night/sweep.toml", "command =", "comand =", "'comand' was unexpected"},
		{"runs/example/run.toml", "\n", "\nttft_mean = 3\n", "false schema"},
	} {
		data, err := os.ReadFile(filepath.Join(dir, c.name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, c.name, strings.Replace(string(data), c.from, c.to, 1))
		wanted = append(wanted, c.want)
	}
	out, err := lint()
	for _, want := range wanted {
		if err == nil || !strings.Contains(strings.ToLower(out), want) {
			t.Errorf("%v: it does not say %q\n%s", err, want, out)
		}
	}
}

// TestTheDocumentsHaveWhatIsWritten: docs/editors.md shows the .taplo.toml and the first line of a new site.
func TestTheDocumentsHaveWhatIsWritten(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	_, rules, _ := strings.Cut(read(newSite+"/.taplo.toml"), "\n")
	first, _, _ := strings.Cut(read(newSite+"/site.toml"), "\n")
	for _, name := range []string{"../../docs/editors.md", "../../docs/zh/editors.md"} {
		if text := read(name); !strings.Contains(text, "```toml\n"+rules+"```") || !strings.Contains(text, "```toml\n"+first+"\n```") {
			t.Errorf("%s has other text", name)
		}
	}
}
