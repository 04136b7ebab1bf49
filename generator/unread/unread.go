// Package unread is the table of the reasons for which a file gives no result: a kind, the
// words for it in both languages, and what to do.
//
//	files := []unread.File{{Name: "runs/a/out.txt", Kind: unread.Unknown, Reason: "no known format"}}
//	fmt.Println(locale.English(unread.Summary(files))) // 1 file holds no known result
//	for _, group := range unread.Groups(files) {
//		fmt.Println(len(group.Files), locale.English(group.Kind.Title()), locale.English(group.Kind.Hint()))
//	}
//
// A file that plainly is no result, as a picture or a script, is of the kind [Other]: it is
// listed, but counted as lost nowhere.
package unread

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Kind is why a file gives no result. Its text is in JSON and ends the id of messages.
type Kind string

// The kinds, in the order in which they are listed.
const (
	Unknown    Kind = "unknown"     // no known format
	LookAlike  Kind = "look-alike"  // much of a known format, but not all it takes; the reason says what is missing
	Unfinished Kind = "unfinished"  // a run was begun and has no result yet
	Cut        Kind = "cut-off"     // it ends before its first figure
	Damaged    Kind = "damaged"     // JSON or YAML that is none
	Unreadable Kind = "unreadable"  // the system does not let it be read, or it is damaged
	TooLarge   Kind = "too-large"   // more than is held in memory
	Empty      Kind = "empty"       // nothing is in it
	Binary     Kind = "binary"      // not text
	Encoding   Kind = "encoding"    // text that is not UTF-8
	Archive    Kind = "archive"     // an archive without a result, or inside another
	Format     Kind = "format"      // a [[format]] of site.toml that no file matches
	Misplaced  Kind = "misplaced"   // in content/, but with a place or ending that no post has
	Copy       Kind = "copy"        // every result in it is one of another file
	Linked     Kind = "linked"      // a symbolic link to what is read where it lies
	Link       Kind = "link"        // a symbolic link that leads out of runs/, or nowhere
	Loop       Kind = "link-loop"   // a symbolic link that leads back to itself
	Hidden     Kind = "hidden"      // its name begins with a dot
	Special    Kind = "special"     // a pipe, a socket, a device
	Generated  Kind = "generated"   // an output folder of benchpost
	Other      Kind = "not-results" // plainly no result, or known to be none
)

// kinds is the table: a row for each kind, in their order.
var kinds = []struct {
	kind  Kind
	count string // key of the words that count such files in a sentence; "" for not counted
	title string // key of the words above a list of them
	hint  string // key of the words that say what to do
	local bool   // it depends on this copy of the site: a clone has another, or none
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

// Title heads a list of files of the kind.
func (k Kind) Title() locale.Text { return locale.T(kinds[k.row()].title) }

// Hint says what to do about a file of the kind.
func (k Kind) Hint() locale.Text { return locale.T(kinds[k.row()].hint) }

// Counted reports whether a file of the kind may be lost, so that it is counted.
func (k Kind) Counted() bool { return kinds[k.row()].count != "" }

// Local reports whether a file of the kind is no part of a site's copies: a clone has another,
// or none. Pages, which are the same in each copy, leave such files out.
func (k Kind) Local() bool { return kinds[k.row()].local }

// File is a file that gives no result, and why.
type File struct {
	Name   string // as in positions: from the site on, with slashes
	Line   int    // 0 for the whole file
	Kind   Kind
	Reason locale.Text // for this very file: what is missing, where a link leads
}

// Message returns the file as a message of a severity.
func (f File) Message(severity result.Severity) result.Message {
	return result.Message{Pos: result.Position{File: f.Name, Line: f.Line}, Severity: severity, ID: "unread." + string(f.Kind),
		Text: locale.Textf("no result: %s", f.Reason), Hint: f.Kind.Hint()}
}

// Group are the files of one kind.
type Group struct {
	Kind  Kind
	Files []File // in the order given
}

// Groups sorts files into their kinds, in the order of these. Kinds without a file are left
// out.
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

// Counted returns the files that are counted.
func Counted(files []File) []File {
	return slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !f.Kind.Counted() })
}

// Summary counts the files of each kind in one sentence without a full stop. It is zero
// when none is counted.
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
