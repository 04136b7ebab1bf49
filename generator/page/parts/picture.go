package parts

import (
	"encoding/json"
	"html/template"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Picture is an image with its notes, data and links.
type Picture struct {
	Title   string // of a chart; may be ""
	Alt     string
	SVG     []byte            // read-only, like all bytes here
	Narrow  []byte            // the same chart for a narrow page; nil for none
	CSV     []byte            // the figures behind it; nil for none
	File    string            // link to a file of the figures, which must exist if Apart
	Notes   []string          // paragraphs below the SVG
	Caption string            // may be ""
	Data    template.HTML     // the figures as a Table; may be ""
	Chart   string            // name of the chart on the page, with the anchor chart:NAME; "" if it has none
	From    string            // source that the chart names when shown alone in a frame; "" if it never is
	Runs    string            // link to the folder of the runs' pages, for links of points; may be ""
	Paths   map[string]string // paths in that folder of runs whose id is not their path
}

// mostFigures is the maximum size, in bytes, of figures that are part of the page.
const mostFigures = 64 << 10

// Apart reports whether the figures of a chart are too large for its page and must be in a file.
func Apart(csv []byte) bool { return len(csv) > mostFigures }

// Figure lays out a picture. The page's script makes its downloads: PNG and SVG of the drawing, and CSV of the figures.
func Figure(f Picture, p locale.Printer) template.HTML {
	var w Writer
	w.Grow(len(f.SVG) + len(f.Narrow) + min(len(f.CSV), mostFigures) + len(f.Data) + 2<<10)
	w.Figure(f, p)
	return w.HTML()
}

// Figure appends the result of the function Figure.
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
		// Without a style sheet the wide chart is shown.
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

// Anchor returns the id of a chart on its page. No heading has such an id.
func Anchor(chart string) string { return "chart:" + strings.ReplaceAll(chart, " ", "-") }

// frame returns the id that makes the page show only this chart.
func frame(chart string) string { return "frame" + strings.TrimPrefix(Anchor(chart), "chart") }

// source writes the source of a chart. It is visible when the chart is shown alone.
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

// files writes the download links. A chart has this line even without links, since a script adds its menu there.
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

// RawBlock lays out a tool's output as printed. link is the address of the run; "" omits it.
func RawBlock(text, caption, link string, p locale.Printer) template.HTML {
	var w Writer
	w.RawBlock(text, caption, link, p)
	return w.HTML()
}

// RawBlock appends the result of the function RawBlock.
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

// encode returns JSON of texts, which cannot fail.
func encode(texts map[string]string) []byte {
	data, err := json.Marshal(texts)
	if err != nil {
		panic(err)
	}
	return data
}
