package coverage

import (
	"testing"
	"time"
)

// TestTimeLeftRestsOnRunsAlike checks that the median of the most similar runs is used, so that one slow run has no
// effect.
func TestTimeLeftRestsOnRunsAlike(t *testing.T) {
	var finished []timed
	for _, seconds := range []int{100, 120, 9000} {
		finished = append(finished, timed{[]string{"A", "low"}, time.Duration(seconds) * time.Second})
	}
	finished = append(finished, timed{[]string{"A", "high"}, time.Second})
	if got := usually(finished, []string{"B", "low"}); got != 2*time.Minute {
		t.Errorf("%v at low load", got)
	}
	if got := usually(finished, []string{"C", "medium"}); got != 110*time.Second {
		t.Errorf("%v of what nothing is like", got)
	}
}
