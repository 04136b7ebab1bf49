package dataset

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// tellsApart reports whether a label identifies a run. Captured facts of the machine with names of their own do
// not, nor does the place where power was measured: it does not contradict runs without telemetry.
func tellsApart(l result.Label) bool {
	if l.Origin == result.Captured && strings.HasPrefix(l.Name, "x_") && !slices.ContainsFunc(settingWords, func(word string) bool { return strings.Contains(l.Name, word) }) {
		return false
	}
	return !vocabulary.Incidental(l.Name) && l.Name != "power_scope"
}

// drifting lists versions that a machine may change from one day to the next. Repeats may differ in them if
// they were only captured beside the runs: nobody declared them, and a note reports it.
var drifting = []string{"engine_version", "tool_version", "driver", "cuda", "image", "os", "kernel"}

// drifts reports whether results may differ in a label as repeats from several days may.
func drifts(rs []*result.Result, name string) bool {
	return slices.Contains(drifting, name) && !slices.ContainsFunc(rs, func(r *result.Result) bool {
		l, ok := r.Labels.Lookup(name)
		return ok && l.Origin != result.Captured
	})
}

// Varies reports whether repeats of a run may differ in a label, so that several values of it have a meaning
// together, as days do.
func Varies(rs []*result.Result, name string) bool {
	return vocabulary.Incidental(name) || drifts(rs, name)
}

// settingWords lists parts of names of captured labels that are settings of the run rather than facts of the
// machine.
var settingWords = []string{"arg", "extra", "option", "flag", "config", "dtype", "backend", "cache", "utilization", "batch", "max_", "spec", "eager", "chunked", "quant"}

// Telling returns the names of the labels that identify runs, sorted.
func Telling(rs []*result.Result) []string {
	seen := map[string]bool{}
	var names []string
	for _, r := range rs {
		for _, l := range r.Labels {
			if tellsApart(l) && !seen[l.Name] {
				seen[l.Name] = true
				names = append(names, l.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// identifying lists the labels that name what was measured. A run without any of them is a repeat of no other,
// unless the label repeat declares it.
var identifying = []string{"model", "model_raw", "base_model", "tokenizer", "repeat", "x_model", "x_model_type", "x_model_name", "x_model_filename", "x_served_model_name", "x_benchmark", "x_command"}

// Identified reports whether a label states what a run measured.
func Identified(r *result.Result) bool {
	return slices.ContainsFunc(identifying, func(name string) bool { return r.Labels.Get(name) != "" })
}

// declared reports whether a run is declared to be a repeat.
func declared(r *result.Result) bool { return r.Labels.Get("repeat") != "" }

// counting lists the words with which names of files and tags count repeats.
var counting = strings.Fields(`run rep repeat rerun retry trial take try again iter iteration round copy first second third seed date
	mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday
	jan feb mar apr may jun jul aug sep oct nov dec am pm utc`)

// counts reports whether a part of a name only distinguishes repeats: again, run3, 2026, 20260131t1200z, a
// hash, a single letter.
func counts(word string) bool {
	letters := strings.TrimRight(word, "0123456789")
	if len(word) == 1 || letters == "" || slices.Contains(counting, letters) {
		return true
	}
	day, clock, timed := strings.Cut(strings.TrimSuffix(word, "z"), "t")
	if timed && len(day) >= 6 && digits(day) && len(clock) >= 6 && digits(clock) || !timed && digits(day) {
		return true
	}
	return len(word) >= 7 && strings.Trim(word, "0123456789abcdef") == "" && strings.ContainsAny(word, "0123456789")
}

// inTime reports whether three parts of a name form a time such as 2026-01-31T12, so that the last part has no
// other meaning.
func inTime(parts []string) bool {
	day, hour, ok := strings.Cut(parts[2], "t")
	return ok && len(parts[0]) == 4 && len(parts[1]) == 2 && len(day) == 2 && len(hour) == 2 && digits(parts[0]+parts[1]+day+hour)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// words returns the words in the names of a run's file, of its folders and of its tag that do not count
// repeats. They are equal for run-1 and run-again, and differ for tp2 and dp2.
func words(r *result.Result) string {
	var out []string
	for _, name := range []string{folders(r), stem(r.Source.File), r.Label("x_tag")} {
		parts := strings.FieldsFunc(strings.ToLower(vocabulary.Uncounted(name)), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		for i, word := range parts {
			if !counts(word) && (i < 2 || !inTime(parts[i-2:i+1])) {
				out = append(out, word)
			}
		}
		out = append(out, "/")
	}
	return strings.Join(out, " ")
}

// folders returns the folders of a run's file that no label covers: without those named after the value of a
// label, such as a campaign's, and without load=high.
func folders(r *result.Result) string {
	dir, _ := path.Split(r.Source.File)
	var out []string
	for name := range strings.SplitSeq(dir, "/") {
		key, _, pair := strings.Cut(name, "=")
		if _, labelled := r.Labels.Lookup(key); pair && labelled {
			continue
		}
		if !slices.ContainsFunc(r.Labels, func(l result.Label) bool { return strings.EqualFold(l.Value, name) && tellsApart(l) }) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// stem returns the name of a file without its extensions. An extension has only letters, unlike the
// ".6-UD-Q4_K_XL" of GLM-4.6-UD-Q4_K_XL.log.
func stem(file string) string {
	name := path.Base(file)
	for {
		ext := path.Ext(name)
		if len(ext) < 2 || len(ext) == len(name) || strings.ContainsFunc(ext[1:], func(c rune) bool { return !unicode.IsLetter(c) }) {
			return name
		}
		name = strings.TrimSuffix(name, ext)
	}
}

// occasion identifies the time at which a run was measured. Two results of one file without a time are rows of
// a table and not repeats, unless the file has the arguments of each, as the log of a loop does. It returns ""
// if nothing contradicts a repeat.
func occasion(r *result.Result) string {
	if seed, _ := r.Labels.Lookup("seed"); declared(r) || r.Source.File == "" || seed.Origin == result.Measured {
		return ""
	}
	when := r.Label("date")
	if r.Revision != nil {
		when += " " + r.Revision.Short()
	}
	return r.Source.File + "\x00" + when
}

// The greatest ratios between the mean lengths of the prompts and of the answers of two repeats if no label
// states the requested length.
const (
	promptTolerance = 1.1
	answerTolerance = 1.25
)

// rowTolerance is the greatest ratio between the throughputs of two repeats in the same file.
const rowTolerance = 1.5

// farApart reports whether the throughputs of two results of one file differ so much that something differed
// that no label states, such as an environment variable. Results of different files may differ as much: that is
// scatter, and reported.
func farApart(a, b *result.Result) bool {
	if a.Source.File == "" || a.Source.File != b.Source.File || declared(a) || declared(b) {
		return false
	}
	return slices.ContainsFunc(a.Metrics, func(m result.Metric) bool {
		n, both := b.Metric(m.Name)
		return both && strings.HasSuffix(m.Name, "throughput") && min(m.Value, n.Value) > 0 && max(m.Value, n.Value)/min(m.Value, n.Value) > rowTolerance
	})
}

// sameLengths reports whether the prompts and answers of two runs have about the same length, or labels state
// their lengths.
func sameLengths(a, b *result.Result) bool {
	return a.Label("dataset") != "" ||
		(a.Label("input_len") != "" || near(a, b, inputTokens, promptTolerance)) &&
			(a.Label("output_len") != "" || near(a, b, outputTokens, answerTolerance))
}

// near reports whether a count per request is about equal in two runs, or unknown.
func near(a, b *result.Result, count string, tolerance float64) bool {
	x, y := eachRequest(a, count), eachRequest(b, count)
	return x <= 0 || y <= 0 || max(x, y)/min(x, y) <= tolerance
}

// eachRequest returns a count per request, or 0 if it is unknown.
func eachRequest(r *result.Result, count string) float64 {
	n, ok := r.Metric(count)
	requests, known := r.Metric("requests_completed")
	if !ok || !known || requests.Value <= 0 {
		return 0
	}
	return n.Value / requests.Value
}

// FarApart is the time between runs from which reports mention their dates.
const FarApart = 7 * 24 * time.Hour

// Dates returns the first and the last day on which runs were measured, as 2026-01-31. far is set if they are
// further apart than repeats usually are.
func Dates(rs []*result.Result) (first, last string, far bool) {
	var days []string
	for _, r := range rs {
		if day := Period(r.Label("date")); day != "" {
			days = append(days, day)
		}
	}
	if len(days) == 0 {
		return "", "", false
	}
	first, last = slices.Min(days), slices.Max(days)
	from, err := time.Parse(time.DateOnly, first)
	to, err2 := time.Parse(time.DateOnly, last)
	return first, last, err == nil && err2 == nil && to.Sub(from) > FarApart
}
