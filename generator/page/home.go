package page

import (
	"cmp"
	"html/template"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/page/problem"
	"github.com/benchpost/benchpost/generator/result"
)

// homeData is the data of home.html.
type homeData struct {
	Description string
	Counts      []tally
	Running     template.HTML // running benchmarks, if any
	Posts       []postEntry
	Start       []startEntry
	Runs        template.HTML // the newest
	Models      template.HTML
	Problems    template.HTML // the first of them
	MorePosts   bool          // there are more than the page shows
	MoreRuns    bool
	MoreModels  bool
}

// tally is a number of things with a link to them.
type tally struct {
	Number int
	Words  string // " runs": the words after the number, with the space
	Href   template.URL
	Alert  bool
}

type postEntry struct {
	Title, Lang   string
	Foreign       string // name of the language if it differs from the page's
	Href          template.URL
	Date, ISODate string
	Tags          []string
	Excerpt       template.HTML
	Image         template.URL
}

const (
	homePosts    = 20
	homeRuns     = 10
	homeModels   = 20
	homeProblems = 6
)

func (v *composer) homePage() (any, error) {
	p := v.l.Printer
	v.pg.Title, v.pg.Description = "", p.Say(v.Description)
	d := &homeData{Description: v.pg.Description, Posts: v.postEntries()}
	found := v.problems()
	add := func(n int, key, path string, alert bool) {
		words := strings.TrimPrefix(p.Words(key, n), strconv.Itoa(n))
		d.Counts = append(d.Counts, tally{n, words, template.URL(v.pg.home + path), alert})
	}
	add(len(v.results), "page.runs.n", "results/index.html", false)
	add(len(v.subjects().models), "page.models.n", "models/index.html", false)
	posts := "index.html#posts"
	if d.MorePosts = len(d.Posts) > homePosts; d.MorePosts {
		posts = postsPath
	}
	add(len(d.Posts), "page.posts.n", posts, false)
	d.Posts = d.Posts[:min(homePosts, len(d.Posts))]
	add(len(found), "page.problems.n", "problems/index.html", len(found) > 0)
	d.Running = v.runningList()
	if len(v.results) > 0 {
		d.Start = v.start(p, v.pg.home)
	}
	newest := v.newest(homeRuns)
	t := parts.RunTable{Runs: newest, Home: v.pg.home, L: &v.l.Reader, Figures: 4, Labels: 2, ShowCampaign: len(v.groups().campaigns) > 1}
	d.Runs, d.MoreRuns = t.HTML(""), len(v.results) > len(newest)
	if len(v.subjects().models) <= homeModels {
		d.Models = v.modelTable()
	}
	d.MoreModels = len(v.subjects().models) > homeModels
	few := problem.Summed(found)
	d.Problems = v.problemWriter().HTML(few[:min(homeProblems, len(few))])
	return d, nil
}

// postEntries lists the posts of the language, and the posts of other languages without a translation into it.
func (v *composer) postEntries() []postEntry {
	var posts []*Post
	posts = append(posts, v.posts[v.l.tag]...)
	for _, other := range v.languages {
		if other == v.l {
			continue
		}
		for _, p := range v.posts[other.tag] {
			if _, ok := v.translation(p, v.l.tag); !ok {
				posts = append(posts, p)
			}
		}
	}
	slices.SortStableFunc(posts, func(x, y *Post) int { return y.Date.Compare(x.Date) })
	var entries []postEntry
	for _, p := range posts {
		e := postEntry{
			Title:   p.Title,
			Lang:    p.Lang,
			Href:    template.URL(address.Root(v.l.dir+v.pg.path) + address.Escape(v.PostPage(p.Lang, p.Slug))),
			Date:    day(v.l.Printer, p.Date),
			ISODate: isoDay(p.Date),
			Tags:    unique(slices.Concat(p.Categories, p.Tags)),
			Excerpt: p.Excerpt,
		}
		if p.Lang != v.l.tag {
			i := slices.IndexFunc(v.languages, func(o *language) bool { return o.tag == p.Lang })
			e.Foreign = v.languages[i].Printer.Name()
			e.Excerpt = "" // its references are relative to the other front page
		}
		if p.Image != "" {
			e.Image = template.URL(address.Root(v.l.dir+v.pg.path) + address.Escape(p.Image))
		}
		entries = append(entries, e)
	}
	return entries
}

// newest returns the n runs with the latest date. It skips excluded and incomplete runs. Runs without a date come last;
// otherwise the order is kept.
func (b *contents) newest(n int) []*result.Result {
	var runs []*result.Result
	for _, r := range b.results {
		if !r.Excluded() && r.Status == result.Complete {
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, func(x, y *result.Result) int {
		return strings.Compare(y.Label("date"), x.Label("date"))
	})
	return runs[:min(n, len(runs))]
}

const postsPath = "posts/index.html"

// postsPerPage is the maximum number of posts in a list: about 150 KB of HTML.
const postsPerPage = 500

// postsData is the data of posts.html: a part of the list of all posts.
type postsData struct {
	Total int
	Posts []postEntry // without excerpts and pictures
	Pages []pageLink  // if there are several
}

// manyPosts reports whether the front page lacks room for all posts of a language.
func (b *contents) manyPosts() bool {
	for _, posts := range b.posts {
		if len(posts) > homePosts {
			return true
		}
	}
	return false
}

// postsPages returns the number of pages that list the given number of posts.
func postsPages(posts int) int { return max(1, (posts+postsPerPage-1)/postsPerPage) }

// postsPages returns the pages that list all posts, if the front page does not.
func (b *builder) postsPages(l *language) iter.Seq[artifact] {
	if !b.manyPosts() {
		return slices.Values[[]artifact](nil)
	}
	return slices.Values([]artifact{b.whole(l, "posts", postsPath, func() ([]file, error) {
		entries := func(v *composer) []postEntry { return v.postEntries() }
		return listPosts(b, l, postsPath, l.Printer.Words("page.posts"), entries, nil)
	})})
}

// listPosts makes the pages of a list of posts. also, which may be nil, completes each page.
func listPosts(b *builder, l *language, path, title string, entries func(*composer) []postEntry, also func(*composer)) ([]file, error) {
	var files []file
	for i, pages := 0, 1; i < pages; i++ {
		v := b.compose(l, "posts", address.Page(path, i), title)
		all := entries(v)
		pages = postsPages(len(all))
		own := all[i*postsPerPage : min((i+1)*postsPerPage, len(all))]
		var titles []string
		for _, post := range own {
			titles = append(titles, post.Title)
		}
		v.pg.Description = l.site.List(title, titles)
		v.pg.Data = &postsData{len(all), own, pageLinks(pages, i, func(n int) string { return v.pg.home + address.Escape(address.Page(path, n)) })}
		if also != nil {
			also(v)
		}
		made, err := v.finish()
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}

// tagPath returns the page of a tag. Tags that differ only in case or Unicode form share a page.
func tagPath(tag string) string { return "tags/" + address.FileName(address.Fold(tag)) + ".html" }

// tagsData is the data of tags.html.
type tagsData struct {
	Tags []tagEntry
}

// tagEntry is a tag of posts.
type tagEntry struct {
	Name  string // as the newest of them writes it
	Href  template.URL
	Posts int
}

// hasTags reports whether a post has a tag.
func (b *contents) hasTags() bool {
	for _, posts := range b.posts {
		if slices.ContainsFunc(posts, func(p *Post) bool { return len(p.Categories)+len(p.Tags) > 0 }) {
			return true
		}
	}
	return false
}

// tagged returns the posts of each tag in a language, by the path of its page.
func tagged(entries []postEntry) map[string][]postEntry {
	of := map[string][]postEntry{}
	for _, e := range entries {
		for _, path := range unique(e.tagPaths()) {
			of[path] = append(of[path], e)
		}
	}
	return of
}

// tagPaths returns the pages of the entry's tags, in order.
func (e *postEntry) tagPaths() []string {
	paths := make([]string, len(e.Tags))
	for i, tag := range e.Tags {
		paths[i] = tagPath(tag)
	}
	return paths
}

// tagName returns the name of a tag as written in its newest post.
func tagName(posts []postEntry, path string) string {
	return posts[0].Tags[slices.Index(posts[0].tagPaths(), path)]
}

// tagsPage lists the tags, the most frequent first.
func (v *composer) tagsPage() (any, error) {
	return &tagsData{v.tagEntries()}, nil
}

func (v *composer) tagEntries() []tagEntry {
	var tags []tagEntry
	for path, posts := range tagged(v.postEntries()) {
		tags = append(tags, tagEntry{tagName(posts, path), template.URL(v.pg.home + address.Escape(path)), len(posts)})
	}
	slices.SortFunc(tags, func(x, y tagEntry) int {
		return cmp.Or(cmp.Compare(y.Posts, x.Posts), strings.Compare(address.Fold(x.Name), address.Fold(y.Name)))
	})
	return tags
}

// tagPages returns the pages of the tags, which list their posts. They are made again when the title, date or tags of a
// post change, but not when a figure changes.
func tagPages(b *builder, l *language) iter.Seq[artifact] {
	if !b.hasTags() {
		return slices.Values[[]artifact](nil)
	}
	from := func() result.Stamp {
		return b.made(l, "posts", func(s *result.Stamper) {
			for _, other := range b.languages {
				for _, p := range b.posts[other.tag] {
					s.Text(p.Lang, p.Slug, p.Title, isoDay(p.Date), p.Translations[l.tag])
					s.Value(slices.Concat(p.Categories, p.Tags))
				}
			}
		})
	}
	return slices.Values([]artifact{{l.dir + "tags", from, func() ([]file, error) {
		byDepth := map[int]map[string][]postEntry{} // relative links in entries depend on the depth of the page
		entries := func(v *composer) map[string][]postEntry {
			depth := strings.Count(v.pg.path, "/")
			if byDepth[depth] == nil {
				byDepth[depth] = tagged(v.postEntries())
			}
			return byDepth[depth]
		}
		first := entries(b.compose(l, "posts", tagPath("any"), ""))
		elsewhere := map[string]map[string][]postEntry{}
		for _, other := range b.languages {
			elsewhere[other.tag] = tagged(b.compose(other, "posts", tagPath("any"), "").postEntries())
		}
		var files []file
		for _, path := range slices.Sorted(maps.Keys(first)) {
			made, err := listPosts(b, l, path, "#"+tagName(first[path], path), func(v *composer) []postEntry { return entries(v)[path] }, func(v *composer) {
				for i := range v.pg.Elsewhere {
					if to := &v.pg.Elsewhere[i]; elsewhere[to.Lang][path] == nil {
						to.Href, to.Same = template.URL(address.Root(l.dir+v.pg.path)+address.Escape(b.dir(to.Lang)+"index.html")), false
					}
				}
			})
			if err != nil {
				return nil, err
			}
			files = append(files, made...)
		}
		return files, nil
	}}})
}
