package format

import (
	"bytes"
	"math"
	"strconv"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/format/loadgen"
	"github.com/benchpost/benchpost/generator/format/nvidia"
	"github.com/benchpost/benchpost/generator/format/vllm"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
)

// This file finds the runs of a text that began and have no result: runs in progress and runs that were interrupted.
// The progress is read from the last update of the tool's own progress bar.
//
// A bar alone does not show a run, because models, files and data sets are loaded with such bars too. A bar counts
// after a line that begins a run of the benchmark, or if words that only this benchmark prints precede it. Output
// quoted in a page does not begin a run.

// client is a benchmark that reports its progress.
type client struct {
	tool   string
	unit   string   // of its rate
	words  []string // words before its bar; empty if nothing precedes the bar
	total  string   // the label with the total amount of work
	own    map[string]string
	rich   bool // its bar has the counts in words, before or after the drawn bar
	silent bool // it prints no result: when all is done, the run is finished
}

var (
	servingClient    = &client{tool: "vllm-serve", unit: "req/s", total: "num_prompts"}
	sglangClient     = &client{tool: "sglang-serving", unit: "req/s", total: "num_prompts"}
	latencyClient    = &client{tool: "vllm-latency", unit: "it/s", total: "x_num_iters", words: []string{"Profiling iterations:"}}
	throughputClient = &client{tool: "vllm-throughput", unit: "req/s", total: "num_prompts", words: []string{"Processed prompts:"}}
	evalClient       = &client{tool: "lm-eval", unit: "req/s", words: evalWords}
	evalScopeClient  = &client{tool: "evalscope", unit: "req/s", total: "num_prompts", words: []string{"Processing:"}, own: loadgen.EvalScopeArgs}
	aiperfClient     = &client{tool: "aiperf", unit: "req/s", total: "num_prompts", words: []string{"Profiling:", "Requests (Profiling):"}, own: nvidia.NvidiaArguments, rich: true}
	guideClient      = &client{tool: "guidellm", unit: "test/s", words: []string{"Generating..."}, rich: true}
	genAIPerfClient  = &client{tool: "genai-perf", unit: "req/s", total: "num_prompts", own: nvidia.NvidiaArguments}
	analyzerClient   = &client{tool: "perf_analyzer", unit: "req/s"}
	trtllmClient     = &client{tool: "trtllm-bench", unit: "req/s"}
	llamaClient      = &client{tool: "llama-bench", unit: "test/s"}
	mlxClient        = &client{tool: "mlx_lm.benchmark", unit: "it/s"}
	stageClient      = &client{tool: "inference-perf", unit: "%", words: []string{" progress:"}, silent: true}
)

// evalWords lists the words before the bars of lm-eval.
var evalWords = []string{"Running loglikelihood requests:", "Running loglikelihood_rolling requests:", "Running generate_until requests:", "Requesting API:"}

// Stages of a run. A line of an earlier stage begins another run.
const (
	argumentsShown = iota
	starting       // test request to the server, or warm-up
	measuring
	barShown
)

// herald is a text that a benchmark prints when a run begins.
type herald struct {
	text  []byte
	stage int
	of    *client
	bar   bool // the text precedes a bar, and counts only together with it
	whole bool // the text ends its line
	rate  bool // the rate follows after one space; with more spaces it is a row of SGLang's table
}

var heralds = []herald{
	{text: []byte("Starting initial single prompt test run..."), stage: starting, of: servingClient, whole: true},
	{text: []byte("Starting warmup with "), stage: starting, of: sglangClient},
	{text: []byte("Warmup completed with "), stage: measuring, of: sglangClient},
	{text: []byte("Starting main benchmark run..."), stage: measuring, of: servingClient, whole: true},
	{text: []byte("Traffic request rate: "), stage: measuring, of: servingClient, rate: true},
	{text: []byte("Warmup iterations:"), stage: starting, of: latencyClient, bar: true},
	{text: []byte("Profiling iterations:"), stage: measuring, of: latencyClient, bar: true},
	{text: []byte(evalWords[0]), stage: measuring, of: evalClient, bar: true},
	{text: []byte(evalWords[1]), stage: measuring, of: evalClient, bar: true},
	{text: []byte(evalWords[2]), stage: measuring, of: evalClient, bar: true},
	{text: []byte(evalWords[3]), stage: measuring, of: evalClient, bar: true},
	{text: []byte("evalscope - INFO - Test connection successful"), stage: measuring, of: evalScopeClient},
	{text: []byte("Setup complete, starting benchmarks..."), stage: measuring, of: guideClient, whole: true},
	{text: []byte("Generating... "), stage: measuring, of: guideClient, bar: true},
	{text: []byte("AIPerf System is PROFILING"), stage: measuring, of: aiperfClient, whole: true},
	{text: []byte("Running Perf Analyzer : 'perf_analyzer"), stage: measuring, of: genAIPerfClient},
	{text: []byte("*** Measurement Settings ***"), stage: measuring, of: analyzerClient, whole: true},
	{text: []byte("Setting up throughput benchmark."), stage: measuring, of: trtllmClient, whole: true},
	{text: []byte("llama-bench: benchmark "), stage: measuring, of: llamaClient},
	{text: []byte("Timing with prompt_tokens="), stage: measuring, of: mlxClient},
	{text: []byte(" progress:"), stage: measuring, of: stageClient, bar: true},
}

// clientCommands lists the commands whose flags describe a run that begins below them.
var clientCommands = [][][]byte{draft.ServeCommands, vllm.LatencyCommands, vllm.ThroughputCommands, loadgen.EvalScopeCommands, nvidia.NvidiaCommands}

// progressMarks lists texts of the lines that begin a run or describe one.
var progressMarks = func() []string {
	texts := []string{"Namespace(", "Processed prompts:", "Burstiness factor", "Maximum request concurrency"}
	for _, h := range heralds {
		texts = append(texts, string(h.text))
	}
	for _, names := range clientCommands {
		for _, name := range names {
			texts = append(texts, string(name))
		}
	}
	return texts
}()

// begun is a run that has begun.
type begun struct {
	*client
	start  int // the first line
	stage  int
	stated [2]int // range of the statements with its arguments
	bar    []byte // the last update, from the drawn bar to the end
	at     int    // line of the last update, or of the last text that reported the run
	test   [2]int // for llama-bench: the current test and the number of tests
	whole  bool   // whether that test was in its last repetition
}

// statement is a line that states a run's arguments.
type statement struct {
	kind statementKind
	text []byte
	line int
}

type statementKind int

const (
	aNamespace statementKind = iota // text from the first argument to the end
	aCommand                        // text from the first flag to the end, and the continuation lines
	aSetting                        // "Maximum request concurrency: 8"
)

const (
	maxStated  = 16 << 10 // bytes kept of a line
	mostStated = 32       // lines of a run
	mostKept   = 1 << 20  // bytes of all lines
	mostBegun  = 1000     // runs of a file
	maxBar     = 400      // bytes kept of the text after a drawn bar
	maxRich    = 4 << 10  // bytes read of a bar that is as wide as the terminal

	mostBetween = 20 // lines between the end of a bar and the result
)

// progress finds the runs of a text that have no result.
type progress struct {
	in     *draft.File
	runs   []begun
	stated []statement
	kept   []byte // text of the statements
	asked  int    // index into stated: later statements belong to a command whose run has not begun
	goesOn bool   // the command continues in the next line
	batch  bool   // the command is that of the throughput benchmark, which begins without a message
	quoted bool   // the text is a page with quotations
	seen   int    // the last line received
}

func newProgress() draft.LineReader { return &progress{} }

func (p *progress) Begin(in *draft.File) {
	*p = progress{in: in, runs: p.runs[:0], stated: p.stated[:0], kept: p.kept[:0]}
}

func (p *progress) End() {}

// open returns the run in progress, or nil.
func (p *progress) open() *begun {
	if len(p.runs) == 0 {
		return nil
	}
	r := &p.runs[len(p.runs)-1]
	if n := len(p.in.Out.Results); r.client != llamaClient && n > 0 && p.in.Out.Results[n-1].Source.Line >= r.start {
		return nil
	}
	return r
}

func (p *progress) Line(l scan.Line) bool {
	if p.quoted {
		return false
	}
	p.seen = l.Number
	r := p.open()
	if r != nil && r.stage >= measuring {
		if i := bytes.Index(l.Text, []byte("%|")); i >= 0 && r.update(l, i) || r.count(l) {
			return true
		}
	}
	switch {
	case p.goesOn:
		p.flags(bytes.TrimPrefix(bytes.TrimSpace(l.Text), []byte("> ")), l.Number)
	case p.in.Marked:
		p.marked(l)
	case r != nil && isQuoted(l.Text):
		p.runs, p.quoted = p.runs[:0], true
		return false
	}
	return p.goesOn || p.open() != nil
}

// isQuoted reports whether a line ends a quotation in a page.
func isQuoted(text []byte) bool {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	return len(text) > 2 && (text[0] == '`' || text[0] == '~' || text[0] == '<') && (bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~")) || bytes.HasPrefix(text, []byte("</")))
}

// marked handles a line that may begin a run or describe one.
func (p *progress) marked(l scan.Line) {
	if i := bytes.Index(l.Text, []byte("Namespace(")); i >= 0 && isPrinted(l.Text[:i]) {
		p.arguments(l.Text[i+len("Namespace("):], l)
		return
	}
	for _, names := range clientCommands {
		if i := draft.CommandFlags(l.Text, names); i >= 0 {
			p.dropCommand()
			p.batch = &names[0] == &vllm.ThroughputCommands[0]
			p.flags(l.Text[i:], l.Number)
			return
		}
	}
	for _, c := range vllm.ContextLines {
		if i := bytes.Index(l.Text, []byte(c.Label+": ")); i >= 0 && c.Argument != "request_rate" {
			if !bytes.HasPrefix(l.Text[i+len(c.Label):], []byte(":  ")) { // a row of a table, which belongs to the previous run
				p.set(l.Text[i:], l.Number)
			}
			return
		}
	}
	for i := range heralds {
		h := &heralds[i]
		at := bytes.Index(l.Text, h.text)
		if at < 0 || !isPrinted(l.Text[:at]) {
			continue
		}
		rest := bytes.TrimSpace(l.Text[at+len(h.text):])
		switch {
		case h.whole && len(rest) > 0, h.bar && !h.of.rich && !bytes.Contains(rest, []byte("%|")), h.bar && h.of.rich && !richBar().Match(rest):
		case h.of == stageClient && !stageName().Match(l.Text[:at]):
		case h.of == llamaClient:
			p.test(rest, l)
		case h.rate && bytes.HasPrefix(l.Text[at+len(h.text):], []byte(" ")):
		default:
			r := p.enter(h.of, h.stage, l.Number)
			if h.rate {
				p.set(l.Text[at:], l.Number)
			}
			if h.bar && h.stage >= measuring && !r.count(l) {
				r.update(l, bytes.Index(l.Text, []byte("%|")))
			}
		}
	}
	if i := bytes.Index(l.Text, []byte("%|")); i >= 0 && p.asked < len(p.stated) && p.batch && throughputClient.owns(l.Text[:i]) {
		p.enter(throughputClient, measuring, l.Number).update(l, i)
	}
}

var stageName = lazy.Regexp(`Stage \d+$`)

// isPrinted reports whether the text before a benchmark's words can be the prefix of a log line. Pages and programs
// that quote the words put other signs before them.
func isPrinted(before []byte) bool {
	if bytes.HasPrefix(before, []byte("    ")) || bytes.HasPrefix(before, []byte("\t")) || bytes.ContainsAny(before, "`\"'") {
		return false
	}
	before = bytes.TrimLeft(before, " ")
	return len(before) == 0 || bytes.IndexByte([]byte("#>|*-<"), before[0]) < 0
}

// enter moves a run to a stage and returns it. It is the run in progress, unless that has passed the stage or belongs
// to another client; then enter begins another run.
func (p *progress) enter(of *client, stage, line int) *begun {
	r := p.open()
	if r != nil && r.isOf(of) && r.stage <= stage {
		r.stage, r.at = stage, line
		if of != servingClient { // other clients print the same words
			r.client = of
		}
		return r
	}
	return p.another(of, stage, line)
}

// another begins a run. The command above belongs to it.
func (p *progress) another(of *client, stage, line int) *begun {
	p.dropLast()
	var bar []byte
	if n := len(p.runs); n < cap(p.runs) {
		bar = p.runs[:n+1][n].bar[:0]
	}
	p.runs = append(p.runs, begun{client: of, start: line, stage: stage, at: line, stated: [2]int{p.asked, len(p.stated)}, bar: bar})
	p.asked = len(p.stated)
	return &p.runs[len(p.runs)-1]
}

// dropLast removes the last run before another begins, if it has its result or made no progress: such a run was started
// again.
func (p *progress) dropLast() {
	n := len(p.runs)
	switch {
	case n == 0:
	case p.open() == nil, p.runs[n-1].stage < barShown && p.runs[n-1].client != llamaClient:
		if p.runs = p.runs[:n-1]; n == 1 {
			p.forget()
		}
	case n == mostBegun:
		p.runs = p.runs[:n-1]
	}
}

// dropCommand forgets the command whose run has not begun, because another command is nearer.
func (p *progress) dropCommand() {
	for _, t := range p.stated[p.asked:] {
		p.kept = p.kept[:len(p.kept)-len(t.text)]
	}
	p.stated = p.stated[:p.asked]
}

// forget removes the statements of runs, except those of the command whose run has not begun.
func (p *progress) forget() {
	asked := p.stated[p.asked:]
	p.stated, p.kept, p.asked = p.stated[:0], p.kept[:0], 0
	for _, t := range asked { // each moves to the front, where nothing is needed any more
		p.keep(t.kind, t.text, t.line)
	}
}

// isOf reports whether a line of a client may belong to this run.
func (r *begun) isOf(of *client) bool {
	serves := func(c *client) bool { return c == servingClient || c == sglangClient }
	return r.client == of || serves(r.client) && serves(of)
}

// keep stores a line that states a run's arguments.
func (p *progress) keep(kind statementKind, text []byte, line int) {
	if text = scan.Clip(text, maxStated); len(p.kept)+len(text) <= mostKept {
		n := len(p.kept)
		p.kept = append(p.kept, text...)
		p.stated = append(p.stated, statement{kind, p.kept[n:], line})
	}
}

// set stores a setting that the run in progress prints.
func (p *progress) set(text []byte, line int) {
	if r := p.open(); r != nil && r.stated[1] == len(p.stated) && r.stated[1]-r.stated[0] < mostStated {
		p.keep(aSetting, text, line)
		r.stated[1] = len(p.stated)
	}
}

// arguments handles the arguments that a benchmark prints as it begins.
func (p *progress) arguments(text []byte, l scan.Line) {
	var of *client
	switch {
	case bytes.Contains(text, []byte("num_iters=")):
		of = latencyClient
	case draft.Namespace(l.Text) < 0: // the arguments of a server
		return
	case !bytes.Contains(text, []byte("request_rate=")):
		of = throughputClient
	case bytes.Contains(l.Text, []byte("benchmark_args=")), bytes.Contains(text, []byte("sharegpt_context_len=")):
		of = sglangClient
	default:
		of = servingClient
	}
	p.dropCommand() // the printed arguments are more complete than the command
	p.keep(aNamespace, text, l.Number)
	p.another(of, argumentsShown, l.Number)
}

// flags stores the flags in a line of a command.
func (p *progress) flags(text []byte, line int) {
	p.goesOn = bytes.HasSuffix(bytes.TrimRight(text, " \t"), []byte(`\`)) && len(p.stated)-p.asked < mostStated
	p.keep(aCommand, text, line)
}

// test handles a progress line of llama-bench: "2/4: prompt run 3/5".
func (p *progress) test(text []byte, l scan.Line) {
	m := llamaProgress().FindSubmatch(text)
	if m == nil {
		return
	}
	i, n := atoi(m[1]), atoi(m[2])
	if i < 1 || i > n {
		return // llama-bench counts from one
	}
	r := p.open()
	if r == nil || r.client != llamaClient || r.test[1] != n || i < r.test[0] {
		r = p.another(llamaClient, measuring, l.Number)
	}
	r.test, r.at = [2]int{i, n}, l.Number
	r.whole = len(m[3]) > 0 && string(m[3]) == string(m[4])
}

var llamaProgress = lazy.Regexp(`^(\d{1,6})/(\d{1,6}): (?:.*?(?:prompt|generation) run (\d+)/(\d+))?`)

func atoi(digits []byte) int {
	n, _ := strconv.Atoi(string(digits))
	return n
}

// Settle emits the runs that have no result, once all results are known.
func (p *progress) Settle() {
	for i := range p.runs {
		r := &p.runs[i]
		last := math.MaxInt
		if i+1 < len(p.runs) {
			last = p.runs[i+1].start - 1
		}
		printed, after := false, false
		for n := range p.in.Out.Results {
			line := p.in.Out.Results[n].Source.Line
			printed = printed || line >= r.start && line <= last
			after = after || line > r.at && line <= last
		}
		u := result.Unfinished{Source: result.Position{File: p.in.Name, Line: r.at}, Tool: r.tool, Unit: r.unit, Left: -1}
		switch {
		case r.client == llamaClient:
			u.Done, u.Total = r.test[0]-1, r.test[1]
			if after {
				u.Done++
			}
			if u.Done >= u.Total || r.test[0] == u.Total && r.whole { // its rows may be in another file
				continue
			}
		case printed:
			continue
		case r.stage == barShown:
			r.readBar(&u)
			if u.Done == u.Total && (r.silent || last != math.MaxInt || p.seen-r.at > mostBetween) {
				continue // its result was saved in another file
			}
		}
		if last != math.MaxInt && u.Done == 0 {
			continue // the run was started again
		}
		u.Labels = p.labels(r)
		if total, err := strconv.Atoi(u.Labels.Get(r.total)); u.Total == 0 && err == nil {
			u.Total = max(total, 0)
		}
		p.in.Out.Unfinished = append(p.in.Out.Unfinished, u)
	}
	p.in = nil
}

// labels returns the labels of a run from the lines around its beginning.
func (p *progress) labels(r *begun) result.Labels {
	asked := draft.Settings{Own: r.own, Engine: r.client == latencyClient || r.client == throughputClient}
	for _, t := range p.stated[r.stated[0]:r.stated[1]] {
		switch {
		case t.kind == aNamespace:
			asked.ReadNamespace(p.in, t.text, t.line)
		case t.kind == aCommand && r.start-t.line <= draft.MaxDistance:
			asked.ReadCommand(p.in, t.text, t.line)
		case t.kind == aSetting:
			for _, c := range vllm.ContextLines {
				if rest, ok := bytes.CutPrefix(t.text, []byte(c.Label+":")); ok {
					value, _ := shell.Word(rest)
					asked.Set(p.in, []byte(c.Argument), value, t.line)
				}
			}
		}
	}
	d := p.in.Begin(r.tool, "", r.start)
	asked.Labels(d)
	return append(result.Labels(nil), d.Labels...)
}
