package cite

import (
	"bytes"
	"encoding/json"
)

// cslItem is an entry of CSL-JSON for Zotero, pandoc and citeproc.
type cslItem struct {
	ID       string    `json:"id"`
	Type     string    `json:"type"`
	Title    string    `json:"title"`
	Author   []cslName `json:"author,omitempty"`
	Issued   *cslDate  `json:"issued,omitempty"`
	In       string    `json:"container-title,omitempty"`
	URL      string    `json:"URL,omitempty"`
	DOI      string    `json:"DOI,omitempty"`
	Version  string    `json:"version"`
	Language string    `json:"language,omitempty"`
	Note     string    `json:"note"`
}

type cslName struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

type cslDate struct {
	Parts [][]int `json:"date-parts"`
}

// CSL returns the work as CSL-JSON: a list with one entry.
func (w *Work) CSL() string {
	item := cslItem{ID: w.ID, Type: "dataset", Title: clean(w.Title), In: clean(w.In), URL: w.address(), DOI: w.DOI,
		Version: Short(w.Revision), Language: w.Lang, Note: "Data revision sha256:" + w.Revision}
	if w.IsReport {
		item.Type = "report"
	}
	if w.Commit != "" {
		item.Note += ", commit " + w.Commit
	}
	for _, a := range w.Authors {
		if a.Family != "" {
			item.Author = append(item.Author, cslName{Family: clean(a.Family), Given: clean(a.Given)})
		} else {
			item.Author = append(item.Author, cslName{Literal: clean(a.String())})
		}
	}
	if !w.Date.IsZero() {
		item.Issued = &cslDate{[][]int{{w.Date.Year(), int(w.Date.Month()), w.Date.Day()}}}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode([]cslItem{item}) // cannot fail: plain values, written to memory
	return b.String()
}
