package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/planted"
	"github.com/benchpost/benchpost/generator/need"
)

// TestNothingPlantedIsLeft checks that all planted secrets and names are replaced, in plain text and within JSON, that
// a second pass finds nothing, and that JSON stays valid.
func TestNothingPlantedIsLeft(t *testing.T) {
	t.Parallel()
	r := redactor(t, Options{})
	for seed := range uint64(need.Times(1, 20)) {
		for what, plants := range map[string][]planted.Plant{"secrets": planted.Secrets(seed), "names": planted.Names(seed)} {
			left, kinds := 0, map[string]int{}
			for _, p := range plants {
				for _, p := range []planted.Plant{p, p.InJSON()} {
					kinds[p.Kind] += 0
					out, _ := r.Replace("run.log", []byte(p.Text))
					if p.Left(out) != "" {
						left++
						kinds[p.Kind]++
						t.Errorf("%s (%s): %s\nbecomes %s", p.Kind, p.Form, p.Text, out)
					}
					if json.Valid([]byte(p.Text)) && !json.Valid(out) {
						t.Errorf("%s (%s): %s\nbecomes %s", p.Kind, p.Form, p.Text, out)
					}
					if again := r.Find("run.log", out); len(again) > 0 {
						t.Errorf("%s (%s): %s\nbecomes %s, where is found %v", p.Kind, p.Form, p.Text, out, again)
					}
				}
			}
			leaking := slices.DeleteFunc(slices.Sorted(maps.Keys(kinds)), func(k string) bool { return kinds[k] == 0 })
			t.Logf("seed %d: %d of %d %s of %d kinds are left: %s", seed, left, 2*len(plants), what, len(kinds), strings.Join(leaking, ", "))
		}
	}
}

// TestHarmlessTextStays checks that harmless text is unchanged in a log and within JSON.
func TestHarmlessTextStays(t *testing.T) {
	t.Parallel()
	r := redactor(t, Options{})
	for seed := range uint64(need.Times(4, 200)) {
		for _, text := range planted.Harmless(seed) {
			inner, _ := json.Marshal(map[string]string{"log": "first\n" + text + "\nlast"})
			for _, text := range []string{text, "INFO 11-22 02:07:28 [x.py:12] " + text, string(inner)} {
				if out, found := r.Replace("run.log", []byte(text)); len(found) > 0 {
					t.Errorf("%s\nbecomes %s %v", text, out, fmt.Sprint(found))
				}
			}
		}
	}
}
