//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/sweep"
)

const planFile = `[[sweep]]
name = "plan"
command = ["sh", "-c", "echo begun {c} >> begun; sleep 0.2; cat table; echo ended {c} >> ended"]
cool_down = "20ms"
[sweep.over]
c = [1, 2, 4, 8]
`

// planned returns a folder with a plan of four short runs, and the program.
func planned(t *testing.T) (dir string, benchpost func(args ...string) *exec.Cmd, states func() string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"site.toml": "", "runs/x/sweep.toml": planFile,
		"table": "============ Serving Benchmark Result ============\nSuccessful requests: 10\nOutput token throughput (tok/s): 44.05\n==================================================\n"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "benchpost") // testscript recognises this name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	benchpost = func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, append([]string{"record", "--telemetry", "none", "--sweep", "runs/x"}, args...)...)
		cmd.Dir = dir
		return cmd
	}
	states = func() string {
		sweeps, ms := sweep.Load(filepath.Join(dir, "runs/x/sweep.toml"), "sweep.toml")
		if len(ms) > 0 {
			t.Fatal(ms)
		}
		var all []string
		for _, r := range sweep.Runs(sweeps) {
			state, _ := sweep.StateOf(r.Path(filepath.Join(dir, "runs/x")))
			all = append(all, state.String())
		}
		return strings.Join(all, " ")
	}
	return dir, benchpost, states
}

// TestAPlanThatIsKilledIsGoneOnWith kills a plan at any time and continues it. Completed runs stay, the others are
// made, and none is made twice.
func TestAPlanThatIsKilledIsGoneOnWith(t *testing.T) {
	dir, benchpost, states := planned(t)
	done := 0
	for range 8 {
		cmd := benchpost()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(100+rand.IntN(700)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		now := strings.Count(states(), "done")
		if now < done {
			t.Errorf("%d were done, and then %s", done, states())
		}
		done = now
	}
	if out, err := benchpost().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := states(); got != "done done done done" {
		t.Errorf("%s", got)
	}
	before, _ := os.ReadFile(filepath.Join(dir, "begun"))
	if out, err := benchpost().CombinedOutput(); err != nil || !strings.Contains(string(out), "all 4 runs are done") {
		t.Errorf("%v\n%s", err, out)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, "begun")); !bytes.Equal(before, after) {
		t.Errorf("run again: %s", after)
	}
}

// TestAPlanIsInterruptedByAKey checks that ctrl-C ends the run and the plan, and that the same command continues it.
func TestAPlanIsInterruptedByAKey(t *testing.T) {
	dir, benchpost, states := planned(t)
	cmd := benchpost()
	master, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	shown := make(chan string)
	go func() {
		var all bytes.Buffer
		_, _ = all.ReadFrom(master)
		shown <- all.String()
	}()
	need.Until(t, func() bool {
		data, _ := os.ReadFile(filepath.Join(dir, "begun"))
		return bytes.Contains(data, []byte("begun 2"))
	}, func() string { return "the second run does not begin" })
	fmt.Fprint(master, "\x03")
	_ = cmd.Wait()
	screen := <-shown
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(screen, "interrupted: 3 runs left; the same command goes on") {
		t.Errorf("exit code %d\n%s", code, screen)
	}
	if got := states(); got != "done unfinished planned planned" {
		t.Errorf("%s\n%s", got, screen)
	}
	if out, err := benchpost().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := states(); got != "done done done done" {
		t.Errorf("%s", got)
	}
}

// TestTwoAreNotAtWorkOnOnePlan checks that only one process at a time works on a plan.
func TestTwoAreNotAtWorkOnOnePlan(t *testing.T) {
	dir, benchpost, states := planned(t)
	first := benchpost()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	need.Until(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "begun"))
		return err == nil
	}, func() string { return "the plan does not begin" })
	if out, err := benchpost().CombinedOutput(); err == nil || !strings.Contains(string(out), "another benchpost is running the plan in runs/x") {
		t.Errorf("%v\n%s", err, out)
	}
	if err := first.Wait(); err != nil {
		t.Error(err)
	}
	if got := states(); got != "done done done done" {
		t.Errorf("%s", got)
	}
}
