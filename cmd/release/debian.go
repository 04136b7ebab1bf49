package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// control is what a package says of itself: version, architecture, size in KiB.
const control = `Package: benchpost
Version: %s
Architecture: %s
Maintainer: ` + maintainer + `
Installed-Size: %d
Recommends: git
Section: utils
Priority: optional
Homepage: https://github.com/benchpost/benchpost
Description: reports from raw LLM-inference benchmark runs
 benchpost reads what benchmarks of large language models print and save,
 checks it against physics and against itself, and writes tables, charts,
 Jekyll posts and a standalone HTML site in Chinese and English. Every number
 links to the file and line it comes from.
 .
 It reads vLLM, SGLang, llama.cpp, TensorRT-LLM, GuideLLM, AIPerf and others,
 and telemetry of tegrastats, nvidia-smi and others.
`

const maintainer = "benchpost maintainers <maintainers@users.noreply.github.com>"

// copyright is the machine-readable file of that name; the other licences are beside it.
const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: benchpost
Source: https://github.com/benchpost/benchpost
Comment: The licences of the modules that are linked into the program, and of the
 font in it, are in /usr/share/doc/benchpost/third-party.txt.gz.

Files: *
%s`

// overrides names the findings of lintian that are meant: a program in Go is linked whole.
const overrides = "benchpost: statically-linked-binary [usr/bin/benchpost]\n"

// debian returns the package of b with the files of its tree for Debian and Ubuntu, its name,
// and its bytes. A package is an ar archive of two tars.
func debian(b build, files []entry) (name string, data []byte, err error) {
	version := strings.ReplaceAll(strings.TrimPrefix(b.version, "v"), "-", "~") // sorts before the release, as semver does
	var installed []entry
	for _, e := range files {
		switch base := path.Base(e.name); {
		case base == "LICENSE":
			e = entry{"share/doc/benchpost/copyright", fmt.Appendf(nil, copyright, licence(e.data)), 0o644}
		case base == "THIRD-PARTY-LICENCES.txt":
			e.name = "share/doc/benchpost/third-party.txt.gz"
		case base == "_benchpost":
			e.name = "share/zsh/vendor-completions/_benchpost"
		case base == "CHANGELOG.md", strings.HasPrefix(e.name, "share/man/"):
			e.name += ".gz"
		}
		installed = append(installed, e)
	}
	installed = append(installed,
		entry{"share/doc/benchpost/changelog.gz", fmt.Appendf(nil, "benchpost (%s) unstable; urgency=medium\n\n  * New release; CHANGELOG.md.gz lists what changed.\n\n -- %s  %s\n",
			version, maintainer, b.time.UTC().Format(time.RFC1123Z)), 0o644},
		entry{"share/lintian/overrides/benchpost", []byte(overrides), 0o644})
	var sums bytes.Buffer
	size := 0
	for i := range installed {
		e := &installed[i]
		e.name = "./usr/" + e.name
		if strings.HasSuffix(e.name, ".gz") {
			if e.data, err = gzipped(e.data); err != nil {
				return "", nil, err
			}
		}
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(e.data), strings.TrimPrefix(e.name, "./"))
		size += (len(e.data) + 1023) / 1024
	}
	contents, err := tarred(b, withFolders(installed))
	if err != nil {
		return "", nil, err
	}
	about, err := tarred(b, []entry{
		{"./", nil, 0o755},
		{"./control", fmt.Appendf(nil, control, version, b.arch, size), 0o644},
		{"./md5sums", sums.Bytes(), 0o644},
	})
	if err != nil {
		return "", nil, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, part := range []entry{
		{"debian-binary", []byte("2.0\n"), 0o100644},
		{"control.tar.gz", about, 0o100644},
		{"data.tar.gz", contents, 0o100644},
	} {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", part.name, b.time.Unix(), 0, 0, part.mode, len(part.data), part.data)
		if len(part.data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return fmt.Sprintf("benchpost_%s_%s.deb", version, b.arch), out.Bytes(), nil
}

// withFolders returns entries in order, each folder once before what is in it.
func withFolders(files []entry) []entry {
	all := slices.Clone(files)
	made := map[string]bool{}
	for _, e := range files {
		for dir := path.Dir(e.name); !made[dir]; dir = path.Dir(dir) {
			made[dir] = true
			name := "./" + dir + "/"
			if dir == "." {
				name = "./"
			}
			all = append(all, entry{name, nil, 0o755})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all
}

// licence returns the text of LICENSE as fields of a copyright file.
func licence(text []byte) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		switch {
		case strings.HasPrefix(line, "Copyright"):
			fmt.Fprintf(&b, "Copyright: %s\nLicense: Expat\n", strings.TrimPrefix(strings.TrimPrefix(line, "Copyright "), "(c) "))
		case b.Len() == 0, line == "" && strings.HasSuffix(b.String(), "Expat\n"): // the name of the licence, and around the copyright
		case line == "":
			b.WriteString(" .\n")
		default:
			b.WriteString(" " + line + "\n")
		}
	}
	return b.String()
}
