package census

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shard"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// piece holds a limited number of results of a shard.
type piece struct {
	Folders    []string
	Conditions []string // as in the column
	Runs       []run
}

// run is a result.
type run struct {
	ID                 string
	Folder, Conditions int32 // indexes in the piece
	Counts             bool
	Figures            []figure // its first mostFigures metrics
}

// figure is the value of a metric in the unit of the vocabulary.
type figure struct {
	Metric   int8 // index in metrics
	Decimals int8
	Value    float64
}

// mostRuns is the greatest number of results in a piece.
const mostRuns = 1 << 16

// measured is the column of a metric.
type measured struct {
	column string
	to     dataset.Conversion // to the unit of the vocabulary
}

// measures are the columns of the metrics, in the same order.
var measures = func() []measured {
	all := make([]measured, len(metrics))
	for i, name := range metrics {
		d, _ := vocabulary.Define(name)
		column, unit := datapackage.MetricColumn(name, d.Unit)
		all[i].column = column
		all[i].to, _ = dataset.ConversionOf(cmp.Or(unit, d.Unit), d.Unit)
	}
	return all
}()

// own lists the columns that are read in addition to those of metrics.
var own = []string{shard.ConditionsColumn, shard.DecimalsColumn, "status", "excluded", "auxiliary", "model", "hardware", "engine"}

// scanner reads a shard.
type scanner struct {
	piece
	ids                 map[string]bool  // ids in the piece
	folders, conditions map[string]int32 // index of each in the piece
	labelled            map[string]*labelled
	decimals            map[string][]int8 // parsed values of the decimals column
	pieces              map[string]int    // by folder: the number of pieces with results of it
	count               int               // number of pieces so far
	emit                func(n int, p *piece)
}

// scan reads the results of a shard in pieces, and returns the description of the shard.
func scan(set *shard.Set, i int, emit func(n int, p *piece)) (contents, error) {
	s := &scanner{labelled: map[string]*labelled{}, decimals: map[string][]int8{}, pieces: map[string]int{}, emit: emit}
	s.begin()
	names := slices.Clone(own)
	for _, m := range measures {
		names = append(names, m.column)
	}
	where, err := set.Scan(i, names, s.add)
	if err != nil {
		return contents{}, err
	}
	s.end()
	found := contents{Pieces: s.count}
	for _, name := range slices.Sorted(maps.Keys(where)) {
		f := folder{Name: name, Groups: where[name], Pieces: s.pieces[name]}
		if of := s.labelled[name]; of != nil {
			f.Models, f.Hardware, f.Engines = of.sorted(0), of.sorted(1), of.sorted(2)
		}
		found.Folders = append(found.Folders, f)
	}
	return found, nil
}

// begin starts a piece.
func (s *scanner) begin() {
	s.piece, s.ids = piece{}, map[string]bool{}
	s.folders, s.conditions = map[string]int32{}, map[string]int32{}
}

// end emits the current piece, if it has runs, and starts the next.
func (s *scanner) end() {
	if len(s.Runs) == 0 {
		return
	}
	for _, name := range s.Folders {
		s.pieces[name]++
	}
	s.emit(s.count, &s.piece)
	s.count++
	s.begin()
}

// add adds a result. It ignores results in no folder and duplicates within a piece.
func (s *scanner) add(folder, id string, values []shard.Cell) {
	if folder == "" || s.ids[id] {
		return
	}
	s.ids[id] = true
	conditions, status, excluded, auxiliary, labels := values[0], values[2], values[3], values[4], values[5:len(own)]
	of := s.labelled[folder]
	if of == nil {
		of = newLabelled()
		s.labelled[folder] = of
	}
	for i, v := range labels {
		if !v.IsNull() && !of[i][string(v.ByteArray())] {
			of[i][v.Text()] = true
		}
	}
	one := run{ID: id, Folder: place(s.folders, &s.Folders, []byte(folder)), Conditions: place(s.conditions, &s.Conditions, conditions.ByteArray()),
		Counts: string(status.ByteArray()) == result.Complete.String() && !excluded.True() && !auxiliary.True() && !labels[0].IsNull() && !conditions.IsNull()}
	printed := s.printed(values[1])
	for i, m := range measures {
		if !one.Counts || len(one.Figures) == mostFigures {
			break
		}
		if v, ok := values[len(own)+i].Number(); ok && !math.IsInf(v, 0) && !math.IsNaN(v) {
			if v, ok := m.to.Of(v); ok {
				one.Figures = append(one.Figures, figure{int8(i), printed[i], v})
			}
		}
	}
	if s.Runs = append(s.Runs, one); len(s.Runs) == mostRuns {
		s.end()
	}
}

// printed returns the number of decimals that a tool printed of each metric, from the value of the column. It caches
// the values, since most results have the same.
func (s *scanner) printed(column shard.Cell) []int8 {
	if known := s.decimals[string(column.ByteArray())]; known != nil {
		return known
	}
	var by map[string]int8
	_ = json.Unmarshal(column.ByteArray(), &by) // ignore null and invalid values
	printed := make([]int8, len(metrics))
	for i, name := range metrics {
		n, known := by[name]
		if !known {
			n = result.FullPrecision
		}
		printed[i] = n
	}
	s.decimals[column.Text()] = printed
	return printed
}

// place returns the index of a text in a list. It appends the text if needed.
func place(places map[string]int32, list *[]string, text []byte) int32 {
	at, known := places[string(text)]
	if !known {
		at = int32(len(*list))
		*list = append(*list, string(text))
		places[(*list)[at]] = at
	}
	return at
}

// labelsOf parses a value of the column with the conditions.
func labelsOf(conditions string) (result.Labels, error) {
	var values map[string]string
	if err := json.Unmarshal([]byte(conditions), &values); err != nil {
		return nil, locale.Errorf("the column %s has %q, which is not a JSON list of texts: write the shards again with benchpost results --shards", shard.ConditionsColumn, conditions)
	}
	var labels result.Labels
	for _, name := range slices.Sorted(maps.Keys(values)) {
		labels = append(labels, result.Label{Name: name, Value: values[name]})
	}
	return labels, nil
}
