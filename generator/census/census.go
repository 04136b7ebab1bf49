// Package census finds what the runs of an archive come to, however many they are: of those that were measured under
// the same conditions the best, the median and the worst figure of the leading metrics, each with its run, and the
// folders in runs/ that they are in.
//
//	c, err := census.Of(ctx, set, kept)
//	for _, row := range c.Rows { … }
//
// It reads columns of shards, never the files in them, and only of shards that have changed: what it finds in each is
// kept. Of all runs only their figures are in memory, a number each, so that a median is that of all; the names of the
// runs that are shown are looked up at the end.
//
// Runs that a site counts nowhere are left out: excluded, auxiliary, partial and failed ones, and those of which nothing
// says which model ran.
package census

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shard"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Census is what the runs of an archive come to.
type Census struct {
	Results int    // of all parts
	Runs    int    // of them that count
	Parts   []Part // by name
	Rows    []Row  // in an order that the conditions alone decide
}

// Part is a folder in runs/ that has results.
type Part struct {
	Name     string
	Results  int
	Runs     int      // of them that count
	Models   []string // of all results, sorted; so are the others
	Hardware []string
	Engines  []string
}

// Row is runs that were measured under the same conditions.
type Row struct {
	Labels  result.Labels // in which they agree, as dataset.Conditions has them
	Runs    int
	Parts   []Share  // by part
	Figures []Figure // the leading metrics that any of them has
}

// Share is how many runs are in a part.
type Share struct {
	Part int // its place in Census.Parts
	Runs int
}

// Figure is what runs reached in a metric. As on pages of sites, the median is a run, of two in the middle the
// worse; of equal figures that of the run whose name comes first counts.
type Figure struct {
	Runs                int // that have the metric
	Best, Median, Worst Reading
}

// Reading is the figure of a run.
type Reading struct {
	result.Metric
	Part int    // of the run
	Run  string // its id
}

// mostFigures is how many metrics of a run count: the first of those with which pages of models begin.
const mostFigures = 3

// metrics are those with which pages of models begin, but for the ones that only one tool gives a unit.
var metrics = slices.DeleteFunc(vocabulary.Listed(vocabulary.View), func(name string) bool {
	d, _ := vocabulary.Define(name)
	return d.Unit == ""
})

// Of takes the census of some shards, and has them know what they contain. What is found in a shard is kept by its
// key; nothing depends on that.
func Of(ctx context.Context, set *shard.Set, kept Kept) (*Census, error) {
	r, err := newReader(ctx, set, kept)
	if err != nil {
		return nil, err
	}
	c := collector{parts: map[string]int{}, rows: map[string]*row{}}
	c.census.Parts = r.parts()
	for i, p := range c.census.Parts {
		c.parts[p.Name] = i
	}
	if err := r.each(c.count); err != nil {
		return nil, err
	}
	for _, one := range c.rows {
		one.settle()
	}
	if err := r.each(c.name); err != nil {
		return nil, err
	}
	return c.result()
}

// collector puts a census together.
type collector struct {
	census Census
	parts  map[string]int  // by name: the place of each
	rows   map[string]*row // by conditions
}

// row is a row that is put together.
type row struct {
	Row
	values map[int8][]float64 // of each metric; sorted, and of the first metrics alone, once it is settled
	shown  []shown
}

// shown is the figures of a metric, before the names of their runs are known.
type shown struct {
	metric int8
	Figure
}

// readings are those of a figure.
func (s *shown) readings() [3]*Reading { return [3]*Reading{&s.Best, &s.Median, &s.Worst} }

// count takes a result in.
func (c *collector) count(folder, conditions string, r *run) {
	part := c.parts[folder]
	c.census.Results++
	c.census.Parts[part].Results++
	if !r.Counts {
		return
	}
	c.census.Runs++
	c.census.Parts[part].Runs++
	of := c.rows[conditions]
	if of == nil {
		of = &row{values: map[int8][]float64{}}
		c.rows[conditions] = of
	}
	of.Runs++
	at, known := slices.BinarySearchFunc(of.Parts, part, func(s Share, part int) int { return cmp.Compare(s.Part, part) })
	if !known {
		of.Parts = slices.Insert(of.Parts, at, Share{Part: part})
	}
	of.Parts[at].Runs++
	for _, f := range r.Figures {
		of.values[f.Metric] = append(of.values[f.Metric], f.Value)
	}
}

// settle finds the figures that are shown.
func (r *row) settle() {
	for _, metric := range slices.Sorted(maps.Keys(r.values)) {
		if len(r.shown) == mostFigures {
			break
		}
		values := r.values[metric]
		slices.Sort(values)
		d, _ := vocabulary.Define(metrics[metric])
		kind := &result.Kind{Name: metrics[metric], Unit: d.Unit, Better: d.Better}
		s := shown{metric, Figure{Runs: len(values)}}
		last := len(values) - 1
		places := [3]int{last, last / 2, 0} // the median of two in the middle is the worse
		if d.Better == result.Lower {
			places = [3]int{0, len(values) / 2, last}
		}
		for i, reading := range s.readings() {
			reading.Metric = result.Metric{Kind: kind, Value: values[places[i]]}
		}
		r.shown = append(r.shown, s)
	}
	r.values = nil
}

// name gives the figures that are shown the names of their runs.
func (c *collector) name(folder, conditions string, r *run) {
	if !r.Counts {
		return
	}
	of := c.rows[conditions]
	for _, f := range r.Figures {
		for i := range of.shown {
			s := &of.shown[i]
			if s.metric != f.Metric {
				continue
			}
			for _, reading := range s.readings() {
				if reading.Value == f.Value && (reading.Run == "" || result.NaturalCompare(r.ID, reading.Run) < 0) {
					reading.Part, reading.Run, reading.Decimals = c.parts[folder], r.ID, f.Decimals
				}
			}
		}
	}
}

// result returns what was put together.
func (c *collector) result() (*Census, error) {
	for _, conditions := range slices.Sorted(maps.Keys(c.rows)) {
		of := c.rows[conditions]
		labels, err := labelsOf(conditions)
		if err != nil {
			return nil, err
		}
		of.Labels = labels
		for i := range of.shown {
			of.Figures = append(of.Figures, of.shown[i].Figure)
		}
		c.census.Rows = append(c.census.Rows, of.Row)
	}
	return &c.census, nil
}
