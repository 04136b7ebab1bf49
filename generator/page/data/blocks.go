package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// The raw text of results, for the page that sets it side by side. A page opened
// from a file can read neither the copy of the raw file nor the page of the run,
// so that it is once more in scripts, without what is around it. A script
// for each result would be a third more files; one for a campaign would be loaded
// whole to show two runs of it. So the results of a campaign are spread over files
// by their ids: one more run rewrites one of them.

const (
	blockMost     = 32 << 10 // bytes of text that can be read side by side
	blocksPerFile = 32
)

// Block is the text of a result.
type Block struct {
	Line   int      `json:"line"`             // the number of its first line
	Lines  []string `json:"lines"`            // without line ends
	Broken bool     `json:"broken,omitempty"` // it is one line of JSON, broken behind the members of its objects
}

// Blocks are the results whose text is in one script.
type Blocks struct {
	Name string // of the data
	Runs []*result.Result
}

// SpreadBlocks divides the results of a group over scripts.
func SpreadBlocks(names *address.Book, g Group) []Blocks {
	spread := make([]Blocks, blockFiles(len(g.Runs)))
	for i := range spread {
		spread[i].Name = fmt.Sprintf("blocks/%s~%d", names.CampaignData(g.Name), i)
	}
	for _, r := range g.Runs {
		i := g.Block(r)
		spread[i].Runs = append(spread[i].Runs, r)
	}
	return spread
}

// Script makes the script. Raw returns the text of a file of a result and the number
// of its first line; what cannot be read is left out.
func (b Blocks) Script(raw func(*result.Result) (text string, first int, err error)) []byte {
	blocks := map[string]Block{}
	for _, r := range b.Runs {
		if text, first, err := raw(r); err == nil {
			if text, ok := block(r, text, first); ok {
				blocks[r.ID] = newBlock(r.Source.Line, text)
			}
		}
	}
	data, _ := json.Marshal(blocks) // of texts and numbers: it cannot fail
	return Script(b.Name, data)
}

// blockFiles is over how many files so many results are spread: a power of two.
func blockFiles(results int) uint32 {
	n := uint32(1)
	for int(n)*blocksPerFile < results {
		n *= 2
	}
	return n
}

// Block is the number of the script that has the text of a result of the group.
func (g Group) Block(r *result.Result) int {
	h := fnv.New32a()
	h.Write([]byte(r.ID))
	return int(h.Sum32() % blockFiles(len(g.Runs)))
}

// block returns the lines of a result, without what is around them; ok is false
// when there are none or they are too long to be read beside others.
func block(r *result.Result, text string, first int) (lines string, ok bool) {
	for range r.Source.Line - first {
		_, text, _ = strings.Cut(text, "\n")
	}
	end := 0
	for range max(r.EndLine, r.Source.Line) - r.Source.Line + 1 {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		end += i + 1
	}
	return text[:end], 0 < end && end <= blockMost
}

// newBlock divides a text into lines. One line of JSON is broken.
func newBlock(line int, text string) Block {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r", ""), "\n"), "\n")
	if len(lines) > 1 || !strings.HasPrefix(strings.TrimSpace(lines[0]), "{") && !strings.HasPrefix(strings.TrimSpace(lines[0]), "[") {
		return Block{Line: line, Lines: lines}
	}
	return Block{Line: line, Lines: breakJSON(lines[0]), Broken: true}
}

// breakJSON breaks a line of JSON behind the members of its objects, each
// indented by its depth. No character is lost but spaces.
func breakJSON(json string) []string {
	var lines []string
	var line, open []byte // open: the brackets
	quoted, escaped := false, false
	end := func() {
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, string(line))
		}
		line = line[:0]
	}
	for _, c := range []byte(json) {
		if quoted {
			line = append(line, c)
			quoted = escaped || c != '"'
			escaped = !escaped && c == '\\'
			continue
		}
		closing := c == '}' || c == ']'
		if closing && len(open) > 0 {
			open = open[:len(open)-1]
		}
		if len(line) == 0 {
			if c == ' ' {
				continue
			}
			line = append(line, strings.Repeat("  ", len(open))...)
		}
		line = append(line, c)
		quoted = c == '"'
		if c == '{' || c == '[' {
			open = append(open, c)
		}
		if c == '{' || c == ',' && !bytes.HasSuffix(open, []byte("[")) {
			end()
		}
	}
	end()
	return lines
}
