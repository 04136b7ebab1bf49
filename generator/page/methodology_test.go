package page

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// TestEverythingInTheVocabularyIsDefined checks that every metric, family and statistic is defined, in both languages.
func TestEverythingInTheVocabularyIsDefined(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	for _, tag := range locale.Languages {
		p, _ := locale.For(tag)
		page := string(files[map[bool]string{true: "en/"}[tag == "en"]+address.Methodology])
		entry := func(anchor, text string) {
			_, rest, ok := strings.Cut(page, `<div id="`+anchor+`">`)
			if got, _, _ := strings.Cut(rest, "</div>"); !ok || !strings.Contains(got, "<dd><p>"+escaped(text)) {
				t.Errorf("%s: %s is defined as %q, want %q", tag, anchor, got, text)
			}
		}
		for _, name := range slices.Concat(vocabulary.Families(), vocabulary.Names()) {
			if !p.Has("define." + name) {
				t.Errorf("%s has no definition", name)
			}
			if !p.Has("metric." + name) {
				t.Errorf("%s has no name", name)
			}
			entry("metric-"+name, define(name, p))
		}
		for _, stat := range vocabulary.Statistics() {
			if !p.Has("define.stat." + stat.Name) {
				t.Errorf("%s has no definition", stat.Name)
			}
			entry("stat-"+stat.Name, p.Words("define.stat."+stat.Name))
		}
	}
}

func escaped(s string) string {
	var w parts.Writer
	w.Text(s)
	return string(w.HTML())
}

// TestNamesOfMetricsFindTheirDefinition checks that the target of a metric's link exists, for any statistic.
func TestNamesOfMetricsFindTheirDefinition(t *testing.T) {
	t.Parallel()
	for metric, want := range map[string]string{
		"ttft_p99_9": "ttft", "tpot_incl_ttft_mean": "tpot_incl_ttft", "batch_latency_p50": "batch_latency",
		"output_throughput": "output_throughput", "quality": "quality", "x_own": "", "x_ttft_mean": "", "": "",
	} {
		if got := parts.DefinitionOf(metric); got != want {
			t.Errorf("%q is defined by %q, want %q", metric, got, want)
		}
	}
	for stat, want := range map[string]string{"p50": "p50", "p99": "pN", "p99_9": "pN", "mean": "mean", "std": "std"} {
		if got := parts.StatisticOf(stat); got != want || !slices.ContainsFunc(vocabulary.Statistics(), func(s vocabulary.Stat) bool { return s.Name == got }) {
			t.Errorf("%q is defined by %q, want %q", stat, got, want)
		}
	}
}

// TestMethodologyShowsWhatIsInForce checks that the rules and the site's settings are shown with their values, and that
// a rule that is waived for some runs is marked.
func TestMethodologyShowsWhatIsInForce(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	for name, wants := range map[string][]string{
		address.Methodology: {`id="check-physics.memory-roofline"`, `<li class="error"><span class="severity">错误</span> MBU over 100%`, `<li class="warning"><span class="severity">警告</span> MBU over 95%`,
			`id="check-consistency.rates"`, `<code id="check-consistency.output-throughput">`, "工具未报告时： <code>1000 / tpot_mean</code>", "the median of six"},
		"en/" + address.Methodology: {`<a href="#check-consistency.output-throughput"><code>consistency.output-throughput</code></a> · <code>{load=&#34;high&#34;}</code> · the drain is not counted`,
			`<a href="#metric-ttft">P99 TTFT</a> ≤ 500 ms`, `<a href="#metric-output_throughput">Output throughput</a> ≥ 20 tok/s`, "Weights ≤ 8 G", `<a href="#waivers">Waived</a>`},
		"en/index.html": {`<a href="../en/methodology/index.html">Methodology</a>`},
	} {
		for _, want := range wants {
			if !bytes.Contains(files[name], []byte(want)) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
	s := fixture()
	s.Method = Method{}
	files, _ = render(t, s)
	for _, want := range []string{"No check is waived.", "The site sets no service levels."} {
		if !bytes.Contains(files["en/"+address.Methodology], []byte(want)) {
			t.Errorf("without any the page lacks %q", want)
		}
	}
}

// TestSourcesAreNamed checks that every cited work has a name and is cited by something that exists.
func TestSourcesAreNamed(t *testing.T) {
	t.Parallel()
	p, _ := locale.For("en")
	for of, keys := range sourcesOf {
		_, metric := vocabulary.Define(of)
		_, family := vocabulary.Define(of + "_mean")
		if !metric && !family && !p.Has("rule."+of) && !p.Has("practice."+of) {
			t.Errorf("%s is neither a metric nor a rule nor a practice", of)
		}
		for _, key := range keys {
			if !p.Has("source." + key) {
				t.Errorf("%s: the source %s has no words", of, key)
			}
		}
	}
	for key, address := range sourceAddresses {
		if !strings.HasPrefix(address, "https://") || !p.Has("source."+key) {
			t.Errorf("%s: %s", key, address)
		}
	}
}
