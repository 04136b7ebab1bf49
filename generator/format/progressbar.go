package format

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// This file reads the bars of runs in progress: it keeps only the counts of each update, and parses the last update at
// the end.

// owns reports whether the text before a bar shows that the bar belongs to the client. Words of a launcher may precede
// the words of the bar.
func (c *client) owns(before []byte) bool {
	before = bytes.TrimRight(before, " 0123456789")
	if len(c.words) == 0 {
		return len(before) == 0 || before[len(before)-1] == ']' || bytes.HasSuffix(before, []byte(">:"))
	}
	for _, words := range c.words {
		if bytes.HasSuffix(before, []byte(words)) {
			return true
		}
	}
	return false
}

// update handles an update of a bar as tqdm draws it. The drawn bar begins after i:
//
//	40%|████      | 40/100 [01:23<02:04,  2.07s/it]
//
// It reports whether the bar belongs to the run. The last of several updates in a line counts.
func (r *begun) update(l scan.Line, i int) bool {
	text := l.Text
	if i < 0 || !r.owns(text[:i]) {
		return false
	}
	for {
		rest := text[i+2:]
		counts := bytes.IndexByte(rest, '[')
		if counts < 0 {
			return true
		}
		end := bytes.IndexByte(rest[counts:], ']')
		if end < 0 { // still being written
			return true
		}
		if from := bytes.LastIndexByte(rest[:counts], '|') + 1; end+counts-from < maxBar {
			r.bar, r.at, r.stage = append(r.bar[:0], rest[from:counts+end+1]...), l.Number, barShown
		}
		text = rest[counts+end:]
		if i = bytes.Index(text, []byte("%|")); i < 0 {
			return true
		}
	}
}

// richBar matches the counts and times of a bar that is not drawn in tqdm's form:
//
//	Profiling: 40/100 |████      |  40% [01:23<02:04]
//	Generating... ━━━━━━━━╺━━━━━━━━━ (3/10) [ 0:01:23 < 0:03:14 ]
var richBar = lazy.Regexp(`([\d,]+)/([\d,]+)\)?\s.*?(\[[^\]<]*<[^\]]*\])`)

// count handles an update of such a bar. It reports whether the bar belongs to the run.
func (r *begun) count(l scan.Line) bool {
	if !r.rich {
		return false
	}
	for _, words := range r.words {
		_, rest, ok := bytes.Cut(l.Text, []byte(words))
		if m := richBar().FindSubmatch(scan.Clip(rest, maxRich)); ok && m != nil {
			r.bar = append(append(append(append(r.bar[:0], m[1]...), '/'), m[2]...), m[3]...)
			r.at, r.stage = l.Number, barShown
			return true
		}
	}
	return false
}

// barCounts matches the text after a drawn bar.
var barCounts = lazy.Regexp(`^\s*([\d.,]+[kMG]?)/([\d.,]+[kMG]?) *\[([^<\]]*)<((?:\d+ days?, )?[^,\]]*)(?:, *([\d.]+|\?) *([^,\]]*))?`)

// readBar parses the last update of the run's bar.
func (r *begun) readBar(u *result.Unfinished) {
	m := barCounts().FindSubmatch(r.bar)
	if m == nil {
		return
	}
	done, total := barNumber(m[1]), barNumber(m[2])
	if r.unit == "%" {
		if total > 0 {
			u.Done, u.Total = int(100*min(done/total, 1)), 100
		}
	} else if total >= 1 && total < math.MaxInt32 {
		u.Total = int(total)
		u.Done = int(min(done, total))
	}
	u.Elapsed, _ = barTime(m[3])
	if left, ok := barTime(m[4]); ok {
		u.Left = left
	}
	rate, err := strconv.ParseFloat(string(m[5]), 64)
	switch unit := string(m[6]); {
	case err != nil || rate <= 0 || r.unit == "%":
	case bytes.HasPrefix(m[6], []byte("s/")):
		u.Rate = 1 / rate
	case len(unit) > 2 && unit[len(unit)-2:] == "/s":
		u.Rate = rate
	}
}

// barNumber parses a count, which tqdm may write as 1.20k.
func barNumber(text []byte) float64 {
	factor := 1.0
	switch text[len(text)-1] {
	case 'k':
		factor = 1e3
	case 'M':
		factor = 1e6
	case 'G':
		factor = 1e9
	}
	v, _ := strconv.ParseFloat(string(bytes.ReplaceAll(bytes.TrimRight(text, "kMG"), []byte(","), nil)), 64)
	return v * factor
}

var barTimes = lazy.Regexp(`^(?:(\d+) ?(?:d|days?),? )?(?:(\d+):)?(\d+):(\d+)$`)

// barTime parses a time: 01:23, 1:02:03, "2 days, 1:02:03".
func barTime(text []byte) (time.Duration, bool) {
	m := barTimes().FindSubmatch(bytes.TrimSpace(text))
	if m == nil {
		return 0, false
	}
	days, hours, minutes, seconds := atoi(m[1]), atoi(m[2]), atoi(m[3]), atoi(m[4])
	if days > 3650 || hours > 87600 || minutes > 59 || seconds > 59 {
		return 0, false
	}
	return time.Duration(((days*24+hours)*60+minutes)*60+seconds) * time.Second, true
}
