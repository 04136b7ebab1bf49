// Command release makes what a release consists of, the same bytes from the same commit:
//
//	go run ./cmd/release -o dist
//
// It builds benchpost stripped for each platform, packs it with manual pages, completions,
// licences and documents, makes packages for Debian of it, and writes the bill of materials
// (CycloneDX) and SHA256SUMS. The version is the tag that git has for the commit. With
// -licences it prints the table of docs/dependencies.md.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// platform is an operating system and an architecture, as Go names them.
type platform struct{ os, arch string }

// platforms are what a release is built for; linux/arm64 is that of Jetson and GH200.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"},
}

const program = "./cmd/benchpost"

func main() {
	out := flag.String("o", "dist", "folder for the files of the release")
	table := flag.Bool("licences", false, "print the table of docs/dependencies.md instead")
	flag.Parse()
	if err := run(*out, *table); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(out string, table bool) error {
	modules, err := linked(platforms)
	if err != nil {
		return err
	}
	if table {
		_, err = os.Stdout.WriteString(licenceTable(modules))
		return err
	}
	return release(out, platforms, modules)
}

// release writes archives, packages, bill of materials and sums for platforms into the folder out.
func release(out string, platforms []platform, modules []module) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	stage, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	texts, err := notices(modules)
	if err != nil {
		return err
	}
	made := map[string][]byte{}
	var first build
	for _, p := range platforms {
		b, err := compile(p, stage)
		if err != nil {
			return err
		}
		first = cmp.Or(first, b)
		files, err := tree(b, texts)
		if err != nil {
			return err
		}
		name, data, err := pack(b, files)
		if err != nil {
			return err
		}
		made[name] = data
		if p.os == "linux" {
			name, data, err := debian(b, files)
			if err != nil {
				return err
			}
			made[name] = data
		}
	}
	bom, err := bill(first, modules)
	if err != nil {
		return err
	}
	made["benchpost-"+first.version+".cdx.json"] = bom
	names := make([]string, 0, len(made))
	for name := range made {
		names = append(names, name)
	}
	slices.Sort(names)
	var sums bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(made[name]), name)
		if err := os.WriteFile(filepath.Join(out, name), made[name], 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// build is a compiled program.
type build struct {
	platform
	file    string
	version string    // of git's tag, or a pseudo-version
	time    time.Time // of the commit
}

// compile builds the program for p in the folder stage. Without cgo and with trimmed
// paths its bytes depend on the commit and Go's version alone.
func compile(p platform, stage string) (build, error) {
	b := build{platform: p, file: filepath.Join(stage, p.os+"-"+p.arch)}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", b.file, program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
	if text, err := cmd.CombinedOutput(); err != nil {
		return b, fmt.Errorf("build for %s/%s: %w\n%s", p.os, p.arch, err, text)
	}
	info, err := buildinfo.ReadFile(b.file)
	if err != nil {
		return b, err
	}
	b.version = info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			if b.time, err = time.Parse(time.RFC3339, s.Value); err != nil {
				return b, err
			}
		}
	}
	if b.time.IsZero() || b.version == "" || b.version == "(devel)" {
		return b, fmt.Errorf("the commit of the program is unknown: build a release in a clone, as Go reads no version in a worktree")
	}
	b.version = strings.ReplaceAll(b.version, "+", ".") // "+dirty" is no name for a download
	return b, nil
}
