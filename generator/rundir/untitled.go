package rundir

import (
	"bytes"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// askedColumns finds the columns in an nvidia-smi command.
var askedColumns = lazy.Regexp(`--query-gpu[= ]["']?([a-z][a-z0-9_.,]*)`)

// title reads a file with nvidia-smi rows but no column names again, if a script or a record in its folder contains the
// command with the columns.
func (l *loader) title(f *file) {
	if !slices.ContainsFunc(f.out.Messages, func(m result.Message) bool { return m.ID == "format.untitled" }) {
		return
	}
	columns := commandBeside(filepath.Dir(l.path(f.rel)), path.Base(f.rel))
	if columns == "" {
		return
	}
	in, err := l.mask.Open(l.path(f.rel))
	if err != nil {
		return // keep what was read before
	}
	defer in.Close()
	f.read(columns, in)
}

// read parses the rows below a made-up line with the command. The line ends with a carriage return, so that the rows
// keep their line numbers.
func (f *file) read(columns string, rows io.Reader) {
	command := strings.NewReader("nvidia-smi --query-gpu=" + columns + " --format=csv,noheader\r")
	if out, err := format.Read(f.name, io.MultiReader(command, rows)); err == nil && len(out.Traces)+len(out.Captured) > 0 {
		f.out = out
	}
}

// commandBeside returns the columns that scripts and records in a folder request from nvidia-smi with noheader; "" if
// there are none, or if they differ.
func commandBeside(dir, name string) string {
	const largest = 256 << 10
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	found := ""
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > largest || entry.Name() == name || !mayHoldCommands(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		for line := range bytes.Lines(bytes.ReplaceAll(text, []byte("\\\n"), []byte(" "))) {
			m := askedColumns().FindSubmatch(line)
			switch {
			case m == nil || !bytes.Contains(line, []byte("noheader")):
			case found != "" && found != string(m[1]):
				return ""
			default:
				found = string(m[1])
			}
		}
	}
	return found
}

// mayHoldCommands reports whether a file is a script or records how a run was made.
func mayHoldCommands(name string) bool {
	switch path.Ext(name) {
	case ".sh", ".bash", ".slurm", ".sbatch", ".ps1", ".bat", ".py":
		return true
	}
	return name == "record.json" || name == "run.toml" || name == "Makefile"
}
