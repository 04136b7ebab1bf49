package site

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
)

// TestWhatACampaignCosts limits the files and bytes that one more campaign adds to a site. A campaign has a post with
// sixteen runs, three tables and four charts. The limits are the present values, rounded up. A feature that exceeds
// them must state its cost here and in docs/quality.md.
func TestWhatACampaignCosts(t *testing.T) {
	t.Parallel()
	type cost struct{ files, bytes int }
	costs := func(posts int) map[string]cost {
		dir := t.TempDir()
		if err := invent.Campaigns(dir, posts); err != nil {
			t.Fatal(err)
		}
		if summary, ms, err := Build(context.Background(), Options{Dir: dir}); err != nil || summary.Broken {
			t.Fatal(ms, err)
		}
		all := map[string]cost{}
		for name, data := range folder.Read(t, filepath.Join(dir, "public")) {
			what := "the rest"
			if strings.HasPrefix(name, "site/runs/") && strings.HasSuffix(name, ".html") {
				what = "pages of runs"
			}
			all[what] = cost{all[what].files + 1, all[what].bytes + len(data)}
		}
		return all
	}
	few, many := costs(3), costs(7)
	for what, limit := range map[string]cost{
		"pages of runs": {16, 16 * 22_000},
		"the rest":      {18, 470_000},
	} {
		files, bytes := (many[what].files-few[what].files)/4, (many[what].bytes-few[what].bytes)/4
		t.Logf("%s: %d files, %d bytes", what, files, bytes)
		if files > limit.files || bytes > limit.bytes {
			t.Errorf("%s of a campaign are %d files with %d bytes, more than %d with %d", what, files, bytes, limit.files, limit.bytes)
		}
	}
}
