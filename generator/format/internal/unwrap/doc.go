// Package unwrap removes what terminals, containers, loggers and editors put around the text of a tool: prefixes of
// lines, colours, quotation marks, notebooks.
//
// A [Reader] receives a file and returns the text in it, in 64 KB of memory. Readers of formats see only the text.
// [Lines.Of] returns the line of the file for a line of the text:
//
//	var r unwrap.Reader
//	r.Reset(file, nil)
//	text, err := io.ReadAll(&r)
//	line := r.Lines(0).Of(12) // line number in the file, counted from 1
//
// Several programs may write to one log, each with its own prefix, as the services of docker compose do. The Reader
// returns the text of lines without such a prefix; the text of each program is written to a stream of its own (see
// [Reader.Reset]).
//
// The fixture package has the table of the known wrappings, and docs/formats.md lists them for users. A prefix that no
// tool's own line begins with is removed anywhere. A prefix that may begin a tool's own line, such as "> " or "0: ", is
// removed only if several lines in a row have it.
package unwrap
