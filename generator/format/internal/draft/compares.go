package draft

import (
	"slices"
	"strings"
	"unicode"
)

// Compares reports whether the head of a column says that the column compares others, and so is not a measurement.
func Compares(head string) bool { return hasAny(head, comparingWords, comparingSigns) }

// Aims reports whether the head of a column says that the column holds targets or estimates instead of measurements.
// Columns beside it may hold the same.
func Aims(head string) bool { return hasAny(head, aimingWords, aimingSigns) }

func hasAny(head string, words, signs []string) bool {
	of := strings.FieldsFunc(strings.ToLower(head), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(of, func(word string) bool { return slices.Contains(words, word) }) ||
		slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(head, sign) })
}

var (
	comparingWords = []string{"speedup", "ratio", "vs", "gain", "improvement", "improved", "change", "drop", "delta", "diff", "difference"}
	comparingSigns = []string{"Δ", "δ", "∆", "提升", "变化", "增益", "差异", "差距", "加速比", "对比"}
	aimingWords    = []string{"target", "theoretical", "estimate", "estimated", "expected", "limit", "slo"}
	aimingSigns    = []string{"目标", "理论"}
)
