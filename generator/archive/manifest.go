package archive

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/rawfile"
)

const (
	// ManifestName is the file in each folder of runs that lists the other files.
	ManifestName = "manifest.json"
	// ManifestSchema is the prefix of the schema of a manifest; the version follows.
	ManifestSchema = "benchpost.manifest/"

	version = "1"

	maxManifest = 64 << 20 // greatest size in bytes of a manifest that is read
)

// Manifest lists the files of one folder of runs, sorted by name.
type Manifest struct {
	Schema string  `json:"schema"`
	Files  []Entry `json:"files"`
}

// Entry describes a file as it is on disk and in git.
type Entry struct {
	Name    string         `json:"name"`
	Size    int64          `json:"size"`
	SHA256  string         `json:"sha256"`
	Content *Content       `json:"content,omitempty"` // if the file is compressed
	Tool    string         `json:"tool,omitempty"`
	Format  string         `json:"format,omitempty"`
	Results []string       `json:"results,omitempty"`  // ids of the results in it
	Redact  map[string]int `json:"redacted,omitempty"` // number of replacements by rule
	Read    time.Time      `json:"read"`               // when it was first read for archiving
	By      string         `json:"by"`                 // the version of benchpost that read it
}

// Content describes the uncompressed content of a file.
type Content struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// content returns the size and checksum of the uncompressed content.
func (e *Entry) content() Content {
	if e.Content != nil {
		return *e.Content
	}
	return Content{e.Size, e.SHA256}
}

// NotOursError reports a manifest.json that another tool wrote.
type NotOursError struct{ Path string }

func (e *NotOursError) Error() string { return e.Path + " was not written by benchpost" }

// Encode encodes the manifest with one line for each file, so that it diffs well. Equal manifests give equal bytes.
func (m *Manifest) Encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"schema\": %s, \"files\": [", quote(m.Schema))
	files := slices.SortedFunc(slices.Values(m.Files), func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	for i := range files {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(quote(files[i]))
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

func quote(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // it only contains strings, numbers and times
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// ParseManifest parses a manifest, which may be from an untrusted source: each name must be that of a file in the same
// folder. The path is used in errors.
func ParseManifest(path string, data []byte) (*Manifest, error) {
	fault := func(format string, args ...any) (*Manifest, error) {
		return nil, fmt.Errorf("%s: broken manifest: %s", path, fmt.Sprintf(format, args...))
	}
	var of struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &of); err != nil {
		var text *json.SyntaxError
		if errors.As(err, &text) {
			return fault("%v at byte %d", err, text.Offset)
		}
		return nil, &NotOursError{path}
	}
	number, ours := strings.CutPrefix(of.Schema, ManifestSchema)
	switch {
	case !ours:
		return nil, &NotOursError{path}
	case number != version:
		return fault("version %q; this benchpost knows version %s", number, version)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return fault("%v", err)
	}
	seen := map[string]bool{}
	for i := range m.Files {
		e := &m.Files[i]
		switch sum, err := hex.DecodeString(e.SHA256); {
		case !isFileName(e.Name):
			return fault("%q is no name of a file in its folder", e.Name)
		case seen[e.Name]:
			return fault("%q is listed twice", e.Name)
		case err != nil || len(sum) != 32 || e.Size < 0:
			return fault("%q has no size and SHA-256", e.Name)
		}
		seen[e.Name] = true
	}
	return &m, nil
}

// isFileName reports whether a manifest may contain a name.
func isFileName(name string) bool {
	return name != "" && name != "." && name != ManifestName && utf8.ValidString(name) && !strings.ContainsAny(name, "/\x00") &&
		filepath.IsLocal(name) && filepath.Base(name) == name
}

// readManifest reads the manifest of a folder; it returns nil if there is none. The path is used in errors.
func readManifest(dir, path string) (*Manifest, []byte, error) {
	f, err := os.Open(filepath.Join(dir, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxManifest {
		return nil, nil, fmt.Errorf("%s: broken manifest: larger than %d MB", path, maxManifest>>20)
	}
	m, err := ParseManifest(path, data)
	return m, data, err
}

// byName returns the entries by the uncompressed names of their files.
func (m *Manifest) byName() map[string]*Entry {
	entries := map[string]*Entry{}
	if m != nil {
		for i := range m.Files {
			entries[plain(m.Files[i].Name)] = &m.Files[i]
		}
	}
	return entries
}

// plain returns a name without the suffix of files that Compress wrote.
func plain(name string) string { return strings.TrimSuffix(name, rawfile.Ending) }

// follow copies from the file's previous entry what is only known from there: when it was first read, and what was
// redacted earlier. It does nothing if the file has been changed otherwise. Was is the content before this redaction.
func (e *Entry) follow(before *Entry, was Content) {
	if before == nil || before.content() != e.content() && before.content() != was {
		return
	}
	e.Read, e.By = before.Read, before.By
	if len(before.Redact) > 0 {
		sum := maps.Clone(before.Redact)
		if before.content() != e.content() {
			for rule, n := range e.Redact {
				sum[rule] += n
			}
		}
		e.Redact = sum
	}
}
