package audit

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// TestDocumentationListsTheRules checks that the documentation lists the rules in the order of the table, each
// in the section of the first word of its id, with its severities.
func TestDocumentationListsTheRules(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	section := map[string]string{"physics": "Physics", "consistency": "Consistency", "telemetry": "Telemetry and the server's counters", "server": "Telemetry and the server's counters"}
	for _, part := range strings.Split(string(doc), "\n## ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		for _, row := range regexp.MustCompile("(?m)^\\| (`(?:physics|consistency|telemetry|server)\\.[^|]*) \\|[^|]*\\|([^|]*)\\|$").FindAllStringSubmatch(body, -1) {
			var ids []string
			for id := range strings.SplitSeq(row[1], ", ") {
				if id = strings.Trim(id, "`"); strings.HasPrefix(id, ".") {
					id = "consistency" + id
				}
				ids = append(ids, id)
			}
			if kind, _, _ := strings.Cut(ids[0], "."); section[kind] != title {
				t.Errorf("%s is documented under %q", ids[0], title)
			}
			severities := ""
			for _, severity := range []string{"error", "warning"} {
				if strings.Contains(row[2], severity) {
					severities += " " + severity
				}
			}
			got = append(got, strings.Join(ids, " ")+":"+severities)
		}
	}
	var want []string
	for _, r := range rules {
		severities := ""
		for _, b := range r.bounds {
			severities += " " + b.severity.String()
		}
		want = append(want, strings.Join(r.ids(), " ")+":"+severities)
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/checks.md lists\n%s\nthe table holds\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRulesHaveTheirWords checks that the catalogue has the texts of every rule's id, and no others of that
// kind.
func TestRulesHaveTheirWords(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, r := range rules {
		want["rule."+r.id], want["rule."+r.id+".title"] = true, true
		for _, b := range r.bounds {
			want["rule."+r.id+"."+b.severity.String()] = true
			if r.share != "" {
				want["mark."+r.id+"."+b.severity.String()] = true
			}
		}
		if r.share != "" {
			want["reason."+r.id] = true
		}
	}
	p, _ := locale.For("en")
	for _, prefix := range []string{"rule.", "mark.", "reason."} {
		for key := range p.Forms(prefix) {
			if !want[key] {
				t.Errorf("%s words no rule", key)
			}
			delete(want, key)
		}
	}
	for key := range want {
		t.Errorf("%s is not in the catalogue", key)
	}
}

// planted has runs that raise each rule with each of its severities, as fields that are added to sound or
// replace its fields of the same name.
var planted = map[string]string{
	"physics.memory-roofline error":        "tpot_mean:8.88",
	"physics.memory-roofline warning":      "tpot_mean:33.9",
	"physics.compute-roofline warning":     "ttft_mean:70.00",
	"physics.weight-size warning":          "quantization=BF16",
	"physics.memory-fit warning":           "kv_cache_per_token=80_MB",
	"consistency.output-throughput error":  "output_throughput:298.30",
	"consistency.total-throughput error":   "total_throughput:298.07",
	"consistency.request-throughput error": "request_throughput:2.43",
	"consistency.percentiles error":        "ttft_p99:455.00",
	"consistency.positive error":           "ttft_mean:0.00",
	"consistency.littles-law warning":      "max_concurrency=4",
	"consistency.latencies error":          "e2el_mean:400.00",
	"consistency.latencies warning":        "e2el_mean:2000.00",
	"consistency.parts warning":            "goodput:1.60",
	"consistency.prompt-length warning":    "input_len=8192",
	"consistency.answer-length warning":    "output_len=256",
	"consistency.failed-requests warning":  "requests_failed:3",
	"telemetry.throttled warning":          "throttled_share:40",
	"server.prefix-cache warning":          "dataset=random prefix_cache_hit_rate:98.44",
	"server.other-clients warning":         "server_requests:300",
}

// sound is a run that passes every rule and has the facts for all of them.
const sound = "weight_size=8.9_G memory_bandwidth=273_GB/s memory=128_GB params=8.2_G active_params=8.2_G compute_peak=515_TFLOPS compute_type=FP8 kv_cache_per_token=147456_B " +
	"max_concurrency=8 output_len=128 requests_completed:100 requests_failed:0 duration:69.44 input_tokens:204169 output_tokens:12800 " +
	"request_throughput:1.44 output_throughput:184.33 total_throughput:3124.55 ttft_mean:495.44 ttft_p50:455.59 ttft_p99:912.34 tpot_mean:38.59 tpot_p50:38.00 tpot_p99:45.05 "

// TestPlantedFaultsAreFound checks that every rule is raised with each of its severities by a planted fault,
// and that a sound run raises none.
func TestPlantedFaultsAreFound(t *testing.T) {
	t.Parallel()
	for _, ck := range Judge(run(sound)).Raised {
		t.Errorf("a sound run raises %s: %s", ck.ID, locale.English(ck.Text))
	}
	for _, r := range rules {
		if r.judge == nil {
			continue
		}
		for _, b := range r.bounds {
			for _, id := range r.ids() {
				found := run(replaced(sound, planted[id+" "+b.severity.String()]))
				if id == "consistency.cut-off" {
					found.Status = result.Partial
				}
				if !slices.ContainsFunc(Judge(found).Raised, func(ck result.Check) bool { return ck.ID == id && ck.Severity == b.severity }) {
					t.Errorf("no planted run raises %s as %s", id, b.severity)
				}
			}
		}
	}
}

// replaced returns a run's fields with others added or replacing those of the same name.
func replaced(fields, with string) string {
	name := func(field string) string { return field[:strings.IndexAny(field, "=:")] }
	all := strings.Fields(fields)
	for f := range strings.FieldsSeq(with) {
		i := slices.IndexFunc(all, func(have string) bool { return name(have) == name(f) })
		if i < 0 {
			all = append(all, f)
			continue
		}
		all[i] = f
	}
	return strings.Join(all, " ")
}

// TestRulesAreWorded checks that rules have texts in every language, with the numbers of their bounds.
func TestRulesAreWorded(t *testing.T) {
	t.Parallel()
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
		{"consistency.littles-law", result.Warning, "above the cap and the requests at the edges (cap² / N); by more than 5% where E2EL is derived from TTFT and TPOT, or 25% when answers vary in length"},
		{"consistency.answer-length", result.Warning, "under 90% or over 110% of the tokens requested"},
		{"telemetry.throttled", result.Warning, "in more than 5% of the samples of the run"},
		{"server.prefix-cache", result.Warning, "over 5% of the prompt tokens, beyond the requested prefix, a chat template, warm-up requests and preempted requests"},
		{"server.other-clients", result.Warning, "a difference of more than 10%, beyond test, warm-up and failed requests; of more than 50% where the client does not report everything it sent"},
	} {
		if got := bound(c.id, c.severity); got != c.want {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
	}
}

// TestFormulasAreThoseThatAreUsed checks that derived metrics state one of the published formulas.
func TestFormulasAreThoseThatAreUsed(t *testing.T) {
	formulas := Formulas()
	for name, of := range formulas {
		if d, ok := vocabulary.Define(name); !ok || len(of) == 0 {
			t.Errorf("%s: %+v, %q", name, d, of)
		}
	}
	r := run("max_concurrency=8 accelerators=2 weight_size=16_GB params=8_G active_params=8_G memory_bandwidth=273_GB/s price_per_hour=2.49_USD requests_completed:10 duration:10 input_tokens:1000 output_tokens:100 output_throughput:10 total_throughput:110 ttft_mean:100 tpot_mean:50 power_mean:30")
	new(Auditor).Complete(r)
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
