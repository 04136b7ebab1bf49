package export

import (
	"bufio"
	"io"
)

// IndexSchema names the format of the list of documents.
const IndexSchema = "benchpost.index/1"

// Index lists the documents of a site. File names are relative to the list.
type Index struct {
	Posts    []PostEntry
	Coverage []CoverageEntry
	Results  []ResultsEntry
}

// CoverageEntry is the document about the plans of a site in one language.
type CoverageEntry struct {
	File  string `json:"file"`
	Lang  string `json:"lang"`
	Plans int    `json:"plans"`
}

// PostEntry is the document of a report in one language.
type PostEntry struct {
	File  string `json:"file"`
	Slug  string `json:"slug"`
	Lang  string `json:"lang"`
	Title string `json:"title"`
	Date  string `json:"date,omitempty"` // the day
	Runs  int    `json:"runs"`
}

// ResultsEntry is a results document. If Campaign is "", it contains the results that belong to no campaign.
type ResultsEntry struct {
	File     string `json:"file"`
	Campaign string `json:"campaign,omitempty"`
	Results  int    `json:"results"`
	Skipped  int    `json:"skipped"`
	Errors   int    `json:"errors"`
}

// WriteIndex writes the list, one document a line.
func WriteIndex(w io.Writer, index Index) error {
	b := bufio.NewWriter(w)
	o := outline{w: b}
	parts := []part{{"posts", o.list(len(index.Posts), func(i int) { o.value(index.Posts[i]) })}}
	if len(index.Coverage) > 0 {
		parts = append(parts, part{"coverage", o.list(len(index.Coverage), func(i int) { o.value(index.Coverage[i]) })})
	}
	o.object(struct {
		Schema string `json:"schema"`
	}{IndexSchema}, append(parts,
		part{"results", o.list(len(index.Results), func(i int) { o.value(index.Results[i]) })})...)
	b.WriteByte('\n')
	if o.err != nil {
		return o.err
	}
	return b.Flush()
}
