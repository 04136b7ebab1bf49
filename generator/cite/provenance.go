package cite

// Provenance is what a report says about its data at its end.
type Provenance struct {
	Revision string
	Files    []File
	Runs     []Run
	Versions []string // of engines and of what measured, as the runs report: "vLLM 0.10.1"
	Sums     string   // address of the list of sums; "" for none
	Text     string   // how to cite the report
	BibTeX   string
}

// Run is one that figures are from.
type Run struct {
	ID, Name string
	Href     string // of its page; "" where there is none
}
