package export

import (
	"bufio"
	"io"
	"math"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// ReportSchema names the format of a report's document.
const ReportSchema = "benchpost.report/1"

// Post is a report with its evaluated blocks.
type Post struct {
	Slug, Lang, Title string
	Date              time.Time
	Source            string   // file of the post
	Runs              []string // ids of the results it uses
	Blocks            []Block
}

// Block is an evaluated block of a report.
type Block struct {
	Kind   string // word after "benchpost" in its info string, such as "tradeoff"
	Line   int    // line of the post's source
	Absent string // why a broken run leaves it without figures; "" if it has them
	report.Block
}

// JSON structures of the report. Empty fields are omitted.
type (
	postHead struct {
		Schema string `json:"schema"`
		Slug   string `json:"slug"`
		Lang   string `json:"lang"`
		Title  string `json:"title,omitempty"`
		Date   string `json:"date,omitempty"`
		Source string `json:"source,omitempty"`
	}
	blockHead struct {
		Kind   string `json:"kind"`
		Line   int    `json:"line,omitempty"`
		Absent string `json:"absent,omitempty"`
	}
	tableHead struct {
		Kind    string `json:"kind,omitempty"`
		Caption string `json:"caption,omitempty"`
	}
	tableColumn struct {
		Title  string `json:"title,omitempty"`
		Group  string `json:"group,omitempty"`
		Unit   string `json:"unit,omitempty"`
		Metric string `json:"metric,omitempty"`
		Better string `json:"better,omitempty"`
	}
	tableRow struct {
		Baseline bool        `json:"baseline,omitempty"`
		Excluded bool        `json:"quarantined,omitempty"`
		Cells    []tableCell `json:"cells"`
	}
	tableCell struct {
		Text     string   `json:"text,omitempty"`
		Value    *float64 `json:"value,omitempty"`
		Best     bool     `json:"best,omitempty"`
		Change   string   `json:"change,omitempty"`
		Run      string   `json:"run,omitempty"`
		File     string   `json:"file,omitempty"`
		Line     int      `json:"line,omitempty"`
		Field    string   `json:"field,omitempty"`
		URL      string   `json:"url,omitempty"`
		Rule     string   `json:"rule,omitempty"`
		Why      string   `json:"why,omitempty"`
		Spread   string   `json:"spread,omitempty"` // number and range of repeats
		Weak     bool     `json:"weak,omitempty"`
		Excluded bool     `json:"quarantined,omitempty"`
		Missing  bool     `json:"missing,omitempty"`
		Notes    []int    `json:"notes,omitempty"` // numbers of the table's notes, counted from 1
	}
	tableNote struct {
		Severity string `json:"severity"`
		Text     string `json:"text"`
	}
	findingsHead struct {
		Title string `json:"title,omitempty"`
	}
	finding struct {
		Rule   string   `json:"rule,omitempty"`
		Text   string   `json:"text"`
		Reason string   `json:"reason,omitempty"`
		Runs   []string `json:"runs,omitempty"`
		N      int      `json:"n,omitempty"`
		Effect float64  `json:"effect,omitempty"`
	}
	chartHead struct {
		Kind     string   `json:"kind"`
		Form     string   `json:"form,omitempty"`
		Title    string   `json:"title,omitempty"`
		Subtitle string   `json:"subtitle,omitempty"`
		Source   string   `json:"source,omitempty"`
		Alt      string   `json:"alt,omitempty"`
		Notes    []string `json:"notes,omitempty"`
		X        axis     `json:"x,omitzero"`
		Y        axis     `json:"y,omitzero"`
		Size     axis     `json:"size,omitzero"`
		Along    string   `json:"along,omitempty"`    // in curves: the label whose values the points show
		Frontier []int    `json:"frontier,omitempty"` // indices of points, from 0
	}
	axis struct {
		Title  string `json:"title,omitempty"`
		Unit   string `json:"unit,omitempty"`
		Scale  string `json:"scale,omitempty"`
		Better string `json:"better,omitempty"`
	}
	seriesHead struct {
		Name  string `json:"name,omitempty"`
		Style int    `json:"style,omitempty"` // colour and shape, counted from 1; by position if absent
	}
	point struct {
		X         *float64  `json:"x,omitempty"`
		Y         *float64  `json:"y,omitempty"`
		Low       *float64  `json:"low,omitempty"`
		High      *float64  `json:"high,omitempty"`
		Quantiles []float64 `json:"quantiles,omitempty"` // 5th, 25th, 50th, 75th and 95th percentile
		Size      *float64  `json:"size,omitempty"`
		Label     string    `json:"label,omitempty"`
		Part      string    `json:"part,omitempty"`   // in curves: the configuration whose line contains it
		XText     string    `json:"x_text,omitempty"` // with the known digits, if no label shows them
		YText     string    `json:"y_text,omitempty"`
		Missing   bool      `json:"missing,omitempty"`
		Excluded  bool      `json:"quarantined,omitempty"`
		Warned    bool      `json:"warned,omitempty"`
		Dominated bool      `json:"dominated,omitempty"`
		Run       string    `json:"run,omitempty"`
	}
	tick struct {
		At   float64 `json:"at"`
		Text string  `json:"text"`
	}
	level struct {
		Across bool    `json:"across,omitempty"` // a value of the y axis
		At     float64 `json:"at"`
		Text   string  `json:"text,omitempty"`
	}
	band struct {
		From float64 `json:"from"`
		To   float64 `json:"to"`
		Text string  `json:"text,omitempty"`
	}
	step struct {
		Series int    `json:"series"`
		Point  int    `json:"point"` // the first point after the change, counted from 0
		Text   string `json:"text,omitempty"`
		Worse  bool   `json:"worse,omitempty"`
	}
	rawOutput struct {
		Title   string `json:"title,omitempty"`
		Run     string `json:"run"`
		File    string `json:"file"`
		Line    int    `json:"line,omitempty"`
		EndLine int    `json:"end_line,omitempty"`
	}
)

// Report writes a report as a document benchpost.report/1: every block with its figures, in the language of the
// printer. Each row, point and finding is on its own line, so that the document diffs well. For raw output it
// names the file and the lines.
func Report(w io.Writer, post Post, p locale.Printer) error {
	b := bufio.NewWriter(w)
	o := reportWriter{outline: outline{w: b}, p: p}
	o.post(&post)
	b.WriteByte('\n')
	if o.err != nil {
		return o.err
	}
	return b.Flush()
}

// reportWriter writes a report in one language.
type reportWriter struct {
	outline
	p locale.Printer
}

func (o *reportWriter) post(post *Post) {
	head := postHead{Schema: ReportSchema, Slug: post.Slug, Lang: post.Lang, Title: post.Title, Source: post.Source}
	if !post.Date.IsZero() {
		head.Date = post.Date.Format(time.RFC3339)
	}
	o.object(head,
		part{"runs", o.list(len(post.Runs), func(i int) { o.value(post.Runs[i]) })},
		part{"blocks", o.list(len(post.Blocks), func(i int) { o.block(&post.Blocks[i]) })})
}

func (o *reportWriter) block(b *Block) {
	var content, below part
	table := part{"table", func() { o.table(b.Table) }}
	switch {
	case b.Absent != "":
	case b.Chart != nil:
		content = part{"chart", func() { o.chart(b.Chart) }}
		if b.Table != nil {
			below = table
		}
	case b.Table != nil:
		content = table
	case b.Findings != nil:
		content = part{"findings", func() { o.findings(b.Findings) }}
	default:
		content = part{"raw", o.list(len(b.Raw), func(i int) {
			raw := &b.Raw[i]
			o.value(rawOutput{o.p.Say(raw.Title), raw.Result.ID, raw.Result.Source.File, raw.Result.Source.Line, raw.Result.EndLine})
		})}
	}
	o.object(blockHead{b.Kind, b.Line, b.Absent}, content, below)
}

func (o *reportWriter) table(t *report.Table) {
	say := o.p.Say
	o.object(tableHead{t.Kind, say(t.Caption)},
		part{"columns", o.list(len(t.Columns), func(i int) {
			c := &t.Columns[i]
			o.value(tableColumn{say(c.Title), say(c.Group), c.Unit, c.Metric, c.Better.String()})
		})},
		part{"rows", o.list(len(t.Rows), func(i int) { o.value(o.row(&t.Rows[i])) })},
		part{"notes", o.list(len(t.Notes), func(i int) {
			o.value(tableNote{t.Notes[i].Severity.String(), say(t.Notes[i].Text)})
		})},
		part{"answers", o.sentences(t.Answers)})
}

func (o *reportWriter) row(r *report.Row) tableRow {
	row := tableRow{r.Baseline, r.Excluded, make([]tableCell, len(r.Cells))}
	for i := range r.Cells {
		c := &r.Cells[i]
		row.Cells[i] = tableCell{
			Text: o.p.Say(c.Text), Best: c.Best, Change: o.p.Say(c.Change), Run: c.Run,
			File: c.Source.File, Line: c.Source.Line, Field: c.Field, URL: c.URL,
			Rule: c.Rule, Why: o.p.Say(c.Why), Spread: o.p.Say(c.Spread), Weak: c.Weak, Excluded: c.Excluded, Missing: c.Missing, Notes: c.Notes,
		}
		if c.Numeric && !c.Missing {
			row.Cells[i].Value = finite(c.Value)
		}
	}
	return row
}

func (o *reportWriter) findings(f *report.Findings) {
	o.object(findingsHead{o.p.Say(f.Title)},
		part{"claims", o.sentences(f.Claims)},
		part{"withheld", o.sentences(f.Withheld)},
		part{"limits", o.sentences(f.Limits)})
}

// sentences lists findings.
func (o *reportWriter) sentences(fs []report.Finding) func() {
	return o.list(len(fs), func(i int) {
		f := &fs[i]
		out := finding{Rule: f.Rule, Text: o.p.Say(f.Text), Reason: o.p.Say(f.Reason), Runs: f.Runs, N: f.N}
		if effect := finite(f.Effect); effect != nil {
			out.Effect = *effect
		}
		o.value(out)
	})
}

func (o *reportWriter) chart(c *report.Chart) {
	say := o.p.Say
	ax := func(a report.Axis) axis { return axis{say(a.Title), a.Unit, string(a.Scale), a.Better.String()} }
	head := chartHead{Kind: string(c.Kind), Form: string(c.Form), Title: say(c.Title), Subtitle: say(c.Subtitle), Source: say(c.Source), Alt: say(c.Alt),
		X: ax(c.X), Y: ax(c.Y), Size: ax(c.Size), Along: say(c.Along), Frontier: slices.Concat(c.Frontier...)}
	for _, n := range c.Notes {
		head.Notes = append(head.Notes, say(n))
	}
	o.object(head,
		part{"categories", o.list(len(c.Categories), func(i int) { o.value(say(c.Categories[i])) })},
		part{"series", o.list(len(c.Series), func(i int) {
			s := &c.Series[i]
			o.object(seriesHead{say(s.Name), s.Style},
				part{"points", o.list(len(s.Points), func(j int) { o.value(o.point(c, &s.Points[j])) })})
		})},
		part{"ticks", o.list(len(c.Ticks), func(i int) { o.value(tick{c.Ticks[i].At, say(c.Ticks[i].Text)}) })},
		part{"levels", o.list(len(c.Levels), func(i int) { o.value(level{c.Levels[i].Across, c.Levels[i].At, say(c.Levels[i].Text)}) })},
		part{"bands", o.list(len(c.Bands), func(i int) { o.value(band{c.Bands[i].From, c.Bands[i].To, say(c.Bands[i].Text)}) })},
		part{"steps", o.list(len(c.Steps), func(i int) {
			s := &c.Steps[i]
			o.value(step{s.Series, s.Point, say(s.Text), s.Worse})
		})},
		part{"panels", o.list(len(c.Panels), func(i int) {
			small := c.Panels[i].Chart
			small.Title = c.Panels[i].Title
			o.chart(&small)
		})})
}

func (o *reportWriter) point(c *report.Chart, pt *report.Point) point {
	out := point{Label: o.p.Say(pt.Label), Part: o.p.Say(pt.Part), Missing: pt.Missing, Excluded: pt.Excluded, Warned: pt.Warned, Dominated: pt.Dominated, Run: pt.Run}
	if c.Kind == report.Lines || c.Kind == report.Curves || c.Kind == report.Scatter && !pt.Missing {
		out.X = finite(pt.X)
	}
	if pt.Missing {
		return out
	}
	out.Y = finite(pt.Y)
	out.XText, out.YText = pt.Digits[0], pt.Digits[1]
	if pt.Spread || c.Kind == report.Histogram {
		out.Low, out.High = finite(pt.Low), finite(pt.High)
	}
	if c.Kind == report.Boxes && !slices.ContainsFunc(pt.Five[:], func(v float64) bool { return finite(v) == nil }) {
		out.Quantiles = pt.Five[:]
	}
	if c.Size != (report.Axis{}) {
		out.Size = finite(pt.Size)
	}
	return out
}

// finite returns a pointer to v, or nil if JSON cannot represent v.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
