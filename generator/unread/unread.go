// Package unread defines the reasons why a file gives no result: for each a kind, its texts in both languages, and
// advice.
//
//	files := []unread.File{{Name: "runs/a/out.txt", Kind: unread.Unknown, Reason: "no known format"}}
//	fmt.Println(locale.English(unread.Summary(files))) // 1 file holds no known result
//	for _, group := range unread.Groups(files) {
//		fmt.Println(len(group.Files), locale.English(group.Kind.Title()), locale.English(group.Kind.Hint()))
//	}
//
// A file that plainly is no result, such as a picture or a script, has the kind [Other]. It is listed, but not counted
// as lost.
package unread

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Kind is the reason why a file gives no result. Its value is used in JSON and as the end of message ids.
type Kind string

// The kinds, in the order in which they are listed.
const (
	Unknown    Kind = "unknown"     // no known format
	LookAlike  Kind = "look-alike"  // similar to a known format; the reason says what is missing
	Unfinished Kind = "unfinished"  // a run that was begun and has no result yet
	Cut        Kind = "cut-off"     // the file ends before its first figure
	Damaged    Kind = "damaged"     // invalid JSON or YAML
	Unreadable Kind = "unreadable"  // the system refuses to read it, or it is damaged
	TooLarge   Kind = "too-large"   // larger than what is held in memory
	Empty      Kind = "empty"       // the file is empty
	Binary     Kind = "binary"      // not text
	Encoding   Kind = "encoding"    // text that is not UTF-8
	Archive    Kind = "archive"     // an archive without a result, or inside another archive
	Format     Kind = "format"      // a [[format]] of site.toml that no file matches
	Misplaced  Kind = "misplaced"   // in content/, but at a place or with an ending that posts cannot have
	Copy       Kind = "copy"        // every result in it is one of another file
	Linked     Kind = "linked"      // a symbolic link to a file that is read at its own place
	Link       Kind = "link"        // a symbolic link that leads out of runs/, or nowhere
	Loop       Kind = "link-loop"   // a symbolic link that leads back to itself
	Hidden     Kind = "hidden"      // its name begins with a dot
	Special    Kind = "special"     // a pipe, a socket, a device
	Generated  Kind = "generated"   // an output folder of benchpost
	Other      Kind = "not-results" // plainly no result, or declared to be none
)

// kinds has a row for each kind, in their order.
var kinds = []struct {
	kind  Kind
	count string // key of the text that counts such files in a sentence; "" for not counted
	title string // key of the title of a list
	hint  string // key of the advice
	local bool   // it depends on this copy of the site: another clone may differ
}{
	{Unknown, "unread.unknown", "unread.unknown.title", "unread.unknown.hint", false},
	{LookAlike, "unread.look-alike", "unread.look-alike.title", "unread.look-alike.hint", false},
	{Unfinished, "unread.unfinished", "unread.unfinished.title", "unread.unfinished.hint", false},
	{Cut, "unread.cut-off", "unread.cut-off.title", "unread.cut-off.hint", false},
	{Damaged, "unread.damaged", "unread.damaged.title", "unread.damaged.hint", false},
	{Unreadable, "unread.unreadable", "unread.unreadable.title", "unread.unreadable.hint", true},
	{TooLarge, "unread.too-large", "unread.too-large.title", "unread.too-large.hint", false},
	{Empty, "unread.empty", "unread.empty.title", "unread.empty.hint", false},
	{Binary, "unread.binary", "unread.binary.title", "unread.binary.hint", false},
	{Encoding, "unread.encoding", "unread.encoding.title", "unread.encoding.hint", false},
	{Archive, "unread.archive", "unread.archive.title", "unread.archive.hint", false},
	{Format, "unread.format", "unread.format.title", "unread.format.hint", false},
	{Misplaced, "unread.misplaced", "unread.misplaced.title", "unread.misplaced.hint", false},
	{Copy, "unread.copy", "unread.copy.title", "unread.copy.hint", false},
	{Linked, "unread.linked", "unread.linked.title", "unread.linked.hint", true},
	{Link, "unread.link", "unread.link.title", "unread.link.hint", true},
	{Loop, "unread.link-loop", "unread.link-loop.title", "unread.link-loop.hint", true},
	{Hidden, "unread.hidden", "unread.hidden.title", "unread.hidden.hint", true},
	{Special, "unread.special", "unread.special.title", "unread.special.hint", true},
	{Generated, "unread.generated", "unread.generated.title", "unread.generated.hint", true},
	{Other, "", "unread.not-results.title", "unread.not-results.hint", false},
}

// Kinds returns all kinds, in the order in which they are listed.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i := range kinds {
		all[i] = kinds[i].kind
	}
	return all
}

func (k Kind) row() int {
	for i := range kinds {
		if kinds[i].kind == k {
			return i
		}
	}
	panic("unread: no kind " + string(k))
}

// Title returns the title for a list of files of the kind.
func (k Kind) Title() locale.Text { return locale.T(kinds[k.row()].title) }

// Hint returns the advice for a file of the kind.
func (k Kind) Hint() locale.Text { return locale.T(kinds[k.row()].hint) }

// Counted reports whether files of the kind are counted, because a result may be lost.
func (k Kind) Counted() bool { return kinds[k.row()].count != "" }

// Local reports whether files of the kind depend on this copy of the site: another clone may have different ones, or
// none. Pages leave them out, since they are the same in each copy.
func (k Kind) Local() bool { return kinds[k.row()].local }

// File is a file that gives no result, and the reason.
type File struct {
	Name   string // as in positions: a slash path relative to the site
	Line   int    // 0 for the whole file
	Kind   Kind
	Reason locale.Text // specific to the file: what is missing, where a link leads
}

// Message returns the file as a message with the given severity.
func (f File) Message(severity result.Severity) result.Message {
	return result.Message{Pos: result.Position{File: f.Name, Line: f.Line}, Severity: severity, ID: "unread." + string(f.Kind),
		Text: locale.Textf("no result: %s", f.Reason), Hint: f.Kind.Hint()}
}

// Group holds the files of one kind.
type Group struct {
	Kind  Kind
	Files []File // in the order given
}

// Groups groups files by kind, in the order of the kinds. It leaves out kinds without files.
func Groups(files []File) []Group {
	by := map[Kind][]File{}
	for _, f := range files {
		by[f.Kind] = append(by[f.Kind], f)
	}
	var groups []Group
	for _, row := range kinds {
		if len(by[row.kind]) > 0 {
			groups = append(groups, Group{row.kind, by[row.kind]})
		}
	}
	return groups
}

// Counted returns the files whose kind is counted.
func Counted(files []File) []File {
	return slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !f.Kind.Counted() })
}

// Summary returns a sentence, without a full stop, with the number of files of each counted kind. It is zero if there
// are none.
func Summary(files []File) locale.Text {
	var sentence locale.Text
	for _, g := range Groups(Counted(files)) {
		part := locale.T(kinds[g.Kind.row()].count, len(g.Files))
		if sentence.IsZero() {
			sentence = part
		} else {
			sentence = locale.T("unread.and", sentence, part)
		}
	}
	return sentence
}

// Sort orders files by name and line.
func Sort(files []File) {
	slices.SortStableFunc(files, func(a, b File) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
}
