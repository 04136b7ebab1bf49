package hostile_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/hostile"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/site"
)

// TestNothingOfACommitComesToLife uses each text as the subject, the author and the tag of a commit that
// replaced a run. None of them has an effect in the pages, feeds and data of the history, in citations and
// comparisons, or on a terminal.
func TestNothingOfACommitComesToLife(t *testing.T) {
	repository.Alone(t)
	repo := repository.New(t)
	texts := hostile.Texts()
	every := 6
	if need.Times(0, 1) > 0 {
		every = 1
	}
	repo.Commit("begin", map[string]string{
		"site.toml":       "title = \"A\"\nlanguages = [\"en\"]\nbase_url = \"https://example.org/\"\n[history]\ngit = true\ncommit_url = \"https://example.org/{commit}\"\n",
		"runs/a/run.toml": "model = \"m\"\nhardware = \"h\"\n",
		"runs/a/x.log":    fmt.Sprintf(serving, 7),
	})
	shown := 0
	for i := 0; i < len(texts); i += every {
		text := strings.NewReplacer("\x00", "", "\n", " ").Replace(texts[i])
		repo.Write(map[string]string{"runs/a/x.log": fmt.Sprintf(serving, 100+i)})
		repo.Git("add", "-A")
		author := strings.NewReplacer("<", "", ">", "").Replace(text)
		if strings.Trim(text, " \t\r") == "" || strings.Trim(author, " .,:;'\"\\\x7f\t\r") == "" {
			text, author = "empty", "empty" // git requires a name
		}
		repo.Dated("-c", "user.name="+author, "-c", "i18n.commitEncoding=UTF-8", "commit", "-q", "--cleanup=verbatim", "--author="+author+" <a@example.org>", "-m", text)
		if _, err := repo.Try("tag", "v"+text); err == nil {
			shown++
		}
	}
	if shown < 3 {
		t.Errorf("git took %d of the texts as the name of a tag", shown)
	}
	summary, ms, err := site.Build(t.Context(), site.Options{Dir: repo.Dir})
	if err != nil || summary.Broken {
		t.Fatal(err, ms)
	}
	files := folder.Read(t, filepath.Join(repo.Dir, "public"))
	subjects := 0
	for name, data := range files {
		inspect(t, name, data)
		subjects += strings.Count(string(data), "onerror")
	}
	if subjects == 0 {
		t.Error("no subject is anywhere")
	}
	for _, line := range [][]string{{"diff", "HEAD~1"}, {"diff", "HEAD~1", "--format", "markdown"}, {"cite"}, {"check", "--verbose"}, {"build", "--verbose"}, {"archive", "--dry-run"}} {
		for _, terminal := range []bool{false, true} {
			_, stdout, stderr := run(t, terminal, append([]string{line[0], "--site", repo.Dir}, line[1:]...)...)
			for what, text := range map[string]string{"stdout": stdout, "stderr": stderr} {
				if terminal {
					text = own.ReplaceAllString(text, "")
				}
				if got := acting(text); got != "" {
					t.Errorf("%q: something acts in the %s: %s", line, what, got)
				}
			}
		}
	}
}
