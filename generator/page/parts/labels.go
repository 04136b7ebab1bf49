package parts

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// labelGroup is a group in a table of labels, with its labels in order.
type labelGroup struct {
	key   string
	names []string
}

// labelGroups lists the groups of a run's labels: the machine, the software, and what was measured. Other labels are in
// the last group, except captured ones, which describe the machine.
var labelGroups = []labelGroup{
	{"page.labels.machine", []string{"hardware", "accelerators", "parallelism", "memory", "memory_bandwidth", "compute_peak", "compute_type",
		"power_mode", "clocks", "power_scope", "price_per_hour", "price_date",
		"gpu", "device_count", "x_gpus", "x_hardware", "device", "x_cpu", "x_cpus", "x_cpu_sockets", "x_arch",
		"x_host", "x_host_memory"}},
	{"page.labels.software", []string{"tool", "tool_version", "engine", "engine_version", "image", "os", "driver", "cuda",
		"x_driver", "x_cuda", "x_cuda_toolkit", "x_kernel", "x_os", "x_image", "x_torch", "x_torch_cuda", "x_transformers_version", "x_git_hash"}},
	{"page.labels.model", []string{"model", "model_raw", "base_model", "tokenizer", "quantization", "weight_size", "active_weight_size",
		"params", "active_params", "kv_cache_per_token", "x_model_type", "x_model_dtype"}},
	{"page.labels.load", []string{"load", "scenario", "dataset", "input_len", "output_len", "num_prompts", "max_concurrency", "request_rate",
		"burstiness", "seed", "ignore_eos", "prefix_caching", "speculative_decoding", "batch_size", "context_depth", "threads", "gpu_layers",
		"task", "quality_metric", "fewshot", "filter"}},
	{"page.labels.run", []string{"campaign", "phase", "repeat", "date", "published", "source", "status",
		"x_started", "x_ended", "x_exit_code", "x_signal", "x_git_revision", "x_sweep", "x_command"}},
	{"page.labels.other", nil},
}

// LabelTable is a table of some label groups: from the first index up to, but not including, the second.
type LabelTable [2]int

// The two tables of a run's labels: machine and software, and all others.
var (
	Environment = LabelTable{0, 2}
	Setup       = LabelTable{2, len(labelGroups)}
)

// labelPlace is the place of a label: its group and its position there.
type labelPlace struct{ group, order int }

var labelPlaces = func() map[string]labelPlace {
	places := map[string]labelPlace{}
	for i, g := range labelGroups {
		for order, name := range g.names {
			places[name] = labelPlace{i, order}
		}
	}
	return places
}()

// PlacedLabel is a label of a run with its place in the tables.
type PlacedLabel struct {
	labelPlace
	*result.Label
}

// PlacedLabels returns the labels of a run, including its tool, sorted by place.
func PlacedLabels(r *result.Result) []PlacedLabel {
	all := make([]PlacedLabel, 0, len(r.Labels)+1)
	add := func(l *result.Label) {
		place, ok := labelPlaces[l.Name]
		switch {
		case ok:
		case l.Origin == result.Captured:
			place.order = len(labelGroups[0].names)
		default:
			place.group = len(labelGroups) - 1
		}
		all = append(all, PlacedLabel{place, l})
	}
	for i := range r.Labels {
		add(&r.Labels[i])
	}
	if r.Tool != "" && r.Labels.Get("tool") == "" {
		add(&result.Label{Name: "tool", Value: r.Tool, Origin: result.Measured, Pos: r.Source})
	}
	slices.SortStableFunc(all, func(a, b PlacedLabel) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.order, b.order))
	})
	return all
}

// Write writes the table of the given labels with their origins. It writes nothing if no label is in the table. home is
// the prefix of links to the folder of the page's language; place writes a position.
func (t LabelTable) Write(w *Writer, labels []PlacedLabel, caption, home string, l *Reader, place func(result.Position)) {
	p := l.Printer
	group := -1
	for i := range labels {
		lb := &labels[i]
		if lb.group < t[0] || lb.group >= t[1] {
			continue
		}
		switch {
		case group < 0:
			w.OpenScroll(p.Words(caption), p)
			w.Tag(`<table class="facts labels"><thead><tr><th scope="col">`, p.Words("page.label"),
				`</th><th scope="col">`, p.Words("page.value"),
				`</th><th scope="col">`, p.Words("page.origin"),
				`</th><th scope="col">`, p.Words("page.source"), "</th></tr></thead>\n")
		case group != lb.group:
			w.Tag("</tbody>")
		}
		if group != lb.group {
			group = lb.group
			w.Tag(`<tbody><tr class="group"><th scope="rowgroup" colspan="4">`, p.Words(labelGroups[group].key), "</th></tr>\n")
		}
		w.Tag(`<tr><th scope="row" title="`)
		w.Text(lb.Name)
		w.Tag(`">`)
		w.Text(p.Label(lb.Name))
		w.Tag("</th><td>")
		if to := l.Names.Subject(lb.Name, lb.Value); to != "" {
			w.Tag(`<a href="`)
			w.Text(home + address.Escape(to))
			w.Tag(`">`)
			w.Text(l.Value(lb.Name, lb.Value))
			w.Tag("</a>")
		} else {
			w.Text(l.Value(lb.Name, lb.Value))
		}
		w.Tag(`</td><td>`, p.Words("origin."+lb.Origin.String()), `</td><td>`)
		place(lb.Pos)
		w.Tag("</td></tr>\n")
	}
	if group >= 0 {
		w.Tag("</tbody></table></div>\n")
	}
}
