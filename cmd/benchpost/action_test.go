package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/benchpost/benchpost/generator/need"
)

const actionFolder = root + "/.ci/action"

// action is the contents of action.yml.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			ID, Name, If, Shell, Run string
			Env                      map[string]string
		}
	}
}

// workflow is a run of the action on a site: the folders of a runner, and the inputs.
type workflow struct {
	t       *testing.T
	site    string
	runner  string
	with    map[string]string
	printed string
	summary string
	env     []string
}

// run executes the steps like a runner and reports whether all succeeded. After a failed step, steps that require
// success are skipped.
func (w *workflow) run() bool {
	w.t.Helper()
	text, err := os.ReadFile(actionFolder + "/action.yml")
	if err != nil {
		w.t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil || a.Runs.Using != "composite" {
		w.t.Fatal(a.Runs.Using, err)
	}
	expression := regexp.MustCompile(`\$\{\{ (\S+) \}\}`)
	valueOf := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(s string) string {
			name := expression.FindStringSubmatch(s)[1]
			input, isInput := strings.CutPrefix(name, "inputs.")
			declared, known := a.Inputs[input]
			switch given, ok := w.with[input]; {
			case !isInput && (name == "github.action_ref" || name == "github.event.pull_request.base.sha"):
				return w.with[name]
			case !isInput || !known:
				w.t.Fatalf("there is no %s", name)
			case ok:
				return given
			default:
				return expression.ReplaceAllStringFunc(declared.Default, func(s string) string { return w.with[expression.FindStringSubmatch(s)[1]] })
			}
			return ""
		})
	}
	here, err := filepath.Abs(actionFolder)
	if err != nil {
		w.t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(w.runner, name) }
	well := true
	w.printed = ""
	for _, step := range a.Runs.Steps {
		if step.If == "" && !well {
			continue
		} else if step.If != "" && step.If != "success() || failure()" {
			w.t.Fatalf("%s: the condition %q is unknown here", step.Name, step.If)
		}
		added, _ := os.ReadFile(file("path"))
		cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
		cmd.Dir = w.site
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+w.runner, "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "GITHUB_ACTION_PATH="+here,
			"GITHUB_PATH="+file("path"), "GITHUB_OUTPUT="+file("output"), "GITHUB_STEP_SUMMARY="+file("summary"),
			"PATH="+strings.TrimSpace(string(added))+":"+os.Getenv("PATH"))
		cmd.Env = append(cmd.Env, w.env...)
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+valueOf(value))
		}
		out, err := cmd.CombinedOutput()
		w.printed += string(out)
		well = well && err == nil
	}
	summary, _ := os.ReadFile(file("summary"))
	w.summary = string(summary)
	return well
}

// TestTheActionInstallsChecksAndCompares runs the steps of the action with a release on this disk.
func TestTheActionInstallsChecksAndCompares(t *testing.T) {
	t.Parallel()
	need.System(t, "the release here is for it", "linux")
	program, err := exec.LookPath("benchpost")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	const name = "benchpost-v1.2.3-linux-amd64"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	archive := tar.NewWriter(z)
	if err := archive.WriteHeader(&tar.Header{Name: name + "/bin/benchpost", Mode: 0o755, Size: int64(len(data))}); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{func() error { _, err := archive.Write(data); return err }(), archive.Close(), z.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	server := t.TempDir()
	release := filepath.Join(server, "owner/fork/releases/download/v1.2.3")
	sums := fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(packed.Bytes()), name)
	write := func(file string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(release, name+".tar.gz"), packed.Bytes())
	write(filepath.Join(release, "SHA256SUMS"), []byte(sums))

	site := filepath.Join(t.TempDir(), "site")
	sh := func(script string) string {
		t.Helper()
		cmd := exec.Command("bash", "-e", "-c", script)
		cmd.Dir = filepath.Dir(site)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	sh("benchpost init site && cd site && benchpost build && git init -q && git add -A && git commit -qm base")
	base := sh("git -C site rev-parse HEAD")
	actions := func(with map[string]string) *workflow {
		return &workflow{t: t, site: site, runner: t.TempDir(), with: with, env: []string{"GITHUB_SERVER_URL=file://" + server}}
	}
	given := func(more ...string) map[string]string {
		with := map[string]string{"repository": "owner/fork", "github.action_ref": "v1.2.3"}
		for i := 0; i < len(more); i += 2 {
			with[more[i]] = more[i+1]
		}
		return with
	}

	if w := actions(given("github.event.pull_request.base.sha", base, "sha256", fmt.Sprintf("%x", sha256.Sum256([]byte(sums))))); !w.run() || w.summary == "" {
		t.Errorf("a site that is as its base: %s\n%s", w.printed, w.summary)
	}
	// Ten milliseconds slower, and not built again.
	sh(`cd site && sed -i -E 's/^(Mean TPOT[^0-9]*)([0-9])/\11\2/' $(find runs -name high.log)`)
	w := actions(given("base", base, "fail-on", "changed-nothing"))
	if w.run() {
		t.Errorf("a condition that there is not was let pass\n%s", w.printed)
	}
	w = actions(given("base", base, "drift", "true"))
	if w.run() || !strings.Contains(w.printed, "::error file=") || !strings.Contains(w.printed, "drift.differs") || w.summary == "" {
		t.Errorf("a site that was not built: %s\n%s", w.printed, w.summary)
	}
	w = actions(given("base", base, "drift", "false", "check", "false", "fail-on", "regression>1%"))
	if w.run() || !strings.Contains(w.summary, "变差") {
		t.Errorf("a slower site: %s\n%s", w.printed, w.summary)
	}
	w = actions(given("build", "true", "drift", "false", "check", "false"))
	if !w.run() || w.summary != "" || !strings.Contains(w.printed, "built ") {
		t.Errorf("a build: %s\n%s", w.printed, w.summary)
	}
	other := filepath.Join(server, "owner/fork/releases/download/v1.2.4")
	write(filepath.Join(other, "benchpost-v1.2.4-linux-amd64.tar.gz"), []byte("another"))
	write(filepath.Join(other, "SHA256SUMS"), []byte(strings.ReplaceAll(sums, "v1.2.3", "v1.2.4")))
	for _, c := range []struct {
		with map[string]string
		env  string
		want string
	}{
		{given("version", "v9.9.9"), "", "is v9.9.9 a release?"},
		{given("sha256", strings.Repeat("0", 64)), "", "not the file that the input sha256 names"},
		{given("version", "v1.2.4"), "", "is not what SHA256SUMS says"},
		{given(), "RUNNER_ARCH=RISCV", "there is no benchpost for RISCV"},
	} {
		w := actions(c.with)
		if c.env != "" {
			w.env = append(w.env, c.env)
		}
		if w.run() || !strings.Contains(w.printed, c.want) {
			t.Errorf("want %q:\n%s", c.want, w.printed)
		}
	}
}
