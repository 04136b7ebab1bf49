package compose

import (
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/visible"
)

// heading writes a heading.
func (w *writer) heading(level int, text locale.Text) {
	w.out.WriteString(strings.Repeat("#", level) + " " + escape(w.printer.Say(text)) + "\n\n")
}

// section writes a section with its blocks. Without blocks it writes nothing.
func (w *writer) section(level int, title locale.Text, blocks []blockOf, sentences ...locale.Text) {
	if len(blocks) == 0 {
		return
	}
	w.heading(level, title)
	if len(sentences) > 0 {
		w.paragraph(sentences...)
	}
	w.blocks(blocks)
}

func (w *writer) blocks(bs []blockOf) {
	for _, b := range bs {
		w.block(b)
	}
}

// block writes a block. If the name of a chart is taken, a number is added.
func (w *writer) block(b blockOf) {
	if b.name != "" {
		name := strings.ReplaceAll(b.name, "_", "-")
		b.name = name
		for n := 2; w.names[b.name]; n++ {
			b.name = name + "-" + strconv.Itoa(n)
		}
		w.names[b.name] = true
	}
	w.out.WriteString(b.fence() + "\n")
}

// paragraph writes sentences whose arguments are Markdown.
func (w *writer) paragraph(sentences ...locale.Text) {
	w.out.WriteString(w.printer.Say(locale.Sentences(sentences...)) + "\n\n")
}

// items writes a list of sentences whose arguments are Markdown.
func (w *writer) items(sentences []locale.Text) {
	for _, s := range sentences {
		w.out.WriteString("- " + w.printer.Say(s) + "\n")
	}
	w.out.WriteByte('\n')
}

// code writes texts as a code block.
func (w *writer) code(language string, texts []string) {
	w.out.WriteString(fenced(language, visible.Text(strings.Join(texts, "\n\n"))+"\n") + "\n")
}

// fenced returns lines as a fenced code block. The fences are longer than any inside.
func fenced(info, lines string) string {
	ticks := "```"
	for strings.Contains(lines, ticks) {
		ticks += "`"
	}
	return ticks + info + "\n" + lines + ticks + "\n"
}

// comment writes a comment that tells the author what to add.
func (w *writer) comment(key string, args ...any) { w.note(w.printer.Say(locale.T(key, args...))) }

// note writes a comment.
func (w *writer) note(text string) {
	text = strings.NewReplacer("-->", "-- >", "--!>", "-- !>", "<!--", "<! --", "\n", " ").Replace(text)
	w.out.WriteString("<!-- " + text + " -->\n\n")
}

func (w *writer) words(key string) string { return w.printer.Say(locale.T(key)) }

// plain escapes text as Markdown.
func (w *writer) plain(text locale.Text) locale.Text {
	return locale.Lit(escape(w.printer.Say(text)))
}

// inlined returns an inline value.
func inlined(expr string) locale.Text { return locale.Lit("`= " + expr + "`") }

// code returns text as inline code.
func code(text string) locale.Text { return locale.Lit("`" + strings.ReplaceAll(text, "`", "'") + "`") }

// escape returns text as one line of Markdown that shows it unchanged.
func escape(s string) string {
	var out strings.Builder
	for _, r := range visible.Line(s) {
		if strings.ContainsRune("\\`*_[]<>|~$&{}!#", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
