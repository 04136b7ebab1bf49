package loadgen

import (
	"bytes"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// Load generators for HTTP are pointed at servers of language models, too. They count no tokens, and
// of a stream some time the whole answer (k6, wrk, hey, oha) and some the headers (locust). Nothing is
// read of their reports, which are recognised so that a folder of them says why.
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
