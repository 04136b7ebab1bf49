package vllm

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
)

// serveText reads the table that vLLM's serving benchmark (benchmark_serving.py, later "vllm bench serve") has printed
// since 0.4.0, and the plain lines that it printed before. A block begins with a title between equals signs and ends
// with a line of equals signs. The arguments and the rate above a block belong to it.
//
// Other tools print the same table. The benchmarks of SGLang, LMDeploy and JetStream were developed from vLLM's. So was
// vLLM's benchmark of structured outputs, which adds a row below the table. In the plain lines of vLLM and JetStream,
// TPOT includes the first token: it is latency / tokens.
//
// The block identifies the client, never the server: vLLM's client also measures other engines.
type serveText struct {
	draft.Draft
	above    draft.Settings // settings printed above the block
	commands draft.Commands
	block    serveBlock
	warmed   bool   // the last result is the warm-up of the next one
	prefix   []byte // the text before every line of the block
}

// serveBlock is the block being read.
type serveBlock struct {
	open            bool
	table           bool // false for the plain lines before 0.4.0, and if the title is missing
	sections        bool // its rows have titles between dashes
	timed           bool // its duration has been read
	start           int  // line of the title
	last            int  // line of the last row
	rows            int
	noise           int            // unknown lines since the last row
	sglang          bool           // SGLang's table
	offline         bool           // the table of SGLang's offline benchmark
	uncapped, modal bool           // no row of the concurrency cap; rows by modality
	strange         int            // rows whose value should be a number but is not
	tail            bool           // the last row read can be the last row of a complete table
	cut             bool           // the last row was cut off by the end of the file
	group           *draft.Meaning // "Per-position acceptance (%):" heads the rows below it
}

// serveMarks are words in the titles of blocks, in the first row of blocks without a title, and in the lines above a
// block that describe its run.
var serveMarks = []string{"erving Benchmark Result", "ERVING BENCHMARK RESULT", "erving benchmark result",
	"Offline Throughput Benchmark Result", "Successful requests:", "Namespace(", "bench serve", "benchmark_serving.py",
	"bench_serving", "profile_restful_api.py", "Traffic request rate", "Burstiness factor", "Maximum request concurrency",
	"correct_rate(%)", "len(sampled_indices)=", "Mean output size:", "Warm up start:", "sampled warmup:", "full warmup:"}

func newServeText() draft.LineReader { return &serveText{commands: newServeCommands()} }

func (t *serveText) Begin(in *draft.File) {
	t.In = in
	t.above.Reset(0)
	t.commands.Begin(in)
	t.warmed = false
	t.block = serveBlock{}
}

const (
	maxNoise = 100 // maximum number of unknown lines in a block
	minRule  = 5   // minimum number of equals signs in the line that ends a table

)

var (
	serveTitle   = []byte("serving benchmark result")
	offlineTitle = []byte("offline throughput benchmark result")
	requestsMark = []byte("Successful requests:")
	correctMark  = []byte("correct_rate(%)")
)

func (t *serveText) Line(l scan.Line) bool {
	t.read(l)
	return t.block.open || t.commands.Continued()
}

func (t *serveText) read(l scan.Line) {
	text := l.Text
	if i := bytes.IndexByte(text, '='); i >= 0 && t.title(text, i, l.Number) {
		return
	}
	if t.block.open && t.row(text, l) {
		return
	}
	t.context(text, l)
}

func (t *serveText) End() {
	if t.block.open {
		t.close(!t.block.table && t.block.tail) // plain lines have no rule below them
	}
	t.commands.Settle()
}

// title opens a block if equals signs, from index i on, surround a title. A progress bar, which also has equals signs,
// may precede the title.
func (t *serveText) title(text []byte, i, number int) bool {
	for {
		words := bytes.TrimLeft(text[i:], "=")
		n := bytes.IndexByte(words, '=')
		if n < 0 {
			return false
		}
		framed := bytes.TrimSpace(words[:n])
		if ours := bytes.EqualFold(framed, serveTitle); ours || bytes.EqualFold(framed, offlineTitle) {
			if t.block.open {
				t.close(false)
			}
			t.open(number)
			t.block.table = true
			t.block.sglang, t.block.offline = !ours, !ours // only SGLang has the offline table
			t.prefix = append(t.prefix, text[:i]...)
			return true
		}
		i = len(text) - len(words) + n
	}
}

func (t *serveText) open(number int) {
	t.block = serveBlock{open: true, start: number, last: number, uncapped: true}
	t.Reset(t.In, "vllm-serve", "vllm-serve-text", number)
	t.prefix = t.prefix[:0]
}

// row reads a line inside a block. It returns false if the line is not part of the block; that line may have closed the
// block.
func (t *serveText) row(text []byte, l scan.Line) bool {
	b := &t.block
	text = t.strip(text)
	switch {
	case len(text) == 0:
		return true
	case bytes.HasPrefix(text, []byte("```")), bytes.HasPrefix(text, []byte("~~~")):
		t.close(b.tail) // pages close the fence and leave out the rule
		return true
	case !b.table && b.rows > 1 && (bytes.HasPrefix(text, requestsMark) || isJetStream(text)):
		t.close(b.tail) // the next run begins
		return false
	case (b.table || b.sections) && isRule(text):
		b.last = l.Number
		t.close(true)
		return true
	case b.table && bytes.HasPrefix(text, []byte("---")):
		b.last = l.Number
		b.group = nil
		return true
	case !b.table && isSection(text):
		b.sections = true
		return true
	case t.labelled(text, l):
		b.noise = 0
		b.last = l.Number
		b.cut = !l.Ended
		return true
	}
	b.noise++
	if !b.open {
		return false
	}
	if b.noise > maxNoise || !b.table || draft.CommandFlags(text, draft.ServeCommands) >= 0 || draft.Namespace(text) >= 0 {
		t.close(!b.table && b.tail)
	}
	return false
}

// isRule reports whether a line is the rule of equals signs that ends a table. The output of another stream may follow
// it on the same line.
func isRule(text []byte) bool {
	n := 0
	for n < len(text) && text[n] == '=' {
		n++
	}
	return n >= minRule && n == len(text) || n >= 40
}

// isSection reports whether a line of the table is the title between dashes of the next rows.
func isSection(text []byte) bool {
	name := bytes.Trim(text, "-")
	return len(name) > 0 && len(text) >= len(name)+2*minRule &&
		bytes.HasPrefix(text, []byte("-----")) && bytes.HasSuffix(text, []byte("-----"))
}

// strip removes the text before every line of a block: the rank that mpirun writes, the file name that grep writes, a
// comment or quote mark, indentation.
func (t *serveText) strip(text []byte) []byte {
	if len(t.prefix) > 0 {
		n, ok := matchPrefix(text, t.prefix)
		if !ok && t.block.rows == 0 {
			// Other text, such as a progress bar, preceded the title.
			if n = bytes.Index(text, requestsMark); n >= 0 {
				t.prefix, ok = append(t.prefix[:0], text[:n]...), true
			}
		}
		if ok {
			text = text[n:]
		}
	}
	return bytes.TrimSpace(text)
}

// matchPrefix returns the index of the first byte after the prefix in a line, and whether the line has the prefix.
// Numbers and the padding before them may differ. grep writes ":" after the file name in lines that match and "-" in
// the others.
func matchPrefix(text, prefix []byte) (int, bool) {
	i := 0
	for p := 0; p < len(prefix); {
		if i == len(text) {
			return i, len(bytes.TrimSpace(prefix[p:])) == 0
		}
		if prefix[p] == ' ' || prefix[p] == '\t' {
			p += len(prefix[p:]) - len(bytes.TrimLeft(prefix[p:], " \t"))
			i += len(text[i:]) - len(bytes.TrimLeft(text[i:], " \t"))
			continue
		}
		if scan.IsDigit(prefix[p]) && scan.IsDigit(text[i]) {
			for p < len(prefix) && scan.IsDigit(prefix[p]) {
				p++
			}
			for i < len(text) && scan.IsDigit(text[i]) {
				i++
			}
			continue
		}
		if prefix[p] != text[i] && !(prefix[p] == ':' && text[i] == '-') {
			return 0, false
		}
		p++
		i++
	}
	return i, true
}

// beforeDuration lists the rows that may come between the number of requests and the duration.
var beforeDuration = []string{"requests_failed", "max_concurrency", "request_rate"}

// labelled reads a row "label: value".
func (t *serveText) labelled(text []byte, l scan.Line) bool {
	b := &t.block
	colon := labelEnd(text)
	if colon <= 0 {
		return false
	}
	label := bytes.TrimSpace(text[:colon])
	value := bytes.TrimSpace(text[colon+1:])
	if n := len(value); n > 0 && value[n-1] >= utf8.RuneSelf {
		value = bytes.TrimSpace(bytes.TrimRight(value, " ·")) // some editors show spaces as dots
	}
	token, rest := value, []byte(nil)
	if i := blank(value); i >= 0 {
		token, rest = value[:i], bytes.TrimSpace(value[i:])
	}
	m := t.lookup(label, rest)
	if m.Kind == draft.KindUnknown {
		padded := len(text) > colon+2 && text[colon+2] == ' '
		if !plausible(m.Field, value, rest, padded, b.noise > 0) {
			return false
		}
	}
	b.timed = b.timed || m.Name == "duration"
	if !b.table && !b.timed && b.rows > 0 && !slices.Contains(beforeDuration, m.Name) {
		b.open = false // a row "Successful requests" alone is not a result
		return false
	}
	if len(value) == 0 && m.Kind != draft.KindGroup {
		return false
	}
	if m.Sglang == draft.SglangRow || m.Sglang == draft.SglangFirst && b.rows == 0 {
		b.sglang = true
	}
	b.uncapped = b.uncapped && m.Name != "max_concurrency"
	b.modal = b.modal || m.Name == "x_total_input_text_tokens"
	b.rows++
	b.tail = m.Closing
	t.Fact(label, value)
	t.store(m, token, value, rest, l.Number)
	return true
}

// blank returns the index of the first blank of a text, or -1.
func blank(text []byte) int {
	for i, c := range text {
		if c == ' ' || c == '\t' {
			return i
		}
	}
	return -1
}

// labelEnd returns the index of the colon that ends a row's label: the first colon that ends the line or precedes white
// space. It returns -1 if there is none.
func labelEnd(text []byte) int {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], ':')
		if n < 0 || i+n > scan.MaxField {
			return -1
		}
		i += n
		if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\t' {
			return i
		}
	}
}

// store adds a row to the draft as a metric or a label.
func (t *serveText) store(m *draft.Meaning, token, value, rest []byte, line int) {
	b := &t.block
	switch {
	case m.Kind == draft.KindGroup:
		b.group = m
		return
	case m.Kind == draft.KindLabel:
		if string(value) != "not set" { // SGLang writes this for no limit
			t.SetLabel(m.Name, token, line)
		}
		return
	}
	if done, all, ok := bytes.Cut(token, []byte("/")); ok && m.Name == "requests_completed" { // "14/20" for images
		t.ofAll(m, done, all, line)
		return
	}
	f, ok := scan.ParseFigure(token, m.Shift)
	if next, _ := shell.Word(rest); ok && next != nil {
		_, several := scan.ParseFigure(next, 0) // "1 234.5" may be one number or two columns
		ok = !several
	}
	switch {
	case ok && (m.Kind == draft.KindMetric || !hasWords(rest)):
		t.Metric(m, f, line, token)
	case isPlaceholder(token):
		b.strange++
	case m.Kind == draft.KindMetric:
		b.strange++
		t.In.Message(line, result.Warning, "format.not-a-number",
			locale.Textf("%s is not a number: %q", m.Field, scan.Clip(value, 40)), locale.Textf("the figure is left out"))
	default:
		t.SetLabel(m.Name, value, line)
	}
}

// close ends the block and emits its result.
func (t *serveText) close(whole bool) {
	in, b, above := t.In, &t.block, t.above
	b.open = false
	t.above.Reset(0)
	t.nameTool(&above)
	if b.cut { // digits may be missing in a row without a line end
		t.Forget(b.last)
		whole = false
	}
	if !t.HasKnown() || !b.table && !b.timed {
		switch {
		case b.table && len(t.Metrics) > 0:
			in.NoResult(b.start, locale.Textf("another tool's result under the same title"))
		case b.strange > 0:
			in.NoResult(b.start, locale.Textf("placeholders, not figures"))
		case b.table:
			in.NoResult(b.start, locale.Textf("a result's title without figures below it"))
		}
		t.commands.Made(0, b.start)
		return
	}
	if _, further := t.Value("output_tokens"); !whole && !further && b.sglang && b.uncapped && t.Tool == "sglang-serving" {
		in.NoResult(b.start, locale.Textf("the result breaks off after this line")) // no row has shown which tool it is
		t.commands.Made(0, b.start)
		return
	}
	above.Labels(&t.Draft)
	unlimited(&t.Draft)
	if above.Warmup {
		t.Imply("phase", "warmup", b.start)
		t.above, t.above.Warmup = above, false // the measured run follows
	}
	t.DropUnmeasured()
	t.Emit(b.last, whole)
	if t.warmed {
		t.commands.Also()
	} else {
		t.commands.Made(1, b.start)
	}
	t.warmed = above.Warmup
}

// ofAll adds the number of requests that succeeded, and derives the number of failed ones from the number sent.
func (t *serveText) ofAll(m *draft.Meaning, done, all []byte, line int) {
	succeeded, ok := scan.ParseFigure(done, 0)
	sent, known := scan.ParseFigure(all, 0)
	if !ok || !known || succeeded.Value > sent.Value {
		t.block.strange++
		return
	}
	t.Metric(m, succeeded, line, done)
	t.Derive("requests_failed", sent.Value-succeeded.Value, m.Field+": all less those that succeeded", line)
}

// lookup returns the meaning of a label, which may depend on the row that heads the group. Before 0.4.0 the unit
// followed the value.
func (t *serveText) lookup(label, rest []byte) *draft.Meaning {
	b := &t.block
	key := append(append(t.In.Key[:0], label...), '\t')
	position, grouped := bytes.CutPrefix(label, []byte("Position "))
	grouped = grouped && b.group != nil
	switch {
	case grouped:
		key = append(key, b.group.Name...)
	case !b.table:
		key = append(key, rest...)
	}
	t.In.Key = key
	if m, ok := t.In.Rows[string(key)]; ok {
		return m
	}
	var m draft.Meaning
	switch {
	case grouped:
		m = draft.Meaning{Name: b.group.Name + "_" + draft.Snake(string(position)), Unit: b.group.Unit, Closing: true}
	case !b.table && len(rest) > 0:
		m = serveRow(fmt.Sprintf("%s (%s)", label, rest))
		if _, _, isUnit := draft.UnitOf(string(rest)); isUnit && m.Kind == draft.KindUnknown {
			m.Kind = draft.KindMetric
		}
		if statistic, ok := strings.CutPrefix(m.Name, "tpot_"); ok {
			m.Name = "tpot_incl_ttft_" + statistic
		}
	default:
		m = serveRow(string(label))
	}
	m.Field = string(label)
	t.In.Rows[string(key)] = &m
	return &m
}

// isPlaceholder reports whether a text is a placeholder for a figure, as pages contain: xxx, xx.xx, N, ….
func isPlaceholder(b []byte) bool {
	return len(bytes.Trim(b, "xXnN.-_…?")) == 0
}

// hasWords reports whether the text after a value has letters or digits. A stray dot does not count.
func hasWords(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
		b = b[n:]
	}
	return false
}

// plausible reports whether an unknown row can be part of the table, rather than a log line that contains a colon.
func plausible(label string, value, rest []byte, padded, afterNoise bool) bool {
	if len(value) > scan.MaxField || strings.ToUpper(label) == label ||
		strings.HasSuffix(label, "Error") || strings.HasSuffix(label, "Exception") {
		return false
	}
	for i, r := range label {
		if !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && !strings.ContainsRune(" ()/%._-+&,", r)) {
			return false
		}
	}
	token := bytes.TrimSpace(value[:len(value)-len(rest)])
	if _, ok := scan.ParseFigure(token, 0); ok && !hasWords(rest) {
		return true
	}
	return !afterNoise && (padded || len(rest) == 0)
}
