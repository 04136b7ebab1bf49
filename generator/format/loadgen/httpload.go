package loadgen

import (
	"bytes"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// Load generators for HTTP are also used with servers of language models. They do not count tokens. Of a stream, some
// (k6, wrk, hey, oha) time the whole answer and some (locust) only the headers. Their reports are recognised only so
// that benchpost can explain why a folder of them has no results.
var httpLoad = []struct{ mark, tool string }{
	{"# reqs      # fails", "locust"},
	{"http_req_duration..", "k6"},
	{"Thread Stats   Avg ", "wrk"},
	{"Response time histogram:", "hey, oha"},
}

var httpLoadMarks = func() (marks []string) {
	for _, h := range httpLoad {
		marks = append(marks, h.mark)
	}
	return marks
}()

type httpLoadText struct{ in *draft.File }

func newHTTPLoadText() draft.LineReader { return &httpLoadText{} }

func (t *httpLoadText) Begin(in *draft.File) { t.in = in }
func (t *httpLoadText) End()                 {}

func (t *httpLoadText) Line(l scan.Line) bool {
	for _, h := range httpLoad {
		if bytes.Contains(l.Text, []byte(h.mark)) {
			t.in.NoResult(l.Number, locale.Textf("a report on HTTP requests (%s), which counts no tokens", h.tool))
		}
	}
	return false
}
