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

// tellsApart reports whether a label says which run it is. Of what was captured
// beside it, facts of the machine under names of their own do not; where power
// was measured says nothing against runs without telemetry.
func tellsApart(l result.Label) bool {
	if l.Origin == result.Captured && strings.HasPrefix(l.Name, "x_") && !slices.ContainsFunc(settingWords, func(word string) bool { return strings.Contains(l.Name, word) }) {
		return false
	}
	return !vocabulary.Incidental(l.Name) && l.Name != "power_scope"
}

// drifting are the versions that a machine has from one day to another. Repeats may differ in
// them where they were only captured beside the runs: nobody asked for them, and a note says so.
var drifting = []string{"engine_version", "tool_version", "driver", "cuda", "image", "os", "kernel"}

// drifts reports whether results differ in a label as repeats may that were measured on several
// days.
func drifts(rs []*result.Result, name string) bool {
	return slices.Contains(drifting, name) && !slices.ContainsFunc(rs, func(r *result.Result) bool {
		l, ok := r.Labels.Lookup(name)
		return ok && l.Origin != result.Captured
	})
}

// Varies reports whether a label of results is one in which repeats of a run may differ: of it
// several values have a meaning together, as days have.
func Varies(rs []*result.Result, name string) bool {
	return vocabulary.Incidental(name) || drifts(rs, name)
}

// settingWords are what a captured label that is a setting of the run, and no fact
// of the machine, has in its name.
var settingWords = []string{"arg", "extra", "option", "flag", "config", "dtype", "backend", "cache", "utilization", "batch", "max_", "spec", "eager", "chunked", "quant"}

// Telling returns the names of the labels that tell results apart, sorted.
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

// identifying are the labels that name what was measured. A run that has none of
// them is a repeat of no other, unless it says so by the label repeat.
var identifying = []string{"model", "model_raw", "base_model", "tokenizer", "repeat", "x_model", "x_model_type", "x_model_name", "x_model_filename", "x_served_model_name", "x_benchmark", "x_command"}

// Identified reports whether anything says what a run measured.
func Identified(r *result.Result) bool {
	return slices.ContainsFunc(identifying, func(name string) bool { return r.Labels.Get(name) != "" })
}

// declared reports whether a run says of itself that it is a repeat.
func declared(r *result.Result) bool { return r.Labels.Get("repeat") != "" }

// counting are the words by which names of files and tags count repeats.
var counting = strings.Fields(`run rep repeat rerun retry trial take try again iter iteration round copy first second third seed date
	mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday
	jan feb mar apr may jun jul aug sep oct nov dec am pm utc`)

// counts reports whether a part of a name tells one repeat from another and no more:
// again, run3, 2026, 20260131t1200z, a hash, a single letter.
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

// inTime reports whether three parts of a name are those of 2026-01-31T12: the last
// says nothing more.
func inTime(parts []string) bool {
	day, hour, ok := strings.Cut(parts[2], "t")
	return ok && len(parts[0]) == 4 && len(parts[1]) == 2 && len(day) == 2 && len(hour) == 2 && digits(parts[0]+parts[1]+day+hour)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// words returns what the name of a run's file, its folders and the tag it was given
// say beside counting it: what run-1 and run-again have in common, and tp2 and dp2
// have not.
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

// folders returns the folders of a run's file that no label has: neither those
// that are called as the value of a label, as a campaign's, nor load=high.
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

// stem returns the name of a file without its extensions: what follows a dot and
// is letters alone, unlike the ".6-UD-Q4_K_XL" of GLM-4.6-UD-Q4_K_XL.log.
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

// occasion names the time at which a run was measured: two results of one file
// that do not report theirs are rows of a table, not repeats, unless the file holds
// the arguments of each, as the log of a loop does. It is empty where nothing
// speaks against a repeat.
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

// How far the mean lengths of prompts and of answers of two repeats may be apart
// where no label says what was asked for.
const (
	promptTolerance = 1.1
	answerTolerance = 1.25
)

// rowTolerance is how many times the throughput of another a result of the same
// file may have and still be its repeat.
const rowTolerance = 1.5

// farApart reports whether two results of one file were measured at throughputs
// so unlike that something differed which no label holds, as an environment
// variable. Files of their own may be far apart: that is scatter, and reported.
func farApart(a, b *result.Result) bool {
	if a.Source.File == "" || a.Source.File != b.Source.File || declared(a) || declared(b) {
		return false
	}
	return slices.ContainsFunc(a.Metrics, func(m result.Metric) bool {
		n, both := b.Metric(m.Name)
		return both && strings.HasSuffix(m.Name, "throughput") && min(m.Value, n.Value) > 0 && max(m.Value, n.Value)/min(m.Value, n.Value) > rowTolerance
	})
}

// sameLengths reports whether prompts and answers of two runs are of about the same
// length, or labels say which they are.
func sameLengths(a, b *result.Result) bool {
	return a.Label("dataset") != "" ||
		(a.Label("input_len") != "" || near(a, b, inputTokens, promptTolerance)) &&
			(a.Label("output_len") != "" || near(a, b, outputTokens, answerTolerance))
}

// near compares what two runs have of a count for each request.
func near(a, b *result.Result, count string, tolerance float64) bool {
	x, y := eachRequest(a, count), eachRequest(b, count)
	return x <= 0 || y <= 0 || max(x, y)/min(x, y) <= tolerance
}

// eachRequest returns what a run has of a count for each request, 0 when that is unknown.
func eachRequest(r *result.Result, count string) float64 {
	n, ok := r.Metric(count)
	requests, known := r.Metric("requests_completed")
	if !ok || !known || requests.Value <= 0 {
		return 0
	}
	return n.Value / requests.Value
}

// FarApart is how long after one another runs may be measured without a word
// that they were.
const FarApart = 7 * 24 * time.Hour

// Dates returns the first and the last day on which runs were measured, as
// 2026-01-31. It is true when these are further apart than repeats usually are.
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
