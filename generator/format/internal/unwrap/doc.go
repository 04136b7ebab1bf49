// Package unwrap takes off what terminals, containers, loggers and editors put around
// the text of a tool: prefixes of lines, colours, quotation marks, notebooks.
//
// A [Reader] is given a file and returns the text in it, in 64 KB of memory. Readers of
// formats see the text alone; [Lines.Of] returns the line of the file that a line of the
// text is in:
//
//	var r unwrap.Reader
//	r.Reset(file, nil)
//	text, err := io.ReadAll(&r)
//	line := r.Lines.Of(12) // of the file, counted from 1
//
// Several programs may write to one log, each behind a prefix of its own, as the services
// of docker compose do. The text of the first is what the Reader returns, together with
// lines without such a prefix; the text of each other is written to a [Stream].
//
// [Wrappings] is the table of what is known, docs/formats.md its copy for people. A prefix
// that no tool's own line begins with is taken off wherever it is; one that might be a
// tool's own, as "> " or "0: ", only from several lines in a row.
package unwrap
