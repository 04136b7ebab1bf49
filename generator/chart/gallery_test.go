package chart

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

const docs = "../../docs/"

func galleryTheme(name string) Theme {
	theme := DefaultTheme()
	if name == "dark" {
		theme = DarkTheme()
	}
	theme.Scale = 0.75
	if name == "narrow" {
		theme.Width, theme.Scale = NarrowWidth, 360.0/NarrowWidth
	}
	return theme
}

// TestGallery checks that the pictures of docs/charts.md are current, and take less than a megabyte.
func TestGallery(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(docs + "charts.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, m := range regexp.MustCompile(`!\[.+\]\(charts/(.+)\.png\)`).FindAllSubmatch(page, -1) {
		shown = append(shown, string(m[1]))
	}
	for name, sample := range gallery {
		t.Run(name, func(t *testing.T) {
			img, err := Draw(charts()[sample], printer(t, "en"), galleryTheme(name))
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, img.PNG, filepath.Join(docs, "charts", name+".png"))
			if !slices.Contains(shown, name) {
				t.Errorf("docs/charts.md does not show it")
			}
		})
	}
	total := int64(0)
	files, err := filepath.Glob(docs + "charts/*.png")
	if err != nil || len(files) != len(gallery) {
		t.Errorf("docs/charts holds %d pictures, want %d: %v", len(files), len(gallery), err)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 1_000_000 {
		t.Errorf("the pictures have %d bytes, want at most a million", total)
	}
}

// TestBlocksOfTheGallery checks that every block of docs/charts.md produces the kind of chart above it, with
// its title, from runs with the labels it names.
func TestBlocksOfTheGallery(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(docs + "charts.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```benchpost chart (\\w+)\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != len(gallery)-2 { // narrow and dark are pictures of another block
		t.Errorf("%d blocks, want %d", len(blocks), len(gallery)-2)
	}
	for _, m := range blocks {
		name := string(m[1])
		t.Run(name, func(t *testing.T) {
			block, ms := block.Evaluate(galleryRuns(), "chart", m[2], result.Position{File: "charts.md"})
			if len(ms) > 0 || block.Chart == nil {
				t.Fatalf("messages %v", ms)
			}
			got, want := block.Chart, charts()[gallery[name]]
			if got.Kind != want.Kind || got.Form != want.Form {
				t.Errorf("the block makes a chart of kind %s %s, the picture is of %s %s", got.Kind, got.Form, want.Kind, want.Form)
			}
			if title := locale.English(want.Title); locale.English(got.Title) != title {
				t.Errorf("the block has the title %q, the picture %q", locale.English(got.Title), title)
			}
			drawn := *got
			if len(got.Panels) > 0 {
				drawn = got.Panels[0].Chart
			}
			if len(drawn.Series) == 0 || len(drawn.Series[0].Points) == 0 {
				t.Error("the block makes a chart of nothing")
			}
			if len(got.Panels) != len(want.Panels) {
				t.Errorf("%d small charts, the picture has %d", len(got.Panels), len(want.Panels))
			}
			if len(got.Steps) > 0 != (len(want.Steps) > 0) || len(got.Bands) > 0 != (len(want.Bands) > 0) {
				t.Errorf("steps %v and bands %v, the picture has %v and %v", got.Steps, got.Bands, want.Steps, want.Bands)
			}
			checkLayout(t, arranged(t, *got, "en"))
		})
	}
}

// galleryRuns returns runs with the labels that the blocks of the gallery name.
func galleryRuns() *dataset.Selection {
	d := &dataset.Selection{}
	run := func(scenario string, figures map[string]float64, labels ...string) *result.Result {
		r := &result.Result{ID: fmt.Sprintf("%s-%03d", scenario, len(d.Results)), Tool: "vllm-serve"}
		r.Labels.Set(result.Label{Name: "scenario", Value: scenario})
		for i := 0; i < len(labels); i += 2 {
			r.Labels.Set(result.Label{Name: labels[i], Value: labels[i+1]})
		}
		for name, v := range figures {
			def, _ := vocabulary.Define(name)
			r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: def.Unit, Better: def.Better}, Value: v, Decimals: 2})
		}
		slices.SortFunc(r.Metrics, func(a, b result.Metric) int { return strings.Compare(a.Name, b.Name) })
		d.Results = append(d.Results, r)
		return r
	}
	for i, model := range []string{"Qwen3-8B", "Qwen3-8B-FP8", "Qwen3-8B-AWQ"} {
		level := 100 + 40*float64(i)
		for k, load := range []string{"high", "low"} {
			median := level * []float64{5, 1}[k]
			r := run("loads", map[string]float64{"output_throughput": level, "ttft_mean": median, "ttft_p50": median, "ttft_p90": 2 * median, "ttft_p99": 3 * median},
				"model", model, "load", load, "weight_size", fmt.Sprintf("%d G", 16-4*i))
			spread := result.Distribution{Family: "ttft", Unit: "ms", N: 500}
			for q := range 501 {
				spread.Quantiles = append(spread.Quantiles, skewed(median, min(max(float64(q)/500, 0.002), 0.998)))
			}
			r.Distributions = []result.Distribution{spread}
		}
		for _, n := range []float64{1, 2, 4, 8, 16} {
			total := level * n / (1 + n/20)
			run("sweep", map[string]float64{"output_throughput": total, "interactivity": total / n}, "model", model, "max_concurrency", fmt.Sprint(n))
			for _, tp := range []float64{1, 2, 4} {
				user := total / n * math.Sqrt(tp)
				run("serving", map[string]float64{"output_throughput_per_accelerator": user * n / tp, "interactivity": user}, "engine", model, "max_concurrency", fmt.Sprint(n), "parallelism", fmt.Sprint("tp", tp))
			}
			for _, mode := range []string{"MAXN", "120W", "70W", "30W"} {
				run("budgets", map[string]float64{"output_throughput": total}, "model", model, "max_concurrency", fmt.Sprint(n), "power_mode", mode)
			}
		}
		for k, version := range []string{"0.8.5", "0.9.0", "0.9.1", "0.9.2", "0.10.0", "0.10.1"} {
			for repeat := range 3 {
				v := level*(1+0.25*math.Floor(float64(k)/3)) + 0.2*float64(repeat)
				run("releases", map[string]float64{"output_throughput": v}, "model", model, "engine_version", version, "repeat", fmt.Sprint(repeat))
			}
		}
		for k, clocks := range []string{"free", "locked"} {
			run("clocks", map[string]float64{"output_throughput": level + 5*float64(i*k)}, "model", model, "clocks", clocks)
		}
	}
	for i, mode := range []string{"MAXN", "70 W"} {
		trace := &result.Trace{Channels: []result.Channel{{Name: "power", Unit: "W", Field: "VIN"}}}
		for k := range 100 {
			trace.Times = append(trace.Times, float64(k))
			trace.Channels[0].Lines = append(trace.Channels[0].Lines, int32(k+1))
			trace.Channels[0].Values = append(trace.Channels[0].Values, 100-30*float64(i)+math.Sin(float64(k)))
		}
		run("modes", map[string]float64{"power_mean": 100 - 30*float64(i)}, "model", "Qwen3-8B", "power_mode", mode).Telemetry = &result.Telemetry{Trace: trace, From: 10, To: 90}
	}
	return d
}
