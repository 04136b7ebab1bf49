package parts

import (
	"encoding/json"
	"html/template"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Picture is an image with all that belongs to it.
type Picture struct {
	Title   string // of a chart; may be ""
	Alt     string
	SVG     []byte            // not to be changed, like all bytes here
	Narrow  []byte            // the same chart for a narrow page; nil for none
	CSV     []byte            // the figures behind it; nil for none
	File    string            // reference to a file of them, which has to be there if Apart
	Notes   []string          // below the SVG, a paragraph each
	Caption string            // may be ""
	Data    template.HTML     // the figures behind it, as a Table; may be ""
	Chart   string            // what the page calls the chart, whose anchor is chart:NAME; "" for a picture alone
	From    string            // what the chart names as its source where it is shown alone, in a frame; "" where it never is
	Runs    string            // reference to the folder of the runs' pages, which points lead to; may be ""
	Paths   map[string]string // of runs whose id is not their path in that folder
}

// mostFigures is how many bytes of figures behind a chart its page holds.
const mostFigures = 64 << 10

// Apart reports whether the figures behind a chart are too many for its page, and in a file.
func Apart(csv []byte) bool { return len(csv) > mostFigures }

// Figure lays out a picture. The page's script makes its files: PNG and SVG of the drawing, CSV of
// the figures.
func Figure(f Picture, p locale.Printer) template.HTML {
	var w Writer
	w.Grow(len(f.SVG) + len(f.Narrow) + min(len(f.CSV), mostFigures) + len(f.Data) + 2<<10)
	w.Figure(f, p)
	return w.HTML()
}

// Figure appends what the function Figure returns.
func (w *Writer) Figure(f Picture, p locale.Printer) {
	w.Tag(`<figure class="chart"`)
	if f.Chart != "" {
		w.Tag(` data-chart="`)
		w.Text(f.Chart)
		w.Tag(`"`)
		if f.Runs != "" {
			w.Tag(` data-runs="`)
			w.Text(f.Runs)
			w.Tag(`"`)
			if len(f.Paths) > 0 {
				w.Tag(` data-paths="`)
				w.Text(string(encode(f.Paths)))
				w.Tag(`"`)
			}
		}
	}
	w.Tag("><div")
	if f.Chart != "" {
		w.Tag(` id="`)
		w.Text(Anchor(f.Chart))
		w.Tag(`"`)
	}
	w.Tag(">")
	if f.Narrow == nil {
		w.Raw(f.SVG)
	} else {
		// Where no style sheet chooses between the two, the wide one is shown.
		w.Tag(`<span class="wide">`)
		w.Raw(f.SVG)
		w.Tag(`</span><span class="narrow" hidden>`)
		w.Raw(f.Narrow)
		w.Tag("</span>")
	}
	w.Tag("</div>")
	f.files(w, p)
	if f.Data != "" {
		w.Tag("\n<details><summary>", p.Words("page.data"), "</summary>\n", string(f.Data), "</details>")
	}
	if f.Caption != "" || len(f.Notes) > 0 || f.From != "" {
		w.Tag("\n<figcaption")
		if f.From != "" {
			w.Tag(` id="`)
			w.Text(frame(f.Chart))
			w.Tag(`"`)
		}
		w.Tag(">")
		w.Text(f.Caption)
		for _, note := range f.Notes {
			w.Tag("<p>")
			w.Text(note)
			w.Tag("</p>")
		}
		f.source(w, p)
		w.Tag("</figcaption>")
	}
	w.Tag("</figure>\n")
}

// Anchor is the id of a chart on its page, by its name: no heading has the same.
func Anchor(chart string) string { return "chart:" + strings.ReplaceAll(chart, " ", "-") }

// frame is the id that shows a chart alone where an address of its page names it.
func frame(chart string) string { return "frame" + strings.TrimPrefix(Anchor(chart), "chart") }

// source writes where a chart is from, which is seen where it is alone.
func (f *Picture) source(w *Writer, p locale.Printer) {
	if f.From == "" {
		return
	}
	words := p.Words("share.from")
	w.Tag(`<p class="from" data-site>`, words)
	if !strings.HasSuffix(words, "：") {
		w.Tag(" ")
	}
	w.Tag(`<a href="#`)
	w.Text(Anchor(f.Chart))
	w.Tag(`" target="_blank" rel="noopener">`)
	w.Text(f.From)
	w.Tag("</a></p>")
}

// files writes the links to what a reader can take away. A chart has the line without them, too:
// a script puts its menu there.
func (f *Picture) files(w *Writer, p locale.Printer) {
	if f.CSV == nil && f.Chart == "" {
		return
	}
	w.Tag("\n", `<div class="files"`)
	if f.CSV != nil && !Apart(f.CSV) {
		w.Tag(` data-csv="`)
		w.Text(string(f.CSV))
		w.Tag(`"`)
	}
	w.Tag(">")
	link := func(href, attributes, words string) {
		if href != "" {
			w.Tag(`<a href="`)
			w.Text(href)
			w.Tag(`"`, attributes, `>`)
			w.Text(words)
			w.Tag("</a> ")
		}
	}
	if Apart(f.CSV) {
		link(f.File, "", p.Words("page.csv"))
	}
	if f.From != "" {
		link("#"+frame(f.Chart), ` class="embed" data-site`, p.Words("share.embed"))
	}
	w.Tag("</div>")
}

// RawBlock lays out a tool's output as it was printed. Link leads to the run;
// "" leaves it out.
func RawBlock(text, caption, link string, p locale.Printer) template.HTML {
	var w Writer
	w.RawBlock(text, caption, link, p)
	return w.HTML()
}

// RawBlock appends what the function RawBlock returns.
func (w *Writer) RawBlock(text, caption, link string, p locale.Printer) {
	w.Tag(`<figure class="raw">`)
	if caption != "" || link != "" {
		if caption == "" {
			w.Tag("<figcaption data-site>")
		} else {
			w.Tag("<figcaption>")
		}
		w.Text(caption)
		if link != "" {
			w.Tag(` <a data-site href="`)
			w.Text(link)
			w.Tag(`">`, p.Words("page.run.link"), "</a>")
		}
		w.Tag("</figcaption>\n")
	}
	w.Tag(`<pre tabindex="0"><code>`)
	w.Text(strings.ReplaceAll(text, "\r\n", "\n"))
	w.Tag("</code></pre></figure>\n")
}

// encode writes what cannot fail as JSON: texts.
func encode(texts map[string]string) []byte {
	data, err := json.Marshal(texts)
	if err != nil {
		panic(err)
	}
	return data
}
