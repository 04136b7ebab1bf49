package draft

import (
	"slices"
	"strings"
	"unicode"
)

// Compares reports the head of a column that holds no measurement: one that compares others, or targets.
func Compares(head string) bool {
	words := strings.FieldsFunc(strings.ToLower(head), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(comparingWords, word) }) ||
		slices.ContainsFunc(comparingSigns, func(sign string) bool { return strings.Contains(head, sign) })
}

var (
	comparingWords = []string{"speedup", "ratio", "vs", "gain", "improvement", "improved", "change", "drop", "delta", "diff", "difference",
		"target", "theoretical", "estimate", "estimated", "expected", "limit", "slo"}
	comparingSigns = []string{"Δ", "δ", "∆", "提升", "差异", "加速比", "对比", "目标", "理论"}
)
