package site

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

// scaled multiplies the figures in the matching lines of a log.
func scaled(log string, lines *regexp.Regexp, by float64) string {
	return lines.ReplaceAllStringFunc(log, func(line string) string {
		at := strings.LastIndexAny(line, " \t") + 1
		v, err := strconv.ParseFloat(line[at:], 64)
		if err != nil {
			return line
		}
		return line[:at] + strconv.FormatFloat(v*by, 'f', 2, 64)
	})
}

// TestARepeatOfEachRunStopsNoPostOfTheSample checks that the sample's posts build when each of its runs is repeated,
// whatever the repeat's outcome.
func TestARepeatOfEachRunStopsNoPostOfTheSample(t *testing.T) {
	t.Parallel()
	latency := regexp.MustCompile(`(?m)^(?:Mean|Median|P\d+)[^\n:]*:\s+[\d.]+`)
	speed := regexp.MustCompile(`(?m)^[^\n:]*throughput[^\n:]*:\s+[\d.]+`)
	served := regexp.MustCompile(`(?m)^Successful requests:\s+\d+`)
	again := map[string]func(string) string{
		"slower":     func(log string) string { return scaled(log, latency, 1.03) },
		"failed":     func(log string) string { return scaled(scaled(scaled(log, latency, 0), speed, 0), served, 0) },
		"broken off": func(log string) string { return log[:len(log)*6/10] },
		"excluded":   func(log string) string { return scaled(log, speed, 40) },
	}
	if need.Times(0, 1) == 0 { // the others take as long
		delete(again, "slower")
		delete(again, "broken off")
	}
	for how, change := range again {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := copySiteTo(dir); err != nil {
				t.Fatal(err)
			}
			repeats := 0
			if err := filepath.WalkDir(filepath.Join(root, "runs"), func(path string, _ fs.DirEntry, err error) error {
				if err != nil || filepath.Ext(path) != ".log" {
					return err
				}
				log, err := os.ReadFile(path)
				rel, _ := filepath.Rel(root, path)
				writeFile(t, filepath.Join(dir, filepath.Dir(rel), "again", filepath.Base(rel)), change(string(log)))
				repeats++
				return err
			}); err != nil {
				t.Fatal(err)
			}
			s := Open(Options{Dir: dir})
			defer s.Close()
			snapshot, err := s.Read()
			if err != nil || repeats == 0 {
				t.Fatalf("%d repeats: %v", repeats, err)
			}
			for _, m := range snapshot.Messages {
				if m.Severity == result.Error && strings.HasPrefix(m.Pos.File, "content/") {
					t.Errorf("%v", m)
				}
			}
			if snapshot.Broken {
				t.Error("the site would not be published")
			}
		})
	}
}
