package lazy

import (
	"strconv"
	"sync"
	"testing"
)

// TestRecentReturnsWhatTheFunctionDoes: the cache changes no result, also with several goroutines.
func TestRecentReturnsWhatTheFunctionDoes(t *testing.T) {
	t.Parallel()
	length := Recent(10, func(s string) int { return len(s) })
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 1000 {
				text := strconv.Itoa(i * i)
				if got := length(text); got != len(text) {
					t.Errorf("%s: %d", text, got)
				}
			}
		})
	}
	all.Wait()
}

func TestRecentAsksOnceForWhatItKeeps(t *testing.T) {
	t.Parallel()
	const most = 10
	asked := 0
	count := Recent(most, func(string) int { asked++; return asked })
	for range 3 {
		for i := range most {
			count(strconv.Itoa(i))
		}
	}
	if asked != most {
		t.Errorf("asked %d times for %d texts", asked, most)
	}
	count("one more")
	for i := range most - 1 {
		count(strconv.Itoa(i))
	}
	if asked != 2*most {
		t.Errorf("asked %d times, want %d: more than %d are kept", asked, 2*most, most)
	}
}
