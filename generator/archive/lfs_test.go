package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/need"
)

// fakeLFS installs a program that stores files like Git LFS, and configures a repository for it.
func fakeLFS(t *testing.T, r *repository.Repository) {
	t.Helper()
	need.Command(t, "sh")
	bin := t.TempDir()
	script := `#!/bin/sh
store="$(git rev-parse --path-format=absolute --git-common-dir)/lfs/objects"
case "$1" in
clean) t="$(mktemp)"; cat > "$t"; oid="$(sha256sum "$t" | cut -c1-64)"; size="$(wc -c < "$t" | tr -d ' ')"
	d="$store/$(echo "$oid" | cut -c1-2)/$(echo "$oid" | cut -c3-4)"; mkdir -p "$d"; mv "$t" "$d/$oid"
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' "$oid" "$size";;
smudge) oid="$(sed -n 's/^oid sha256://p')"; cat "$store/$(echo "$oid" | cut -c1-2)/$(echo "$oid" | cut -c3-4)/$oid";;
esac
`
	if err := os.WriteFile(filepath.Join(bin, "git-lfs"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	r.Git("config", "filter.lfs.clean", "git-lfs clean -- %f")
	r.Git("config", "filter.lfs.smudge", "git-lfs smudge -- %f")
	r.Git("config", "filter.lfs.required", "true")
}

// noise returns n bytes or a little more that cannot be compressed.
func noise(n int) string {
	var b strings.Builder
	for i := uint64(0); b.Len() < n; i++ {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, i))
		b.Write(sum[:])
	}
	return b.String()
}

// TestLargeFilesGoIntoLFS checks that a file over the limit is stored in Git LFS if that is set up: by existing
// attributes, or by a new line that is committed too.
func TestLargeFilesGoIntoLFS(t *testing.T) {
	for name, attributes := range map[string]string{"attributes are there": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "none are": ""} {
		t.Run(name, func(t *testing.T) {
			r := newSite(t, map[string]string{".gitattributes": sound()[".gitattributes"] + attributes, "site.toml": "title = \"x\"\nlanguages = [\"en\"]\n[archive]\nlimit = \"300 kB\"\n",
				"runs/big/a trace [1].bin": noise(400_000), "runs/big/run.log": run("m", 1, 2)})
			fakeLFS(t, r)
			mustArchive(t, options(t, r.Dir))
			stored := r.Git("cat-file", "blob", "HEAD:runs/big/a trace [1].bin")
			if !strings.HasPrefix(stored, "version https://git-lfs.github.com/spec/v1") {
				t.Errorf("%.60q is in git", stored)
			}
			if status := r.Git("status", "--porcelain"); status != "" {
				t.Error(status)
			}
			if own := r.Git("ls-files", "runs/big/.gitattributes"); (own == "") != (attributes != "") {
				t.Errorf("own attributes: %q", own)
			}
			if _, ms, err := Verify(r.Dir); err != nil || len(ms) > 0 {
				t.Error(ms, err)
			}
			if _, out := mustArchive(t, options(t, r.Dir)); !out.Nothing {
				t.Errorf("again: %+v", out)
			}
		})
	}
}
