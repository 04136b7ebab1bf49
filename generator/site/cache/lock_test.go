package cache

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestWaitingForAnotherProcess checks that waiting too long reports the other process, and that waiting can be
// cancelled.
func TestWaitingForAnotherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	held, other := NewMutex(dir), NewMutex(dir)
	if _, err := held.Take(context.Background(), func() {}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stop()
	waited := false
	if _, err := other.Take(ctx, func() { waited = true }); !errors.Is(err, context.DeadlineExceeded) || !waited {
		t.Errorf("got %v, notified of waiting: %v", err, waited)
	}
	held.Release()
	if alone, err := other.Take(context.Background(), func() {}); alone || err != nil {
		t.Errorf("alone %v, error %v", alone, err)
	}
	other.Release()
	if alone, _ := other.Take(context.Background(), func() {}); !alone {
		t.Error("who had it last is not alone")
	}
	other.Release()
	if alone, _ := held.Take(context.Background(), func() {}); alone {
		t.Error("another one had it in between")
	}
	held.Release()
	if err := (&LockedError{"12"}).Error(); err != "another benchpost (process 12) is writing this site and does not come to an end; wait for it, or stop it" {
		t.Error(err)
	}
}
