package datapackage

import (
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// labelColumn returns the name of a label's column. It ends in _label if the name would be a word of SQL, a
// column that every table has, the name of a metric, or a name with the ending of a metric.
func labelColumn(name string, l vocabulary.Label) string {
	column := sqlName(name)
	if l.Unit != "" {
		return column + "_" + unitWord(l.Unit)
	}
	isFixed := slices.Contains(ofFiles, column) || slices.ContainsFunc(fixedFields(), func(f Field) bool { return f.Name == column })
	if isFixed || reserved[column] || isMetricColumn(column) && l.Name == "" {
		return column + "_label"
	}
	return column
}

// ofFiles lists the columns that shards have for files (package shard).
var ofFiles = []string{"raw_form", "raw_path", "raw_piece", "raw_size", "raw_sha256", "raw_bytes", "raw_conditions", "raw_decimals"}

// isMetricColumn reports whether a metric's column may have this name.
func isMetricColumn(column string) bool {
	if _, known := vocabulary.Define(column); known || strings.HasSuffix(column, "_value") {
		return true
	}
	for _, word := range unitWords {
		if strings.HasSuffix(column, "_"+word) {
			return true
		}
	}
	return false
}

// MetricColumn returns the column of a metric that a result has in the given unit, and the unit of the column.
func MetricColumn(name, unit string) (column, base string) {
	base = dataset.BaseUnit(unit)
	if base == "1" {
		base = ""
	}
	d, known := vocabulary.Define(name)
	usual := d.Unit
	if usual == "1" {
		usual = ""
	}
	switch {
	case known && base == usual:
		return name, base
	case known && base == "":
		return name + "_value", base
	case known:
		return name + "_" + unitWord(base), base
	case base == "":
		return sqlName(name) + "_value", base
	}
	return withoutUnit(sqlName(name), unit) + "_" + unitWord(base), base
}

// withoutUnit removes the word for a unit from a name, because the column name ends in its own unit.
func withoutUnit(name, unit string) string {
	words := []string{unitWord(unit), plainWord(unit)}
	if unit == "%" {
		words = append(words, "pct")
	}
	for _, word := range words {
		if rest, ok := strings.CutSuffix(name, "_"+word); ok {
			return rest
		}
		if i := strings.LastIndex(name, "_"+word+"_"); i >= 0 {
			return name[:i] + name[i+1+len(word):]
		}
	}
	return name
}

// unitWords maps units to endings of names, if the letters and digits of the unit are not enough.
var unitWords = map[string]string{
	"s": "s", "B": "bytes", "B/s": "bytes_s", "J": "j", "J/tok": "j_tok", "W": "w", "Hz": "hz", "%": "percent", "°C": "celsius",
	"tok": "tok", "tok/s": "tok_s", "tok/s/user": "tok_s_user", "req/s": "req_s", "FLOP/s": "flop_s",
}

func unitWord(unit string) string {
	if word := unitWords[unit]; word != "" {
		return word
	}
	return plainWord(unit)
}

// plainWord returns the letters and digits of a unit.
func plainWord(unit string) string {
	word := strings.Join(strings.FieldsFunc(strings.ToLower(unit), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "_")
	if word == "" {
		return "unit"
	}
	return word
}

// sqlName returns a name that needs no quotes in SQL: letters, digits and underscores in lower case.
func sqlName(name string) string {
	column := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '_'
	}, name)
	if column == "" || unicode.IsDigit([]rune(column)[0]) {
		column = "_" + column
	}
	return column
}

// reserved lists the words that DuckDB or PostgreSQL do not accept as column names without quotes.
var reserved = func() map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(`
		all analyse analyze and anti any array as asc asof asymmetric at authorization between binary both by case cast check
		collate collation column columns concurrently constraint create cross current_catalog current_date current_role
		current_schema current_time current_timestamp current_user default deferrable desc describe distinct do else end
		except false fetch for foreign freeze from full generated glob grant group having ilike in initially inner intersect
		into is isnull join lambda lateral leading left like limit localtime localtimestamp map natural not notnull null
		offset on only or order outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify references
		returning right select semi session_user show similar some struct summarize symmetric system_user table tablesample
		then to trailing true try_cast union unique unpack unpivot user using variadic verbose when where window with`) {
		words[word] = true
	}
	return words
}()
