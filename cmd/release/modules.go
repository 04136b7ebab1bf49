package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licenseclassifier/v2/assets"
)

// module is a module whose code is linked into the program.
type module struct {
	Path, Version, Dir string
	licence            string   // an SPDX expression
	files              []string // its texts, as paths
}

// chosen are the licences of modules whose files name several to choose from.
var chosen = map[string]string{
	"github.com/go-text/typesetting": "BSD-3-Clause", // or Unlicense
	"github.com/golang/freetype":     "FTL",          // or GPL-2.0-or-later, as its LICENSE offers
}

// linked returns the modules linked into the program on any of the platforms, ordered by
// path, each with the licences that its files hold.
func linked(platforms []platform) ([]module, error) {
	byPath := map[string]module{}
	for _, p := range platforms {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", program)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list modules of %s/%s: %w", p.os, p.arch, err)
		}
		dec := json.NewDecoder(strings.NewReader(string(out)))
		for {
			var pkg struct{ Module *module }
			if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if m := pkg.Module; m != nil && m.Version != "" { // the program's own has none
				byPath[m.Path] = *m
			}
		}
	}
	classify, err := classifier()
	if err != nil {
		return nil, err
	}
	modules := make([]module, 0, len(byPath))
	for _, m := range byPath {
		if m.licence, m.files, err = classify(m.Dir); err != nil {
			return nil, err
		}
		if m.licence = cmp.Or(chosen[m.Path], m.licence); m.licence == "" {
			return nil, fmt.Errorf("%s: its licence is not recognised: read it in %s, and add it to chosen", m.Path, m.Dir)
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return modules, nil
}

// classifier returns a function that finds the files of licences in a module's folder, and
// recognises what they hold.
func classifier() (func(dir string) (licence string, files []string, err error), error) {
	c, err := assets.DefaultClassifier()
	if err != nil {
		return nil, err
	}
	return func(dir string) (string, []string, error) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return "", nil, err
		}
		var names, files []string
		for _, e := range entries {
			lower := strings.ToLower(e.Name())
			if e.IsDir() || !slices.ContainsFunc([]string{"licen", "copying", "notice"}, func(p string) bool { return strings.HasPrefix(lower, p) }) {
				continue
			}
			file := filepath.Join(dir, e.Name())
			text, err := os.ReadFile(file)
			if err != nil {
				return "", nil, err
			}
			files = append(files, file)
			for _, m := range c.Match(text).Matches {
				if m.MatchType != "Copyright" && !slices.Contains(names, m.Name) {
					names = append(names, m.Name)
				}
			}
		}
		slices.Sort(names)
		return strings.Join(names, " AND "), files, nil
	}, nil
}

// notices returns the texts of all licences, which go with each copy of the program: the
// modules', Go's own, and the font's.
func notices(modules []module) ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	all := append([]module{
		{Path: "Go's standard library", files: []string{filepath.Join(strings.TrimSpace(string(root)), "LICENSE")}},
		{Path: "Noto Sans, in the pictures' fonts", files: []string{"generator/chart/font/OFL.txt"}},
	}, modules...)
	var b bytes.Buffer
	for _, m := range all {
		fmt.Fprintf(&b, "%s\n%s %s\n%[1]s\n\n", strings.Repeat("=", 80), m.Path, m.Version)
		for _, file := range m.files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			b.Write(text)
			b.WriteString("\n")
		}
	}
	return b.Bytes(), nil
}

// licenceTable returns modules as a Markdown table.
func licenceTable(modules []module) string {
	var b strings.Builder
	b.WriteString("| module | version | licence |\n|---|---|---|\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.Path, m.Version, m.licence)
	}
	return b.String()
}
