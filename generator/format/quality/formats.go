package quality

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats is the table of the formats of this family.
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
