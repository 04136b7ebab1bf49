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

// State is how far a run got.
type State int

const (
	Planned    State = iota // there is no folder of it
	Done                    // its command ended well and its result is complete
	Failed                  // its command did not, or left no complete result
	Unfinished              // it was cut off, or is still going on
)

// String returns the word for people.
func (s State) String() string { return [...]string{"planned", "done", "failed", "unfinished"}[s] }

// StateOf returns how far the run in a folder got, from what lies there, and how long
// it took when it ended.
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

// PutAside renames what was left in a run's folder to a name that says that it is
// superseded, so that the run can be made again and nothing is lost.
func PutAside(dir string) error {
	for n := 1; ; n++ {
		old := fmt.Sprintf("%s-%d-old", dir, n)
		if _, err := os.Lstat(old); err == nil {
			continue
		}
		err := os.Rename(dir, old)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // there was nothing
		}
		return err
	}
}
