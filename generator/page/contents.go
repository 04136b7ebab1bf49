package page

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/pairing"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/page/run"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// contents holds what is in a site, sorted and indexed once, and read-only afterwards.
type contents struct {
	*Site
	base       string                      // BaseURL with a slash at its end, or ""
	posts      map[string][]*Post          // by language, newest first
	documents  map[string]map[string]*Post // by language and name
	results    []*result.Result            // in order
	subjects   func() *subjects            // what runs have in common; not needed for pages of runs and posts
	trends     []trends.Trend
	trendOf    map[string]int // of a run's id
	events     []event        // of the trends, the latest first
	trended    result.Stamp   // stamp of the inputs of the trends
	plans      []report.Table // the progress of each plan
	report     *dataset.Selection
	groups     func() *groups
	pairs      func() []pairing.Pair            // pairs that are worth comparing
	neighbours *near                            // runs that differ in one setting
	sameTerms  bool                             // the runs have the same terms as in Before and differ only in figures
	order      func() [][2]*result.Result       // the runs before and after each in its campaign; nil for none
	messages   []result.Message                 // in order
	byFile     map[string][]result.Message      // messages of a file
	rawOwner   func() map[string]*result.Result // the result that emits the copy of a file
	rules      map[string]bool                  // ids of checks that the methodology explains
	table      func() *datapackage.Table        // of all results
	columns    func() *datapackage.Table        // of results with the same terms
}

// subjects holds what runs have in common.
type subjects struct {
	models  []*model
	byModel map[string]*model
	boards  []*board
	loads   []*load
}

// groups holds the runs by campaign.
type groups struct {
	campaigns []runGroup
	inGroup   map[string][]*result.Result
	compared  map[string][]*result.Result // without auxiliary runs
}

// contents sorts and indexes what is in a site.
func (s *Site) contents() *contents {
	b := &contents{
		Site:      s,
		base:      s.Address(),
		posts:     map[string][]*Post{},
		documents: map[string]map[string]*Post{},
		results:   slices.Clone(s.Results),
		messages:  slices.Clone(s.Messages),
		byFile:    map[string][]result.Message{},
		rules:     s.Method.ids(),
	}
	for i := range s.Posts {
		p := &s.Posts[i]
		b.posts[p.Lang] = append(b.posts[p.Lang], p)
	}
	for i := range s.Documents {
		p := &s.Documents[i]
		if b.documents[p.Lang] == nil {
			b.documents[p.Lang] = map[string]*Post{}
		}
		b.documents[p.Lang][p.Slug] = p
	}
	for _, posts := range b.posts {
		slices.SortFunc(posts, func(x, y *Post) int {
			return cmp.Or(y.Date.Compare(x.Date), strings.Compare(x.Slug, y.Slug))
		})
	}
	b.sameTerms = s.Before != nil && dataset.SameTerms(s.Before.results, b.results)
	if !b.sameTerms && !slices.IsSortedFunc(b.results, result.Compare) {
		slices.SortFunc(b.results, result.Compare)
	}
	result.SortMessages(b.messages)
	for _, m := range b.messages {
		b.byFile[m.Pos.File] = append(b.byFile[m.Pos.File], m)
	}
	if b.report = s.Report; b.report == nil {
		b.report = &dataset.Selection{Site: dataset.Site{Titles: s.Titles, Order: s.Orders}, Results: b.results}
	}
	b.rawOwner = sync.OnceValue(b.owners)
	var collecting sync.WaitGroup
	b.subjects = sync.OnceValue(func() *subjects {
		s := &subjects{}
		s.collectModels(b)
		s.collectBoards(b)
		s.collectLoads(b)
		return s
	})
	b.groups = sync.OnceValue(b.collectCampaigns)
	if b.sameTerms {
		b.neighbours, b.columns = s.Before.neighbours.among(b.results), s.Before.columns
	} else {
		results := b.results // kept by later builders
		b.neighbours, b.columns = newNear(results), sync.OnceValue(func() *datapackage.Table { return datapackage.Of(results) })
	}
	b.table = func() *datapackage.Table { return b.columns().Among(b.results) }
	b.order = sync.OnceValue(b.besides)
	b.pairs = sync.OnceValue(func() []pairing.Pair { return pairing.Of(b.report.Results, mostSuggested) })
	for _, collect := range []func(){
		b.collectTrends,
		func() { b.plans = coverage.Tables(b.report) },
	} {
		collecting.Go(collect)
	}
	collecting.Wait()
	return b
}

// owners returns, for each file, the result that emits its copy: the first one of the file.
func (b *contents) owners() map[string]*result.Result {
	owners := make(map[string]*result.Result, len(b.results))
	for _, r := range b.results {
		if _, ok := owners[r.Source.File]; !ok {
			owners[r.Source.File] = r
		}
	}
	return owners
}

// byID returns the run with an id.
func (b *contents) byID(id string) (*result.Result, bool) {
	i, ok := slices.BinarySearchFunc(b.results, id, func(r *result.Result, id string) int { return result.NaturalCompare(r.ID, id) })
	if !ok {
		return nil, false
	}
	return b.results[i], true
}

// besides returns the runs before and after each in its campaign; nil for none.
func (b *contents) besides() [][2]*result.Result {
	around, last := make([][2]*result.Result, len(b.results)), map[string]int{}
	for i, r := range b.results {
		campaign := parts.Campaign(r)
		if before, ok := last[campaign]; ok {
			around[i][0], around[before][1] = b.results[before], r
		}
		last[campaign] = i
	}
	return around
}

// place returns the index of a run among all.
func (b *contents) place(r *result.Result) int {
	i, _ := slices.BinarySearchFunc(b.results, r, result.Compare)
	return i
}

// near finds the runs that differ from a run in one setting, as listed on its page. It caches them.
type near struct {
	results    []*result.Result
	first      func() *dataset.Neighbours            // of the first results with these terms
	neighbours func() *dataset.Neighbours            // of these results
	found      []atomic.Pointer[[]dataset.Variation] // by place; Runs is nil
}

func newNear(results []*result.Result) *near {
	first := sync.OnceValue(func() *dataset.Neighbours { return dataset.NewNeighbours(results) })
	return &near{results, first, first, make([]atomic.Pointer[[]dataset.Variation], len(results))}
}

// among returns the same for other results with the same terms. It keeps the cached neighbours, except beside runs
// whose exclusion has changed.
func (n *near) among(results []*result.Result) *near {
	first := n.first
	other := &near{results, first, sync.OnceValue(func() *dataset.Neighbours { return first().Among(results) }), n.found}
	var others []int32 // places of runs whose neighbours have changed
	for place, r := range results {
		if was := n.results[place]; r != was && r.Excluded() != was.Excluded() {
			others = append(others, first().Beside(place)...)
		}
	}
	if len(others) == 0 {
		return other
	}
	other.found = make([]atomic.Pointer[[]dataset.Variation], len(n.found))
	for i := range n.found {
		other.found[i].Store(n.found[i].Load())
	}
	for _, at := range others {
		other.found[at].Store(nil)
	}
	return other
}

// same reports whether the neighbours of the run at a place are known, and are the same runs as in since.
func (n *near) same(place int, since []*result.Result) bool {
	known := n.found[place].Load()
	return known != nil && !slices.ContainsFunc(*known, func(v dataset.Variation) bool {
		return slices.ContainsFunc(v.Places, func(at int32) bool { return n.results[at] != since[at] })
	})
}

// of returns the neighbours of the run at a place.
func (n *near) of(place int) []dataset.Variation {
	if known := n.found[place].Load(); known != nil {
		near := slices.Clone(*known)
		for i := range near {
			near[i].Runs = make([]*result.Result, len(near[i].Places))
			for j, at := range near[i].Places {
				near[i].Runs[j] = n.results[at]
			}
		}
		return near
	}
	near := run.Near(n.neighbours(), place)
	places := slices.Clone(near)
	for i := range places {
		places[i].Runs = nil
	}
	n.found[place].Store(&places)
	return near
}
