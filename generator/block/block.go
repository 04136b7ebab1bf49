// Package block evaluates the report blocks of posts. A block has a kind, such as table or findings, and a
// specification in TOML. kinds lists all kinds. Each kind is a package with a Spec, whose fields are the block's keys,
// and a function that makes a table, a chart or findings from a dataset.Selection.
package block

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/checks"
	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/block/effects"
	"github.com/benchpost/benchpost/generator/block/finding"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/block/raw"
	"github.com/benchpost/benchpost/generator/block/sweep"
	"github.com/benchpost/benchpost/generator/block/table"
	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// kinds maps each word that may follow "benchpost" in an info string to its kind.
var kinds = map[string]kind{
	"table":       tabled(table.Summary),
	"matrix":      tabled(table.Matrix),
	"tradeoff":    tabled(tradeoff.Table),
	"coverage":    tabled(coverage.Table),
	"history":     tabled(trends.History),
	"sweep":       tabled(sweep.Table),
	"scaling":     tabled(sweep.Scaling),
	"effects":     tabled(effects.Table),
	"config":      tabled(table.Config),
	"environment": tabled(table.Environment),
	"checks":      tabled(checks.Table),
	"chart":       charted(plot.Chart),
	"findings": decoded(func(d *dataset.Selection, s finding.Spec, _ result.Position) (report.Block, []result.Message, error) {
		f, err := finding.Find(d, s)
		return report.Block{Findings: f}, nil, err
	}),
	"raw": decoded(func(d *dataset.Selection, s raw.Spec, _ result.Position) (report.Block, []result.Message, error) {
		raw, err := raw.Runs(d, s)
		return report.Block{Raw: raw}, nil, err
	}),
}

// kind evaluates the blocks of one kind.
type kind struct {
	spec     reflect.Type
	evaluate func(d *dataset.Selection, body []byte, fence result.Position) (report.Block, []result.Message, error)
}

// Specs returns the type of the specification for each kind.
func Specs() map[string]reflect.Type {
	specs := map[string]reflect.Type{}
	for name, k := range kinds {
		specs[name] = k.spec
	}
	return specs
}

// decoded returns a kind whose body is decoded into a specification.
func decoded[Spec any](answer func(*dataset.Selection, Spec, result.Position) (report.Block, []result.Message, error)) kind {
	return kind{reflect.TypeFor[Spec](), func(d *dataset.Selection, body []byte, fence result.Position) (report.Block, []result.Message, error) {
		var spec Spec
		if ms := settings.Decode(fence.File, fence.Line+1, body, &spec); ms != nil {
			return report.Block{}, ms, nil
		}
		return answer(d, spec, fence)
	}}
}

// tabled returns a kind that makes a table.
func tabled[Spec any](of func(*dataset.Selection, Spec) (*builder.Table, error)) kind {
	return decoded(func(d *dataset.Selection, s Spec, fence result.Position) (b report.Block, ms []result.Message, err error) {
		t, err := of(d, s)
		if err == nil {
			b.Table, ms = t.Finish(d, fence)
		}
		return b, ms, err
	})
}

// charted returns a kind that makes a chart.
func charted[Spec any](of func(*dataset.Selection, Spec) (*builder.Chart, error)) kind {
	return decoded(func(d *dataset.Selection, s Spec, fence result.Position) (b report.Block, ms []result.Message, err error) {
		c, err := of(d, s)
		if err == nil {
			b.Chart, ms = c.Finish(d, fence)
			if c.Below != nil {
				b.Table, _ = c.Below.Finish(d, fence) // has the runs of the chart, whose messages are in ms already
			}
		}
		return b, ms, err
	})
}

// Evaluate evaluates a report block, given its kind, its TOML body and the position of the fence. The body begins on
// the line after the fence. The messages are errors, with the line of the body where it is known, and warnings that the
// compared runs are not alike.
func Evaluate(d *dataset.Selection, name string, body []byte, fence result.Position) (report.Block, []result.Message) {
	answer, ok := kinds[name]
	if !ok {
		names := slices.Sorted(maps.Keys(kinds))
		return report.Block{}, []result.Message{dataset.Message(fence, dataset.Wrongf(settings.Offer(name, names, locale.Textf("there are: %s", locale.Commas(names...))), "no report block is called %q", name))}
	}
	b, ms, err := answer.evaluate(d, body, fence)
	if err != nil {
		ms = append(ms, dataset.Message(bodyLine(fence, body, err), err))
	}
	return b, ms
}

// bodyLine returns the line of a block that an error is about: the line of its key, or one with a name that the error
// quotes. Otherwise it returns the fence.
func bodyLine(fence result.Position, body []byte, err error) result.Position {
	var p *dataset.Problem
	key := ""
	if errors.As(err, &p) {
		key = p.Key
	}
	if source := settings.Parse(fence.File, fence.Line+1, body); slices.Contains(source.Keys(), key) {
		return result.Position{File: fence.File, Line: source.At(key).Line}
	}
	lines, named := strings.Split(string(body), "\n"), strings.Fields(err.Error())
	for i, line := range lines {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("'\"[], =", r) }) {
			if strings.Contains(err.Error(), "\""+word+"\"") || strings.Contains(word, "_") && slices.Contains(named, word) {
				return result.Position{File: fence.File, Line: fence.Line + 1 + i}
			}
		}
	}
	return fence
}

// Excluded returns the sentence that says why checks excluded runs, which may be among others.
func Excluded(rs []*result.Result) locale.Text { return builder.Excluded(rs) }
