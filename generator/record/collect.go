package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format"
)

// collector finds the result files that a command writes: the files named by its flags, and those in folders named by
// its flags. If there are none, it takes new files in the current folder. Each file is copied. A hard link would be the
// same file, and the next run with the same flags would overwrite this run's results.
type collector struct {
	dir    string   // the current folder
	into   string   // the run's folder
	named  []string // paths named by flags
	before map[string]seenFile
}

// seenFile is the state of a file before the command ran.
type seenFile struct {
	info fs.FileInfo
	tail []byte // the last bytes, to recognise a file that was only appended to
}

const (
	mostFiles = 5000    // of one run
	mostBytes = 4 << 30 // of one file
	mostDepth = 6
	tailSize  = 256
)

// newCollector notes which files exist before the command runs.
func newCollector(words []string, dir, into string) *collector {
	c := &collector{dir: dir, into: into, named: outputs(words), before: map[string]seenFile{}}
	visit := func(name, _ string, info fs.FileInfo) { c.before[name] = seenFile{info, tailOf(name, info.Size())} }
	for _, root := range c.named {
		c.walk(root, visit)
	}
	c.here(visit)
	return c
}

// walk visits the regular files at or below a root, with their path below it.
func (c *collector) walk(root string, visit func(name, rel string, info fs.FileInfo)) {
	if !filepath.IsAbs(root) {
		root = filepath.Join(c.dir, root)
	}
	info, err := os.Stat(root)
	switch {
	case err != nil:
	case info.Mode().IsRegular():
		visit(root, filepath.Base(root), info)
	case info.IsDir():
		if rel, err := filepath.Rel(root, c.dir); err == nil && !strings.HasPrefix(rel, "..") {
			return // the current folder, or one above it, is no folder for results
		}
		files := 0
		// What cannot be read is skipped.
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(root, name)
			switch {
			case err != nil || relErr != nil:
				return nil
			case d.IsDir():
				_, recorded := os.Stat(filepath.Join(name, format.RecordName))
				if name != root && (strings.HasPrefix(d.Name(), ".") || name == c.into || recorded == nil || strings.Count(rel, string(filepath.Separator)) >= mostDepth) {
					return filepath.SkipDir
				}
			case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), "."):
				if files++; files > mostFiles {
					return filepath.SkipAll
				}
				if info, err := d.Info(); err == nil {
					visit(name, rel, info)
				}
			}
			return nil
		})
	}
}

// here visits files directly in the current folder that may be results.
func (c *collector) here(visit func(name, rel string, info fs.FileInfo)) {
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") ||
			!slices.Contains([]string{".json", ".jsonl", ".csv"}, strings.ToLower(filepath.Ext(e.Name()))) {
			continue
		}
		if info, err := e.Info(); err == nil {
			visit(filepath.Join(c.dir, e.Name()), e.Name(), info)
		}
	}
}

// collect copies the files that are new or changed. It returns problems as text.
func (c *collector) collect() (files []format.RecordedFile, problems []string) {
	taken := map[string]bool{}
	take := func(name, rel string, info fs.FileInfo) {
		before, known := c.before[name]
		if taken[name] || len(files) >= mostFiles || known && before.info.Size() == info.Size() && before.info.ModTime().Equal(info.ModTime()) && os.SameFile(before.info, info) {
			return
		}
		taken[name] = true
		if info.Size() == 0 {
			return
		}
		from := int64(0)
		if known && os.SameFile(before.info, info) && info.Size() > before.info.Size() && before.info.Size() > 0 &&
			string(tailOf(name, before.info.Size())) == string(before.tail) && strings.HasSuffix(string(before.tail), "\n") {
			from = before.info.Size()
		}
		to, err := c.copy(name, rel, from, info)
		if err != nil {
			problems = append(problems, filepath.Base(name)+": "+reason(err))
			return
		}
		seen, err := filepath.Rel(c.dir, name)
		if err != nil || strings.HasPrefix(seen, "..") {
			seen = filepath.Base(name) // do not publish where it is on this machine
		}
		files = append(files, format.RecordedFile{From: mask(filepath.ToSlash(seen)), To: filepath.ToSlash(to), Part: from > 0})
	}
	for _, root := range c.named {
		c.walk(root, take)
	}
	if len(files) == 0 {
		c.here(take)
	}
	return files, problems
}

// copy copies a file, from an offset on, into the run's folder. It never overwrites a file.
func (c *collector) copy(name, rel string, from int64, info fs.FileInfo) (to string, err error) {
	if info.Size() > mostBytes {
		return "", fmt.Errorf("it has more than %d GB", mostBytes>>30)
	}
	in, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	if _, err := in.Seek(from, io.SeekStart); err != nil {
		return "", err
	}
	folder, base := filepath.Split(rel)
	if ours(base) {
		base = "result-" + base
	}
	if err := os.MkdirAll(filepath.Join(c.into, folder), 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		to = filepath.Join(folder, base)
		if n > 1 {
			ext := filepath.Ext(base)
			to = filepath.Join(folder, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(base, ext), n, ext))
		}
		out, err := os.OpenFile(filepath.Join(c.into, to), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = io.Copy(out, in)
		if err = errors.Join(err, out.Close()); err == nil {
			err = os.Chtimes(out.Name(), time.Time{}, info.ModTime())
		}
		return to, err
	}
}

// ours reports whether a recording itself writes a file of that name.
func ours(name string) bool {
	return slices.Contains([]string{format.RecordName, environmentName, logName, "run.toml", "sweep.toml", "telemetry.csv", "telemetry.log",
		"nvidia-smi.csv", "tegrastats.log", metricsBefore, metricsAfter}, name)
}

// tailOf returns the last bytes of a file before an offset.
func tailOf(name string, end int64) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	tail := make([]byte, min(tailSize, end))
	if _, err := f.ReadAt(tail, end-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return tail
}
