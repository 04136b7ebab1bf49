package invent

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// ArchiveSite writes the site of an archive into a folder, with a post for each campaign and without runs.
// ArchiveCampaign writes the runs.
func ArchiveSite(dir string, campaigns int) error {
	w := writer{dir: dir}
	w.write("site.toml", siteOfCampaigns())
	random := rand.New(rand.NewPCG(7, 7))
	for i := range campaigns {
		post, _, _ := strings.Cut(campaignPost(random, i, campaignName(i)), "## Raw output") // it would have a thousand blocks
		w.write(fmt.Sprintf("content/posts/post-%05d.en.md", i), post)
	}
	return w.err
}

// ArchiveRuns is the number of runs in a campaign of an archive: eight variants at five levels of concurrency,
// 25 times each.
const ArchiveRuns = 1000

// ArchiveCampaign writes the runs of the i-th campaign. It was measured on one of four machines with one of
// three versions of the engine.
func ArchiveCampaign(dir string, i int) error {
	w := writer{dir: dir}
	random := rand.New(rand.NewPCG(uint64(i), 7))
	labels := strings.Replace(campaignLabels, `"board"`, fmt.Sprintf(`"board-%d"`, i%4), 1)
	w.write("runs/"+campaignName(i)+"/run.toml", labels+fmt.Sprintf("engine_version = \"0.%d.0\"\n", 10+i%3))
	for _, v := range variants {
		for _, concurrency := range []int{1, 2, 4, 8, 16} {
			for repeat := range 25 {
				w.write(fmt.Sprintf("runs/%s/model=%s/c%d/repeat=%d.log", campaignName(i), v.name, concurrency, repeat), v.run(random, concurrency))
			}
		}
	}
	return w.err
}
