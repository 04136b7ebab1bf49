package meta

import (
	"cmp"
	"strings"

	"github.com/benchpost/benchpost/generator/cite"
)

// Dataset is the metadata of the data on a page, for search engines for data sets.
type Dataset struct {
	Name     string // if "", the title of the page is used
	About    string // a sentence about such data, appended to descriptions that are too short
	Date     string // when it was measured: a day, or two separated by a slash; "" if unknown
	License  string // an SPDX identifier or an address; "" for none
	DOI      string
	Creators []cite.Author
	Measured []Variable
	Files    []File
	Keywords []string
	Catalog  Step // the site
}

// Variable is a measured quantity.
type Variable struct {
	Name  string
	Unit  string // "" for a count
	Value string // as written, if measured once; else ""
}

// File is a download of the data.
type File struct{ URL, Type string } // its media type

type dataset struct {
	Type        string     `json:"@type"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	URL         string     `json:"url,omitempty"`
	Language    string     `json:"inLanguage,omitempty"`
	Identifier  string     `json:"identifier,omitempty"`
	License     string     `json:"license,omitempty"`
	Creators    []person   `json:"creator,omitempty"`
	Date        string     `json:"temporalCoverage,omitempty"`
	Keywords    []string   `json:"keywords,omitempty"`
	Measured    []property `json:"variableMeasured,omitempty"`
	Files       []download `json:"distribution,omitempty"`
	Catalog     *thing     `json:"includedInDataCatalog,omitempty"`
}

type property struct {
	Type  string `json:"@type"`
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
	Unit  string `json:"unitText,omitempty"`
}

type download struct {
	Type   string `json:"@type"`
	URL    string `json:"contentUrl"`
	Format string `json:"encodingFormat,omitempty"`
}

// thing returns the schema.org data set of a page.
func (d *Dataset) thing(p Page) dataset {
	t := dataset{Type: "Dataset", Name: clean(cmp.Or(d.Name, p.Title, p.Site)), Description: between(p.Description, d.About), URL: p.URL, Language: p.Lang,
		License: licence(d.License), Creators: people(d.Creators), Date: d.Date, Keywords: keywords(d.Keywords)}
	if d.DOI != "" {
		t.Identifier = "https://doi.org/" + d.DOI
	}
	for _, v := range d.Measured {
		t.Measured = append(t.Measured, property{"PropertyValue", clean(v.Name), clean(v.Value), clean(v.Unit)})
	}
	if p.URL != "" {
		for _, f := range d.Files {
			t.Files = append(t.Files, download{"DataDownload", f.URL, f.Type})
		}
		if d.Catalog.URL != "" {
			t.Catalog = &thing{Type: "DataCatalog", Name: clean(d.Catalog.Name), URL: d.Catalog.URL}
		}
	}
	return t
}

// licence returns the address of a licence: the given address, or that of an SPDX identifier.
func licence(of string) string {
	switch {
	case of == "":
		return ""
	case strings.HasPrefix(of, "https://"), strings.HasPrefix(of, "http://"):
		return of
	case cite.IsLicense(of):
		return "https://spdx.org/licenses/" + of
	}
	return ""
}
