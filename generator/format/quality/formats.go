// Package quality reads benchmarks of other things than the speed of serving: the language model evaluation harness,
// hyperfine and go test -bench.
//
// Formats returns the table of the formats. Each other file of the package holds the readers of one tool, and
// testdata/fixtures has a sample output of each tool.
package quality

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "lm-eval-json", Keys: []string{"results"}, Is: isLMEval, Read: readLMEval},
			{Name: "hyperfine-json", Keys: []string{"results"}, Is: isHyperfine, Read: readHyperfine},
		},
		Blocks: []draft.BlockFormat{
			{Name: "lm-eval-md", Marks: lmEvalMarks, New: newLMEvalTable},
			{Name: "go-bench-text", Marks: goBenchMarks, New: newGoBench},
		},
	}
}
