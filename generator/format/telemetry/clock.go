package telemetry

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// clock reads one moment after the other. It caches the date and the text after the seconds, so that most moments are
// read by their digits alone.
type clock struct {
	day  string    // text before the hour
	tail string    // text after the seconds and their fraction: the zone
	from time.Time // when that day begins in that zone
	zone bool
}

// datePrefix is the length of a date and its separator from the time.
const datePrefix = len("2006-01-02 ")

// read reads a moment, as readClock does.
func (c *clock) read(text []byte) (at time.Time, zoned, ok bool) {
	if len(text) == 0 || !scan.IsDigit(text[0]) {
		return weekday(text)
	}
	since, tail, fits := timeOfDay(text)
	if fits && string(text[:datePrefix]) == c.day && string(tail) == c.tail {
		return c.from.Add(since), c.zone, true
	}
	if seconds, ok := scan.ParseNumber(text); ok {
		return sinceEpoch(seconds)
	}
	at, zoned, ok = readClock(string(text))
	if ok && fits {
		c.day, c.tail, c.from, c.zone = string(text[:datePrefix]), string(tail), at.Add(-since), zoned
	}
	return at, zoned, ok
}

// weekday reads a moment that begins with the day of the week, as the command date prints it: "Sat Oct 23 08:25:52
// 2021", with a zone that is a number or UTC.
func weekday(text []byte) (at time.Time, zoned, ok bool) {
	if len(text) < len(time.ANSIC) || len(text) > len(time.ANSIC)+8 || text[3] != ' ' {
		return time.Time{}, false, false
	}
	if at, err := time.Parse(time.ANSIC, string(text)); err == nil {
		return at, false, true
	}
	for _, layout := range []string{"Mon Jan _2 15:04:05 UTC 2006", "Mon Jan _2 15:04:05 2006 -0700", "Mon Jan _2 15:04:05 -0700 2006"} {
		if at, err := time.Parse(layout, string(text)); err == nil {
			return at.UTC(), true, true
		}
	}
	return time.Time{}, false, false
}

// before reads the time at the end of the text that precedes a sample in its line. The tool wrote it, or a script, as
// "[2026-01-05 10:00:01]" or in seconds since 1970.
func (c *clock) before(text []byte) (at time.Time, zoned bool) {
	end := len(bytes.TrimRight(text, " \t"))
	last := bytes.LastIndexAny(text[:end], " \t") + 1
	earlier := bytes.TrimRight(text[:last], " \t")
	for _, start := range [...]int{bytes.LastIndexAny(earlier, " \t") + 1, last} {
		if at, zoned, ok := c.read(bytes.Trim(text[start:end], "[]:,")); ok {
			return at, zoned
		}
	}
	return time.Time{}, false
}

// lastWord returns the last word of the text before a sample, without brackets.
func lastWord(text []byte) []byte {
	text = bytes.TrimRight(text, " \t")
	return bytes.Trim(text[bytes.LastIndexAny(text, " \t")+1:], "[]:,")
}

// timeOfDay reads the time after a date of the usual length.
func timeOfDay(text []byte) (since time.Duration, tail []byte, ok bool) {
	if len(text) < datePrefix {
		return 0, nil, false
	}
	return sinceMidnight(text[datePrefix:])
}

// hourOfDay reads "16:22:25" or "16:22:25.572", the time since midnight.
func hourOfDay(text []byte) (since time.Duration, ok bool) {
	since, tail, ok := sinceMidnight(text)
	return since, ok && len(tail) == 0
}

// sinceMidnight reads the time of day at the beginning of text, and returns the text after it.
func sinceMidnight(text []byte) (since time.Duration, tail []byte, ok bool) {
	const seconds = len("15:04:05")
	if len(text) < seconds || text[2] != ':' || text[5] != ':' {
		return 0, nil, false
	}
	for i, most := range [...]byte{23, 59, 59} {
		tens, ones := text[3*i]-'0', text[3*i+1]-'0'
		if tens > 9 || ones > 9 || 10*tens+ones > most {
			return 0, nil, false
		}
		since = 60*since + time.Duration(10*tens+ones)
	}
	since *= time.Second
	tail = text[seconds:]
	if len(tail) > 1 && tail[0] == '.' && scan.IsDigit(tail[1]) {
		n, unit := 1, time.Second/10
		for n < len(tail) && scan.IsDigit(tail[n]) && unit > 0 {
			since += time.Duration(tail[n]-'0') * unit
			unit /= 10
			n++
		}
		if n < len(tail) && scan.IsDigit(tail[n]) {
			return 0, nil, false
		}
		tail = tail[n:]
	}
	return since, tail, true
}

// readClock reads a moment in the forms that telemetry has: a date and time, or seconds or milliseconds since 1970.
// Zoned reports whether it has a time zone.
func readClock(text string) (at time.Time, zoned, ok bool) {
	if len(text) < len("20060102 5:04:05") || strings.IndexByte(text, ':') < 0 { // no date with a time
		seconds, ok := scan.ParseNumber([]byte(text))
		if !ok {
			return time.Time{}, false, false
		}
		return sinceEpoch(seconds)
	}
	for _, layout := range []string{"2006/01/02 15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "20060102 15:04:05", "01-02-2006 15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil { // with or without a fraction
			return at, false, true
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), true, true
		}
	}
	return time.Time{}, false, false
}

// sinceEpoch converts seconds or milliseconds since 1970.
func sinceEpoch(since float64) (at time.Time, zoned, ok bool) {
	switch {
	case since >= 1e9 && since < 1e10:
		return time.UnixMicro(int64(math.Round(since * 1e6))).UTC(), true, true
	case since >= 1e12 && since < 1e13:
		return time.UnixMicro(int64(math.Round(since * 1e3))).UTC(), true, true
	}
	return time.Time{}, false, false
}
