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

// The raw text of results, for the page that compares runs. A page opened from a file system can read neither the copy
// of the raw file nor the page of the run, so the text is repeated in scripts. One script for each result would
// increase the number of files by a third; one for each campaign would have to be loaded completely to show two runs.
// Therefore the results of a campaign are distributed over files by their ids: adding a run changes one file.

const (
	blockMost     = 32 << 10 // maximum size of a text, in bytes
	blocksPerFile = 32
)

// Block is the text of a result.
type Block struct {
	Line   int      `json:"line"`             // number of the first line
	Lines  []string `json:"lines"`            // without line endings
	Broken bool     `json:"broken,omitempty"` // one line of JSON, broken after the members of its objects
}

// Blocks are the results whose text is in the same script.
type Blocks struct {
	Name string // name of the data
	Runs []*result.Result
}

// SpreadBlocks distributes the results of a group over scripts.
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

// Script makes the script. raw returns the text of a result's file and the number of its first line. Results whose text
// cannot be read are left out.
func (b Blocks) Script(raw func(*result.Result) (text string, first int, err error)) []byte {
	blocks := map[string]Block{}
	for _, r := range b.Runs {
		if text, first, err := raw(r); err == nil {
			if text, ok := block(r, text, first); ok {
				blocks[r.ID] = newBlock(r.Source.Line, text)
			}
		}
	}
	data, _ := json.Marshal(blocks) // cannot fail for texts and numbers
	return Script(b.Name, data)
}

// blockFiles returns the number of scripts for a number of results: a power of two.
func blockFiles(results int) uint32 {
	n := uint32(1)
	for int(n)*blocksPerFile < results {
		n *= 2
	}
	return n
}

// Block returns the number of the script with the text of a result of the group.
func (g Group) Block(r *result.Result) int {
	h := fnv.New32a()
	h.Write([]byte(r.ID))
	return int(h.Sum32() % blockFiles(len(g.Runs)))
}

// block returns the lines of a result without the surrounding lines. ok is false if there are none or if they are too
// long.
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

// newBlock divides a text into lines. A single line of JSON is broken into several.
func newBlock(line int, text string) Block {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r", ""), "\n"), "\n")
	if len(lines) > 1 || !strings.HasPrefix(strings.TrimSpace(lines[0]), "{") && !strings.HasPrefix(strings.TrimSpace(lines[0]), "[") {
		return Block{Line: line, Lines: lines}
	}
	return Block{Line: line, Lines: breakJSON(lines[0]), Broken: true}
}

// breakJSON breaks a line of JSON after the members of its objects, indented by depth. It drops only spaces.
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
