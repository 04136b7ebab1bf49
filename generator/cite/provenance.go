package cite

// Provenance contains the statements about its data at the end of a report.
type Provenance struct {
	Revision string
	Files    []File
	Runs     []Run
	Versions []string // engines and measuring tools that the runs report: "vLLM 0.10.1"
	Sums     string   // address of the list of checksums; "" if there is none
	Text     string   // citation of the report
	BibTeX   string
}

// Run is a run that provides figures of the report.
type Run struct {
	ID, Name string
	Href     string // address of its page; "" if there is none
}
