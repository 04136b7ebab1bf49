package config

import (
	"net/url"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/locale"
)

// Cite configures how the site is cited.
type Cite struct {
	Authors    []Author
	Repository string // where its runs are stored
	Files      string // base address of the site's files: "https://github.com/me/bench/raw/HEAD/"
	DOI        string
	License    string // SPDX identifier or address
	URL        string // address of the site, if it differs from base_url
}

// Author is an author, with one name or with family name and given name.
type Author struct {
	Name, Family, Given string
	ORCID               string
}

// Raw configures which raw files are published.
type Raw struct {
	Limit string // size of a file on disk, for example "4 MB"

	limit *int64
}

func (c *Cite) check(at place) {
	for i := range c.Authors {
		c.Authors[i].check(at.at("authors", i))
	}
	address := func(key string, to *string) {
		u, err := url.Parse(*to)
		if *to != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil) {
			at.at(key).wrong(locale.Textf(`for example "https://example.org/bench"`), "%s %q is not an absolute address", key, *to)
			*to = ""
		}
	}
	address("repository", &c.Repository)
	address("files", &c.Files)
	address("url", &c.URL)
	if c.Files != "" {
		c.Files = strings.TrimSuffix(c.Files, "/") + "/"
	}
	c.DOI = strings.TrimPrefix(c.DOI, "https://doi.org/")
	if c.DOI != "" && !cite.IsDOI(c.DOI) {
		at.at("doi").wrong(locale.Textf(`for example "10.5281/zenodo.1003150"`), "%q is not a DOI", c.DOI)
	}
	if strings.Contains(c.License, "://") {
		address("license", &c.License)
	} else if c.License != "" && !cite.IsLicense(c.License) {
		at.at("license").wrong(locale.Textf(`an SPDX identifier, for example "CC-BY-4.0", or an address`), "%q is not a licence", c.License)
	}
}

func (a *Author) check(at place) {
	switch {
	case (a.Name == "") == (a.Family == ""):
		at.wrong(locale.Textf(`for example { name = "Jane Doe" } or { family = "Doe", given = "Jane" }`), "an author has either a name or a family name")
	case a.Given != "" && a.Family == "":
		at.at("given").wrong(locale.Textf(`for example { family = "Doe", given = "Jane" }`), "the author %q has a given name and no family name", a.Name)
	}
	a.ORCID = strings.TrimPrefix(a.ORCID, "https://orcid.org/")
	if a.ORCID != "" && !cite.IsORCID(a.ORCID) {
		at.at("orcid").wrong(locale.Textf(`for example "0000-0002-1825-0097"`), "%q is not an ORCID: its form or its check digit is wrong", a.ORCID)
	}
}

// highestRaw bounds Raw.Limit: pages and git are not suitable for larger files.
const highestRaw = 100_000_000

func (r *Raw) check(at place) {
	if r.Limit == "" {
		return
	}
	bytes, ok := audit.Quantity(r.Limit)
	if !ok || bytes < 0 || bytes > highestRaw {
		at.at("limit").wrong(locale.Textf(`for example limit = "20 MB"; what is larger is better compressed, see docs/site.md`), "the limit %q of raw files is not a size up to 100 MB", r.Limit)
		return
	}
	limit := int64(bytes)
	r.limit = &limit
}

// Bytes returns the limit in bytes, or usual if the author sets none.
func (r *Raw) Bytes(usual int64) int64 {
	if r.limit == nil {
		return usual
	}
	return *r.limit
}
