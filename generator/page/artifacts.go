package page

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/page/run"
	"github.com/benchpost/benchpost/generator/page/script"
	"github.com/benchpost/benchpost/generator/result"
)

// artifact is a set of files that are made together. If the stamp of their inputs is unchanged, so are the files.
// Artifacts with the zero stamp are made every time.
type artifact struct {
	name string // unique name; for a page its path
	from func() result.Stamp
	make job
}

// always returns the zero stamp, for artifacts that are made every time.
func always() result.Stamp { return result.Stamp{} }

// stamped returns a stamp that is already known.
func stamped(s result.Stamp) func() result.Stamp { return func() result.Stamp { return s } }

// Render makes every file of the site and passes them to emit one after the other, always in the same order. Paths are
// slash-separated and relative to the site's root. emit may keep the data. Render stops at the first error of emit or
// of a layout and returns it.
func (s *Site) Render(emit func(path string, data []byte) error) error {
	return s.RenderInto(emitter(emit))
}

// RenderInto makes those artifacts of the site that the store has not kept.
func (s *Site) RenderInto(store Store) error {
	p, err := s.Prepare()
	if err != nil {
		return err
	}
	return p.Render(store, nil)
}

// Renderer makes the pages of a site in the state in which the renderer was prepared. Preparing it is most of the cost
// of a single page.
type Renderer struct{ *builder }

// Prepare sorts and indexes everything that pages are made from, and parses the layouts.
func (s *Site) Prepare() (*Renderer, error) {
	b, err := s.newBuilder()
	if err != nil {
		return nil, err
	}
	return &Renderer{b}, nil
}

// Render makes those artifacts of the site that the store has not kept. beside, which may be nil, runs concurrently. It
// ends before the pages that list all data files are made.
func (p *Renderer) Render(store Store, beside func() error) error {
	out := &recorder{Store: store}
	var other error
	var busy sync.WaitGroup
	if beside != nil {
		busy.Go(func() { other = beside() })
	}
	err := inOrder(p.artifacts(), out, p.turn)
	busy.Wait()
	if err = cmp.Or(err, other); err != nil {
		return err
	}
	return p.downloads(out)
}

// Table returns all results as rows of plain columns.
func (p *Renderer) Table() *datapackage.Table { return p.table() }

// Filling returns a renderer of the same pages with another Fill for each post: the function that fill returns.
func (p *Renderer) Filling(fill func(*Post) func(*Post) error) *Renderer {
	b, c := *p.builder, *p.contents
	b.contents, c.posts, c.documents = &c, make(map[string][]*Post, len(c.posts)), make(map[string]map[string]*Post, len(c.documents))
	filled := func(post *Post) *Post {
		own := *post
		own.Fill = fill(post)
		return &own
	}
	for lang, posts := range p.posts {
		for _, post := range posts {
			c.posts[lang] = append(c.posts[lang], filled(post))
		}
	}
	for lang, documents := range p.documents {
		c.documents[lang] = make(map[string]*Post, len(documents))
		for name, one := range documents {
			c.documents[lang][name] = filled(one)
		}
	}
	return &Renderer{&b}
}

// Page makes the files of one page, even if a store has kept them. ok is false if the site has no such page.
func (p *Renderer) Page(path string, emit func(path string, data []byte) error) (ok bool, err error) {
	one, ok := p.find(path)
	if !ok {
		return false, nil
	}
	files, err := one.make()
	for _, f := range files {
		if err == nil {
			err = emit(f.path, f.data)
		}
	}
	return true, err
}

// Data makes the data scripts that contain some results. Pages need these scripts.
func (p *Renderer) Data(results []*result.Result, emit func(path string, data []byte) error) error {
	wanted := map[string]bool{}
	for _, r := range results {
		wanted[data.GroupOf(r)] = true
	}
	for _, pack := range p.packs() {
		if !slices.ContainsFunc(pack.Groups, func(g data.Group) bool { return wanted[g.Name] }) {
			continue
		}
		if err := emit(data.Path(pack.Name), pack.Script(p.Names, p.auxiliary)); err != nil {
			return err
		}
	}
	return nil
}

// find returns the artifact of a page. For a further page of a subject it returns the artifact of the first.
func (b *builder) find(path string) (artifact, bool) {
	if r, ok := b.runAt(path); ok {
		return b.runArtifact(b.place(r)), true
	}
	first := address.FirstPage(path)
	for p := range b.fewArtifacts() {
		if p.name == path || p.name == first {
			return p, true
		}
	}
	return artifact{}, false
}

// runAt returns the run whose page, in any language, has the path.
func (b *builder) runAt(path string) (*result.Result, bool) {
	for _, l := range b.languages {
		if rest, ok := strings.CutPrefix(path, l.dir+"runs/"); ok {
			rest = "runs/" + rest
			if r, ok := b.byID(strings.TrimSuffix(strings.TrimPrefix(rest, "runs/"), ".html")); ok && b.Names.Run(r.ID) == rest {
				return r, true
			}
			for _, r := range b.results {
				if b.Names.Run(r.ID) == rest {
					return r, true
				}
			}
		}
	}
	return nil, false
}

// artifacts returns all artifacts of the site except the downloads pages, which list the others.
func (b *builder) artifacts() iter.Seq[artifact] {
	return func(yield func(artifact) bool) {
		for p := range b.fewArtifacts() {
			if !yield(p) {
				return
			}
		}
		places := make(map[*result.Result]int, len(b.results))
		for i, r := range b.results {
			places[r] = i
		}
		for _, g := range b.dataGroups() {
			for _, r := range g.Runs {
				if !yield(b.inTurn(b.runArtifact(places[r]))) {
					return
				}
			}
			for _, p := range b.blockArtifacts(g) { // while the files read by the runs' pages are cached
				if !yield(b.inTurn(p)) {
					return
				}
			}
		}
		for _, p := range b.copyArtifacts() {
			if !yield(b.inTurn(p)) {
				return
			}
		}
		for _, l := range b.languages {
			if !yield(findArtifact(b, l)) {
				return
			}
		}
		for _, p := range slices.Concat(b.columnArtifacts(), []artifact{{"indexes", always, b.indexes}}, b.dataArtifacts()) {
			if !yield(p) {
				return
			}
		}
	}
}

// fewArtifacts returns the artifacts whose number does not depend on the number of runs.
func (b *builder) fewArtifacts() iter.Seq[artifact] {
	return func(yield func(artifact) bool) {
		for _, a := range b.assetArtifacts() {
			if !yield(a) {
				return
			}
		}
		for _, l := range b.languages {
			for _, k := range kinds() {
				for a := range b.pages(l, k) {
					if !yield(a) {
						return
					}
				}
			}
		}
	}
}

// whole returns the artifact of a page that depends on everything.
func (b *builder) whole(l *language, kind, path string, make job) artifact {
	from := func() result.Stamp { return b.made(l, kind, func(s *result.Stamper) { s.Stamp(b.everything()) }) }
	return artifact{l.dir + path, from, make}
}

// postArtifacts returns the pages of the posts.
func (b *builder) postArtifacts(l *language) iter.Seq[artifact] {
	return each(b.posts[l.tag], func(i int, _ *Post) artifact { return b.postArtifact(l, i) })
}

// modelArtifacts returns the pages of the models.
func (b *builder) modelArtifacts(l *language) iter.Seq[artifact] {
	return each(b.subjects().models, func(_ int, m *model) artifact {
		family := func(s *result.Stamper) {
			s.Value(m.Model)
			for _, id := range b.family(m) {
				s.Text(id)
				s.Results(b.subjects().byModel[id].runs)
			}
			for i := range b.trends {
				if b.trends[i].Model == m.ID {
					s.Results(b.trends[i].Runs())
				}
			}
		}
		return b.subjectArtifact(l, "model", b.Names.Model(m.ID), b.modelPage(l, m), m.runs, family)
	})
}

// boardArtifacts returns the pages of the machines.
func (b *builder) boardArtifacts(l *language) iter.Seq[artifact] {
	return each(b.subjects().boards, func(_ int, m *board) artifact {
		about := func(s *result.Stamper) { s.Value(m.Hardware) }
		return b.subjectArtifact(l, "board", b.Names.Hardware(m.ID), b.boardPage(l, m), m.runs, about)
	})
}

// loadArtifacts returns the pages of the loads and scenarios.
func (b *builder) loadArtifacts(l *language) iter.Seq[artifact] {
	return each(b.subjects().loads, func(_ int, m *load) artifact {
		about := func(s *result.Stamper) { s.Value(m.Load) }
		return b.subjectArtifact(l, "load", b.Names.Load(m.Label, m.Name), b.loadPage(l, m), m.runs, about)
	})
}

// each returns an artifact for each item of a list.
func each[T any](list []T, of func(i int, item T) artifact) iter.Seq[artifact] {
	return func(yield func(artifact) bool) {
		for i, item := range list {
			if !yield(of(i, item)) {
				return
			}
		}
	}
}

// made returns the stamp of a page of a kind. It covers the layouts, the site except results and posts, and what add
// adds.
func (b *builder) made(l *language, kind string, add func(*result.Stamper)) result.Stamp {
	return result.StampOf(func(s *result.Stamper) {
		s.Stamp(b.Key)
		s.Text(l.tag, l.sources["base"], l.sources[kind])
		for _, section := range l.sections {
			s.Text(section.name, l.called(section.name))
		}
		s.Bool(b.hasFeed(l), b.paged())
		add(s)
	})
}

// stampAll returns the stamp of all results and posts, and of what was found about them.
func (b *builder) stampAll() result.Stamp {
	var s result.Stamper
	s.Results(b.results)
	s.Results(b.report.Past)
	s.Stamp(b.drawing)
	for _, l := range b.languages {
		s.Int(len(b.posts[l.tag]))
		for _, p := range b.posts[l.tag] {
			s.Stamp(p.Stamp)
		}
	}
	s.Int(len(b.Unread))
	for _, u := range b.Unread {
		s.Text(u.Name, string(u.Kind))
		s.Words(u.Reason)
	}
	for _, m := range b.messages {
		s.Message(m)
	}
	for _, u := range b.report.Unfinished {
		s.Unfinished(u)
	}
	s.Value(b.Models)
	s.Value(b.Hardware)
	s.Value(b.Loads)
	return s.Sum()
}

// stampCompared adds the results that a page compares, and the orders and styles of their values. A value that
// is new to the site changes only the pages that compare a result with this value.
func (b *builder) stampCompared(s *result.Stamper, runs []*result.Result) {
	s.Results(runs)
	s.Stamp(b.ordered)
	s.Value((&dataset.Selection{Site: dataset.Site{Styles: b.Styles}, Results: runs}).StylesOfOwn())
}

// assetArtifacts returns the files that every page needs.
func (b *builder) assetArtifacts() []artifact {
	artifacts := []artifact{{"assets", always, b.assets}}
	for _, entry := range script.Entries {
		artifacts = append(artifacts, artifact{scriptPath(entry), always, b.script(entry)})
	}
	return artifacts
}

// postArtifact returns the page of a post. The page also names the previous and the next post, and its translations.
func (b *builder) postArtifact(l *language, i int) artifact {
	post := b.posts[l.tag][i]
	from := func() result.Stamp {
		if post.Stamp == (result.Stamp{}) {
			return post.Stamp
		}
		return b.made(l, "post", func(s *result.Stamper) { b.stampPost(s, l, i) })
	}
	return artifact{l.dir + address.Post(post.Slug), from, b.post(l, i)}
}

// stampPost adds a post, its neighbours and its translations.
func (b *builder) stampPost(s *result.Stamper, l *language, i int) {
	post := b.posts[l.tag][i]
	s.Stamp(post.Stamp)
	for _, at := range []int{i - 1, i + 1} {
		if at >= 0 && at < len(b.posts[l.tag]) {
			s.Text(b.posts[l.tag][at].Slug, b.posts[l.tag][at].Title)
		}
	}
	for _, other := range b.languages {
		if translation, ok := b.translation(post, other.tag); ok {
			s.Text(other.tag, translation.Slug, translation.Outline)
		}
	}
}

// subjectArtifact returns the pages of a subject that runs have in common.
func (b *builder) subjectArtifact(l *language, kind, path string, make job, runs []*result.Result, about func(*result.Stamper)) artifact {
	from := func(s *result.Stamper) {
		s.Stamp(b.drawing)
		s.Results(runs)
		about(s)
		if len(b.report.Plans) > 0 { // the pages show the progress of the plans
			s.Stamp(b.everything())
		}
	}
	return artifact{l.dir + path, func() result.Stamp { return b.made(l, kind, from) }, make}
}

// campaignArtifacts returns the tables of the runs of each campaign, if there are too many runs for one page.
func (b *builder) campaignArtifacts(l *language) iter.Seq[artifact] {
	var artifacts []artifact
	campaigns := b.groups().campaigns
	if !b.paged() {
		campaigns = nil
	}
	for _, c := range campaigns {
		pages := slices.Collect(slices.Chunk(c.runs, rowsPerPage))
		for i, runs := range pages {
			from := func() result.Stamp {
				return b.made(l, "results", func(s *result.Stamper) {
					s.Text(c.name)
					s.Int(i, len(pages), len(c.runs))
					s.Results(runs)
					if i == 0 { // the first page has the tradeoffs
						b.stampCompared(s, b.groups().compared[c.name])
						s.Results(b.report.Measuring("quality"))
					}
				})
			}
			artifacts = append(artifacts, artifact{l.dir + b.campaignPageAt(c.name, i), from,
				func() ([]file, error) { return b.resultPage(l, c, i, len(pages), runs) }})
		}
	}
	return slices.Values(artifacts)
}

// runArtifact returns the pages of a run in all languages, and the copy of its source file. The pages show its
// neighbours and the messages about the file.
func (b *builder) runArtifact(place int) artifact {
	r := b.results[place]
	return artifact{b.Names.Run(r.ID), func() result.Stamp { return b.runStamps.at(b, place) }, b.run(r)}
}

// runStamps holds the stamps of the pages of runs that were computed so far.
type runStamps struct {
	of      []atomic.Pointer[result.Stamp] // by place
	results []*result.Result
	byFile  map[string][]result.Message
	trendOf map[string]int
}

// alone reports whether a run's page shows neither a trend nor messages.
func (s *runStamps) alone(r *result.Result) bool {
	_, trended := s.trendOf[r.ID]
	return !trended && len(s.byFile[r.Source.File]) == 0
}

// at returns the stamp of the pages of a run. It reuses the previous stamp if the run and its neighbours are unchanged.
func (s *runStamps) at(b *builder, place int) result.Stamp {
	r, known := b.results[place], (*result.Stamp)(nil)
	if was := b.had; was != nil && was.results[place] == r && was.alone(r) && s.alone(r) && b.neighbours.same(place, was.results) {
		known = was.of[place].Load()
	}
	if known == nil {
		made := result.StampOf(func(to *result.Stamper) { b.stampRun(to, place) })
		known = &made
	}
	s.of[place].Store(known)
	return *known
}

func (b *builder) stampRun(s *result.Stamper, place int) {
	r := b.results[place]
	for _, l := range b.languages {
		s.Stamp(b.runKeys[l])
	}
	s.Stamp(r.Stamp)
	for _, other := range b.order()[place] {
		if other != nil {
			label, load := parts.LoadLabel(other)
			s.Text(other.ID, parts.RunName(other), label, load)
		} else {
			s.Text("")
		}
	}
	run.StampNear(s, b.neighbours.of(place))
	for _, m := range b.byFile[r.Source.File] {
		s.Message(m)
	}
	if i, ok := b.trendOf[r.ID]; ok {
		s.Results(b.trends[i].Runs())
	}
	s.Bool(b.rawOwner()[r.Source.File] == r)
	for _, f := range r.Files() {
		s.Text(b.version(f.Name))
	}
}

// version returns the version of a file, "" if files do not change.
func (b *contents) version(file string) string {
	if b.Version == nil {
		return ""
	}
	return b.Version(file)
}

// copyArtifacts returns the raw files that are published unchanged.
func (b *contents) copyArtifacts() []artifact {
	if b.Copies == nil {
		return nil
	}
	var artifacts []artifact
	for _, c := range b.Copies() {
		artifacts = append(artifacts, artifact{c.Path, stamped(c.Stamp), func() ([]file, error) {
			data, err := c.Read()
			return []file{{path: c.Path, data: data}}, err
		}})
	}
	return artifacts
}

// columnArtifacts returns the data scripts of all results.
func (b *contents) columnArtifacts() []artifact {
	var artifacts []artifact
	for _, pack := range b.packs() {
		from := result.StampOf(func(s *result.Stamper) {
			s.Stamp(b.Key)
			s.Results(pack.Results())
		})
		path := data.Path(pack.Name)
		artifacts = append(artifacts, artifact{path, stamped(from), func() ([]file, error) {
			return []file{{path: path, data: pack.Script(b.Names, b.auxiliary)}}, nil
		}})
	}
	return artifacts
}

// packs returns the packs of all results, one for each data script.
func (b *contents) packs() []data.Pack { return data.Packs(b.results) }

// auxiliary reports whether a result is auxiliary.
func (b *contents) auxiliary(r *result.Result) bool { return b.Auxiliary != nil && b.Auxiliary(r) }

// dataGroups groups the results by the document that contains them.
func (b *contents) dataGroups() []data.Group { return data.Groups(b.results) }

// blockArtifacts returns the scripts with the raw text of the results of a group.
func (b *contents) blockArtifacts(g data.Group) []artifact {
	if b.Raw == nil {
		return nil
	}
	raw := func(r *result.Result) (string, int, error) {
		raw, err := b.Raw(r)
		return string(raw.Data), raw.First, err
	}
	var artifacts []artifact
	for _, blocks := range data.SpreadBlocks(b.Names, g) {
		from := result.StampOf(func(s *result.Stamper) {
			s.Results(blocks.Runs)
			for _, r := range blocks.Runs {
				s.Text(b.version(r.Source.File))
			}
		})
		path := data.Path(blocks.Name)
		artifacts = append(artifacts, artifact{path, stamped(from), func() ([]file, error) {
			return []file{{path: path, data: blocks.Script(raw)}}, nil
		}})
	}
	return artifacts
}

// inTurn makes an artifact that reads files of the site wait for its turn.
func (b *contents) inTurn(a artifact) artifact {
	make := a.make
	a.make = func() ([]file, error) {
		defer b.turn()()
		return make()
	}
	return a
}

// turn waits until files of the site may be read. done ends the turn.
func (b *contents) turn() (done func()) {
	if b.Turn == nil {
		return func() {}
	}
	return b.Turn()
}
