package site

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// names collects the names of a site that become paths of pages and files: of runs, their files and the values of their
// labels, and those that site.toml declares.
type names struct {
	index address.Index
	of    map[*result.Result][]address.Name // the names of each run in the index
}

// newNames returns the names that site.toml declares.
func newNames(c *config.Config) *names {
	n := &names{of: map[*result.Result][]address.Name{}}
	for _, m := range c.Model {
		n.index.Add(address.Name{Kind: address.Models, Text: m.ID})
	}
	for _, h := range c.Hardware {
		n.index.Add(address.Name{Kind: address.Boards, Text: h.ID})
	}
	for _, l := range c.Load {
		n.index.Add(address.Name{Kind: address.Loads, Text: l.Name})
	}
	for _, l := range c.Scenario {
		n.index.Add(address.Name{Kind: address.Scenarios, Text: l.Name})
	}
	return n
}

// update removes the changed runs that are in the index, and adds the others.
func (n *names) update(changed []*result.Result, files rawFiles) {
	for _, r := range changed {
		if was, known := n.of[r]; known {
			for _, name := range was {
				n.index.Remove(name)
			}
			delete(n.of, r)
			continue
		}
		eachName(r, files, func(name address.Name, _ result.Position) {
			n.index.Add(name)
			n.of[r] = append(n.of[r], name)
		})
	}
}

// messages reports names whose paths contain a checksum: names that are too long, and names that differ from another
// one only in case or Unicode form.
func (n *names) messages(results []*result.Result, files rawFiles) []result.Message {
	book := n.index.Book()
	if len(book.Twins())+len(book.Cut()) == 0 {
		return nil
	}
	at := map[address.Name]result.Position{}
	for _, r := range results {
		eachName(r, files, func(name address.Name, pos result.Position) {
			if _, known := at[name]; !known {
				at[name] = pos
			}
		})
	}
	where := func(name address.Name) result.Position {
		if pos, known := at[name]; known {
			return pos
		}
		return result.Position{File: config.Name}
	}
	explained := explained(book, results)
	var ms []result.Message
	for _, n := range book.Twins() {
		if !explained[n] {
			name, twin := strconv.Quote(n.Text), strconv.Quote(book.Twin(n))
			if !strings.EqualFold(n.Text, book.Twin(n)) { // they may look the same
				name, twin = strconv.QuoteToASCII(n.Text), strconv.QuoteToASCII(book.Twin(n))
			}
			ms = append(ms, result.Message{Pos: where(n), Severity: result.Warning, ID: "site.name",
				Text: locale.Textf("the %s %s differs from %s only in case or Unicode form", kindOf(n.Kind), name, twin),
				Hint: locale.Textf("write them alike if they are the same, or rename one; until then a checksum in its address distinguishes them")})
		}
	}
	for _, n := range book.Cut() {
		if book.Twin(n) == "" && !explained[n] {
			ms = append(ms, result.Message{Pos: where(n), Severity: result.Info, ID: "site.name",
				Text: locale.Textf("the %s %q is too long for an address, which is shortened to %q", kindOf(n.Kind), n.Text, book.FileName(n.Kind, n.Text)),
				Hint: locale.Textf("a shorter name is readable in the address, too")})
		}
	}
	return ms
}

// kindOf returns the word for the kind of a name.
func kindOf(kind address.Kind) locale.Text {
	switch kind {
	case address.Runs:
		return locale.Textf("run")
	case address.Models:
		return locale.Textf("model")
	case address.Boards:
		return locale.Textf("hardware")
	case address.Loads:
		return locale.Textf("load")
	case address.Scenarios:
		return locale.Textf("scenario")
	case address.Campaigns:
		return locale.Textf("campaign")
	}
	return locale.Textf("file")
}

// explained returns the names that need no message because their cause is reported: runs in a campaign with a reported
// name, and files of runs with such a name.
func explained(book *address.Book, results []*result.Result) map[address.Name]bool {
	hasSum := map[address.Name]bool{}
	for _, n := range slices.Concat(book.Twins(), book.Cut()) {
		hasSum[n] = true
	}
	explained := map[address.Name]bool{}
	for _, r := range results {
		run := address.Name{Kind: address.Runs, Text: r.ID}
		campaign := hasSum[address.Name{Kind: address.Campaigns, Text: parts.Campaign(r)}]
		if campaign && hasSum[run] {
			explained[run] = true
		}
		if campaign || hasSum[run] {
			for _, f := range r.Files() {
				explained[address.Name{Kind: address.Files, Text: f.Name}] = true
			}
		}
	}
	return explained
}

// eachName calls add with each name of a run that has its own path, and with the position of that name. It may call add
// with the same name several times.
func eachName(r *result.Result, files rawFiles, add func(address.Name, result.Position)) {
	file := result.Position{File: r.Source.File}
	add(address.Name{Kind: address.Runs, Text: r.ID}, file)
	add(address.Name{Kind: address.Campaigns, Text: parts.Campaign(r)}, file)
	for i := range r.Labels {
		l := &r.Labels[i]
		if kind := address.Kind(l.Name); slices.Contains(subjects, kind) && l.Value != "" {
			pos := l.Pos
			if pos.File == "" {
				pos = file
			}
			add(address.Name{Kind: kind, Text: l.Value}, pos)
		}
	}
	for _, f := range r.Files() {
		add(address.Name{Kind: address.Files, Text: f.Name}, result.Position{File: f.Name})
		if name, _ := files.onDisk(f.Name); name != "" && name != f.Name { // an archive
			add(address.Name{Kind: address.Files, Text: name}, result.Position{File: name})
		}
	}
}

// subjects lists the labels whose values have pages.
var subjects = []address.Kind{address.Models, address.Boards, address.Loads, address.Scenarios}
