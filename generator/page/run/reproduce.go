package run

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// commandLabels lists the labels with a command recorded beside the run.
var commandLabels = []string{"command", "x_command"}

// serverLabel is the label with the command that started the server.
const serverLabel = "server_command"

// Reproduce writes how the run was made: the command of the server if known; the recorded command of the run, or else
// one built from labels and marked as such; and the circumstances. It names what is unknown.
func (v *View) Reproduce(w *parts.Writer) {
	p := v.Printer
	recorded := false
	code := func(text string) {
		w.Tag(`<pre class="command" tabindex="0"><code>`)
		w.Text(text)
		w.Tag("</code></pre>\n")
	}
	if server := v.Result.Labels.Get(serverLabel); server != "" {
		w.Tag(`<p class="hint">`)
		w.Text(p.Words("page.reproduce.server"))
		w.Tag("</p>")
		code(server)
	}
	for _, name := range commandLabels {
		text := v.Result.Labels.Get(name)
		if text != "" && !slices.ContainsFunc(v.Source.Commands, func(c result.Command) bool { return c.Text == text }) { // commands in the file are shown with their line
			w.Tag(`<p class="hint">`)
			w.Text(p.Words("page.reproduce.label", name))
			w.Tag("</p>")
			code(text)
			recorded = true
		}
	}
	for i := range v.Source.Commands {
		c := &v.Source.Commands[i]
		switch {
		case c.Line == 0 && recorded:
			continue
		case c.Line == 0:
			v.rebuilt(w, c, code)
		default:
			key := "page.reproduce.recorded"
			if c.Arguments {
				key = "page.reproduce.arguments"
			}
			w.Tag(`<p class="hint">`)
			w.Text(p.Words(key))
			w.Tag(` <span class="code">`)
			v.place(w, result.Position{File: v.Result.Source.File, Line: c.Line})
			w.Tag("</span></p>")
			code(c.Text)
		}
		recorded = true
	}
	if !recorded {
		v.unrecorded(w, "page.reproduce.known")
	} else {
		w.Tag(`<p class="hint">`, p.Words("page.reproduce.known"), "</p>\n")
	}
	v.circumstances(w)
	v.unknown(w)
}

// unrecorded says that no command was found, and what is shown instead. If only part of the file was read, it says that
// the rest may have one.
func (v *View) unrecorded(w *parts.Writer, instead string) {
	key := "page.reproduce.none"
	if v.Source.Err != nil || !v.Source.text.Complete() {
		key = "page.reproduce.unsearched"
	}
	w.Tag(`<p class="hint">`)
	w.Text(v.Printer.Say(locale.Sentences(locale.T(key), locale.T(instead))))
	w.Tag("</p>\n")
}

// rebuilt writes a command that was not recorded, with the label behind each flag.
func (v *View) rebuilt(w *parts.Writer, c *result.Command, code func(string)) {
	v.unrecorded(w, "page.reproduce.rebuilt")
	code(c.Text)
	w.Tag(`<p class="hint">`)
	for i, f := range c.Flags {
		if i > 0 {
			w.Tag(" · ")
		}
		w.Tag("<code>")
		w.Text(f.Name)
		w.Tag("</code> ")
		w.Text(v.Printer.Label(f.Label))
	}
	w.Tag("</p>\n")
}

// circumstances lists the known labels that are needed to repeat the run.
func (v *View) circumstances(w *parts.Writer) {
	w.Tag(`<dl class="spec">`)
	for _, name := range v.needed {
		if value := v.Result.Label(name); value != "" && name != serverLabel {
			w.Tag("<div><dt>")
			w.Text(v.Printer.Label(name))
			w.Tag("</dt><dd>")
			w.Text(v.Value(name, value))
			w.Tag("</dd></div>")
		}
	}
	w.Tag("</dl>\n")
}

// unknown lists the needed labels that are unknown.
func (v *View) unknown(w *parts.Writer) {
	if len(v.missing) == 0 {
		return
	}
	names := make([]string, len(v.missing))
	for i, name := range v.missing {
		names[i] = v.Printer.Label(name)
	}
	w.Tag(`<p class="hint">`)
	w.Text(v.Printer.Words("page.reproduce.unknown", v.Printer.List(names)))
	w.Tag("</p>\n")
}
