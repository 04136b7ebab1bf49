package column

import (
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// These lists hold the first and second heads of pages, and of tables with a run in each column, in lower case.
var (
	MetricWords = []string{"metric", "metrics", "指标"}
	TestWords   = []string{"test", "tests", "workload", "测试"}
	FieldWords  = []string{"field", "parameter", "setting", "key", "property", "item", "参数", "字段", "配置"}
	ValueWords  = []string{"value", "result", "值", "数值", "结果"}
)

// ColumnWords lists heads of columns that do not name runs.
var ColumnWords = []string{"unit", "units", "description", "meaning", "notes", "note", "count", "sum", "type", "status", "单位", "含义", "说明", "描述", "备注"}

// Counts is the set of labels whose values are numbers.
var Counts = map[string]bool{"max_concurrency": true, "batch_size": true, "input_len": true, "output_len": true, "num_prompts": true, "request_rate": true}

// Setting returns the label for a cell of a column of settings. If the label counts something and the cell is not a
// number, the label gets a name of its own with x_. A column without a head names its rows (x_run), unless the cells
// have no letters.
func (c Column) Setting(text string) (name, value string) {
	switch {
	case c.Text == "" && strings.ContainsFunc(text, unicode.IsLetter):
		return "x_run", text
	case !Counts[c.Name]:
		return c.Name, text
	}
	number := strings.ReplaceAll(strings.TrimLeft(text, "cC= "), ",", "")
	if _, ok := scan.ParseFigure([]byte(number), 0); !ok {
		return "x_" + draft.Snake(c.Text), text
	}
	return c.Name, number
}

// IsOfSeveral reports whether a cell says that its row summarises other rows.
func IsOfSeveral(cell string) bool {
	return slices.Contains([]string{"mean", "average", "avg", "geomean", "median", "total", "sum", "平均", "合计", "总计"}, strings.ToLower(cell))
}
