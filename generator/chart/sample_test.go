package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// The numbers of a Qwen3-8B comparison of quantisations under two loads.
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

// values returns points with the given values and two decimals.
func values(vs []float64) []report.Point {
	p, _ := locale.For("en")
	var ps []report.Point
	for _, v := range vs {
		ps = append(ps, report.Point{Y: v, Label: locale.Lit(p.Number(v, 2))})
	}
	return ps
}

// doubted adds an interval to points, except every third, and a ring to one.
func doubted(points []report.Point) []report.Point {
	points = slices.Clone(points)
	for i := range points {
		p := &points[i]
		share := 0.04 + 0.03*float64(i%4)
		p.Low, p.High, p.Spread = p.Y*(1-share), p.Y*(1+share), i%3 != 2 && !p.Missing
		p.Warned = i == 1
	}
	return points
}

// gallery maps the pictures of docs/charts.md to samples.
var gallery = map[string]string{
	"bars": "grouped", "dots": "three", "range": "range", "scatter": "frontier", "lines": "sweep", "tradeoff": "tradeoff", "curves": "curves", "history": "history",
	"boxes": "boxes", "cdf": "cdf", "histogram": "histogram", "heatmap": "heatmap", "slope": "slope", "power": "power",
	"narrow": "sweep", "dark": "sweep", "panels": "panels",
}

// charts returns the samples of the goldens by name.
func charts() map[string]report.Chart {
	tokens := report.Axis{Title: both("输出吞吐", "Output throughput"), Unit: "tok/s", Better: result.Higher}
	latency := report.Axis{Title: both("平均 TTFT", "Mean TTFT"), Unit: "ms", Better: result.Lower}

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
	horizontal.Series[1].Points[4].Excluded = true
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
	three.Series[0].Points[8].Excluded = true

	scatter := report.Chart{
		Kind:     report.Scatter,
		Title:    both("吞吐与首词元延迟的取舍", "Throughput against time to first token"),
		Subtitle: both("每点一种量化，高负载；左上为优", "One point for each quantisation, high load; the upper left is best"),
		Source:   source,
		X:        latency,
		Y:        tokens,
		Series:   []report.Series{{Name: high}},
		Frontier: [][]int{{1}},
	}
	for i, q := range quantisations {
		scatter.Series[0].Points = append(scatter.Series[0].Points, report.Point{
			X: ttft[0][i], Y: throughput[0][i], Label: locale.Lit(q), Dominated: i != 1, Excluded: i == 8,
		})
	}

	frontier := scatter
	frontier.Title = both("模型大小与吞吐的取舍", "Model size against throughput")
	frontier.Subtitle = both("每点一种量化，高负载；左上为优", "One point for each quantisation, high load; the upper left is best")
	frontier.X = report.Axis{Title: both("权重大小", "Size of the weights"), Unit: "GB", Better: result.Lower}
	frontier.Frontier = [][]int{{8, 3, 2, 1}}
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
		{Name: high, Points: doubted(values(throughput[0][1:5]))},
		{Name: low, Points: doubted(values(throughput[1][1:5]))},
	}
	repeats.Series[1].Points[2].Excluded = true

	lying := horizontal
	lying.Title = repeats.Title
	lying.Series = []report.Series{
		{Name: high, Points: doubted(values(throughput[0][:6]))},
		{Name: low, Points: doubted(values(throughput[1][:6]))},
	}
	lying.Notes = nil

	intervals := three
	intervals.Title = both("三种负载下的平均 TTFT，重复测量", "Mean TTFT of repeats under three loads")
	intervals.Series = []report.Series{
		{Name: high, Points: doubted(values(ttft[0]))},
		{Name: three.Series[1].Name, Points: doubted(values(middle))},
		{Name: low, Points: doubted(values(ttft[1]))},
	}

	bubbles := loads
	bubbles.Title = both("两种负载下的取舍与权重大小", "The tradeoff under two loads, and the size of the weights")
	bubbles.Size = report.Axis{Title: both("权重大小", "Size of the weights"), Unit: "GB"}
	bubbles.Series = []report.Series{{Name: high}, {Name: low}}
	for k := range bubbles.Series {
		bubbles.Series[k].Points = doubted(loads.Series[k].Points[:8])
		for i := range bubbles.Series[k].Points {
			p := &bubbles.Series[k].Points[i]
			p.Size, p.Dominated = size[i], i != 1
		}
	}
	bubbles.Frontier = [][]int{{8 + 1, 1}}

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
		"sweep": sweep(tokens), "tradeoff": tradeoff(tokens), "curves": curves(), "crowd": crowd(), "history": history(tokens), "nightly": nightly(tokens), "cdf": cumulative(),
		"power": power(), "boxes": boxPlot(latency), "heatmap": heatMap(tokens), "slope": slopes(tokens), "range": ranges(),
		"histogram": histogram(1), "histograms": histogram(2), "panels": panels(tokens),
	}
}

// load is the number of requests a server works on at a time.
var load = report.Axis{Title: both("并发数", "Concurrency")}

// sweep is a metric over rising load, with every kind of doubt.
func sweep(tokens report.Axis) report.Chart {
	c := report.Chart{Kind: report.Lines, Title: both("输出吞吐随并发的变化", "Output throughput as concurrency rises"),
		Subtitle: both("输入 2048 输出 128 词元，中位数，n = 3", "2048 tokens in, 128 out, median of n = 3"), Source: source, X: load, Y: tokens,
		Notes: []locale.Text{both("Qwen3-8B-NVFP4 在并发 8 时输出词元数与请求不符，未参与比较。", "Qwen3-8B-NVFP4 at concurrency 8: the output tokens do not match what was asked for; not compared.")}}
	for i, name := range []string{"Qwen3-8B", "Qwen3-8B-FP8", "Qwen3-8B-NVFP4", "Qwen3-8B-AWQ"} {
		s := report.Series{Name: locale.Lit(name)}
		for k, x := range []float64{1, 2, 4, 8, 16, 32} {
			y := (21 + 9*float64(i)) * x / (1 + x/(18+7*float64(i)))
			p := report.Point{X: x, Y: y, Spread: i == 1, Low: y * 0.75, High: y * 1.3}
			p.Missing, p.Excluded, p.Warned = i == 3 && k == 2, i == 2 && k == 3, i == 0 && k == 4
			s.Points = append(s.Points, p)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// tradeoff is two metrics of the same runs against each other, joined in the
// order of the load.
func tradeoff(tokens report.Axis) report.Chart {
	c := report.Chart{Kind: report.Lines, Title: both("吞吐与每用户速度：并发 1 到 64", "Throughput against speed per user, concurrency 1 to 64"),
		Source: source, X: report.Axis{Title: both("每用户输出速度", "Output speed per user"), Unit: "tok/s", Better: result.Higher}, Y: tokens}
	for i, name := range []string{"BF16", "FP8", "NVFP4"} {
		s := report.Series{Name: locale.Lit(name)}
		for _, n := range []float64{1, 2, 4, 8, 16, 32, 64} {
			y := (21 + 9*float64(i)) * n / (1 + n/(18+7*float64(i)))
			s.Points = append(s.Points, report.Point{X: y / n, Y: y})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// history is a metric over the versions of an engine, which makes steps.
func history(tokens report.Axis) report.Chart {
	c := report.Chart{Kind: report.Lines, Title: both("各 vLLM 版本的输出吞吐", "Output throughput across vLLM versions"), Source: source,
		Subtitle: both("并发 8，中位数，n = 5", "Concurrency 8, median of n = 5"), X: report.Axis{Title: both("引擎版本", "Engine version")}, Y: tokens}
	for i, v := range []string{"0.8.5", "0.9.0", "0.9.1", "0.9.2", "0.10.0", "0.10.1", "0.10.2", "0.11.0"} {
		c.Ticks = append(c.Ticks, report.Tick{At: float64(i), Text: locale.Lit(v)})
	}
	for i, level := range [][]float64{{198, 201, 199, 246, 244, 247, 221, 223}, {151, 150, 153, 152, 171, 169, 170, 172}} {
		s := report.Series{Name: locale.Lit([]string{"Qwen3-8B-FP8", "Qwen3-8B-AWQ"}[i])}
		for k, y := range level {
			s.Points = append(s.Points, report.Point{X: float64(k), Y: y, Low: y - 4, High: y + 3, Spread: true})
		}
		c.Series = append(c.Series, s)
	}
	c.Steps = []report.Step{
		{Series: 0, Point: 3, Text: locale.Lit("+23.6%")}, {Series: 0, Point: 6, Text: locale.Lit("−10.5%"), Worse: true},
		{Series: 1, Point: 4, Text: locale.Lit("+12.5%")},
	}
	return c
}

// nightly is a metric over days, with gaps, two releases of the engine, and a point that is not archived yet.
func nightly(tokens report.Axis) report.Chart {
	c := report.Chart{Kind: report.Lines, Title: both("每晚的输出吞吐", "Output throughput night by night"), Source: source,
		X: report.Axis{Title: both("日期", "Date"), Scale: report.Time}, Y: tokens,
		Bands: []report.Band{{From: 20485, To: 20485, Text: locale.Lit("0.10.2 → 0.11.0")}, {From: 20516, To: 20516, Text: locale.Lit("0.11.0 → 0.11.1")}},
		Steps: []report.Step{{Point: 22, Text: locale.Lit("−6.2%"), Worse: true}}}
	s := report.Series{Name: locale.Lit("Qwen3-8B-FP8")}
	for at := 20454.; at < 20530; at++ { // from 1 January 2026
		if int(at)%7 > 4 {
			continue
		}
		p := report.Point{X: at, Y: 298 + 2*math.Sin(at*at)}
		if len(s.Points) >= 22 {
			p.Y *= 0.938
		}
		s.Points = append(s.Points, p)
	}
	s.Points = append(s.Points, report.Point{X: 20531, Y: 281})
	c.Ticks = []report.Tick{{At: 20531, Text: both("当前", "now"), Apart: true}}
	c.Series = []report.Series{s}
	return c
}

// skewed returns the quantiles of a latency as servers have it, with a long tail.
func skewed(median, share float64) float64 {
	return median * math.Exp(0.35*math.Erfinv(2*share-1)*math.Sqrt2+0.25*math.Pow(share, 12))
}

func cumulative() report.Chart {
	c := report.Chart{Kind: report.Lines, Form: report.Stair, Title: both("首词元延迟的累积分布", "Time to first token, cumulative"), Source: source,
		X: report.Axis{Title: both("TTFT", "TTFT"), Unit: "ms", Better: result.Lower}, Y: report.Axis{Title: both("请求占比", "Share of requests"), Unit: "%", Scale: report.Linear}}
	for i, name := range []string{"Qwen3-8B", "Qwen3-8B-FP8", "Qwen3-8B-AWQ"} {
		s := report.Series{Name: locale.Lit(name)}
		for k := range 101 {
			share := min(max(float64(k)/100, 0.002), 0.998)
			s.Points = append(s.Points, report.Point{X: skewed([]float64{570, 495, 930}[i], share), Y: float64(k)})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// power is the power of two machines before, during and after a run.
func power() report.Chart {
	c := report.Chart{Kind: report.Lines, Form: report.Trace, Title: both("整机功率", "Power of the machine"), Source: source,
		X: report.Axis{Title: both("时间", "Time"), Unit: "s", Scale: report.Linear}, Y: report.Axis{Title: both("功率", "Power"), Unit: "W"},
		Bands: []report.Band{{From: 0, To: 240, Text: both("运行", "run")}}}
	noise := rand.New(rand.NewPCG(1, 2))
	for i, name := range []string{"MAXN", "70 W"} {
		s := report.Series{Name: locale.Lit(name)}
		for k := range 600 {
			at, level := float64(k)/2-30, 32.0
			if at >= 0 && at < 240 {
				level = []float64{104, 67}[i] + 4*math.Sin(at/9)
			}
			s.Points = append(s.Points, report.Point{X: at, Y: level + 3*noise.NormFloat64()})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func boxPlot(latency report.Axis) report.Chart {
	latency.Title = both("TTFT", "TTFT")
	c := report.Chart{Kind: report.Boxes, Title: both("首词元延迟的分布：两种负载", "How time to first token is spread under two loads"), Source: source, Y: latency,
		Categories: literals(quantisations[:6])}
	for i, name := range []locale.Text{high, low} {
		s := report.Series{Name: name}
		for k := range 6 {
			p := report.Point{Y: ttft[i][k], Excluded: i == 0 && k == 2, Missing: i == 1 && k == 4}
			for n, share := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
				p.Five[n] = skewed(ttft[i][k], share)
			}
			s.Points = append(s.Points, p)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func histogram(series int) report.Chart {
	c := report.Chart{Kind: report.Histogram, Title: both("首词元延迟的直方图", "How time to first token is spread"), Source: source,
		X: report.Axis{Title: both("TTFT", "TTFT"), Unit: "ms", Better: result.Lower, Scale: report.Linear}, Y: report.Axis{Title: both("请求占比", "Share of requests"), Unit: "%"}}
	below := func(median, x float64) float64 { return 50 * (1 + math.Erf(math.Log(x/median)/(0.35*math.Sqrt2))) }
	for i := range series {
		s, median := report.Series{Name: locale.Lit([]string{"Qwen3-8B-FP8", "Qwen3-8B"}[i])}, []float64{495, 760}[i]
		for k := range 40 {
			p := report.Point{Low: 120 + 40*float64(k), High: 160 + 40*float64(k)}
			p.Y = below(median, p.High) - below(median, p.Low)
			s.Points = append(s.Points, p)
		}
		c.Series = append(c.Series, s)
	}
	if series == 1 {
		c.Bands = []report.Band{{From: 495, Text: locale.Lit("p50")}, {From: skewed(495, 0.99), Text: locale.Lit("p99")}}
	}
	return c
}

func heatMap(tokens report.Axis) report.Chart {
	c := report.Chart{Kind: report.HeatMap, Title: both("输出吞吐：量化 × 并发", "Output throughput by quantisation and concurrency"), Source: source, Y: tokens,
		Categories: literals(quantisations[:7])}
	for k, n := range []float64{1, 2, 4, 8, 16} {
		s := report.Series{Name: both("并发 "+strconv.Itoa(int(n)), "c = "+strconv.Itoa(int(n)))}
		for i := range 7 {
			y := throughput[0][i] * n / 8 * 1.6 / (1 + n/14)
			s.Points = append(s.Points, report.Point{Y: math.Round(y*100) / 100, Missing: i == 3 && k == 4, Excluded: i == 1 && k == 0})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func slopes(tokens report.Axis) report.Chart {
	c := report.Chart{Kind: report.Slope, Title: both("锁定频率前后的输出吞吐", "Output throughput with clocks free and locked"), Source: source, Y: tokens,
		Categories: []locale.Text{both("未锁定", "free"), both("锁定", "locked")}}
	for i := range 8 {
		before := throughput[0][i]
		after := math.Round(before*(0.93+0.045*float64(i))*100) / 100
		c.Series = append(c.Series, report.Series{Name: locale.Lit("Qwen3-8B-" + quantisations[i]), Points: []report.Point{{Y: before}, {Y: after, Excluded: i == 2}}})
	}
	return c
}

// ranges has percentiles of one latency instead of series.
func ranges() report.Chart {
	c := report.Chart{Kind: report.Dots, Title: both("首词元延迟：中位数与尾部", "Time to first token, median and tail"), Source: source,
		Y: report.Axis{Title: both("TTFT", "TTFT"), Unit: "ms", Better: result.Lower}, Categories: literals(quantisations[:8])}
	for i, name := range []string{"p50", "p90", "p99"} {
		s := report.Series{Name: both("TTFT "+name, name+" TTFT")}
		for k := range 8 {
			s.Points = append(s.Points, report.Point{Y: math.Round(10*skewed(ttft[0][k], []float64{0.5, 0.9, 0.99}[i])) / 10})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// panels is a sweep under each of four power modes; under the least the largest
// model did not start.
func panels(tokens report.Axis) report.Chart {
	p := report.Chart{
		Kind: report.Lines, Title: both("四种功耗模式下的吞吐", "Throughput under four power modes"),
		Subtitle: both("2048 词元输入、128 词元输出", "2048 tokens in, 128 out"), Source: source,
	}
	for k, mode := range []string{"MAXN", "120W", "70W", "30W"} {
		c := report.Chart{Kind: report.Lines, X: report.Axis{Title: both("并发数", "Concurrency")}, Y: tokens}
		for i, name := range []string{"Qwen3-8B", "Qwen3-8B-FP8", "Qwen3-8B-NVFP4"} {
			s := report.Series{Name: locale.Lit(name)}
			for n, x := range []float64{1, 2, 4, 8, 16} {
				s.Points = append(s.Points, report.Point{
					X: x, Y: (20 + 6*float64(i) + 18*float64(n*n)*(1+0.3*float64(i))) / float64(k+1), Missing: k == 3 && i == 0,
				})
			}
			c.Series = append(c.Series, s)
		}
		p.Panels = append(p.Panels, report.Panel{Title: locale.Lit(mode), Chart: c})
	}
	return p
}
