package export

import (
	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/locale"
)

// ResultFields returns the fields of a result in JSON lines and in a results document.
func ResultFields() []datapackage.Field {
	return []datapackage.Field{
		{Name: "id", Type: "string", Meaning: locale.T("schema.id")},
		{Name: "source.file", Type: "string", Meaning: locale.T("schema.file")},
		{Name: "source.line", Type: "integer", Meaning: locale.T("schema.line")},
		{Name: "tool", Type: "string", Meaning: locale.T("schema.tool")},
		{Name: "format", Type: "string", Meaning: locale.T("schema.format")},
		{Name: "status", Type: "string", Meaning: locale.T("schema.status")},
		{Name: "labels", Type: "object", Meaning: locale.T("schema.labels")},
		{Name: "metrics", Type: "object", Meaning: locale.T("schema.metrics")},
		{Name: "metrics.*.value", Type: "number", Meaning: locale.T("schema.value")},
		{Name: "metrics.*.unit", Type: "string", Meaning: locale.T("schema.unit")},
		{Name: "metrics.*.better", Type: "string", Meaning: locale.T("schema.better")},
		{Name: "metrics.*.field", Type: "string", Meaning: locale.T("schema.field")},
		{Name: "metrics.*.line", Type: "integer", Meaning: locale.T("schema.metric-line")},
		{Name: "metrics.*.file", Type: "string", Meaning: locale.T("schema.metric-file")},
		{Name: "metrics.*.derived", Type: "boolean", Meaning: locale.T("schema.derived")},
		{Name: "checks", Type: "array", Meaning: locale.T("schema.check-list")},
		{Name: "checks[].id", Type: "string", Meaning: locale.T("schema.check-id")},
		{Name: "checks[].severity", Type: "string", Meaning: locale.T("schema.severity")},
		{Name: "checks[].message", Type: "string", Meaning: locale.T("schema.message")},
		{Name: "checks[].figures", Type: "object", Meaning: locale.T("schema.figures")},
		{Name: "checks[].hint", Type: "string", Meaning: locale.T("schema.hint")},
		{Name: "checks[].waived", Type: "string", Meaning: locale.T("schema.waived")},
	}
}
