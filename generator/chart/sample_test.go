package chart

import (
	"fmt"
	"slices"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// The figures of a Qwen3-8B comparison of quantisations under two loads.
var (
	quantisations = []string{"BF16", "FP8", "FP4", "GPTQ-Int4", "GPTQ-Int8", "AWQ", "W4A16", "W8A16", "GGUF"}
	throughput    = [2][]float64{
		{82.47, 298.07, 167.20, 100.70, 79.23, 100.45, 99.56, 81.28, 7.91},
		{15.69, 111.15, 40.26, 43.09, 27.13, 42.66, 42.70, 27.52, 29.14},
	}
	ttft = [2][]float64{
		{974.57, 495.44, 570.92, 1918.40, 2225.45, 1823.17, 2114.14, 2294.06, 43688.41},
		{78.19, 23.06, 38.55, 36.87, 50.83, 36.95, 37.85, 50.23, 148.53},
	}
	size = []float64{16, 8.9, 6, 5.7, 9, 5.7, 5.7, 8.9, 5.5}
)

func both(zh, en string) locale.Text {
	return locale.By(map[string]string{"zh-CN": zh, "en": en}, en)
}

func literals(ss []string) []locale.Text {
	var ts []locale.Text
	for _, s := range ss {
		ts = append(ts, locale.Lit(s))
	}
	return ts
}

var (
	high   = both("高负载", "high load")
	low    = both("低负载", "low load")
	source = both(
		"Qwen3-8B · vLLM 0.11.0 · vllm bench serve · 1×Jetson AGX Thor · 2025 年 10 月 12 日",
		"Qwen3-8B · vLLM 0.11.0 · vllm bench serve · 1×Jetson AGX Thor · 12 October 2025")
)

// values makes points out of figures with two decimals.
func values(vs []float64) []report.Point {
	p, _ := locale.For("en")
	var ps []report.Point
	for _, v := range vs {
		ps = append(ps, report.Point{Y: v, Label: locale.Lit(p.Number(v, 2))})
	}
	return ps
}

// repeated gives points an interval, every third one apart, and one a ring.
func repeated(points []report.Point) []report.Point {
	points = slices.Clone(points)
	for i := range points {
		p := &points[i]
		share := 0.04 + 0.03*float64(i%4)
		p.Low, p.High, p.Spread = p.Y*(1-share), p.Y*(1+share), i%3 != 2 && !p.Missing
		p.Warned = i == 1
	}
	return points
}

// charts are the samples the goldens show, by name.
func charts() map[string]report.Chart {
	tokens := report.Axis{Title: both("输出吞吐", "Output throughput"), Unit: "tok/s", Better: bench.Higher}
	latency := report.Axis{Title: both("平均 TTFT", "Mean TTFT"), Unit: "ms", Better: bench.Lower}

	columns := report.Chart{
		Kind:       report.GroupedBars,
		Title:      both("高负载下的输出吞吐：八种量化", "Output throughput under high load, eight quantisations"),
		Subtitle:   both("并发 8，输入 1024 输出 128 词元，n = 3，中位数", "Concurrency 8, 1024 tokens in, 128 out, median of n = 3"),
		Source:     source,
		Y:          tokens,
		Categories: literals(quantisations[:8]),
		Series:     []report.Series{{Name: high, Points: values(throughput[0][:8])}},
	}

	grouped := columns
	grouped.Title = both("输出吞吐：两种负载", "Output throughput under two loads")
	grouped.Categories = literals(quantisations[1:5])
	grouped.Series = []report.Series{
		{Name: high, Points: values(throughput[0][1:5])},
		{Name: low, Points: values(throughput[1][1:5])},
	}

	grouped.Series[1].Points[3] = report.Point{Missing: true}

	horizontal := grouped
	horizontal.Categories = literals([]string{
		"Qwen3-8B", "Qwen3-8B-FP8", "Qwen3-8B-NVFP4", "Qwen3-8B-GPTQ-Int4", "Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit", "Qwen3-8B-AWQ",
	})
	horizontal.Series = []report.Series{
		{Name: high, Points: values(throughput[0][:6])},
		{Name: low, Points: values(throughput[1][:6])},
	}
	horizontal.Series[0].Points[3] = report.Point{Missing: true}
	horizontal.Series[1].Points[4].Quarantined = true
	horizontal.Notes = []locale.Text{both("空心：输出词元数与请求不符，未参与比较。", "Hollow: the output tokens do not match what was asked for; not compared.")}

	dots := columns
	dots.Title = both("首词元延迟：两种负载", "Time to first token under two loads")
	dots.Y = latency
	dots.Categories = literals(quantisations)
	dots.Series = []report.Series{{Name: high, Points: values(ttft[0])}, {Name: low, Points: values(ttft[1])}}

	three := dots
	three.Kind = report.Dots
	three.Title = both("三种负载下的平均 TTFT", "Mean TTFT under three loads")
	middle := []float64{320.5, 110.2, 160.8, 420.3, 390.6, 350.1, 401.9, 510.4, 5120.7}
	three.Series = []report.Series{
		{Name: high, Points: values(ttft[0])}, {Name: both("中负载", "medium load"), Points: values(middle)}, {Name: low, Points: values(ttft[1])},
	}
	three.Series[1].Points[2] = report.Point{Missing: true}
	three.Series[2].Points[2] = report.Point{Missing: true}
	three.Series[0].Points[8].Quarantined = true

	scatter := report.Chart{
		Kind:     report.Scatter,
		Title:    both("吞吐与首词元延迟的取舍", "Throughput against time to first token"),
		Subtitle: both("每点一种量化，高负载；左上为优", "One point for each quantisation, high load; the upper left is best"),
		Source:   source,
		X:        latency,
		Y:        tokens,
		Series:   []report.Series{{Name: high}},
		Frontier: []int{1},
	}
	for i, q := range quantisations {
		scatter.Series[0].Points = append(scatter.Series[0].Points, report.Point{
			X: ttft[0][i], Y: throughput[0][i], Label: locale.Lit(q), Dominated: i != 1, Quarantined: i == 8,
		})
	}

	frontier := scatter
	frontier.Title = both("模型大小与吞吐的取舍", "Model size against throughput")
	frontier.Subtitle = both("每点一种量化，高负载；左上为优", "One point for each quantisation, high load; the upper left is best")
	frontier.X = report.Axis{Title: both("权重大小", "Size of the weights"), Unit: "GB", Better: bench.Lower}
	frontier.Frontier = []int{8, 3, 2, 1}
	frontier.Series = []report.Series{{Name: high}}
	for i, q := range quantisations {
		onFrontier := i == 8 || i == 3 || i == 2 || i == 1
		frontier.Series[0].Points = append(frontier.Series[0].Points, report.Point{
			X: size[i], Y: throughput[0][i], Label: locale.Lit(q), Dominated: !onFrontier,
		})
	}

	loads := scatter
	loads.Title = both("两种负载下的取舍", "The tradeoff under two loads")
	loads.Subtitle = both("每点一种量化与一种负载", "One point for each quantisation and load")
	loads.Frontier = nil
	loads.Series = []report.Series{{Name: high}, {Name: low}}
	for k := range loads.Series {
		for i, q := range quantisations {
			p := report.Point{X: ttft[k][i], Y: throughput[k][i], Label: locale.Lit(q)}
			loads.Series[k].Points = append(loads.Series[k].Points, p)
		}
	}
	loads.Series[0].Points[8].Missing = true

	repeats := grouped
	repeats.Title = both("重复测量的输出吞吐", "Output throughput of repeats")
	repeats.Series = []report.Series{
		{Name: high, Points: repeated(values(throughput[0][1:5]))},
		{Name: low, Points: repeated(values(throughput[1][1:5]))},
	}
	repeats.Series[1].Points[2].Quarantined = true

	lying := horizontal
	lying.Title = repeats.Title
	lying.Series = []report.Series{
		{Name: high, Points: repeated(values(throughput[0][:6]))},
		{Name: low, Points: repeated(values(throughput[1][:6]))},
	}
	lying.Notes = nil

	intervals := three
	intervals.Title = both("三种负载下的平均 TTFT，重复测量", "Mean TTFT of repeats under three loads")
	intervals.Series = []report.Series{
		{Name: high, Points: repeated(values(ttft[0]))},
		{Name: three.Series[1].Name, Points: repeated(values(middle))},
		{Name: low, Points: repeated(values(ttft[1]))},
	}

	bubbles := loads
	bubbles.Title = both("两种负载下的取舍与权重大小", "The tradeoff under two loads, and the size of the weights")
	bubbles.Size = report.Axis{Title: both("权重大小", "Size of the weights"), Unit: "GB"}
	bubbles.Series = []report.Series{{Name: high}, {Name: low}}
	for k := range bubbles.Series {
		bubbles.Series[k].Points = repeated(loads.Series[k].Points[:8])
		for i := range bubbles.Series[k].Points {
			p := &bubbles.Series[k].Points[i]
			p.Size, p.Dominated = size[i], i != 1
		}
	}
	bubbles.Frontier = []int{8 + 1, 1}

	numbered := scatter
	numbered.Title = both("二十四种配置的取舍", "The tradeoff of twenty-four configurations")
	numbered.Subtitle = both("编号见图下", "The numbers are named below")
	numbered.Frontier = nil
	numbered.Series = []report.Series{{}}
	for i := range 24 {
		x, y := 1250+22*float64(i*5%23), 60+float64(i*7%11)*4
		if i%6 == 0 {
			x, y = 400+50*float64(i), 160-float64(i)
		}
		numbered.Series[0].Points = append(numbered.Series[0].Points, report.Point{
			X: x, Y: y, Dominated: i%6 != 0, Label: locale.Lit(fmt.Sprintf("Qwen3-%s-c%d", quantisations[i%9], i+1)),
		})
	}

	return map[string]report.Chart{
		"repeats": repeats, "lying": lying, "intervals": intervals, "bubbles": bubbles, "numbered": numbered,
		"columns": columns, "grouped": grouped, "horizontal": horizontal, "dots": dots, "three": three,
		"scatter": scatter, "frontier": frontier, "loads": loads,
		"empty": {Kind: report.Dots, Title: columns.Title, Subtitle: columns.Subtitle, Source: source},
	}
}
