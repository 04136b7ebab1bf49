// Package checker checks pages with external tools: html-validate checks markup, axe-core checks accessibility.
// .ci/package.json pins both.
package checker

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/need"
)

// installed requires a file of .ci/node_modules and returns its path.
func installed(t *testing.T, name ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{ci(), "node_modules"}, name...)...)
	need.Path(t, path)
	return path
}

// ci returns the folder .ci of the repository, which contains the programs that npm installs. Tests run in the
// folder of their package, below go.mod.
func ci() string {
	for up := "."; ; up = filepath.Join("..", up) {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			dir, _ := filepath.Abs(filepath.Join(up, ".ci"))
			return dir
		}
		if len(up) > 60 {
			panic("no go.mod above the test's folder")
		}
	}
}

// Markup reports the problems that html-validate finds in HTML files as test errors.
func Markup(t *testing.T, files ...string) {
	t.Helper()
	for _, problem := range Problems(t, files...) {
		t.Error(problem)
	}
}

// Problems returns the problems that html-validate finds in HTML files.
func Problems(t *testing.T, files ...string) []string {
	t.Helper()
	node := need.Command(t, "node")
	program := installed(t, "html-validate", "bin", "html-validate.mjs")
	report := filepath.Join(t.TempDir(), "report.json") // a pipe would truncate a long report
	args := append([]string{program, "--config", filepath.Join(ci(), "htmlvalidate.mjs"), "--formatter", "json=" + report, "--max-warnings", "0"}, files...)
	told, err := exec.Command(node, args...).CombinedOutput()
	out, _ := os.ReadFile(report)
	var reports []struct {
		FilePath string
		Messages []struct {
			RuleID, Message, Selector string
			Line                      int
		}
	}
	if jsonErr := json.Unmarshal(out, &reports); jsonErr != nil {
		t.Fatalf("html-validate: %v: %s", err, told)
	}
	var problems []string
	for _, r := range reports {
		for _, m := range r.Messages {
			problems = append(problems, fmt.Sprintf("%s:%d: %s (%s) at %s", r.FilePath, m.Line, m.Message, m.RuleID, m.Selector))
		}
	}
	return problems
}

// Accessibility returns the violations that axe-core rates serious or critical in the page that a tab shows.
func Accessibility(t *testing.T, tab *browser.Tab) []string {
	t.Helper()
	if !browser.Eval[bool](tab, `"axe" in window`) {
		source, err := os.ReadFile(installed(t, "axe-core", "axe.min.js"))
		if err != nil {
			t.Fatal(err)
		}
		browser.Eval[int](tab, string(source)+";0")
	}
	found, err := chromedp.Run(tab.Ctx, chromedp.Evaluate[string](`axe.run({ resultTypes: ["violations"] }).then(r => JSON.stringify(r.violations
		.filter(v => ["serious", "critical"].includes(v.impact))
		.map(v => v.id + ": " + v.help + ": " + v.nodes.length + " times, first " + v.nodes[0].html.slice(0, 200) + " " + v.nodes[0].failureSummary)))`,
		chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	var violations []string
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		t.Fatal(fmt.Errorf("axe: %w: %s", err, found))
	}
	return violations
}
