package page

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// The raw text of results, for the page that sets it side by side. A page opened
// from a file can read neither the copy of the raw file nor the page of the run,
// so that it stands once more in scripts, without what is around it. A script
// for each result would be a third more files; one for a campaign would be loaded
// whole to show two runs of it. So the results of a campaign are spread over files
// by their ids: one more run rewrites one of them.

const (
	blockMost     = 32 << 10 // bytes of text that can be read side by side
	blocksPerFile = 32
)

// rawBlock is the text of a result and the number of its first line.
type rawBlock struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// blockFiles is over how many files so many results are spread: a power of two.
func blockFiles(results int) uint32 {
	n := uint32(1)
	for int(n)*blocksPerFile < results {
		n *= 2
	}
	return n
}

// blockFile is the file of a result, of so many.
func blockFile(id string, files uint32) uint32 {
	h := fnv.New32a()
	h.Write([]byte(id))
	return h.Sum32() % files
}

func blocksName(group string, file uint32) string {
	return fmt.Sprintf("blocks/%s/%d", strings.TrimSuffix(address.JSON(group), ".json"), file)
}

// blockArtifacts are the scripts of the raw text of the results.
func (b *builder) blockArtifacts() []artifact {
	if b.Raw == nil {
		return nil
	}
	var artifacts []artifact
	for _, g := range b.dataGroups() {
		spread := make([][]*result.Result, blockFiles(len(g.runs)))
		for _, r := range g.runs {
			i := blockFile(r.ID, uint32(len(spread)))
			spread[i] = append(spread[i], r)
		}
		for i, rs := range spread {
			name := blocksName(g.name, uint32(i))
			var from result.Stamper
			from.Results(rs)
			for _, r := range rs {
				from.Text(b.version(r.Source.File))
			}
			artifacts = append(artifacts, artifact{"data/" + name + ".js", stamped(from.Sum()), func() ([]file, error) {
				blocks := map[string]rawBlock{}
				for _, r := range rs {
					if text, ok := b.block(r); ok {
						blocks[r.ID] = rawBlock{r.Source.Line, text}
					}
				}
				data, err := json.Marshal(blocks)
				return []file{{"data/" + name + ".js", dataScript(name, data)}}, err
			}})
		}
	}
	return artifacts
}

// block gives the lines of a result, without what is around them; ok is false
// when they are too long to be read beside others, or cannot be read.
func (b *builder) block(r *result.Result) (text string, ok bool) {
	raw, err := b.Raw(r)
	if err != nil {
		return "", false
	}
	rest := string(raw.Data)
	for range r.Source.Line - raw.First {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	end := 0
	for range max(r.EndLine, r.Source.Line) - r.Source.Line + 1 {
		i := strings.IndexByte(rest[end:], '\n')
		if i < 0 {
			end = len(rest)
			break
		}
		end += i + 1
	}
	return rest[:end], 0 < end && end <= blockMost
}
