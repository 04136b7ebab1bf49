package audit

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// The documentation and the list name the same checks.
func TestIDsAreThoseOfTheDocumentation(t *testing.T) {
	doc, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`(?:physics|consistency|telemetry|server)[^|]*) \\|").FindAllSubmatch(doc, -1) {
		for _, id := range strings.Split(string(row[1]), ", ") {
			if id = strings.Trim(id, "`"); strings.HasPrefix(id, ".") {
				id = "consistency" + id
			}
			want = append(want, id)
		}
	}
	if !slices.Equal(IDs(), want) {
		t.Errorf("got  %v\nwant %v", IDs(), want)
	}
}

// sourceOf gives the rules' own source, function by function, and that of the
// formats, which raise checks too.
func sourceOf(t *testing.T) (functions []string) {
	t.Helper()
	for _, pattern := range []string{"*.go", "../format/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || name == "rules.go" {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			functions = append(functions, strings.Split(string(text), "\nfunc ")...)
		}
	}
	return functions
}

// Every check that the code can raise or pass is of a rule, and every rule is
// raised, with the severities that the code gives.
func TestEveryCheckIsOfARule(t *testing.T) {
	severities := map[string]map[string]bool{} // by rule
	of := map[string]string{}                  // id → rule
	for _, rule := range Rules() {
		of[rule.ID] = rule.ID
		for _, id := range rule.Raises {
			of[id] = rule.ID
		}
	}
	id := regexp.MustCompile(`"((?:physics|consistency|telemetry|server)\.[a-z-]*)"`)
	severity := regexp.MustCompile(`result\.(Error|Warning|Info)\b`)
	for _, f := range sourceOf(t) {
		for _, m := range id.FindAllStringSubmatch(f, -1) {
			rule := of[m[1]]
			if m[1] == "consistency." { // and the id of a rate
				rule = "consistency.rates"
			}
			if rule == "" {
				t.Errorf("%s is of no rule", m[1])
				continue
			}
			if severities[rule] == nil {
				severities[rule] = map[string]bool{}
			}
			for _, s := range severity.FindAllStringSubmatch(f, -1) {
				severities[rule][strings.ToLower(s[1])] = true
			}
		}
	}
	for rate, name := range rateID {
		if of["consistency."+name] != "consistency.rates" {
			t.Errorf("the check of %s is of no rule", rate)
		}
	}
	for _, rule := range Rules() {
		told := map[string]bool{}
		for _, b := range rule.Bounds {
			told[b.Severity.String()] = true
		}
		for s := range severities[rule.ID] {
			if !told[s] {
				t.Errorf("%s is raised as %s, of which nothing is told", rule.ID, s)
			}
		}
		for s := range told {
			if !severities[rule.ID][s] {
				t.Errorf("%s is told to be raised as %s, and never is", rule.ID, s)
			}
		}
	}
}

// Rules are worded in every language, with the numbers they are judged by.
func TestRulesAreWorded(t *testing.T) {
	for _, tag := range locale.Languages {
		p, _ := locale.For(tag)
		for _, rule := range Rules() {
			said := []string{p.Say(rule.Asks)}
			for _, b := range rule.Bounds {
				said = append(said, p.Say(b.When))
			}
			for _, s := range said {
				if s == "" || s[0] == '[' || strings.Contains(s, "%!") {
					t.Errorf("%s: %s: %q", tag, rule.ID, s)
				}
			}
		}
	}
	bound := func(id string, severity result.Severity) string {
		for _, rule := range Rules() {
			for _, b := range rule.Bounds {
				if rule.ID == id && b.Severity == severity {
					return locale.English(b.When)
				}
			}
		}
		return ""
	}
	for _, c := range []struct {
		id       string
		severity result.Severity
		want     string
	}{
		{"physics.memory-roofline", result.Error, "MBU over 100%, even with one gap between tokens lost, and over 95% without the input embedding"},
		{"physics.compute-roofline", result.Warning, "over 80% of the peak; over 115% the prompt cannot have been computed"},
		{"consistency.littles-law", result.Warning, "above the cap; by more than 5% where E2EL is put together from TTFT and TPOT, or 25% when answers are not of one length"},
		{"consistency.answer-length", result.Warning, "under 90% or over 102% of the tokens asked for"},
		{"telemetry.throttled", result.Warning, "in more than 5% of the samples of the run"},
		{"server.prefix-cache", result.Warning, "over 5% of the prompt tokens, beside the prefix asked for, a chat template, warm-up requests and those that were preempted"},
		{"server.other-clients", result.Warning, "apart by more than 10%, beside trial and warm-up requests and those that failed; by more than 50% where the client does not tell of all it sent"},
	} {
		if got := bound(c.id, c.severity); got != c.want {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
	}
}

// What is derived says how by one of the formulas that are published.
func TestFormulasAreThoseThatAreUsed(t *testing.T) {
	formulas := Formulas()
	for name, of := range formulas {
		if d, ok := vocabulary.Define(name); !ok || len(of) == 0 {
			t.Errorf("%s: %+v, %q", name, d, of)
		}
	}
	r := run("max_concurrency=8 accelerators=2 weight_size=16_GB params=8_G memory_bandwidth=273_GB/s price_per_hour=2.49_USD requests_completed:10 duration:10 input_tokens:1000 output_tokens:100 output_throughput:10 ttft_mean:100 tpot_mean:50 power_mean:30")
	Complete(r)
	derived := map[string]bool{}
	for _, m := range r.Metrics {
		if m.Derived {
			derived[m.Name] = true
			if !slices.Contains(formulas[m.Name], m.Field) {
				t.Errorf("%s = %s is no published formula", m.Name, m.Field)
			}
		}
	}
	for name := range formulas {
		if !derived[name] {
			t.Errorf("%s was not derived", name)
		}
	}
}
