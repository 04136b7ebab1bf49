package page

import (
	"cmp"
	"html/template"
	"iter"
	"runtime"
	"slices"
	"strings"

	"benchpost/generator/bench"
)

// file is one file of the site.
type file struct {
	path string
	data []byte
}

// job makes some files; jobs are independent of each other.
type job func() ([]file, error)

// builder holds the site while it is rendered: everything sorted and indexed
// once, and read-only from then on.
type builder struct {
	*Site
	base      string // BaseURL with a slash at its end, or ""
	languages []*language
	posts     map[string][]*Post // by language, newest first
	results   []*bench.Result    // in order
	models    []*model
	byModel   map[string]*model
	campaigns []campaignRuns
	messages  []bench.Message            // in order
	byFile    map[string][]bench.Message // messages of a file
	rawOwner  map[string]*bench.Result   // the result that emits the copy of a file
	byID      map[string]*bench.Result
}

func (s *Site) newBuilder() (*builder, error) {
	b := &builder{
		Site:     s,
		base:     s.BaseURL,
		posts:    map[string][]*Post{},
		results:  slices.Clone(s.Results),
		messages: slices.Clone(s.Messages),
		byFile:   map[string][]bench.Message{},
		rawOwner: map[string]*bench.Result{},
		byID:     map[string]*bench.Result{},
	}
	if b.base != "" && !strings.HasSuffix(b.base, "/") {
		b.base += "/"
	}
	for _, tag := range s.Languages {
		l, err := s.newLanguage(tag)
		if err != nil {
			return nil, err
		}
		b.languages = append(b.languages, l)
	}
	for i := range s.Posts {
		p := &s.Posts[i]
		b.posts[p.Lang] = append(b.posts[p.Lang], p)
	}
	for _, posts := range b.posts {
		slices.SortFunc(posts, func(x, y *Post) int {
			return cmp.Or(y.Date.Compare(x.Date), strings.Compare(x.Slug, y.Slug))
		})
	}
	slices.SortFunc(b.results, bench.Compare)
	bench.SortMessages(b.messages)
	for _, m := range b.messages {
		b.byFile[m.Pos.File] = append(b.byFile[m.Pos.File], m)
	}
	for _, r := range b.results {
		b.byID[r.ID] = r
		if _, ok := b.rawOwner[r.Source.File]; !ok {
			b.rawOwner[r.Source.File] = r
		}
	}
	b.collectModels()
	b.collectCampaigns()
	return b, nil
}

// Render makes every file of the site and hands them to emit one after the
// other, always in the same order. Paths are slash-separated and relative to
// the site's root. Emit may keep the data. The first error of emit or of a
// layout ends the work and is returned.
func (s *Site) Render(emit func(path string, data []byte) error) error {
	b, err := s.newBuilder()
	if err != nil {
		return err
	}
	return inOrder(b.jobs(), emit)
}

// runsPerJob keeps the cost of handing a job over small beside its work.
const runsPerJob = 16

func (b *builder) jobs() iter.Seq[job] {
	return func(yield func(job) bool) {
		single := []job{b.assets}
		for _, l := range b.languages {
			single = append(single, b.home(l), b.modelIndex(l), b.problems(l))
			for i := range b.posts[l.tag] {
				single = append(single, b.post(l, i))
			}
			for _, m := range b.models {
				single = append(single, b.modelPage(l, m))
			}
			single = append(single, b.resultPages(l)...)
		}
		for _, j := range single {
			if !yield(j) {
				return
			}
		}
		for rs := range slices.Chunk(b.results, runsPerJob) {
			if !yield(b.runs(rs)) {
				return
			}
		}
		yield(b.indexes)
	}
}

// inOrder runs jobs on all processors and emits their files in the order of
// the jobs. Only a few jobs are under way at any time.
func inOrder(jobs iter.Seq[job], emit func(path string, data []byte) error) error {
	type outcome struct {
		files []file
		err   error
	}
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan chan outcome, 2*workers)
	busy := make(chan struct{}, workers)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(queue)
		for j := range jobs {
			done := make(chan outcome, 1)
			select {
			case queue <- done:
			case <-stop:
				return
			}
			busy <- struct{}{}
			go func() {
				files, err := j()
				<-busy
				done <- outcome{files, err}
			}()
		}
	}()
	for done := range queue {
		out := <-done
		if out.err != nil {
			return out.err
		}
		for _, f := range out.files {
			if err := emit(f.path, f.data); err != nil {
				return err
			}
		}
	}
	return nil
}

// page begins a page: everything of it but its data. Path is relative to the
// language's folder.
func (b *builder) page(l *language, kind, section, path, title string) *Page {
	at := root(l.dir + path)
	pg := &Page{
		Kind:    kind,
		Section: section,
		Lang:    l.tag,
		Policy:  Policy,
		Site:    l.printer.Say(b.Title),
		Title:   title,
		Author:  b.Author,
		Root:    template.URL(at),
		Home:    template.URL(at + escapePath(l.dir)),
		Feed:    b.hasFeed(l),
	}
	if b.base != "" {
		pg.Canonical = b.base + escapePath(l.dir+path)
	}
	for _, other := range b.languages {
		if other != l {
			pg.Elsewhere = append(pg.Elsewhere, b.version(other, at, path, true))
		}
	}
	return pg
}

// version points from a page whose root is at to a path in another language.
func (b *builder) version(l *language, at, path string, same bool) Version {
	v := Version{Lang: l.tag, Name: l.printer.Name(), Href: template.URL(at + escapePath(l.dir+path)), Same: same}
	if b.base != "" {
		v.Absolute = b.base + escapePath(l.dir+path)
	}
	return v
}

// finish lays a page out into a file.
func (l *language) finish(pg *Page, path string) ([]file, error) {
	data, err := l.execute(pg.Kind, pg)
	return []file{{l.dir + path, data}}, err
}
