package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
)

// TestSecretsOfTheConfigurationAreMasked: a secret in site.toml does not appear in the Config, unless the site
// keeps it or does not mask.
func TestSecretsOfTheConfigurationAreMasked(t *testing.T) {
	t.Parallel()
	const secret = "hf" + "_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh"
	for redact, stays := range map[string]bool{"": false, "mode = \"mask\"": false, "mode = \"off\"": true, "mode = \"warn\"": true, "keep = [\"" + secret + "\"]": true} {
		dir := t.TempDir()
		text := "title = \"Runs with " + secret + "\"\n[redact]\n" + redact + "\n"
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, ms := Read(dir)
		if len(ms) > 0 || strings.Contains(locale.English(c.Title.Text), secret) != stays || !strings.HasPrefix(locale.English(c.Title.Text), "Runs with ") {
			t.Errorf("%s: %q %v", redact, locale.English(c.Title.Text), ms)
		}
	}
	if _, ms := Read(dirOf(t, "[redact]\nmode = \"loud\"\n")); len(ms) != 1 || ms[0].Pos.Line != 2 {
		t.Errorf("%v", ms)
	}
}

func dirOf(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, Name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
