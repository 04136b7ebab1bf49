package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/rawfile"
)

// Refusal says why a format does not read a file: which of its marks or keys the file has, and which are missing.
type Refusal struct {
	Format string
	Line   int    // line of Has; 0 for none
	Has    string // the mark or key that the file has, or the text similar to it; "" for none
	Lacks  string // the missing mark or key; "" if it is there, but a further condition is not met
}

const (
	refusalBytes = 1 << 20 // bytes of a file that are compared
	refusalLines = 4000
	mostRefusals = 8 // number of formats returned
)

// Refusals returns why the formats nearest to a file do not read it, the nearest first. JSON formats are compared by
// their keys, formats of lines by the words of their marks. Formats without any similarity are left out.
func Refusals(file string) ([]Refusal, error) {
	f, err := rawfile.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, refusalBytes))
	if err != nil {
		return nil, err
	}
	reg := builtin()
	var found []nearness
	if isJSON(data[:min(len(data), headSize)]) {
		found = reg.nearObjects(data)
	} else {
		found = reg.nearBlocks(data)
	}
	slices.SortStableFunc(found, func(a, b nearness) int {
		return cmp.Or(cmp.Compare(b.share, a.share), strings.Compare(a.Format, b.Format))
	})
	var all []Refusal
	for _, n := range found[:min(len(found), mostRefusals)] {
		all = append(all, n.Refusal)
	}
	return all, nil
}

// nearness is a refusal, and how near the file is to the format, from 0 to 1.
type nearness struct {
	Refusal
	share float64
}

// nearObjects compares the top-level keys of a document, or of the first object of a list, with the keys of the object
// formats.
func (reg *registry) nearObjects(data []byte) []nearness {
	keys, lines := topKeys(data)
	var found []nearness
	for i := range reg.objectFormats {
		f := &reg.objectFormats[i]
		best := nearness{}
		for _, want := range f.Keys {
			if n := slices.Index(keys, want); n >= 0 { // the key alone is not enough
				best = nearness{Refusal{f.Name, lines[n], quoted(want), ""}, 1}
				break
			}
			for n, key := range keys {
				if share := likeness(words(want), words(key)); share > best.share {
					best = nearness{Refusal{f.Name, lines[n], quoted(key), quoted(want)}, share}
				}
			}
		}
		if best.share >= 0.5 {
			found = append(found, best)
		}
	}
	return found
}

func quoted(key string) string { return `"` + key + `"` }

// topKeys returns the keys of the first JSON object and their lines.
func topKeys(data []byte) (keys []string, lines []int) {
	d := json.NewDecoder(bytes.NewReader(data))
	depth, isKey := 0, false
	for {
		t, err := d.Token()
		if err != nil {
			return keys, lines
		}
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{':
				depth++
				isKey = depth == 1
			case '[':
				if depth > 0 {
					depth += 100
				}
			case ']':
				if depth > 0 {
					depth -= 100
					isKey = depth == 1
				}
			case '}':
				depth--
				if depth == 0 {
					return keys, lines
				}
				isKey = depth == 1
			}
		case string:
			if depth == 1 && isKey {
				keys, lines = append(keys, t), append(lines, 1+bytes.Count(data[:d.InputOffset()], []byte("\n")))
				isKey = false
				continue
			}
			isKey = depth == 1
		default:
			isKey = depth == 1
		}
	}
}

// nearBlocks compares the lines of a text with the marks of the formats.
func (reg *registry) nearBlocks(data []byte) []nearness {
	lines := bytes.SplitN(data, []byte("\n"), refusalLines+1)
	if len(lines) > refusalLines {
		lines = lines[:refusalLines]
	}
	of := make([][]string, len(lines))
	for i, line := range lines {
		of[i] = words(string(line))
	}
	best := map[string]nearness{}
	for i := range reg.blockFormats {
		f := &reg.blockFormats[i]
		for _, mark := range f.Marks {
			want := words(mark)
			if len(want) == 0 || f.Name == "" {
				continue
			}
			for n := range lines {
				share, has, lacks := 0.0, "", mark
				if bytes.Contains(lines[n], []byte(mark)) {
					share, has, lacks = 1, mark, ""
				} else if share = likeness(want, of[n]); share < 0.5 || len(want) < 2 {
					continue
				} else {
					has = strings.ToValidUTF8(string(scan.Clip(bytes.TrimSpace(lines[n]), 80)), "\ufffd")
				}
				if share > best[f.Name].share {
					best[f.Name] = nearness{Refusal{f.Name, n + 1, strings.TrimSpace(has), strings.TrimSpace(lacks)}, share}
				}
			}
		}
	}
	var found []nearness
	for _, n := range best {
		found = append(found, n)
	}
	return found
}

// words returns the words of a mark, a key or a line, in lower case and without a plural s.
func words(s string) []string {
	all := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f) })
	for i, word := range all {
		if len(word) > 4 {
			all[i] = strings.TrimSuffix(word, "s")
		}
	}
	return all
}

// likeness returns the share of the wanted words that are present, times 0.99.
func likeness(want, there []string) float64 {
	if len(want) == 0 {
		return 0
	}
	n := 0
	for _, word := range want {
		if slices.Contains(there, word) {
			n++
		}
	}
	return 0.99 * float64(n) / float64(len(want))
}
