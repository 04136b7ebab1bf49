package export

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/visible"
)

// Limits of a comment on GitHub, which accepts 65,536 characters. Readers need fewer.
const (
	mostMarkdown = 60_000 // bytes
	mostShown    = 25     // rows before the rest is collapsed
	mostText     = 500    // characters of one text
)

// DiffMarkdown returns a comparison for a pull request: a one-line verdict, the figures that differ, the worst
// first, and the rest collapsed. It has fewer than 65,536 characters and states how much it omits. Labels
// cannot become markup, mentions or links.
func DiffMarkdown(c *compare.Comparison, p locale.Printer) string {
	d := diffMarkdown{c: c, p: p}
	d.write("**" + github(p.Say(c.Title())) + "**: " + github(p.Say(c.Sentence())) + "\n\n" + github(p.Words("diff.sentence", c.Verdict())) + "\n")
	findings := c.Findings()
	var said []string
	for i := range findings.Limits {
		said = append(said, github(p.Say(findings.Limits[i].Text)))
	}
	for i := range findings.Withheld {
		f := &findings.Withheld[i]
		said = append(said, "**"+github(p.Words("findings.withheld"))+"** "+github("“"+p.Say(f.Text)+"” "+p.Say(f.Reason)))
	}
	d.list(said)

	d.overall()
	differ, same := d.figures(), c.Count(compare.Same)
	d.table(differ[:min(mostShown, len(differ))])
	if len(differ) > mostShown {
		d.fold(p.Words("diff.more", len(differ)-mostShown), func() { d.table(differ[mostShown:]) })
	}
	if same > 0 {
		key := "diff.same.more"
		if len(differ) == 0 {
			key = "diff.same.all"
		}
		d.write("\n" + github(p.Words("diff.sentence", p.Words(key, same))) + "\n")
	}
	for _, of := range []struct {
		key   string
		side  *compare.Side
		cells []compare.Cell
	}{{"diff.verdict.removed", &c.A, c.Removed}, {"diff.verdict.added", &c.B, c.Added}} {
		if len(of.cells) > 0 {
			d.fold(p.Words(of.key, len(of.cells)), func() {
				var items []string
				for i := range of.cells {
					items = append(items, github(p.Say(of.cells[i].Title))+" · "+github(p.Say(of.side.Places(of.cells[i].Runs))))
				}
				d.list(items)
			})
		}
	}
	if other := d.other(); len(other) > 0 {
		d.fold(p.Words("diff.differs"), func() { d.list(other) })
	}
	if len(differ) > 0 {
		d.fold(p.Words("diff.sources"), func() {
			var items []string
			for _, r := range differ {
				var at []string
				for _, of := range []struct {
					side *compare.Side
					v    *compare.Value
				}{{&c.A, &r.f.A}, {&c.B, &r.f.B}} {
					if len(of.v.Runs) > 0 {
						at = append(at, github(of.side.At(of.v.Where())))
					}
				}
				items = append(items, github(p.Say(r.pair.Title))+" · "+github(p.Metric(r.f.Metric))+" · "+strings.Join(at, " → "))
			}
			d.list(items)
		})
	}
	if c.Compared > 0 {
		d.fold(p.Words("diff.how"), func() {
			var items []string
			for _, text := range c.Method() {
				items = append(items, github(p.Say(text)))
			}
			d.list(items)
		})
	}
	if d.left > 0 {
		d.b.WriteString("\n" + github(p.Words("diff.cut", d.left)) + "\n")
	}
	return d.b.String()
}

type diffMarkdown struct {
	c    *compare.Comparison
	p    locale.Printer
	b    strings.Builder
	left int // rows and entries that did not fit
}

// write adds s if it fits and reports whether it did.
func (d *diffMarkdown) write(s string) bool {
	if d.b.Len()+len(s) > mostMarkdown {
		return false
	}
	d.b.WriteString(s)
	return true
}

func (d *diffMarkdown) list(items []string) {
	for i, item := range items {
		if i == 0 {
			item = "\n- " + item
		} else {
			item = "- " + item
		}
		if !d.write(item + "\n") {
			d.left++
		}
	}
}

func (d *diffMarkdown) fold(summary string, body func()) {
	if d.write("\n<details><summary>" + github(summary) + "</summary>\n") {
		body()
		d.b.WriteString("\n</details>\n")
	} else {
		d.left++
	}
}

// diffRow is a figure with its pair.
type diffRow struct {
	pair *compare.Pair
	f    *compare.Figure
}

// overall summarises several pairs.
func (d *diffMarkdown) overall() {
	if len(d.c.Pairs) < 2 {
		return
	}
	var items []string
	for _, o := range d.c.Overall() {
		if o.Verdict != compare.Same && o.Pairs > 0 {
			items = append(items, github(metricTitle(o.Figures[0], d.p))+": **"+compare.Ratio(o.Ratio)+"** ("+github(d.p.Words("diff.span", compare.Ratio(o.Low), compare.Ratio(o.High)))+"), "+github(d.p.Say(o.Tally())))
		}
	}
	if len(items) > 0 {
		d.fold(d.p.Words("diff.overall", len(d.c.Pairs)), func() { d.list(items) })
	}
}

// figures returns the figures that differ, of all pairs. Worse ones come first, and among them the greatest
// differences, because a comment cannot show all figures but must show what became worse.
func (d *diffMarkdown) figures() []diffRow {
	var differ []diffRow
	for i := range d.c.Pairs {
		for n := range d.c.Pairs[i].Figures {
			if r := (diffRow{&d.c.Pairs[i], &d.c.Pairs[i].Figures[n]}); r.f.Verdict != compare.Same {
				differ = append(differ, r)
			}
		}
	}
	slices.SortStableFunc(differ, func(a, b diffRow) int {
		return cmp.Or(cmp.Compare(slices.Index(compare.Verdicts, a.f.Verdict), slices.Index(compare.Verdicts, b.f.Verdict)), cmp.Compare(b.f.Size(), a.f.Size()))
	})
	return differ
}

func (d *diffMarkdown) table(rows []diffRow) {
	if len(rows) == 0 {
		return
	}
	p := d.p
	head := "\n| " + strings.Join([]string{p.Words("diff.result"), p.Words("diff.metric"), "A", "B", p.Words("diff.change.head"), p.Words("diff.verdict.head"), p.Words("diff.ground.head")}, " | ") +
		" |\n|:--|:--|--:|--:|--:|:--|:--|\n"
	if !d.write(head) {
		d.left += len(rows)
		return
	}
	for _, r := range rows {
		verdict := github(p.Words("diff.word." + r.f.Verdict.String()))
		if r.f.Verdict == compare.Worse || r.f.Verdict == compare.Better {
			verdict = "**" + verdict + "**"
		}
		title := github(p.Say(r.pair.Title))
		if own := p.Say(d.c.Own(r.pair)); own != "" {
			title += "<br><sub>" + github(own) + "</sub>"
		}
		cells := []string{title, github(metricTitle(r.f, p)), github(shown(&r.f.A)), github(shown(&r.f.B)), github(r.f.ChangeText()), verdict, github(grounds(r.f, p))}
		if !d.write("| " + strings.Join(cells, " | ") + " |\n") {
			d.left++
		}
	}
}

// other lists changes of labels that are not settings. Changes of settings are limits, which are shown above.
func (d *diffMarkdown) other() []string {
	var items []string
	for _, ch := range d.c.Changed {
		if !ch.Setting {
			items = append(items, github(d.p.Say(d.c.ChangeText(ch.Change)))+" ("+github(d.p.Words("diff.pairs", ch.Pairs, len(d.c.Pairs)))+")")
		}
	}
	return items
}

// github escapes text so that GitHub shows it unchanged. Characters that may begin markup become entities.
// GitHub searches the resulting text for mentions, references to issues and addresses; a zero-width space
// breaks these, as in messages of Dependabot.
func github(s string) string {
	s = visible.Line(s)
	if utf8.RuneCountInString(s) > mostText {
		s = string([]rune(s)[:mostText]) + "…"
	}
	const apart = "&#8203;"
	var b strings.Builder
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]<>|~&$^\"'", r), i == 0 && strings.ContainsRune("-+=", r):
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		case r == '@', r == '#':
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";" + apart)
		case r == ':' && strings.HasPrefix(s[i:], "://"):
			b.WriteString(":" + apart)
		case r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			b.WriteString("." + apart)
		case r == utf8.RuneError:
			b.WriteString("\uFFFD")
		case (r == '.' || r == ')') && i > 0 && strings.Trim(s[:i], "0123456789") == "" && (i+1 == len(s) || s[i+1] == ' '): // number of a list item
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
