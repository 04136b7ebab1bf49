package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

const containerfile = ".ci/Containerfile"

// instructions returns those of the container file, with lines that go on joined.
func instructions(t *testing.T) [][2]string {
	t.Helper()
	text, err := os.ReadFile(containerfile)
	if err != nil {
		t.Fatal(err)
	}
	var all [][2]string
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", "")) {
		if name, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			all = append(all, [2]string{name, rest})
		}
	}
	return all
}

// TestTheContainerRunsWhatItCopies: each image has the program where its entry point looks, runs
// as a user without rights, and copies only from a stage that there is.
func TestTheContainerRunsWhatItCopies(t *testing.T) {
	t.Parallel()
	from := regexp.MustCompile(`^(\S+) AS (\w+)$`)
	copied := regexp.MustCompile(`^--from=(\w+) (\S+) (\S+)$`)
	stages, built := map[string]bool{}, ""
	stage, program, user, entries := "", "", "", 0
	for _, in := range instructions(t) {
		switch name, rest := in[0], in[1]; name {
		case "FROM":
			m := from.FindStringSubmatch(rest)
			if m == nil {
				t.Fatalf("a stage without a name: %s", rest)
			}
			stage, program, user = m[2], "", ""
			stages[stage] = true
		case "RUN":
			if _, file, ok := strings.Cut(rest, " -o "); ok {
				built, _, _ = strings.Cut(file, " ")
			}
		case "COPY":
			m := copied.FindStringSubmatch(rest)
			if m == nil && stage == "build" {
				continue // the repository
			}
			if m == nil || !stages[m[1]] || m[2] != built {
				t.Fatalf("%s copies what is not made: %s", stage, rest)
			}
			program = m[3]
		case "USER":
			user = rest
		case "ENTRYPOINT":
			entries++
			var words []string
			if err := json.Unmarshal([]byte(rest), &words); err != nil || len(words) != 1 || words[0] != program {
				t.Errorf("%s begins %s, and the program is %s (%v)", stage, rest, program, err)
			}
			if user == "" || strings.HasPrefix(user, "0") || strings.HasPrefix(user, "root") {
				t.Errorf("%s runs as %q", stage, user)
			}
		}
	}
	if entries != 2 {
		t.Errorf("%d images have an entry point", entries)
	}
}

// TestTheContainersCommandBuilds runs the command by which the container is built, and what it makes.
func TestTheContainersCommandBuilds(t *testing.T) {
	need.Thorough(t, "it links the program")
	sh := need.Command(t, "sh")
	repository, dir := clone(t), t.TempDir()
	for _, in := range instructions(t) {
		if in[0] == "RUN" && strings.Contains(in[1], "go build") {
			env := []string{"GOFLAGS=-buildvcs=auto"} // as where nobody has set anything
			output(t, repository, env, sh, "-c", strings.Replace(in[1], "/out/", dir+"/", 1))
		}
	}
	if got := output(t, dir, nil, filepath.Join(dir, "benchpost"), "version"); !strings.HasPrefix(got, "benchpost v0") {
		t.Errorf("the program says %s", got)
	}
}
