// Package census summarises the runs of an archive of any size. For runs measured under the same conditions, it gives
// the best, the median and the worst value of the leading metrics, each with its run, and the folders in runs/ that
// contain these runs.
//
//	c, err := census.Of(ctx, set, kept)
//	for _, row := range c.Rows { … }
//
// It reads only columns of shards, never the files in them, and only those of shards that have changed: what it finds
// in a shard is cached. In memory it holds one number for each metric of each run, so the median is exact. The ids of
// the runs that are shown are looked up at the end.
//
// It leaves out runs that a site does not count: excluded, auxiliary, partial and failed ones, and those without a
// model.
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

// Census is the summary of the runs of an archive.
type Census struct {
	Results int    // in all parts
	Runs    int    // results that count
	Parts   []Part // sorted by name
	Rows    []Row  // sorted by conditions
}

// Part is a folder in runs/ that contains results.
type Part struct {
	Name     string
	Results  int
	Runs     int      // results that count
	Models   []string // of all results, sorted; the same applies to the next two
	Hardware []string
	Engines  []string
}

// Row summarises the runs that were measured under the same conditions.
type Row struct {
	Labels  result.Labels // the labels that they share, from dataset.Conditions
	Runs    int
	Parts   []Share  // sorted by part
	Figures []Figure // the leading metrics of these runs
}

// Share is the number of runs in a part.
type Share struct {
	Part int // index in Census.Parts
	Runs int
}

// Figure is what runs reached in a metric. As on the pages of sites, the median is the value of a run: of two middle
// ones the worse. Of runs with equal values, the one whose id sorts first is used.
type Figure struct {
	Runs                int // number of runs with the metric
	Best, Median, Worst Reading
}

// Reading is the value of a run.
type Reading struct {
	result.Metric
	Part int    // index of the run's part
	Run  string // id of the run
}

// mostFigures is how many metrics of a run are used: its first ones in the order of metrics.
const mostFigures = 3

// metrics are the metrics at the beginning of pages of models, except those without a unit in the vocabulary.
var metrics = slices.DeleteFunc(vocabulary.Listed(vocabulary.View), func(name string) bool {
	d, _ := vocabulary.Define(name)
	return d.Unit == ""
})

// Of takes the census of a set of shards, and records in the set what the shards contain. It caches what it finds in a
// shard; the result does not depend on the cache.
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

// collector builds a census.
type collector struct {
	census Census
	parts  map[string]int  // index of each part by name
	rows   map[string]*row // by conditions
}

// row is a Row that is being built.
type row struct {
	Row
	values map[int8][]float64 // by metric; nil once the figures are settled
	shown  []shown
}

// shown holds the figures of a metric; the ids of their runs are filled in later.
type shown struct {
	metric int8
	Figure
}

// readings returns pointers to the readings of a figure.
func (s *shown) readings() [3]*Reading { return [3]*Reading{&s.Best, &s.Median, &s.Worst} }

// count adds a result to the totals and values.
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

// settle computes the figures of the row.
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
		places := [3]int{last, last / 2, 0} // of two middle values, the worse
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

// name sets the ids of the runs in the figures, if this run has the value.
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

// result returns the finished census.
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
