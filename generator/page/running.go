package page

import (
	"html/template"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// running returns the runs that go on. There are none in a build that knows nothing
// but its inputs.
func (b *contents) running() []*result.Unfinished {
	var out []*result.Unfinished
	for _, u := range b.report.Unfinished {
		if u.Running {
			out = append(out, u)
		}
	}
	return out
}

// runningList shows how far the runs are that go on, and how long the plans still
// take that they are of; "" without any.
func (v *composer) runningList() template.HTML {
	runs := v.running()
	if len(runs) == 0 {
		return ""
	}
	var w parts.Writer
	w.Tag("<ul class=\"running\">\n")
	for _, u := range runs {
		parts.Progress(&w, u, &v.l.Reader)
	}
	w.Tag("</ul>\n")
	for i, p := range v.report.Plans {
		n := coverage.Of(v.report, p)
		if n.Running == 0 {
			continue
		}
		w.Tag(`<p class="plan"><a href="`)
		w.Text(v.pg.home + "coverage/index.html#" + planAnchor(i))
		w.Tag(`">`)
		w.Text(v.l.Printer.Words("page.plan.of", v.planName(i, v.l.Printer), n.Done, n.Planned))
		w.Tag("</a>")
		if left, _, ok := coverage.TimeLeft(v.report, p); ok {
			w.Tag(" ")
			w.Text(v.l.Printer.Words("running.left.bracketed", locale.About(left)))
		}
		w.Tag("</p>\n")
	}
	return w.HTML()
}
