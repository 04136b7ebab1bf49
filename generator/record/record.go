// Package record runs a benchmark without influencing it, and keeps beside its output what a report needs to know: the
// command, when it ran and how it ended, the machine and its software, telemetry, and the files that the command wrote.
//
// All of it goes to one folder, in formats that package format reads:
//
//	run.toml            the labels given
//	record.json         the command, begin and end, exit code, revision, …
//	environment.txt     what uname, lscpu, nvidia-smi, nvpmodel … print
//	console.log         what the command printed, byte for byte
//	tegrastats.log, nvidia-smi.csv or telemetry.csv
//	metrics-before.prom, metrics-after.prom
//	and copies of its result files
//
// Everything except the command itself is optional. What is missing is noted and is never an error. No step waits
// longer than a few seconds, and while the command runs only the sampler is active. Every file is readable at any
// moment, so that an interrupted run can still be read.
package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/shell"
)

// Names of the files of a recording.
const (
	logName         = format.RecordedLog
	environmentName = "environment.txt"
	metricsBefore   = "metrics-before.prom"
	metricsAfter    = "metrics-after.prom"
)

// Label is a label given to a run.
type Label struct{ Name, Value string }

// Options configure Run.
type Options struct {
	Words     []string // the command
	Dir       string   // the run's folder, which must exist and be empty
	Labels    []Label  // for its run.toml
	Telemetry string   // "auto" (or empty), "none", or a command
	Interval  time.Duration
	Idle      time.Duration // how long to sample before and after the command
	Metrics   string        // URL of the server's metrics, "" for none
	Server    string        // URL of the server; taken from the command when empty

	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Say            func(string) // called with progress messages; may be nil
}

// Outcome is the result of a recording.
type Outcome struct {
	Code        int  // exit code of the command; 128 + n when signal n ended it
	Interrupted bool // the user asked to stop: no further run should follow
	Record      format.Record
	Secrets     []string // files, with a line number, that contain what looks like a secret
}

// Find returns the program of a command. The exit code is the one that shells use for a program that does not exist
// (127) or cannot be executed (126).
func Find(words []string) (path string, code int, err error) {
	if supported != "" {
		return "", 2, errors.New(supported)
	}
	path, err = exec.LookPath(words[0])
	switch {
	case err == nil:
		return path, 0, nil
	case errors.Is(err, fs.ErrPermission):
		return "", 126, fmt.Errorf("%s cannot be run: permission denied", words[0])
	}
	return "", 127, fmt.Errorf("%s: command not found", words[0])
}

// NewFolder creates a folder for a run. If the name exists, it appends a number. Concurrent calls get different
// folders.
func NewFolder(parent, name string) (string, error) {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		dir := filepath.Join(parent, name)
		if n > 1 {
			dir += "-" + strconv.Itoa(n)
		}
		if err := os.Mkdir(dir, 0o755); !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// run is a recording in progress.
type run struct {
	Options
	path    string
	wd      string // the current folder, in which the command runs
	record  format.Record
	masker  masker
	signals chan os.Signal
	sampler *sampler
	problem error // the first error of writing a file
}

// Run records one run. It returns an error if the command could not be started or a file of the recording could not be
// written. What could not be captured is noted in the record.
func Run(ctx context.Context, opt Options) (Outcome, error) {
	path, code, err := Find(opt.Words)
	if err != nil {
		return Outcome{Code: code}, err
	}
	if opt.Say == nil {
		opt.Say = func(string) {}
	}
	r := &run{Options: opt, path: path, masker: masker{secrets(opt.Words, os.Environ())}, signals: make(chan os.Signal, 16)}
	r.wd, _ = os.Getwd()
	if r.Dir, err = filepath.Abs(opt.Dir); err != nil {
		return Outcome{Code: 1}, err
	}
	signal.Notify(r.signals, handled()...)
	defer signal.Stop(r.signals)
	return r.run(ctx)
}

func (r *run) run(ctx context.Context) (Outcome, error) {
	r.record = format.Record{Schema: format.RecordSchema + "1", Command: shell.Join(r.masker.command(r.Words)), Started: now(),
		Environment: r.masker.environment(os.Environ())}
	if err := writeLabels(filepath.Join(r.Dir, "run.toml"), r.Labels, r.masker); err != nil {
		return Outcome{Code: 1}, err
	}
	r.save()
	collector := newCollector(r.Words, r.wd, r.Dir)
	if !r.prepare(ctx) {
		r.stopSampling()
		r.record.Ended, r.record.Fault = now(), "interrupted before the command started"
		r.save()
		return Outcome{Code: 130, Interrupted: true, Record: r.record}, r.problem
	}
	log, err := os.OpenFile(filepath.Join(r.Dir, logName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		r.stopSampling()
		return Outcome{Code: 1}, err
	}
	defer log.Close()
	r.record.Started = now()
	r.save()
	c := &child{stdin: r.Stdin, stdout: r.Stdout, stderr: r.Stderr}
	kept := &keeper{file: log}
	c.log = kept
	end, err := c.run(r.path, r.Words, r.signals)
	r.record.Ended = now()
	if lost := kept.close(); lost != nil {
		r.record.Lost = append(r.record.Lost, *lost)
	}
	if err != nil {
		r.stopSampling()
		r.record.Fault = "could not be started: " + reason(err)
		r.save()
		return Outcome{Code: 126, Record: r.record}, fmt.Errorf("%s: %s", r.Words[0], reason(err))
	}
	r.record.ExitCode, r.record.Signal, r.record.Interrupted = &end.code, end.signal, end.interrupted
	r.save() // the exit code is on disk whatever happens next
	interrupted := r.finish(ctx, end.interrupted) || end.interrupted
	files, problems := collector.collect()
	r.record.Files = files
	r.record.NotCaptured = append(r.record.NotCaptured, problems...)
	r.save()
	return Outcome{Code: end.code, Interrupted: interrupted, Record: r.record, Secrets: r.secrets()}, r.problem
}

// prepare does what comes before the command: it captures the machine, saves the server's metrics, and starts
// telemetry. It reports whether the command should start.
func (r *run) prepare(ctx context.Context) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := address(r.Server)
	if server == "" {
		server = serverOf(r.Words)
	}
	if server == "" {
		server = address(r.Metrics)
	}
	ready := make(chan string, 1)
	captured := r.record
	go func() {
		c := &capture{words: r.Words, dir: r.wd, server: server, record: &captured, masker: r.masker}
		text := c.run(ctx)
		if r.Metrics != "" {
			if err := saveMetrics(ctx, r.Metrics, filepath.Join(r.Dir, metricsBefore)); err != nil {
				c.missing(metricsBefore, reason(err))
			}
		}
		var err error
		if r.sampler, err = startTelemetry(ctx, r.Telemetry, r.Interval, r.Dir); err != nil {
			c.missing("telemetry", reason(err))
		}
		ready <- text
	}()
	var text string
	for waiting := true; waiting; {
		select {
		case s := <-r.signals:
			if stops(s) {
				cancel()
				<-ready // its helpers have been asked to end
				return false
			}
		case text = <-ready:
			waiting = false
		}
	}
	r.record = captured
	r.whole(environmentName, []byte(text))
	if r.sampler == nil {
		return true
	}
	r.record.Telemetry = r.sampler.how
	if r.Idle > 0 {
		r.Say(fmt.Sprintf("%v of the idle machine, then the command", r.Idle))
	}
	return r.idle()
}

// finish does what comes after the command, and reports whether the user interrupted it.
func (r *run) finish(ctx context.Context, interrupted bool) bool {
	if r.Metrics != "" {
		if err := saveMetrics(ctx, r.Metrics, filepath.Join(r.Dir, metricsAfter)); err != nil {
			r.missing(metricsAfter, reason(err))
		}
	}
	if r.sampler != nil {
		if why := r.sampler.fail(); why != "" {
			r.missing("telemetry", why)
		} else if !interrupted {
			if r.Idle > 0 {
				r.Say(fmt.Sprintf("the command has ended; %v of the idle machine", r.Idle))
			}
			interrupted = !r.idle()
		}
	}
	r.stopSampling()
	return interrupted
}

// idle waits while telemetry samples the idle machine; false when it was interrupted.
func (r *run) idle() bool {
	wait := time.NewTimer(r.Idle)
	defer wait.Stop()
	for {
		select {
		case s := <-r.signals:
			if stops(s) {
				return false
			}
		case <-wait.C:
			return true
		}
	}
}

func (r *run) stopSampling() {
	if r.sampler != nil {
		r.sampler.stop()
		r.sampler = nil
	}
}

func (r *run) missing(what, why string) {
	r.record.NotCaptured = append(r.record.NotCaptured, r.masker.text(what+": "+why))
}

// keep remembers the first error of writing a file. It is reported at the end and does not stop the benchmark.
func (r *run) keep(err error) {
	if r.problem == nil && err != nil {
		r.problem = err
	}
}

// save replaces the record atomically.
func (r *run) save() {
	data, err := json.MarshalIndent(r.record, "", "  ")
	if err == nil {
		name := filepath.Join(r.Dir, format.RecordName)
		temporary := filepath.Join(r.Dir, "."+format.RecordName)
		if err = os.WriteFile(temporary, append(data, '\n'), 0o644); err == nil {
			err = os.Rename(temporary, name)
		} else {
			_ = os.Remove(temporary) // remove a partly written record
		}
	}
	r.keep(err)
}

// whole writes a file of the recording. If that fails, it counts the file as lost.
func (r *run) whole(name string, data []byte) {
	if err := os.WriteFile(filepath.Join(r.Dir, name), data, 0o644); err != nil {
		_ = os.Remove(filepath.Join(r.Dir, name))
		r.record.Lost = append(r.record.Lost, format.Lost{File: name, Bytes: int64(len(data)), Reason: reason(err)})
	}
}

// secrets returns the files that contain what looks like a secret. These files are the command's own output, which is
// kept unchanged.
func (r *run) secrets() []string {
	names := []string{logName}
	for _, f := range r.record.Files {
		names = append(names, f.To)
	}
	var found []string
	for _, name := range names {
		if line := findSecret(filepath.Join(r.Dir, filepath.FromSlash(name)), r.masker.known); line > 0 {
			found = append(found, fmt.Sprintf("%s:%d", name, line))
		}
	}
	return found
}

// writeLabels writes a run.toml with the given labels in their order.
func writeLabels(name string, labels []Label, m masker) error {
	if len(labels) == 0 {
		return nil
	}
	var b strings.Builder
	for i, l := range labels {
		if slices.ContainsFunc(labels[i+1:], func(later Label) bool { return later.Name == l.Name }) {
			continue // the last one wins
		}
		value := m.text(l.Value)
		if redact.IsSecretName(l.Name) {
			value = masked
		}
		fmt.Fprintf(&b, "%s = %s\n", settings.Key(l.Name), settings.String(value))
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

func now() string { return time.Now().Format("2006-01-02T15:04:05.000Z07:00") }

// Before runs a command that sets up the machine, directly on the terminal. An interrupt ends that command, not
// benchpost.
func Before(ctx context.Context, words []string, stdin io.Reader, stdout, stderr io.Writer) error {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	if err := cmd.Run(); err != nil {
		return errors.New(reason(err))
	}
	return nil
}
