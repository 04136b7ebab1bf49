package parts

import (
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// SubjectTable lists subjects that runs have in common, with the number of models and runs.
type SubjectTable[T any] struct {
	Printer locale.Printer
	Caption string
	List    []T
	Columns []SubjectColumn[T]
	Name    func(T) string
	Href    func(T) string
	Runs    func(T) []*result.Result
}

// SubjectColumn is a column of numbers or text.
type SubjectColumn[T any] struct {
	Title string
	Num   bool
	Of    func(T) string
}

// HTML returns the table without empty columns, "" for an empty list.
func (t *SubjectTable[T]) HTML() template.HTML {
	if len(t.List) == 0 {
		return ""
	}
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c SubjectColumn[T]) bool {
		return !slices.ContainsFunc(t.List, func(one T) bool { return c.Of(one) != "" })
	})
	var w Writer
	w.OpenScroll(t.Caption, t.Printer)
	w.Tag(`<table class="subjects"><thead><tr><th scope="col">`)
	w.Text(t.Caption)
	w.Tag("</th>")
	for _, c := range columns {
		w.Tag(`<th scope="col"`, NumClass(c.Num), ">")
		w.Text(c.Title)
		w.Tag("</th>")
	}
	w.Tag(`<th scope="col" class="num">`, t.Printer.Words("page.models"), `</th><th scope="col" class="num">`, t.Printer.Words("page.runs"), "</th></tr></thead>\n<tbody>\n")
	for _, one := range t.List {
		w.Tag(`<tr><th scope="row"><a href="`)
		w.Text(t.Href(one))
		w.Tag(`">`)
		w.Text(t.Name(one))
		w.Tag("</a></th>")
		for _, c := range columns {
			w.Tag("<td", NumClass(c.Num), ">")
			w.Text(c.Of(one))
			w.Tag("</td>")
		}
		models := map[string]bool{}
		for _, r := range t.Runs(one) {
			if m := r.Labels.Get("model"); m != "" {
				models[m] = true
			}
		}
		w.Tag(`<td class="num">`)
		w.Int(len(models))
		w.Tag(`</td><td class="num">`)
		w.Int(len(t.Runs(one)))
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
	return w.HTML()
}

// NumClass returns the class attribute of a numeric cell, with a leading space.
func NumClass(num bool) string {
	if num {
		return ` class="num"`
	}
	return ""
}
