package census

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/pack"
	"github.com/benchpost/benchpost/generator/shard"
)

// Kept caches what was found in shards.
type Kept interface {
	// Key returns the key of the current version of a shard; it changes when the shard does. Nil means that nothing may
	// be cached.
	Key(file string) []byte

	Get(key []byte) ([]byte, bool)
	Put(key []byte, pieces ...[]byte)
}

// reader reads the results of shards, as often as needed.
type reader struct {
	ctx    context.Context
	set    *shard.Set
	kept   Kept
	keys   [][]byte
	shards []contents
	pieces map[string]int // by folder in runs/: the number of pieces with results of it
}

// contents describes a shard without its results.
type contents struct {
	Pieces  int
	Folders []folder // sorted by name
}

// folder describes what a shard contains of a folder in runs/.
type folder struct {
	Name                      string
	Groups                    []int // row groups
	Pieces                    int   // number of pieces with results of it
	Models, Hardware, Engines []string
}

// newReader reads the shards that have changed, and determines what each contains.
func newReader(ctx context.Context, set *shard.Set, kept Kept) (*reader, error) {
	files := set.Files()
	r := &reader{ctx, set, kept, make([][]byte, len(files)), make([]contents, len(files)), map[string]int{}}
	for i, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.keys[i] = kept.Key(file)
		if err := r.find(i); err != nil {
			return nil, err
		}
		where := shard.Contents{}
		for _, f := range r.shards[i].Folders {
			where[f.Name] = f.Groups
			r.pieces[f.Name] += f.Pieces
		}
		set.Know(i, where)
	}
	return r, nil
}

// find determines what a shard contains.
func (r *reader) find(i int) error {
	if found, ok := get[contents](r, i, "contents"); ok {
		r.shards[i] = found
		return nil
	}
	found, err := scan(r.set, i, func(n int, p *piece) { put(r, i, strconv.Itoa(n), p) })
	if err != nil {
		return err
	}
	r.shards[i] = found
	if bytes.Equal(r.kept.Key(r.set.Files()[i]), r.keys[i]) { // the shard was not rewritten in the meantime
		put(r, i, "contents", &found)
	}
	return nil
}

// get returns a cached value of a shard; put caches one.
func get[T any](r *reader, i int, what string) (v T, ok bool) {
	if r.keys[i] == nil {
		return v, false
	}
	data, ok := r.kept.Get(append(slices.Clone(r.keys[i]), what...))
	if !ok {
		return v, false
	}
	return pack.Unpack[T](data, pack.NewTexts())
}

func put[T any](r *reader, i int, what string, v *T) {
	if r.keys[i] == nil {
		return
	}
	if data, ok := pack.Pack(v); ok {
		r.kept.Put(append(slices.Clone(r.keys[i]), what...), data)
	}
}

// parts returns the folders in runs/ that contain results, sorted by name, with all counts zero.
func (r *reader) parts() []Part {
	found := map[string]*labelled{}
	for _, s := range r.shards {
		for _, f := range s.Folders {
			if f.Pieces == 0 {
				continue
			}
			of := found[f.Name]
			if of == nil {
				of = newLabelled()
				found[f.Name] = of
			}
			for i, values := range [...][]string{f.Models, f.Hardware, f.Engines} {
				for _, v := range values {
					of[i][v] = true
				}
			}
		}
	}
	var parts []Part
	for _, name := range slices.Sorted(maps.Keys(found)) {
		of := found[name]
		parts = append(parts, Part{Name: name, Models: of.sorted(0), Hardware: of.sorted(1), Engines: of.sorted(2)})
	}
	return parts
}

// labelled holds the label values of a part: its models, hardware and engines.
type labelled [3]map[string]bool

func newLabelled() *labelled {
	return &labelled{map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

func (l *labelled) sorted(i int) []string { return slices.Sorted(maps.Keys(l[i])) }

// each visits all results, always in the same order. It visits a result once even if several shards contain it.
func (r *reader) each(visit func(folder, conditions string, one *run)) error {
	seen := map[string]bool{} // ids in folders of which several pieces have results
	visitAll := func(p *piece) {
		for i := range p.Runs {
			one := &p.Runs[i]
			name := p.Folders[one.Folder]
			if r.pieces[name] > 1 {
				if seen[one.ID] {
					continue
				}
				seen[one.ID] = true
			}
			visit(name, p.Conditions[one.Conditions], one)
		}
	}
	for i := range r.shards {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.eachPiece(i, visitAll); err != nil {
			return err
		}
	}
	return nil
}

// eachPiece visits the pieces of a shard. If a piece is not cached, it reads the shard again.
func (r *reader) eachPiece(i int, visit func(*piece)) error {
	for n := range r.shards[i].Pieces {
		p, ok := get[piece](r, i, strconv.Itoa(n))
		if !ok {
			_, err := scan(r.set, i, func(m int, p *piece) {
				if m >= n {
					visit(p)
				}
			})
			return err
		}
		visit(&p)
	}
	return nil
}
