package settings_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/benchpost/benchpost/generator/settings"
)

func TestStringIsReadable(t *testing.T) {
	for s, want := range map[string]string{
		"high":              `"high"`,
		`{load="high"}`:     `'{load="high"}'`,
		`it's {load="a"}`:   `"it's {load=\"a\"}"`,
		"two\nlines":        `"two\nlines"`,
		"":                  `""`,
		`C:\runs`:           `'C:\runs'`,
		"低并发":               `"低并发"`,
		"a \"tab\"\tinside": `"a \"tab\"\tinside"`,
	} {
		if got := settings.String(s); got != want {
			t.Errorf("String(%q) = %s, want %s", s, got, want)
		}
	}
	if got := settings.Key("a b"); got != `"a b"` {
		t.Errorf("Key = %s", got)
	}
	if got := settings.Key("flash_attn-2"); got != "flash_attn-2" {
		t.Errorf("Key = %s", got)
	}
}

// TestWrittenReadsAsItWas: written keys and values are one line and decode to the same text.
func TestWrittenReadsAsItWas(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	alphabet := []string{"a", "Z", "0", "_", "-", ".", " ", "'", `"`, `\`, "\n", "\r", "\t", "\x00", "\x1b", "\x7f", "\u0085", "\u2028", "é", "高", "😀", "\xff", "=", "#", "[", "]", "{", "}", ","}
	word := func() string {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		return b.String()
	}
	for range 5000 {
		name, text, list := word(), word(), []string{word(), word()}
		source := settings.Key(name) + " = " + settings.String(text) + "\n[t]\nlist = " + settings.List(list)
		var read map[string]any
		if _, err := toml.Decode(source, &read); err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		if name == "t" {
			continue
		}
		if got := read[valid(name)]; got != valid(text) {
			t.Fatalf("%q reads %q", source, got)
		}
		for i, got := range read["t"].(map[string]any)["list"].([]any) {
			if got != valid(list[i]) {
				t.Fatalf("%q reads %q", source, got)
			}
		}
		if strings.Count(source, "\n") != 2 {
			t.Fatalf("%q is more than a line", source)
		}
	}
}
