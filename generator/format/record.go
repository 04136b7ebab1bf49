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

// RecordName is the name of the file in which "benchpost record" records how a run was made.
const RecordName = "record.json"

// RecordedLog is the name of the file beside it with the printed output of the command.
const RecordedLog = "console.log"

// RecordSchema is the prefix of the field schema in such a file. The version number follows.
const RecordSchema = "benchpost-record/"

// Record is what "benchpost record" writes about a run. docs/record.md describes the meaning of each field. It is
// written when the command starts, and again when the command has ended: a record without an end is of a run that was
// cut off or is still in progress.
type Record struct {
	Schema   string `json:"schema"`
	Command  string `json:"command"` // quoted for a shell, secrets masked
	Started  string `json:"started"` // RFC 3339 with the zone
	Ended    string `json:"ended,omitempty"`
	ExitCode *int   `json:"exit_code,omitempty"` // 128 + n when signal n ended it
	Signal   string `json:"signal,omitempty"`    // the signal that ended the command
	Fault    string `json:"fault,omitempty"`     // why there is no exit code

	Interrupted bool `json:"interrupted,omitempty"` // a key or a signal interrupted the command before it ended by itself

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

	Environment map[string]string `json:"environment,omitempty"` // the variables of an allow list
	Telemetry   string            `json:"telemetry,omitempty"`   // the program that sampled the machine
	Files       []RecordedFile    `json:"files,omitempty"`       // results that the command wrote
	NotCaptured []string          `json:"not_captured,omitempty"`
	Lost        []Lost            `json:"lost,omitempty"` // output that could not be written to the disk
}

// RecordedFile is a file that the command wrote and its copy beside the record.
type RecordedFile struct {
	From string `json:"from"` // relative to the command's working folder
	To   string `json:"to"`
	Part bool   `json:"part,omitempty"` // the file existed before; To has only what was appended
}

// Lost describes a part of a recorded file that was lost because it could not be written.
type Lost struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	Reason string `json:"reason"`
}

// LostMark returns the line that is written to a file where something was lost.
func LostMark(bytes int64, reason string) string {
	return fmt.Sprintf(LostBegin+": %s]", bytes, reason)
}

// LostBegin is the format of the beginning of such a line, with the number of bytes.
const LostBegin = "[benchpost: %d bytes were lost here"

// lostMark matches such a line.
var lostMark = lazy.Regexp(`^\[benchpost: (\d+) bytes were lost here: (.*)\]\s*$`)

// lostHere returns what such a line states: the number of lost bytes and the reason.
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

// lost sums up what a log lacks: the number of places, the line of the first one, and the bytes in all.
type lost struct {
	places, line int
	bytes        int64
	reason       string
}

// mark adds a message about the loss, and marks the results of the log as partial.
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

// Finished reports whether the command succeeded and all its output was kept.
func (r *Record) Finished() bool {
	return r.Ended != "" && r.ExitCode != nil && *r.ExitCode == 0 && len(r.Lost) == 0
}

// ReadRecord reads the record in a run's folder.
func ReadRecord(dir string) (Record, error) {
	var r Record
	data, err := sitefile.Read(filepath.Join(dir, RecordName))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	return r, err
}

// recordLabels lists the fields of a record that become labels of its runs. Facts that environment.txt also reports
// have the same names as there.
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

// readRecord reads the record of a run. Its labels apply to the runs beside it.
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
