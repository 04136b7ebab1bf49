package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// State says how far a run has got.
type State int

const (
	Planned    State = iota // its folder does not exist
	Done                    // its command succeeded and left a complete result
	Failed                  // its command failed, or left no complete result
	Unfinished              // it was interrupted, or is still running
)

// String returns the state as a word.
func (s State) String() string { return [...]string{"planned", "done", "failed", "unfinished"}[s] }

// StateOf returns the state of the run in a folder, according to its files, and its duration if it has ended.
func StateOf(dir string) (State, time.Duration) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return Planned, 0
	}
	record, err := format.ReadRecord(dir)
	if err != nil || record.Ended == "" || record.ExitCode == nil {
		return Unfinished, 0
	}
	begin, err1 := time.Parse(time.RFC3339, record.Started)
	end, err2 := time.Parse(time.RFC3339, record.Ended)
	var took time.Duration
	if err1 == nil && err2 == nil {
		took = max(end.Sub(begin), 0)
	}
	if !record.Finished() {
		if record.Interrupted {
			return Unfinished, 0
		}
		return Failed, took
	}
	set, err := rundir.Load(dir, rundir.Options{})
	isResult := func(r result.Result) bool {
		isTrace := r.Telemetry != nil && r.Telemetry.Tool == r.Tool
		return r.Status == result.Complete && !isTrace
	}
	if err != nil || !slices.ContainsFunc(set.Results, isResult) {
		return Failed, took
	}
	return Done, took
}

// PutAside renames the folder of a run so that its name marks it as superseded. The run can then be repeated and
// nothing is lost.
func PutAside(dir string) error {
	for n := 1; ; n++ {
		old := fmt.Sprintf("%s-%d-old", dir, n)
		if _, err := os.Lstat(old); err == nil {
			continue
		}
		err := os.Rename(dir, old)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the folder does not exist
		}
		return err
	}
}
