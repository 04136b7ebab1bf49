package draft

import "strings"

// SpeedTest is a test of one stream, named as in llama-bench and in comparisons of engines on one machine: "pp512" is
// the speed of processing 512 tokens of a prompt, "tg128" the speed of generating 128 tokens. A length that is unknown
// or 0 is "".
type SpeedTest struct {
	Prefill, Decode    bool
	Prompt, Gen, Depth string
	Context            bool   // llama-benchy: the test processes the context that later tests find in the cache
	Concurrency        string // number of requests at a time
}

// ParseSpeedTest reads "pp512", "tg 128", "pp512+tg128 @ d4096", "tg64@pp512" and
// llama-benchy's "ctx_pp @ d4096 (c2)".
func ParseSpeedTest(cell string) (SpeedTest, bool) {
	var t SpeedTest
	cut := func(words string) (ok bool) {
		cell, ok = strings.CutPrefix(cell, words)
		return ok
	}
	digits := func() string {
		behind := strings.TrimLeft(cell, "0123456789")
		number := cell[:len(cell)-len(behind)]
		cell = behind
		return number
	}
	tokens := func(of string) (string, bool) {
		if !cut(of) {
			return "", false
		}
		if !strings.HasPrefix(cell, " (") {
			cut(" ")
		}
		return TokenCount(digits()), true
	}
	t.Context = cut("ctx_")
	t.Prompt, t.Prefill = tokens("pp")
	together := cut("+")
	t.Gen, t.Decode = tokens("tg")
	if strings.HasPrefix(cell, "@") || strings.HasPrefix(cell, " @") {
		cell = strings.TrimPrefix(strings.TrimPrefix(cell, " ")[1:], " ")
		named, depth := cut("pp") || cut("d"), digits()
		if !named || depth == "" {
			return SpeedTest{}, false
		}
		t.Depth = TokenCount(depth)
	}
	if cut(" (c") {
		if t.Concurrency = digits(); t.Concurrency == "" || !cut(")") {
			return SpeedTest{}, false
		}
	}
	if cell != "" {
		return SpeedTest{}, false
	}
	if t.Context && t.Prefill {
		t.Prompt, t.Depth = t.Depth, ""
	}
	both := t.Prefill && t.Decode
	return t, (t.Prefill || t.Decode) && both == together
}

// SpeedTestOf parses the lower-case words of a column or key that is named after a test and its lengths: "pp512", "tg
// 128", "pp512 d4096".
func SpeedTestOf(words []string) (SpeedTest, bool) {
	name := strings.Join(words, "")
	if at := strings.LastIndexByte(name, 'd'); at > 0 {
		name = name[:at] + " @ " + name[at:]
	}
	if at := strings.LastIndex(name, "tg"); at > 0 {
		name = name[:at] + "+" + name[at:]
	}
	t, ok := ParseSpeedTest(name)
	return t, ok && (t.Prompt != "") == t.Prefill && (t.Gen != "") == t.Decode
}

// Metric returns the name of the test's rate.
func (t SpeedTest) Metric() string {
	switch {
	case t.Prefill && t.Decode:
		return "total_throughput"
	case t.Prefill:
		return "prefill_throughput"
	case t.Decode:
		return "decode_throughput"
	}
	return ""
}

// Name returns the test's name as current tools write it.
func (t SpeedTest) Name() string {
	var context, prefill, and, decode, depth string
	if t.Context {
		context = "ctx_"
	}
	if t.Prefill {
		prefill = "pp"
	}
	if t.Prefill && t.Decode {
		and = "+"
	}
	if t.Decode {
		decode = "tg"
	}
	if t.Depth != "" {
		depth = " @ d"
	}
	return context + prefill + t.Prompt + and + decode + t.Gen + depth + t.Depth
}

// Note adds the test's name and lengths to a draft.
func (t SpeedTest) Note(s *Draft, line int) {
	name := []byte(t.Name())
	s.Fact([]byte("test"), name)
	s.SetLabel("x_test", name, line)
	s.SetLabel("input_len", []byte(t.Prompt), line)
	s.SetLabel("output_len", []byte(t.Gen), line)
	s.SetLabel("context_depth", []byte(t.Depth), line)
}

// TokenCount returns text if it is a number of tokens other than 0, else "".
func TokenCount(text string) string {
	if strings.Trim(text, "0123456789") != "" || strings.Trim(text, "0") == "" {
		return ""
	}
	return text
}
