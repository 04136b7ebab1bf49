package assembly

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shard"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// Apart says which parts of an archive are published, and how.
type Apart struct {
	Site   site.Options // of the whole: each part has its output in a folder of Out
	Shards []string     // as shard.Find takes them
	Parts  []string     // folders in runs/ that are published; all when empty
}

// BuiltPart is a part that was built, with what site.Build returned.
type BuiltPart struct {
	Name     string
	Summary  site.Summary
	Messages []result.Message
}

// BuildParts publishes folders of runs as sites of their own, one after the other, and a page that links all parts
// of the archive. Only one part is in memory, and on the disk as files; what the page says of the others comes
// from the columns of the shards. A part whose shards have not changed costs no more than to see that.
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
	parts, err := set.Parts()
	if err != nil {
		return err
	}
	wanted := a.Parts
	for _, name := range wanted {
		if !slices.ContainsFunc(parts, func(p shard.Part) bool { return p.Name == name }) {
			return locale.Errorf("no shard has results of runs/%s", name)
		}
	}
	if len(wanted) == 0 {
		for _, p := range parts {
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
	return link(opt.Out, &about, parts)
}

// buildPart makes the site of a part.
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

//go:embed parts.html
var partsPage string

var partsTemplate = template.Must(template.New("parts").Parse(partsPage))

// link writes the page that links the parts.
func link(out string, about *config.Config, parts []shard.Part) error {
	p, _ := locale.For(about.Languages[0])
	type row struct {
		Href, Name, Results, Models, Hardware, Engines string
	}
	data := struct {
		Lang, Title, Sentence string
		Heads                 []string
		Rows                  []row
	}{Lang: about.Languages[0], Title: p.Say(about.Title.Text)}
	total := 0
	for _, part := range parts {
		total += part.Results
		list := func(values []string) string { return strings.Join(values, ", ") }
		href := url.PathEscape(part.Name) + "/site/index.html"
		if _, err := os.Stat(filepath.Join(out, part.Name, "site", "index.html")); err != nil {
			href = "" // it is not built yet
		}
		data.Rows = append(data.Rows, row{href, part.Name, p.Number(float64(part.Results), 0), list(part.Models), list(part.Hardware), list(part.Engines)})
	}
	data.Sentence = p.Say(locale.Textf("%s results in %s parts, each of them a site", p.Number(float64(total), 0), p.Number(float64(len(parts)), 0)))
	for _, head := range []locale.Text{locale.LabelName("campaign"), locale.T("page.results"), locale.LabelName("model"), locale.LabelName("hardware"), locale.LabelName("engine")} {
		data.Heads = append(data.Heads, p.Say(locale.Outside(head)))
	}
	var page bytes.Buffer
	if err := partsTemplate.Execute(&page, data); err != nil {
		return err
	}
	to, err := publish.At(out, publish.Options{Foreign: publish.Refuse}).Open()
	if err != nil {
		return err
	}
	if err := to.Put("index.html", page.Bytes()); err != nil {
		return errors.Join(err, to.Discard())
	}
	_, err = to.Commit()
	return err
}
