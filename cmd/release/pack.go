package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// entry is a file of an archive.
type entry struct {
	name string
	data []byte
	mode int64
}

// pack returns the archive of b, its name, and its bytes: zip for Windows, tar.gz
// elsewhere. All times are those of the commit.
func pack(b build, notices []byte) (name string, data []byte, err error) {
	folder := strings.Join([]string{"benchpost", b.version, b.os, b.arch}, "-")
	program := entry{name: folder + "/benchpost", mode: 0o755}
	entries := []entry{program, {name: folder + "/LICENSE", mode: 0o644}, {name: folder + "/README.md", mode: 0o644}}
	for i, source := range []string{b.file, "LICENSE", "README.md"} {
		if entries[i].data, err = os.ReadFile(source); err != nil {
			return "", nil, err
		}
	}
	entries = append(entries, entry{folder + "/THIRD-PARTY-LICENCES.txt", notices, 0o644})
	if b.os == "windows" {
		entries[0].name += ".exe"
		data, err = zipped(b, entries)
		return folder + ".zip", data, err
	}
	data, err = tarred(b, entries)
	return folder + ".tar.gz", data, err
}

func zipped(b build, entries []entry) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		file, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: b.time.UTC()})
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func tarred(b build, entries []entry) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		header := tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.data)), ModTime: b.time.UTC(), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(&header); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}

// bill returns the bill of materials of b in CycloneDX's JSON: every module linked into
// the program on any platform, with its licence. It names no machine and no moment but
// that of the commit.
func bill(b build, modules []module) ([]byte, error) {
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{
		Timestamp: b.time.UTC().Format("2006-01-02T15:04:05Z"),
		Component: &cdx.Component{BOMRef: "benchpost", Type: cdx.ComponentTypeApplication, Name: "benchpost", Version: b.version,
			Licenses: &cdx.Licenses{{Expression: "MIT"}}},
	}
	components := make([]cdx.Component, len(modules))
	refs := make([]string, len(modules))
	for i, m := range modules {
		url := "pkg:golang/" + m.Path + "@" + m.Version
		refs[i] = url
		components[i] = cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url,
			Licenses: &cdx.Licenses{{Expression: m.licence}}}
	}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: "benchpost", Dependencies: &refs}}
	var out bytes.Buffer
	encoder := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON)
	encoder.SetPretty(true)
	err := encoder.Encode(bom)
	return out.Bytes(), err
}
