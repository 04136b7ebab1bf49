package format_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

// TestCutFixturesSayNothingNew checks that everything read from a file cut off at any byte is also read from the whole
// file, except unfinished runs.
func TestCutFixturesSayNothingNew(t *testing.T) {
	t.Parallel()
	for _, path := range fixture.All(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			whole := readCut(t, data)
			step := need.Times(1+len(data)/150, 1)
			for n := 0; n < len(data) && !t.Failed(); n += step {
				cut := readCut(t, data[:n])
				cut.Unfinished = nil
				for i := range cut.Traces { // the last sample may lack devices; the telemetry's own test checks it
					for c := range cut.Traces[i].Channels {
						ch := &cut.Traces[i].Channels[c]
						ch.Values = ch.Values[:max(0, len(ch.Values)-1)]
					}
				}
				fresh := slices.DeleteFunc(fixture.New(whole, cut), func(fact string) bool {
					return slices.ContainsFunc(soFar, func(of soFarKind) bool { return of.holds(fact, whole, cut) })
				})
				for _, fact := range fresh {
					t.Errorf("only in the first %d bytes, which end with %q: %s", n, data[max(0, n-60):n], fact)
				}
			}
		})
	}
}

func readCut(t *testing.T, data []byte) format.Output {
	t.Helper()
	out, err := format.Read("f", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// soFar lists the kinds of facts that are true for a part of a file and differ for the whole file.
var soFar = []soFarKind{
	{"a value that is missing is no value", func(fact string, _, _ format.Output) bool {
		return strings.Contains(fact, ", NaN ")
	}},
	{"a recording of one sample is a reading of that moment, and of the machine it was made on", func(fact string, whole, cut format.Output) bool {
		return len(whole.Traces) > len(cut.Traces) && strings.HasPrefix(fact, "captured ")
	}},
	{"rows without an index are of several devices or several moments, which two do not show", func(fact string, _, cut format.Output) bool {
		return len(cut.Traces) == 1 && len(cut.Traces[0].Times) <= 2 && strings.HasPrefix(fact, cut.Traces[0].Format+": ")
	}},
	{"what is listed, counted or summed over devices or engines may go on with the next line, and may end before it", func(fact string, _, _ format.Output) bool {
		return perDevice.MatchString(fact)
	}},
	{"of a run in progress the last lines tell how far it was", func(fact string, _, cut format.Output) bool {
		last := len(cut.Results) - 1
		return last >= 0 && cut.Results[last].Status == result.Partial && strings.HasPrefix(fact, "inferencex-text: ")
	}},
	{"a figure has a name of its own, by which nothing is compared, until another decides what it is", func(fact string, _, _ format.Output) bool {
		return undecided.MatchString(fact)
	}},
	{"a command above the tables is the run's, unless another is printed below them", func(fact string, _, _ format.Output) bool {
		return strings.HasPrefix(fact, "aiperf-text: max_concurrency = ") || strings.HasPrefix(fact, "aiperf-text: model_raw = ")
	}},
}

type soFarKind struct {
	why   string
	holds func(fact string, whole, cut format.Output) bool
}

var (
	perDevice = regexp.MustCompile(`^captured (device_count|gpu|x_cpu|x_reading_\w+) = |: (device_count|gpu) = |: (power|temperature)_\w+ |^server-metrics-text: `)
	undecided = regexp.MustCompile(`: x_(requests_total|output_throughput) `)
)
