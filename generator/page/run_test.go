package page

import (
	"bytes"
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// runOf returns the English page of the first run of a site.
func runOf(t *testing.T, s *Site) string {
	t.Helper()
	files, _ := render(t, s)
	return string(files[s.RunPage("en", s.Results[0].ID)])
}

func contains(t *testing.T, page string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// sectionOf returns the part of a page below a heading.
func sectionOf(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<h2>`+heading+`</h2>`)
	if !ok {
		t.Fatalf("there is no part %s", heading)
	}
	part, _, _ := strings.Cut(rest, "</section>")
	return part
}

// TestFiguresAndLinesLeadToEachOther checks that a name links to its definition, a figure to its line, and the line
// back.
func TestFiguresAndLinesLeadToEachOther(t *testing.T) {
	t.Parallel()
	page := runOf(t, fixture())
	contains(t, page,
		`<th scope="row"><a href="../../../../en/methodology/index.html#metric-ttft">TTFT</a></th>`,
		`<a href="../../../../en/methodology/index.html#stat-pN">P99</a>`,
		`<td class="num" id="f-ttft_mean"><a href="#L13"`,
		`<mark id="L13">Mean TTFT (ms):`, `<a href="#f-ttft_mean">→ ttft_mean `,
		`<tr id="f-output_throughput">`, `<span id="L12">---------------Time to First Token`,
		"Figures were read from the marked lines")
}

// TestLinesOfSeveralFigures checks that a line with several figures links to each of them, and that lines of other
// files and lines without figures are not marked.
func TestLinesOfSeveralFigures(t *testing.T) {
	t.Parallel()
	s := fixture()
	r := s.Results[0]
	r.Metrics = []result.Metric{{Kind: &result.Kind{Name: "duration"}, Value: 1, Line: 2}, {Kind: &result.Kind{Name: "output_tokens"}, Value: 1, Line: 2},
		{Kind: &result.Kind{Name: "power_mean", File: "runs/edge-board/power.csv"}, Value: 9, Line: 3}, {Kind: &result.Kind{Name: "interactivity", Derived: true}, Value: 3}}
	for range 8 {
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: "x_many <b>"}, Value: 1, Line: 4})
	}
	page := runOf(t, s)
	contains(t, page, `<a href="#f-duration">→ duration 1</a><a href="#f-output_tokens">→ output_tokens 1</a></mark>`, `<span id="L3">`,
		strings.Repeat(`<a href="#f-x_many--b-">→ x_many &lt;b&gt; 1</a>`, 8)+"</mark>")
	if strings.Count(page, "<mark") != 2 {
		t.Error("other lines are marked, too")
	}
}

// TestLabelsAreSeparated checks that the labels of the machine and software are separate from the others. Captured
// labels describe the machine, and a tool that is not a label is included.
func TestLabelsAreSeparated(t *testing.T) {
	t.Parallel()
	s := fixture()
	r := s.Results[0]
	r.Labels.Set(result.Label{Name: "x_bios", Value: "1.2", Origin: result.Captured})
	r.Labels.Set(result.Label{Name: "x_note", Value: "odd"})
	page := runOf(t, s)
	for heading, names := range map[string][3][]string{
		"Environment":    {{"Machine", "Hardware", "Power mode", "x_bios", "Software", "Tool", "vllm-serve", "Engine version"}, {"Quantization", "Prompts", "x_note"}},
		"Model and load": {{"Model", "Quantization", "Load", "Prompts", "Campaign", "Other", "x_note"}, {"Power mode", "Engine", "x_bios"}},
	} {
		part := sectionOf(t, page, heading)
		at := 0
		for _, name := range names[0] {
			i := strings.Index(part[at:], ">"+name+"<")
			if i < 0 {
				t.Errorf("%s: %s is missing, or not in its place", heading, name)
				continue
			}
			at += i
		}
		for _, name := range names[1] {
			if strings.Contains(part, ">"+name+"<") {
				t.Errorf("%s: %s has no place here", heading, name)
			}
		}
	}
	if part := sectionOf(t, page, "Environment"); !strings.Contains(part, `<td>captured</td>`) {
		t.Error("the origin is not shown")
	}
}

// TestRecordedCommands checks that a recorded command is shown unchanged and links to its line.
func TestRecordedCommands(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Commands = func(r *result.Result, raw Raw) []result.Command {
		if !strings.HasPrefix(string(raw.Data), "$ vllm bench serve") {
			t.Errorf("%s: the source is %.40q", r.ID, raw.Data)
		}
		return []result.Command{{Text: "vllm bench serve --x '<a>'", Line: 1}, {Text: "Namespace(seed=0)", Line: 2, Arguments: true}}
	}
	part := sectionOf(t, runOf(t, s), "How to reproduce")
	contains(t, part, "as recorded in the raw file", `<a href="#L1">high.log:1</a>`, "<code>vllm bench serve --x &#39;&lt;a&gt;&#39;</code>",
		"as the tool printed them", `<a href="#L2">high.log:2</a>`, "<code>Namespace(seed=0)</code>")
	if strings.Contains(part, "reconstructed") || strings.Contains(part, "No command") {
		t.Errorf("the page doubts it: %s", part)
	}
	s = fixture()
	s.Results[0].Labels.Set(result.Label{Name: "command", Value: "bash run.sh"})
	part = sectionOf(t, runOf(t, s), "How to reproduce")
	contains(t, part, "as recorded in the label command", "<code>bash run.sh</code>")
	s.Commands = func(*result.Result, Raw) []result.Command { return []result.Command{{Text: "bash run.sh", Line: 1}} }
	if part = sectionOf(t, runOf(t, s), "How to reproduce"); strings.Count(part, "bash run.sh") != 1 {
		t.Errorf("the same command is there twice: %s", part)
	}
}

// TestRebuiltCommands checks that a command that was not recorded is marked, and shows the label behind each flag.
func TestRebuiltCommands(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Commands = func(*result.Result, Raw) []result.Command {
		return []result.Command{{Text: "vllm bench serve --seed 0", Flags: []result.Flag{{Name: "--seed", Label: "seed"}}}}
	}
	contains(t, sectionOf(t, runOf(t, s), "How to reproduce"), "No command was recorded. This command is reconstructed", "<code>vllm bench serve --seed 0</code>",
		"<code>--seed</code> Seed", "Not known: Tool version, Container image, Model as reported, Model revision, Server command, Dataset and Seed.")
	s.Results[0].Labels.Set(result.Label{Name: "x_command", Value: "bash run.sh"})
	if part := sectionOf(t, runOf(t, s), "How to reproduce"); strings.Contains(part, "reconstructed") {
		t.Error("a command is reconstructed though one was recorded")
	}
}

// TestReproducingWithoutACommand checks that the page of a run without a command shows what is known and what is not,
// and invents no command.
func TestReproducingWithoutACommand(t *testing.T) {
	t.Parallel()
	part := sectionOf(t, runOf(t, fixture()), "How to reproduce")
	contains(t, part, "No command was recorded. What is known:", "<dt>Input length</dt><dd>2048</dd>", "<dt>Tool</dt><dd>vllm-serve</dd>", "Not known: Tool version")
	if strings.Contains(part, "bench serve") || strings.Contains(part, "Request rate") {
		t.Errorf("too much is known: %s", part)
	}
	s := fixture() // the page shows only an excerpt of it
	s.Raw = func(*result.Result) (Raw, error) { return Raw{Data: []byte("x\n"), First: 4, Size: MaxRaw + 1}, nil }
	contains(t, sectionOf(t, runOf(t, s), "How to reproduce"), "The raw file was not searched for its command", "What is known:")
	s = fixture() // a kernel benchmark needs no load
	s.Results[0].Metrics = []result.Metric{{Kind: &result.Kind{Name: "prefill_throughput", Unit: "tok/s"}, Value: 1, Line: 5}}
	if part := sectionOf(t, runOf(t, s), "How to reproduce"); strings.Contains(part, "Dataset") {
		t.Errorf("it asks for a dataset: %s", part)
	}
}

// TestPermalinks checks that a run has a permanent address, absolute if the site's address is known.
func TestPermalinks(t *testing.T) {
	t.Parallel()
	s := fixture()
	page := runOf(t, s)
	contains(t, page, `<code class="id">edge-board/qwen3-8b/high</code> <a href="https://example.org/bench/en/runs/edge-board/qwen3-8b/high.html" rel="bookmark">`,
		"<code>https://example.org/bench/en/runs/edge-board/qwen3-8b/high.html</code>")
	s.BaseURL = ""
	contains(t, runOf(t, s), `<a href="high.html" rel="bookmark">`, "<code>en/runs/edge-board/qwen3-8b/high.html</code>")
}

// TestNeighboursOfARun checks that a run links to those before and after it in its campaign, and to its model.
func TestNeighboursOfARun(t *testing.T) {
	t.Parallel()
	s := fixture()
	files, _ := render(t, s)
	of := func(id string) string {
		_, nav, _ := strings.Cut(string(files[s.RunPage("en", id)]), `<nav class="neighbours" aria-label="Other runs of the campaign">`)
		nav, _, _ = strings.Cut(nav, "</nav>")
		return nav
	}
	contains(t, of("edge-board/qwen3-8b/low"), `<a rel="prev" href="../../../../en/runs/edge-board/qwen3-8b/high.html"><small>Previous run</small>Qwen3-8B · High load</a>`,
		`<a rel="next" `, `<a href="../../../../en/models/Qwen3-8B.html"><small>Other runs of the model</small>Qwen3-8B</a>`)
	contains(t, string(files[s.RunPage("en", "edge-board/qwen3-8b/low")]), `<a href="../../../../en/compare/index.html#run=edge-board%2Fqwen3-8b%2Flow">`)
	ends := 0
	for _, r := range s.Results {
		nav := of(r.ID)
		if !strings.Contains(nav, `rel="prev"`) || !strings.Contains(nav, `rel="next"`) {
			ends++
		}
	}
	if ends != 2 {
		t.Errorf("%d runs of one campaign have but one neighbour, want 2", ends)
	}
}

// TestDrawingsOfARun checks that the charts of a run are on its page in the page's language, with their figures, or
// with a file of them if they are many. Other runs have none. A chart that cannot be drawn is an error.
func TestDrawingsOfARun(t *testing.T) {
	t.Parallel()
	s := fixture()
	id := s.Results[0].ID
	many := bytes.Repeat([]byte("1,2\n"), 16<<10+1)
	s.Drawings = func(r *result.Result, lang string) ([]Drawing, error) {
		if r.ID != id {
			return nil, nil
		}
		return []Drawing{
			{Name: "ttft", Alt: lang, SVG: []byte("<svg>spread</svg>"), Narrow: []byte("<svg>narrow</svg>"), CSV: []byte("csv " + lang)},
			{Name: "power", Trace: true, Alt: lang, SVG: []byte("<svg>trace</svg>"), CSV: many},
		}, nil
	}
	files, _ := render(t, s)
	page := string(files[s.RunPage("en", id)])
	contains(t, sectionOf(t, page, "Distributions"), "<svg>spread</svg>", `data-csv="csv en"`)
	contains(t, sectionOf(t, page, "Over time"), "<svg>trace</svg>", `<a href="high~power.csv">`)
	contains(t, page, `<figure class="chart" data-chart="power"><div`, `<figure class="chart" data-chart="ttft"><div`, `script/chart.js" defer`)
	contains(t, string(files[s.RunPage("zh-CN", id)]), `data-csv="csv zh-CN"`)
	folder := path.Dir(s.RunPage("en", id)) + "/high~"
	if _, ok := files[folder+"ttft.csv"]; ok || !bytes.Equal(files[folder+"power.csv"], many) {
		t.Error("a file has few figures, or none has many")
	}
	if other := string(files[s.RunPage("en", s.Results[1].ID)]); strings.Contains(other, "<h2>Distributions") || strings.Contains(other, "<h2>Over time") {
		t.Error("a run without charts has a part for them")
	}
	s.Drawings = func(*result.Result, string) ([]Drawing, error) { return nil, errors.New("no font") }
	if err := s.Render(func(string, []byte) error { return nil }); err == nil || err.Error() != "no font" {
		t.Errorf("got %v", err)
	}
}

// TestChecksLeadToTheirRule checks that a check links to its definition if the site explains it, and is only named
// otherwise.
func TestChecksLeadToTheirRule(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Results[0].Checks = []result.Check{
		{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast")},
		{ID: "format.odd", Severity: result.Warning, Text: locale.Lit("odd")},
	}
	s.Verdicts = func(*result.Result) (passed, unjudged []result.Check) {
		return []result.Check{{ID: "consistency.rates", Text: locale.Lit("they agree")}}, nil
	}
	const method = "../../../../en/methodology/index.html"
	contains(t, sectionOf(t, runOf(t, s), "Checks"),
		`<li class="error"><a href="`+method+`#check-physics.memory-roofline" class="severity" title="physics.memory-roofline">Error</a>`,
		`<li class="warning"><span class="severity" title="format.odd">Warning</span>`,
		`<li class="pass"><a href="`+method+`#check-consistency.rates" class="severity"`)
}

// TestRunsThatDifferInOneSetting checks that a run's page lists the runs that differ in one setting, with their figure
// and its ratio, and says if it omits values. Its stamp changes with them and with nothing else, such as values of
// other campaigns.
func TestRunsThatDifferInOneSetting(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Results = nil
	add := func(campaign, concurrency, hardware string, throughput float64) *result.Result {
		r := &result.Result{ID: campaign + "/" + hardware + "/c" + concurrency, Source: result.Position{File: "runs/" + campaign + "/" + hardware + "/c" + concurrency + ".log", Line: 1},
			Tool: "vllm-serve", Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s"}, Value: throughput, Decimals: 2, Line: 1}}}
		for name, value := range map[string]string{"model": "m", "dataset": "random", "hardware": hardware, "max_concurrency": concurrency, "num_prompts": concurrency + "0", "campaign": campaign} {
			r.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Declared})
		}
		r.Seal()
		s.Results = append(s.Results, r)
		return r
	}
	r := add("a", "8", "thor", 200)
	for _, c := range []string{"1", "2", "4", "16", "32"} {
		add("a", c, "thor", 50)
	}
	add("a", "8", "orin", 101)
	key := func() result.Stamp {
		b, err := s.newBuilder()
		if err != nil {
			t.Fatal(err)
		}
		return b.runArtifact(b.place(r)).from()
	}
	part := sectionOf(t, runOf(t, s), "One setting different")
	contains(t, part, `Hardware <small>here thor</small>`, `Concurrency <small>here 8 · other values not shown</small>`,
		`<a href="../../../../en/runs/a/orin/c8.html">orin</a></th><td class="num">101.00</td><td class="num">×0.51</td><td><a href="../../../../en/compare/index.html#run=a/thor/c8&amp;run=a/orin/c8">Compare</a>`,
		`/c2.html`, `/c4.html`, `/c16.html`)
	for _, absent := range []string{"/c1.html", "/c32.html"} {
		if strings.Contains(part, absent) {
			t.Errorf("%s is listed", absent)
		}
	}
	was := key()
	add("z", "8", "orin", 90) // a repeat elsewhere, and a run that differs in two settings
	add("b", "1", "orin", 90)
	add("b", "6", "thor", 90) // its concurrency is nearer than those of its own campaign
	add("a", "64", "thor", 90)
	if key() != was {
		t.Error("the key has changed with runs that the page does not show")
	}
	add("a", "6", "thor", 90)
	if key() == was {
		t.Error("the key has not changed with a nearer value")
	}
}

// TestTheServersCommandIsShown checks that the server's command is shown, and not listed as unknown, if a label has it.
// Other known labels are listed beside any command.
func TestTheServersCommandIsShown(t *testing.T) {
	t.Parallel()
	s := fixture()
	r := s.Results[0]
	r.Labels.Set(result.Label{Name: "server_command", Value: "vllm serve org/m --revision <1>"})
	r.Labels.Set(result.Label{Name: "model_revision", Value: "3fa2b1c"})
	s.Commands = func(*result.Result, Raw) []result.Command {
		return []result.Command{{Text: "vllm bench serve", Line: 1}}
	}
	part := sectionOf(t, runOf(t, s), "How to reproduce")
	contains(t, part, "The server was started by:", "<code>vllm serve org/m --revision &lt;1&gt;</code>", "<code>vllm bench serve</code>", "<dt>Model revision</dt><dd>3fa2b1c</dd>")
	if _, unknown, _ := strings.Cut(part, "Not known:"); strings.Contains(unknown, "Server command") || strings.Contains(unknown, "Model revision") || unknown == "" {
		t.Errorf("what is not known is %q", unknown)
	}
}

// TestEachFigureIsInTheLineItLeadsTo checks that a figure's line contains the figure and the tool's name for it.
func TestEachFigureIsInTheLineItLeadsTo(t *testing.T) {
	t.Parallel()
	s := fixture()
	files, _ := render(t, s)
	figure := regexp.MustCompile(`<a href="#L(\d+)">([\d.,]+)</a>`)
	found := 0
	for _, r := range s.Results {
		page := string(files[s.RunPage("en", r.ID)])
		for _, m := range figure.FindAllStringSubmatch(page, -1) {
			found++
			_, line, there := strings.Cut(page, ` id="L`+m[1]+`">`)
			line, _, _ = strings.Cut(line, "\n")
			line, _, _ = strings.Cut(line, "<") // without the value beside it
			value := strings.ReplaceAll(m[2], ",", "")
			named := slices.ContainsFunc(r.Metrics, func(of result.Metric) bool {
				return strconv.Itoa(int(of.Line)) == m[1] && strings.Contains(line, of.Field)
			})
			if !there || !named || !strings.Contains(line, value) {
				t.Errorf("%s: line %s, to which %s leads, is %q", r.ID, m[1], m[2], line)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d figures lead to lines", found)
	}
}
