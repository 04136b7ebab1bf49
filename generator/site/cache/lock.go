package cache

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// LockedError reports that another process goes on writing the site.
type LockedError struct{ Process string } // its number, "" when that is unknown

func (e *LockedError) Error() string {
	by := "another benchpost"
	if e.Process != "" {
		by += " (process " + e.Process + ")"
	}
	return by + " is writing this site and does not come to an end; wait for it, or stop it"
}

const (
	lockPatience = time.Minute // large sites take a quarter of it
	lockRetry    = 20 * time.Millisecond
)

// Mutex keeps two processes from writing a site at the same time. The system
// releases it when a process ends, however it ends. The file names who wrote last.
type Mutex struct {
	flock *flock.Flock
	file  string
	own   string // what we write into it
}

// NewMutex is the lock under which a site is written; dir contains its own folder.
func NewMutex(dir string) *Mutex { return namedLock(dir, "lock") }

func namedLock(dir, name string) *Mutex {
	file := filepath.Join(dir, Name, name)
	return &Mutex{flock.New(file), file, fmt.Sprintf("%d %s", os.Getpid(), rand.Text())}
}

// Take waits for the lock. Alone is true when no other process has written since we had it
// last. Where it cannot be had, as in a folder that cannot be written to, everybody
// has it.
func (l *Mutex) Take(ctx context.Context, waiting func()) (alone bool, err error) {
	if makeFolder(filepath.Dir(l.file)) != nil {
		return true, nil
	}
	if l.isPipe() {
		return true, nil
	}
	if ok, err := l.flock.TryLock(); err != nil || !ok {
		if err != nil {
			return true, nil
		}
		waiting()
		patient, done := context.WithTimeout(ctx, lockPatience)
		defer done()
		if ok, _ := l.flock.TryLockContext(patient, lockRetry); !ok {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			process, _, _ := strings.Cut(l.last(), " ")
			return false, &LockedError{process}
		}
	}
	alone = l.last() == l.own
	if !alone {
		_ = os.WriteFile(l.file, []byte(l.own), 0o644) // who has it is for information only
	}
	return alone, nil
}

// Try takes the lock if it is free, for what can be left undone.
func (l *Mutex) Try() bool {
	if l.isPipe() {
		return true
	}
	ok, err := l.flock.TryLock()
	return ok || errors.Is(err, fs.ErrNotExist) // there is no folder yet in which others could have it
}

// isPipe reports whether something is in the place of the file that would be waited for.
func (l *Mutex) isPipe() bool {
	info, err := os.Lstat(l.file)
	return err == nil && !info.Mode().IsRegular()
}

func (l *Mutex) last() string {
	data, _ := os.ReadFile(l.file)
	return string(data)
}

// Release lets the next one in.
func (l *Mutex) Release() { _ = l.flock.Unlock() }

// Lock waits until no other process holds a lock of the site by that name, and returns
// what releases it. It is separate from the one under which a site is written.
func Lock(ctx context.Context, dir, name string, waiting func()) (release func(), err error) {
	l := namedLock(dir, name+".lock")
	if _, err := l.Take(ctx, waiting); err != nil {
		return nil, err
	}
	return l.Release, nil
}
