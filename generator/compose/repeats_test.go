package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// again lists ways in which a run may be repeated with the same settings.
var again = map[string]func(*result.Result){
	"other values": func(r *result.Result) {
		for i := range r.Metrics {
			r.Metrics[i].Value *= 1.02
		}
	},
	"another day": func(r *result.Result) {
		r.Labels.Set(result.Label{Name: "date", Value: "2026-03-04T05:06:07Z", Origin: result.Measured})
	},
	"other versions": func(r *result.Result) {
		for _, name := range []string{"engine_version", "driver", "os"} {
			if l, ok := r.Labels.Lookup(name); !ok || l.Origin == result.Captured {
				r.Labels.Set(result.Label{Name: name, Value: "9.9.9", Origin: result.Captured})
			}
		}
	},
	"broken off": func(r *result.Result) {
		r.Status, r.Metrics = result.Partial, r.Metrics[:(len(r.Metrics)+1)/2]
		for i := range r.Metrics {
			r.Metrics[i].Value /= 3
		}
	},
	"failed": func(r *result.Result) {
		r.Status = result.Failed
		for i := range r.Metrics {
			r.Metrics[i].Value = 0
		}
	},
	"excluded": func(r *result.Result) {
		for i := range r.Metrics {
			r.Metrics[i].Value *= 90
		}
		r.Checks = append(slices.Clone(r.Checks), result.Check{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast"), Figures: map[string]float64{}})
	},
}

// repeated returns a selection with a changed copy of each run.
func repeated(d *dataset.Selection, change func(*result.Result)) *dataset.Selection {
	var more []*result.Result
	for _, r := range d.Results {
		one := *r
		one.ID += "-2"
		one.Source.File = "runs/" + one.ID + ".log"
		one.Labels, one.Metrics = slices.Clone(r.Labels), slices.Clone(r.Metrics)
		change(&one)
		more = append(more, &one)
	}
	out := selection(slices.Concat(d.Results, more)...)
	out.Auxiliary = d.Auxiliary
	return out
}

// TestARepeatStopsNoPost: an additional run with the same settings causes no error in a post that had none. If
// the run failed, it changes no figure.
func TestARepeatStopsNoPost(t *testing.T) {
	t.Parallel()
	for name, d := range variations() {
		if name == "no model" || name == "telemetry" || name == "names that inject" { // nothing identifies their runs as repeats
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := compose.Post(d, compose.Request{Language: "en", Date: "2026-01-15"})
			if err != nil {
				t.Fatal(err)
			}
			src = fmt.Appendf(src, "\nMeasured `= date{}`, with `= engine_version{}`.\n")
			for _, r := range d.Results {
				if r.Label("date") == "" {
					r.Labels.Set(result.Label{Name: "date", Value: "2026-02-03T04:05:06Z", Origin: result.Measured})
				}
				if r.Label("engine_version") == "" {
					r.Labels.Set(result.Label{Name: "engine_version", Value: "0.10.1", Origin: result.Captured})
				}
			}
			doc, ms := build(t, d, "en", src)
			if stops(ms) {
				t.Fatal(ms)
			}
			before := figures(d, doc)
			for how, change := range again {
				more := repeated(d, change)
				_, ms := build(t, more, "en", src)
				if stops(ms) {
					t.Errorf("%s: %v", how, ms)
				}
				after := figures(more, doc)
				if lost := how == "broken off" || how == "failed" || how == "excluded"; lost && name != "failed" && name != "excluded" && fmt.Sprint(after) != fmt.Sprint(before) {
					t.Errorf("%s: figures changed\n%v\n%v", how, before, after)
				}
			}
			other := repeated(d, func(r *result.Result) {
				r.Labels.Set(result.Label{Name: "power_mode", Value: "another", Origin: result.Declared})
			})
			if _, ms := build(t, other, "en", src); !stops(ms) && name != "failed" && name != "settings" && name != "hundreds of a kind" && name != "thirty campaigns" { // rows of these are power modes or runs
				t.Error("runs of another power mode are pooled")
			}
		})
	}
}

func stops(ms []result.Message) bool {
	return slices.ContainsFunc(ms, func(m result.Message) bool { return m.Severity == result.Error })
}

// figures returns the values in the tables of a post whose rows are not runs.
func figures(d *dataset.Selection, doc *document.Document) []string {
	var out []string
	d = d.Accepting(doc.Front.Accept)
	for _, b := range doc.Blocks {
		shown, _ := block.Evaluate(d, b.Kind, b.Body, b.Pos)
		if shown.Table == nil || shown.Table.Kind != "summary" || strings.Contains(string(b.Body), `rows = ["id"]`) {
			continue
		}
		for _, row := range shown.Table.Rows {
			for _, c := range row.Cells {
				if c.Numeric && c.Run != "" {
					out = append(out, fmt.Sprintf("%s %v", locale.English(row.Cells[0].Text), c.Value))
				}
			}
		}
	}
	return out
}
