package locale

import (
	"fmt"
	"time"
)

// Clock formats elapsed time as progress bars do, in the same way for all languages: 0:05, 1:23, 1:02:03.
func Clock(d time.Duration) string {
	s := int(d / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// About returns an estimated time in at most two units: "40 s", "12 min", "1 h 20 min", "2 d 3 h".
func About(d time.Duration) Text {
	const day = 24 * time.Hour
	switch {
	case d.Round(time.Second) < time.Minute:
		return T("duration.s", max(1, int(d.Round(time.Second)/time.Second)))
	case d < time.Hour:
		d = d.Round(time.Minute)
	case d < 10*time.Hour:
		d = d.Round(5 * time.Minute)
	default:
		d = d.Round(time.Hour)
	}
	minutes, hours, days := int(d%time.Hour/time.Minute), int(d%day/time.Hour), int(d/day)
	switch {
	case days > 0 && hours > 0:
		return T("duration.d.h", days, hours)
	case days > 0:
		return T("duration.d", days)
	case hours > 0 && minutes > 0:
		return T("duration.h.min", hours, minutes)
	case hours > 0:
		return T("duration.h", hours)
	}
	return T("duration.min", minutes)
}
