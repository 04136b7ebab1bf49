package column

import (
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// The first heads of pages and of tables with a run in each column, and the second ones, in small letters.
var (
	MetricWords = []string{"metric", "metrics", "指标"}
	TestWords   = []string{"test", "tests", "workload", "测试"}
	FieldWords  = []string{"field", "parameter", "setting", "key", "property", "item", "参数", "字段", "配置"}
	ValueWords  = []string{"value", "result", "值", "数值", "结果"}
)

// ColumnWords are heads of columns that are no runs.
var ColumnWords = []string{"unit", "units", "description", "meaning", "notes", "note", "count", "sum", "type", "status", "单位", "含义", "说明", "描述", "备注"}

// Counts are labels that are numbers.
var Counts = map[string]bool{"max_concurrency": true, "batch_size": true, "input_len": true, "output_len": true, "num_prompts": true, "request_rate": true}

// Setting is the label that a cell of a column of settings makes: what counts has a number, or a name of its own. A
// column without a head says what its rows are called, unless it counts them.
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

// IsOfSeveral reports whether a cell says that its row is made of others.
func IsOfSeveral(cell string) bool {
	return slices.Contains([]string{"mean", "average", "avg", "geomean", "median", "total", "sum", "平均", "合计", "总计"}, strings.ToLower(cell))
}
