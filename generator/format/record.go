package format

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// RecordName is the file in which "benchpost record" notes how a run was made.
const RecordName = "record.json"

// RecordedLog is the file beside it with what the command printed.
const RecordedLog = "console.log"

// RecordSchema is what the field schema of such a file begins with; a number that
// counts its versions follows.
const RecordSchema = "benchpost-record/"

// Record is what "benchpost record" notes of a run: docs/record.md reports the
// meaning of each field. It is written when the command starts, and again when it
// has ended: one without an end was cut off, or is still going on.
type Record struct {
	Schema   string `json:"schema"`
	Command  string `json:"command"` // as a shell takes it, secrets masked
	Started  string `json:"started"` // RFC 3339 with the zone
	Ended    string `json:"ended,omitempty"`
	ExitCode *int   `json:"exit_code,omitempty"` // 128 + n when signal n ended it
	Signal   string `json:"signal,omitempty"`    // that ended the command
	Fault    string `json:"fault,omitempty"`     // why there is no exit code

	Interrupted bool `json:"interrupted,omitempty"` // by a key or a signal, before it ended by itself

	Host          string `json:"host,omitempty"`
	Kernel        string `json:"kernel,omitempty"`
	OS            string `json:"os,omitempty"`
	Arch          string `json:"arch,omitempty"`
	CPU           string `json:"cpu,omitempty"`
	CPUs          int    `json:"cpus,omitempty"`
	Memory        string `json:"memory,omitempty"` // of the host
	Engine        string `json:"engine,omitempty"`
	EngineVersion string `json:"engine_version,omitempty"`
	ToolVersion   string `json:"tool_version,omitempty"`
	Image         string `json:"image,omitempty"` // of the container
	GitRevision   string `json:"git_revision,omitempty"`
	GitDirty      bool   `json:"git_dirty,omitempty"`

	Environment map[string]string `json:"environment,omitempty"` // variables of an allow list
	Telemetry   string            `json:"telemetry,omitempty"`   // what sampled the machine
	Files       []RecordedFile    `json:"files,omitempty"`       // results the command wrote
	NotCaptured []string          `json:"not_captured,omitempty"`
	Lost        []Lost            `json:"lost,omitempty"` // what the disk did not take
}

// RecordedFile is a file that the command wrote and its copy beside the record.
type RecordedFile struct {
	From string `json:"from"` // as seen from the command's working folder
	To   string `json:"to"`
	Part bool   `json:"part,omitempty"` // the file was there before; what was appended
}

// Lost is what of a file of a recording was lost, as the disk was full.
type Lost struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	Reason string `json:"reason"`
}

// LostMark is the line that marks in a file where something was lost.
func LostMark(bytes int64, reason string) string {
	return fmt.Sprintf(LostBegin+": %s]", bytes, reason)
}

// LostBegin is what such a line begins with, and how many bytes.
const LostBegin = "[benchpost: %d bytes were lost here"

// lostMark matches such a line.
var lostMark = lazy.Regexp(`^\[benchpost: (\d+) bytes were lost here: (.*)\]\s*$`)

// lostHere returns what a line says of bytes that were lost in its place.
func lostHere(line []byte) (bytes int64, reason string, ok bool) {
	const begin = "[benchpost: "
	if len(line) < len(begin) || string(line[:len(begin)]) != begin {
		return 0, "", false
	}
	m := lostMark().FindSubmatch(line)
	if m == nil {
		return 0, "", false
	}
	bytes, err := strconv.ParseInt(string(m[1]), 10, 64)
	return bytes, string(m[2]), err == nil
}

// lost is what a log lacks: at how many places, the first of them, and how much in all.
type lost struct {
	places, line int
	bytes        int64
	reason       string
}

// mark says so, and makes the results of the log partial.
func (l *lost) mark(name string, out *Output) {
	if l.places == 0 {
		return
	}
	for i := range out.Results {
		if out.Results[i].Status == result.Complete {
			out.Results[i].Status = result.Partial
		}
	}
	out.Messages = append(out.Messages, result.Message{Pos: result.Position{File: name, Line: l.line}, Severity: result.Warning, ID: "run.lost",
		Text: locale.Textf("%d bytes of the log were lost from here on, at %s (%s): its results are partial", l.bytes, locale.Plural(l.places, "1 place", "%d places"), l.reason),
		Hint: locale.Textf("run it again with room on the disk")})
}

// Finished reports whether the command ended well and all that it printed was kept.
func (r *Record) Finished() bool {
	return r.Ended != "" && r.ExitCode != nil && *r.ExitCode == 0 && len(r.Lost) == 0
}

// ReadRecord reads the record of a run's folder.
func ReadRecord(dir string) (Record, error) {
	var r Record
	data, err := sitefile.Read(filepath.Join(dir, RecordName))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	return r, err
}

// recordLabels are the fields of a record that are labels of its runs. What
// environment.txt reports as well has the name it has there.
var recordLabels = []draft.Member{
	{Key: "command", Name: "x_command"},
	{Key: "started", Name: "x_started"},
	{Key: "ended", Name: "x_ended"},
	{Key: "exit_code", Name: "x_exit_code"},
	{Key: "signal", Name: "x_signal"},
	{Key: "host", Name: "x_host"},
	{Key: "kernel", Name: "x_kernel"},
	{Key: "os", Name: "x_os"},
	{Key: "arch", Name: "x_arch"},
	{Key: "cpu", Name: "x_cpu"},
	{Key: "cpus", Name: "x_cpus"},
	{Key: "memory", Name: "x_host_memory"},
	{Key: "engine", Name: "engine"},
	{Key: "engine_version", Name: "engine_version"},
	{Key: "tool_version", Name: "tool_version"},
	{Key: "image", Name: "image"},
}

func isRecord(v *scan.Value) bool {
	version, ok := strings.CutPrefix(v.Get("schema").Text(), RecordSchema)
	_, err := strconv.Atoi(version)
	return ok && err == nil && v.Get("command").Text() != ""
}

// readRecord reads the record of a run, which reports the runs beside it.
func readRecord(in *draft.File, v *scan.Value) {
	const format = "benchpost-record-json"
	for _, m := range recordLabels {
		if found := v.Get(m.Key); found.Scalar() {
			in.Capture(format, m.Name, string(found.Raw), found.Line)
		}
	}
	dirty := v.Get("git_dirty")
	if revision := v.Get("git_revision"); revision.Text() != "" && (dirty.Is() || !v.Cut) {
		text := revision.Text()
		if dirty.Is() && string(dirty.Raw) == "true" {
			text += "-dirty"
		}
		in.Capture(format, "x_git_revision", text, revision.Line)
	}
}
