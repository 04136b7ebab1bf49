package format_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// multiplexers maps programs to the prefix that they write before each line, which identifies the program that wrote
// the line.
var multiplexers = map[string]func(program int, l string) string{
	"mpirun":   func(n int, l string) string { return fmt.Sprintf("[1,%d]<stdout>:%s", n, l) },
	"srun":     func(n int, l string) string { return fmt.Sprintf("%d: %s", n, l) },
	"compose":  func(n int, l string) string { return fmt.Sprintf("bench-%d  | %s", n+1, l) },
	"kubectl":  func(n int, l string) string { return fmt.Sprintf("[pod/bench-%d/bench] %s", n, l) },
	"torchrun": func(n int, l string) string { return fmt.Sprintf("[rank%d]: %s", n, l) },
	"ray":      func(n int, l string) string { return fmt.Sprintf("(bench pid=%d, ip=10.0.0.%d) %s", 100+n, n, l) },
	"journald": func(n int, l string) string { return fmt.Sprintf("Nov 22 12:00:00 host bench[%d]: %s", 100+n, l) },
}

// interleave mixes the lines of texts at random. The lines of each text stay in order.
func interleave(rng *rand.Rand, texts [][]byte, change func(program int, l string) string) []byte {
	var left [][]string
	for _, text := range texts {
		left = append(left, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
	}
	var out bytes.Buffer
	for {
		alive := slices.DeleteFunc([]int{0, 1}, func(i int) bool { return len(left[i]) == 0 })
		if len(alive) == 0 {
			return out.Bytes()
		}
		i := alive[rng.IntN(len(alive))]
		for range min(len(left[i]), 1+rng.IntN(3)) {
			out.WriteString(change(i, left[i][0]) + "\n")
			left[i] = left[i][1:]
		}
	}
}

// texts returns the fixtures that are texts and have results, with their outputs.
func texts(t *testing.T) (paths []string, data [][]byte, outs []format.Output) {
	for _, path := range fixture.All(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := format.Read("f", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		first := bytes.TrimSpace(text)[0]
		if strings.HasSuffix(path, ".yaml") || first == '{' || first == '[' && bytes.IndexByte([]byte("{[\" \n"), bytes.TrimSpace(text)[1]) >= 0 || len(out.Results) == 0 || bytes.Count(text, []byte("\n")) < 4 || !bytes.HasSuffix(text, []byte("\n")) {
			continue
		}
		paths, data, outs = append(paths, path), append(data, text), append(outs, out)
	}
	return paths, data, outs
}

// facts describes results without positions, in order.
func facts(out format.Output) []string {
	var all []string
	for _, r := range out.Results {
		all = append(all, fixture.Placeless(format.Output{Results: append(out.Results[:0:0], r)}))
	}
	slices.Sort(all)
	return all
}

// TestProgramsInOneLog checks that lines of two programs with any prefix are read like each program alone.
func TestProgramsInOneLog(t *testing.T) {
	paths, data, outs := texts(t)
	for i := range paths {
		t.Run(filepath.Base(paths[i]), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(5, uint64(i)))
			for _, name := range slices.Sorted(maps.Keys(multiplexers)) {
				change := multiplexers[name]
				k := rng.IntN(len(paths))
				if k == i {
					k = (k + 1) % len(paths)
				}
				got, err := format.Read("f", bytes.NewReader(interleave(rng, [][]byte{data[i], data[k]}, change)))
				if err != nil {
					t.Fatal(err)
				}
				want := append(facts(outs[i]), facts(outs[k])...)
				slices.Sort(want)
				if !slices.Equal(facts(got), slices.Compact(want)) {
					t.Errorf("%s, with %s: got\n%s\nwant\n%s", name, paths[k], strings.Join(facts(got), ""), strings.Join(want, ""))
				}
			}
		})
	}
}

// TestMixedRuns checks that, without prefixes, few results have figures of two runs and most mixed logs are rejected.
func TestMixedRuns(t *testing.T) {
	paths, data, outs := texts(t)
	read, mixed, refused := 0, 0, 0
	for i := range paths {
		for k := range paths {
			if outs[i].Results[0].Format != outs[k].Results[0].Format {
				continue
			}
			second := data[k]
			if i == k {
				second = scaled(data[k])
			}
			alone, err := format.Read("f", bytes.NewReader(second))
			if err != nil {
				t.Fatal(err)
			}
			own := [2][]string{figures(outs[i]), figures(alone)}
			for seed := range uint64(8) {
				rng := rand.New(rand.NewPCG(seed, uint64(i*1000+k)))
				log := interleave(rng, [][]byte{data[i], second}, func(_ int, l string) string { return l })
				got, err := format.Read("f", bytes.NewReader(log))
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range got.Messages {
					if m.ID == "format.mixed" {
						refused++
						break
					}
				}
				for _, r := range got.Results {
					read++
					if isOfTwo(&r, own) {
						mixed++
					}
				}
			}
		}
	}
	t.Logf("%d results, %d of two runs, %d logs refused", read, mixed, refused)
	if refused == 0 || mixed*100 > read*mostMixed {
		t.Errorf("%d of %d results have figures of two runs, %d logs are refused", mixed, read, refused)
	}
}

const mostMixed = 7 // percent

// TestMixedTables checks that no result has figures of two tables of a serving benchmark, however they are mixed.
func TestMixedTables(t *testing.T) {
	second := scaled([]byte(fixture.Table))
	own := [2][]string{figures(fixture.Read(t, fixture.Table)), figures(fixture.Read(t, string(second)))}
	refused := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		log := interleave(rng, [][]byte{[]byte(fixture.Table), second}, func(_ int, l string) string { return l })
		got := fixture.Read(t, string(log))
		for _, r := range got.Results {
			if isOfTwo(&r, own) {
				t.Errorf("seed %d: a result of lines %d to %d has figures of both:\n%s", seed, r.Source.Line, r.EndLine, log)
			}
		}
		for _, m := range got.Messages {
			if m.ID == "format.mixed" {
				refused++
				break
			}
		}
	}
	if refused < 300 {
		t.Errorf("%d of 400 logs are refused with a message", refused)
	}
}

// isOfTwo reports whether a result has figures of both runs.
func isOfTwo(r *result.Result, own [2][]string) bool {
	var of [2]bool
	for _, m := range r.Metrics {
		figure := m.Name + " " + m.Text()
		a, b := slices.Contains(own[0], figure), slices.Contains(own[1], figure)
		of[0] = of[0] || a && !b && !m.Derived
		of[1] = of[1] || b && !a && !m.Derived
	}
	return of[0] && of[1]
}

// figures returns the figures of all results.
func figures(out format.Output) (all []string) {
	for _, r := range out.Results {
		for _, m := range r.Metrics {
			all = append(all, m.Name+" "+m.Text())
		}
	}
	return all
}

// scaled returns a text with other figures: it changes the first digit of each number with a point.
func scaled(text []byte) []byte {
	out := bytes.Clone(text)
	for i, c := range out {
		if c == '.' && i > 0 && i+1 < len(out) && out[i-1] >= '0' && out[i-1] <= '9' && out[i+1] >= '0' && out[i+1] <= '9' {
			out[i+1] = '0' + (out[i+1]-'0'+3)%10
		}
	}
	return out
}
