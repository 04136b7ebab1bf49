package config

import (
	"fmt"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
)

// TestTitlesAreDistinct: if titles of values are equal in some language, the values are added to them in all
// languages. Other titles do not change.
func TestTitlesAreDistinct(t *testing.T) {
	t.Parallel()
	both := func(zh, en string) Words { return Words{locale.By(map[string]string{"zh": zh, "en": en}, zh)} }
	one := func(s string) Words { return Words{locale.Lit(s)} }
	c := Config{
		Model:    []Model{{ID: "a", Title: one("Qwen3")}, {ID: "b", Title: one("Qwen3")}, {ID: "c", Title: one("Other")}, {ID: "d"}, {ID: "e", Title: one("d")}},
		Hardware: []Hardware{{ID: "x", Title: both("板", "Board")}, {ID: "y", Title: both("板二", "Board")}, {ID: "z", Title: both("板三", "Third")}},
		Values:   map[string]map[string]Words{"engine": {"v": one("vLLM"), "w": one("vLLM")}},
	}
	titles, _ := c.Labels()
	for _, of := range []struct{ label, value, zh, en string }{
		{"model", "a", "Qwen3 · a", "Qwen3 · a"}, {"model", "b", "Qwen3 · b", "Qwen3 · b"}, {"model", "c", "Other", "Other"}, {"model", "e", "d · e", "d · e"},
		{"hardware", "x", "板 · x", "Board · x"}, {"hardware", "y", "板二 · y", "Board · y"}, {"hardware", "z", "板三", "Third"},
		{"engine", "v", "vLLM · v", "vLLM · v"}, {"engine", "w", "vLLM · w", "vLLM · w"},
	} {
		for lang, want := range map[string]string{"zh": of.zh, "en": of.en} {
			p, _ := locale.For(lang)
			if got := p.Say(titles[of.label][of.value]); got != want {
				t.Errorf("%s %s in %s is %q, want %q", of.label, of.value, lang, got, want)
			}
		}
	}
	if _, titled := titles["model"]["d"]; titled {
		t.Error("a value without a title has got one")
	}
	again, _ := c.Labels()
	if fmt.Sprint(again) != fmt.Sprint(titles) {
		t.Error("the titles of a second call are others")
	}
}
