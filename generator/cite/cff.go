package cite

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// CFF returns the work as a CITATION.cff 1.2.0.
func (w *Work) CFF() string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, quote(value))
		}
	}
	b.WriteString("cff-version: 1.2.0\n")
	line("message", "If you use these figures, please cite them as below.")
	b.WriteString("type: dataset\n")
	line("title", clean(w.Title))
	b.WriteString("authors:\n")
	for _, a := range w.Authors {
		lead := "  - "
		item := func(key, value string) {
			if value = clean(value); value != "" {
				fmt.Fprintf(&b, "%s%s: %s\n", lead, key, quote(value))
				lead = "    "
			}
		}
		if a.Family != "" {
			item("family-names", a.Family)
			item("given-names", a.Given)
		} else {
			item("name", a.String())
		}
		if a.ORCID != "" {
			item("orcid", "https://orcid.org/"+a.ORCID)
		}
	}
	if !w.Date.IsZero() {
		line("date-released", w.Date.Format("2006-01-02"))
	}
	line("version", Short(w.Revision))
	line("commit", w.Commit)
	line("doi", w.DOI)
	line("url", w.URL)
	line("repository-code", w.Repository)
	if strings.Contains(w.License, "://") {
		line("license-url", w.License)
	} else {
		line("license", w.License)
	}
	b.WriteString("identifiers:\n  - type: other\n")
	fmt.Fprintf(&b, "    value: %s\n", quote("sha256:"+w.Revision))
	fmt.Fprintf(&b, "    description: %s\n", quote("Revision of the data: the SHA-256 of the list of SHA-256 sums of its raw files, sorted by name"))
	return b.String()
}

// quote returns a text in YAML's double quotes.
func quote(s string) string {
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: strings.ToValidUTF8(s, "\ufffd")})
	if err != nil {
		panic(err) // impossible: every text can be written
	}
	return strings.TrimSuffix(string(out), "\n")
}
