package assembly

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/whole"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shard"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// Apart configures BuildParts.
type Apart struct {
	Site   site.Options // for the whole archive: each part is written to a folder of Out
	Shards []string     // names for shard.Find
	Parts  []string     // folders in runs/ to publish; all when empty
}

// BuiltPart is a part that was built, with the results of site.Build.
type BuiltPart struct {
	Name     string
	Summary  site.Summary
	Messages []result.Message
}

// BuildParts publishes folders of runs as separate sites, one after another, and the pages of the whole archive with
// links to them. Only one part at a time is in memory and unpacked on disk; the pages get their content about the
// others from the columns of the shards. A part whose shards have not changed only costs that check.
func BuildParts(ctx context.Context, a Apart, built func(BuiltPart)) error {
	opt := a.Site
	set, err := shard.Find(a.Shards)
	if err != nil {
		return err
	}
	about, ms := config.Read(opt.Dir)
	if slices.ContainsFunc(ms, func(m result.Message) bool { return m.Severity == result.Error }) {
		built(BuiltPart{Messages: ms})
		return site.ErrConfig
	}
	done, err := cache.Lock(ctx, opt.Dir, "shards", func() { opt.Progress("waiting for another benchpost") })
	if err != nil {
		return err
	}
	defer done()
	opt.Progress("reading shards")
	found := cache.OpenStore(opt.Dir, "census")
	all, err := census.Of(ctx, set, kept{found})
	if err != nil {
		return err
	}
	found.Prune(true)
	wanted := a.Parts
	for _, name := range wanted {
		if !slices.ContainsFunc(all.Parts, func(p census.Part) bool { return p.Name == name }) {
			return locale.Errorf("no shard has results of runs/%s", name)
		}
	}
	if len(wanted) == 0 {
		for _, p := range all.Parts {
			wanted = append(wanted, p.Name)
		}
	}
	if opt.Out == "" {
		opt.Out = filepath.Join(opt.Dir, "public")
	}
	for _, name := range wanted {
		one, err := buildPart(ctx, opt, set, name)
		if errors.Is(err, context.Canceled) {
			return locale.Errorf("interrupted at %s; the parts that were built stay", name)
		}
		if err != nil {
			return err
		}
		built(one)
	}
	return writeWhole(opt, &about, all)
}

// buildPart builds the site of a part.
func buildPart(ctx context.Context, opt site.Options, set *shard.Set, name string) (BuiltPart, error) {
	home, err := cache.Folder(opt.Dir, filepath.Join("parts", name))
	if err != nil {
		return BuiltPart{}, err
	}
	opt.Into, opt.Runs, opt.Out, opt.Part, opt.Apart = home, filepath.Join(home, "runs"), filepath.Join(opt.Out, name), name, true
	opt.Repository = opt.Dir
	if err := set.Unpack(ctx, opt.Runs, name); err != nil {
		return BuiltPart{}, err
	}
	summary, ms, err := site.Build(ctx, opt)
	return BuiltPart{name, summary, ms}, err
}

// kept caches what the census finds in shards.
type kept struct{ *cache.Store }

// Key depends on the name and mark of a shard. It is nil for a shard written only a moment ago.
func (kept) Key(name string) []byte {
	file := cache.FileOf("", name)
	if file.Mark.Fresh(filemark.Settled) {
		return nil
	}
	key := cache.Key(cache.FilesKey{Files: []cache.File{file}})
	return key[:]
}

// writeWhole writes the pages of the whole archive beside the folders of its parts.
func writeWhole(opt site.Options, about *config.Config, all *census.Census) error {
	titles, orders := about.Labels()
	archive := whole.Archive{Title: about.Title.Text, Author: about.Author, Languages: about.Languages, Census: all, Titles: titles, Orders: orders, Has: func(name string) bool {
		_, err := os.Stat(filepath.Join(opt.Out, filepath.FromSlash(name)))
		return err == nil
	}}
	look := page.Site{Layouts: site.Layouts(opt.Dir)}
	to, err := publish.At(opt.Out, publish.Options{Foreign: publish.Refuse}).Open()
	if err != nil {
		return err
	}
	if err := errors.Join(look.Assets(to.Put), archive.Render(to.Put)); err != nil {
		return errors.Join(err, to.Discard())
	}
	_, err = to.Commit()
	return err
}
