package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
)

// entry is a file of an archive.
type entry struct {
	name string
	data []byte
	mode int64
}

// tree returns the files of b as they lie below a prefix such as /usr/local: the program,
// manual pages, completions, and documents.
func tree(b build, notices []byte) ([]entry, error) {
	program, err := os.ReadFile(b.file)
	if err != nil {
		return nil, err
	}
	entries := []entry{{"bin/benchpost", program, 0o755}}
	for name, text := range cli.Manual(b.version, b.time.UTC().Format(time.DateOnly)) {
		entries = append(entries, entry{"share/man/man1/" + name, []byte(text), 0o644})
	}
	for shell, name := range map[string]string{
		"bash": "share/bash-completion/completions/benchpost",
		"zsh":  "share/zsh/site-functions/_benchpost",
		"fish": "share/fish/vendor_completions.d/benchpost.fish",
	} {
		var script bytes.Buffer
		if code := cli.Run(context.Background(), []string{"completion", shell}, nil, &script, os.Stderr); code != cli.Fine {
			return nil, fmt.Errorf("benchpost completion %s ends with %d", shell, code)
		}
		entries = append(entries, entry{name, script.Bytes(), 0o644})
	}
	readmes, err := filepath.Glob("README*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range append(readmes, "LICENSE", "CHANGELOG.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{"share/doc/benchpost/" + name, text, 0o644})
	}
	entries = append(entries, entry{"share/doc/benchpost/THIRD-PARTY-LICENCES.txt", notices, 0o644})
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return entries, nil
}

// pack returns the archive of b with the files of its tree, its name, and its bytes: a zip of
// the program and the documents for Windows, tar.gz elsewhere. All times are those of the commit.
func pack(b build, files []entry) (name string, data []byte, err error) {
	folder := strings.Join([]string{"benchpost", b.version, b.os, b.arch}, "-")
	var entries []entry
	for _, e := range files {
		switch {
		case b.os != "windows":
			e.name = folder + "/" + e.name
		case e.name == "bin/benchpost":
			e.name = folder + "/benchpost.exe"
		case strings.HasPrefix(e.name, "share/doc/"):
			e.name = folder + "/" + path.Base(e.name)
		default:
			continue
		}
		entries = append(entries, e)
	}
	if b.os == "windows" {
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

// tarred returns a compressed tar. An entry whose name ends with / is a folder.
func tarred(b build, entries []entry) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		header := tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Size: int64(len(e.data)),
			ModTime: b.time.UTC(), Uname: "root", Gname: "root", Format: tar.FormatUSTAR}
		if strings.HasSuffix(e.name, "/") {
			header.Typeflag = tar.TypeDir
		}
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
	return gzipped(out.Bytes())
}

// gzipped compresses data, with no name and no time in its head.
func gzipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
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
