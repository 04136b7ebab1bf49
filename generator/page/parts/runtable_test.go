package parts

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// english returns a reader with a site's titles of label values.
func english(t *testing.T, titles map[string]map[string]locale.Text) *Reader {
	t.Helper()
	p, ok := locale.For("en")
	if !ok {
		t.Fatal("there is no English")
	}
	return &Reader{Printer: p, Titles: titles}
}

func run(t *testing.T, id, facts string) *result.Result {
	t.Helper()
	r := &result.Result{ID: id}
	for _, f := range strings.Fields(facts) {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			d, _ := vocabulary.Define(f)
			r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: f, Unit: d.Unit, Better: d.Better}, Value: 1})
			continue
		}
		r.Labels.Set(result.Label{Name: name, Value: value})
	}
	return r
}

// TestRunTable checks that labels shared by all runs are shown once, that labels determined by the load are beside the
// load, and that only the others have a column.
func TestRunTable(t *testing.T) {
	l := english(t, map[string]map[string]locale.Text{
		"hardware": {"thor": locale.Lit("Jetson AGX Thor")},
		"scenario": {"chat": locale.Lit("Chat, short")},
	})
	tags := regexp.MustCompile(`<[^>]*>`)
	for _, c := range []struct {
		what    string
		runs    []string
		caption string
		header  []string
		row     []string
	}{
		{
			"loads that settle their conditions",
			[]string{
				"model=a quantization=FP8 load=high max_concurrency=8 num_prompts=100 hardware=thor output_throughput ttft_mean",
				"model=b quantization=FP4 load=low max_concurrency=1 num_prompts=10 hardware=thor output_throughput ttft_mean",
			},
			"Hardware Jetson AGX Thor High load Concurrency 8 · Prompts 100 Low load Concurrency 1 · Prompts 10",
			[]string{"Run", "Load", "Output throughput tok/s ↑", "Mean TTFT ms ↓"},
			[]string{"a", "High load", "1", "1"},
		},
		{
			"a load that does not settle them, a model of several quantizations",
			[]string{
				"model=a quantization=FP8 load=high max_concurrency=8 output_throughput",
				"model=a quantization=FP4 load=high max_concurrency=16 output_throughput",
			},
			"",
			[]string{"Run", "Load", "Quantization", "Concurrency", "Output throughput tok/s ↑"},
			[]string{"a", "High load", "FP8", "8", "1"},
		},
		{
			"scenarios in place of loads, one figure missing",
			[]string{"model=a scenario=chat clocks=free output_throughput", "model=a scenario=long clocks=free ttft_p50"},
			"Clocks free",
			[]string{"Run", "Scenario", "Output throughput tok/s ↑", "Median TTFT ms ↓"},
			[]string{"a", "Chat, short", "1", "—"},
		},
		{
			"a load that only some runs name",
			[]string{"model=a load=high max_concurrency=8 output_throughput", "model=b max_concurrency=1 output_throughput"},
			"",
			[]string{"Run", "Load", "Concurrency", "Output throughput tok/s ↑"},
			[]string{"a", "High load", "8", "1"},
		},
		{
			"no loads, no usual figures",
			[]string{"x_speed x_other"},
			"",
			[]string{"Run", "x_speed", "x_other"},
			[]string{"0", "1", "1"},
		},
	} {
		table := RunTable{L: l, Figures: 4}
		for i, facts := range c.runs {
			table.Runs = append(table.Runs, run(t, "dir/"+string(rune('0'+i)), facts))
		}
		html := string(table.HTML(""))
		cells := func(part, cell string) []string {
			_, part, _ = strings.Cut(html, part)
			part, _, _ = strings.Cut(part, "</tr>")
			var out []string
			for _, s := range regexp.MustCompile(`<`+cell).Split(part, -1)[1:] {
				out = append(out, strings.TrimSpace(tags.ReplaceAllString("<"+s, "")))
			}
			return out
		}
		if got := cells("<thead>", "th"); !slices.Equal(got, c.header) {
			t.Errorf("%s: the header is %q, want %q", c.what, got, c.header)
		}
		if got := cells("<tbody>", "t[hd]"); !slices.Equal(got, c.row) {
			t.Errorf("%s: the first row is %q, want %q", c.what, got, c.row)
		}
		caption := regexp.MustCompile(`<caption>.*</caption>`).FindString(html)
		if got := strings.Join(strings.Fields(tags.ReplaceAllString(strings.ReplaceAll(caption, "<br>", " "), "")), " "); got != c.caption {
			t.Errorf("%s: the caption is %q, want %q", c.what, got, c.caption)
		}
	}
}

func TestColumnsOfLabelsAreBounded(t *testing.T) {
	l := english(t, nil)
	table := RunTable{L: l, Labels: 1, Runs: []*result.Result{run(t, "a", "hardware=a clocks=free engine=a"), run(t, "b", "hardware=b clocks=locked engine=b")}}
	if got := table.Conditions().Vary; !slices.Equal(got, []string{"hardware"}) {
		t.Errorf("got %v", got)
	}
}

// TestRunsThatLookAlikeShowTheirIDs checks that ids are shown if no label distinguishes runs.
func TestRunsThatLookAlikeShowTheirIDs(t *testing.T) {
	l := english(t, nil)
	html := func(runs ...*result.Result) string {
		var w Writer
		table := RunTable{L: l, Runs: runs}
		table.Write(&w, "")
		return string(w.HTML())
	}
	a, b := run(t, "exp/A100/x", "model=m date=1"), run(t, "exp/H100/x", "model=m date=2")
	if got := html(a, b); !strings.Contains(got, `<small class="id">A100/x</small>`) || !strings.Contains(got, `<small class="id">H100/x</small>`) {
		t.Errorf("the ids are not shown:\n%s", got)
	}
	if got := html(a, run(t, "exp/H100/x", "model=m hardware=h")); strings.Contains(got, "small") {
		t.Errorf("the ids are shown though the hardware differs:\n%s", got)
	}
}

func TestLatencyMatrix(t *testing.T) {
	r := run(t, "a", "ttft_p99 ttft_mean ttft_p99_9 tpot_std tpot_p50 duration ttft_max ttft_mean")
	l := LatencyMatrix(r.Metrics)
	if !slices.Equal(l.Families, []string{"ttft", "tpot"}) || !slices.Equal(l.Stats, []string{"mean", "p50", "p99", "p99_9", "max", "std"}) {
		t.Errorf("got %v by %v", l.Families, l.Stats)
	}
	if m := l.At(1, 1); m == nil || m.Name != "tpot_p50" || l.At(1, 0) != nil {
		t.Errorf("the cells are wrong: %v", l.Cells)
	}
}

func TestGroups(t *testing.T) {
	var got []string
	for _, g := range Groups(run(t, "a", "ttft_mean output_throughput duration power_mean quality x_quality_odd mbu acceptance_rate load_time").Metrics) {
		for _, m := range g.Metrics {
			got = append(got, strings.TrimPrefix(g.Key, "page.group.")+" "+m.Name)
		}
	}
	want := []string{"throughput output_throughput", "throughput acceptance_rate", "requests duration",
		"device power_mean", "device mbu", "device load_time", "quality quality", "other x_quality_odd"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRowsOfRunsDiffer checks that no two rows of a table of runs look alike, whatever labels runs have, and that a
// table without such rows has no additional column.
func TestRowsOfRunsDiffer(t *testing.T) {
	t.Parallel()
	l := english(t, nil)
	random := rand.New(rand.NewPCG(2, 71))
	cells := regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`)
	tags := regexp.MustCompile(`<[^>]*>`)
	told := 0
	for range 700 {
		var rs []*result.Result
		for i := range 2 + random.IntN(8) {
			facts := "output_throughput campaign=" + strconv.Itoa(random.IntN(2))
			for _, name := range []string{"model", "load", "max_concurrency", "flash_attention", "x_kv", "n_cpu_moe", "date"} {
				if random.IntN(4) > 0 {
					facts += " " + name + "=" + strconv.Itoa(random.IntN(3))
				}
			}
			rs = append(rs, run(t, "c"+strconv.Itoa(i%2)+"/run"+strconv.Itoa(i), facts))
		}
		table := RunTable{Runs: rs, L: l, Figures: 2, Labels: random.IntN(3), ShowCampaign: random.IntN(2) == 0}
		html := string(table.HTML(""))
		seen := map[string]bool{}
		for _, row := range cells.FindAllStringSubmatch(html, -1)[1:] {
			text := tags.ReplaceAllString(row[1], "|")
			if seen[text] {
				t.Fatalf("two rows are %s in\n%s", text, html)
			}
			seen[text] = true
		}
		if strings.Contains(html, "Flash attention") || strings.Contains(html, "x_kv") {
			told++
		}
	}
	if told < 20 {
		t.Errorf("only %d tables show a label that is not usual", told)
	}
	head := func(facts ...string) string {
		var rs []*result.Result
		for i, f := range facts {
			rs = append(rs, run(t, "c/run"+strconv.Itoa(i), f))
		}
		table := RunTable{Runs: rs, L: l, Figures: 1, Labels: 2}
		head, _, _ := strings.Cut(string(table.HTML("")), "</thead>")
		return head
	}
	if h := head("model=a flash_attention=0 output_throughput", "model=b flash_attention=1 output_throughput"); strings.Contains(h, "Flash") {
		t.Errorf("a column that nothing needs: %s", h)
	}
	if h := head("model=a flash_attention=0 output_throughput", "model=a flash_attention=1 output_throughput"); !strings.Contains(h, "Flash attention") {
		t.Errorf("flash attention is not shown: %s", h)
	}
}
