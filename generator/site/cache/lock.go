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

// LockedError reports that another process did not finish writing the site within lockPatience.
type LockedError struct{ Process string } // its number; "" if unknown

func (e *LockedError) Error() string {
	by := "another benchpost"
	if e.Process != "" {
		by += " (process " + e.Process + ")"
	}
	return by + " is writing this site and does not come to an end; wait for it, or stop it"
}

const (
	lockPatience = time.Minute // large sites take a quarter of this
	lockRetry    = 20 * time.Millisecond
)

// Mutex keeps two processes from writing a site at the same time. The system releases it when a process ends, however
// it ends. The lock file says who wrote last.
type Mutex struct {
	flock *flock.Flock
	file  string
	own   string // what this process writes into it
}

// NewMutex returns the lock for writing a site; dir contains the .benchpost folder.
func NewMutex(dir string) *Mutex { return namedLock(dir, "lock") }

func namedLock(dir, name string) *Mutex {
	file := filepath.Join(dir, Name, name)
	return &Mutex{flock.New(file), file, fmt.Sprintf("%d %s", os.Getpid(), rand.Text())}
}

// Take waits for the lock. It calls waiting if it has to wait. alone is true if no other process has held the lock
// since this one did. If locking is impossible, as in a folder that cannot be written to, Take succeeds without a lock.
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
		_ = os.WriteFile(l.file, []byte(l.own), 0o644) // information for other processes; errors do not matter
	}
	return alone, nil
}

// Try takes the lock if it is free, for work that can be skipped.
func (l *Mutex) Try() bool {
	if l.isPipe() {
		return true
	}
	ok, err := l.flock.TryLock()
	return ok || errors.Is(err, fs.ErrNotExist) // without the folder nobody can hold the lock
}

// isPipe reports whether the lock file is not a regular file, so that opening it might block.
func (l *Mutex) isPipe() bool {
	info, err := os.Lstat(l.file)
	return err == nil && !info.Mode().IsRegular()
}

func (l *Mutex) last() string {
	data, _ := os.ReadFile(l.file)
	return string(data)
}

// Release releases the lock.
func (l *Mutex) Release() { _ = l.flock.Unlock() }

// Lock waits until no other process holds the site's lock of that name, and returns a function that releases it. This
// lock is separate from the one for writing the site.
func Lock(ctx context.Context, dir, name string, waiting func()) (release func(), err error) {
	l := namedLock(dir, name+".lock")
	if _, err := l.Take(ctx, waiting); err != nil {
		return nil, err
	}
	return l.Release, nil
}
