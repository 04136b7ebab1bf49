package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/pack"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// reader reads units, from the cache or from the files of the repository.
type reader struct {
	repo     *git.Repo
	opt      Options
	texts    *pack.Texts // texts in cached values
	pointers int

	store string               // temporary folder, created when needed
	kinds map[string]*contents // of files in store, by their id
}

// contents describes what a file contains.
type contents struct {
	pointer bool // a pointer to a large file that is not here
	runs    bool // only results, and nothing that describes others
	joins   bool // data to be joined to runs, for which all runs must be known
}

// together is how many units are fetched from the repository at once. Their files are on disk in the meantime.
const together = 256

// read returns the results of all versions that were replaced.
func (r *reader) read(ctx context.Context, units []unit) ([]remembered, error) {
	var all []remembered
	var unread []int
	found := make([][]result.Result, len(units))
	for i := range units {
		var ok bool
		if found[i], ok = cached[[]result.Result](r, r.unitKey(&units[i])); !ok {
			unread = append(unread, i)
		}
	}
	for some := range slices.Chunk(unread, together) {
		if err := r.readSome(ctx, units, some, found); err != nil {
			return nil, err
		}
	}
	for i := range units {
		of := versions(units[i].gone)
		for _, result := range found[i] {
			if v, ok := versionOf(of, result.Source.File); ok {
				all = append(all, remembered{result, v})
			}
		}
	}
	return all, nil
}

// readSome reads some units from the repository.
func (r *reader) readSome(ctx context.Context, units []unit, some []int, found [][]result.Result) (err error) {
	if r.store, err = os.MkdirTemp("", "benchpost-past-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.store)
	if err := r.fetch(ctx, units, some); err != nil {
		return err
	}
	errs := make([]error, len(some))
	cores.Each(len(some), func(n int) {
		i := some[n]
		results, whole, err := r.load(&units[i], filepath.Join(r.store, "tree-"+strconv.Itoa(i)))
		if found[i], errs[n] = results, err; whole {
			keep(r, r.unitKey(&units[i]), &results)
		}
	})
	return errors.Join(errs...)
}

// rootName is the name of the folder of runs in positions, as in every site.
const rootName = "runs"

func versions(vs []version) map[string]version {
	of := make(map[string]version, len(vs))
	for _, v := range vs {
		of[v.path] = v
	}
	return of
}

// versionOf returns the version of a file, or of the archive that contains it.
func versionOf(of map[string]version, file string) (version, bool) {
	for rel := strings.TrimPrefix(file, rootName+"/"); rel != "."; rel = path.Dir(rel) {
		if v, ok := of[rel]; ok {
			return v, true
		}
	}
	return version{}, false
}

// unitKey holds everything that determines the results of a unit.
type unitKey struct {
	Gone     []string
	Scope    [][2]string // path and blob id
	Mappings []format.Mapping
	Mask     result.Stamp
}

func (r *reader) unitKey(u *unit) []byte {
	key := unitKey{Mappings: r.opt.Mappings, Mask: r.opt.Mask.Stamp()}
	for _, v := range u.gone {
		key.Gone = append(key.Gone, v.path)
	}
	for _, v := range u.scope {
		key.Scope = append(key.Scope, [2]string{v.path, v.blob})
	}
	return encode(key)
}

// historyKey returns a key of everything that determines the history. A commit has only one past, apart from where a
// shallow clone ends.
func (r *reader) historyKey(head string, differing []string) []byte {
	shallow, _ := os.ReadFile(filepath.Join(r.repo.Common, "shallow"))
	return encode(struct {
		Head, Folder, Shallow, Location string
		Differing                       []string
		Mappings                        []format.Mapping
		Mask                            result.Stamp
	}{head, r.repo.Prefix, string(shallow), r.opt.Location.String(), differing, r.opt.Mappings, r.opt.Mask.Stamp()})
}

// encode encodes a key that consists of texts with any bytes. Maps are encoded in the order of their keys.
func encode(key any) []byte { return fmt.Appendf(nil, "%q", key) }

func (r *reader) cachedHistory(key []byte) *History {
	h, ok := cached[History](r, key)
	if !ok {
		return nil
	}
	for _, result := range h.Results {
		result.Revision.Time = result.Revision.Time.In(r.opt.Location)
	}
	return &h
}

func cached[T any](r *reader, key []byte) (what T, ok bool) {
	if r.opt.Cache == nil {
		return what, false
	}
	data, ok := r.opt.Cache.Get(key)
	if !ok {
		return what, false
	}
	return pack.Unpack[T](data, r.texts)
}

func keep[T any](r *reader, key []byte, what *T) {
	if r.opt.Cache == nil {
		return
	}
	if data, ok := pack.Pack(what); ok {
		r.opt.Cache.Put(key, data)
	}
}

// fetch writes the files of some units from the repository to the store.
func (r *reader) fetch(ctx context.Context, units []unit, some []int) error {
	r.kinds = map[string]*contents{}
	var ids []string
	names := map[string]string{}
	for _, i := range some {
		for _, v := range units[i].scope {
			if names[v.blob] == "" {
				ids = append(ids, v.blob)
				names[v.blob] = v.path
			}
		}
	}
	return r.repo.Blobs(ctx, ids, func(id string, data []byte) error {
		kind := &contents{}
		r.kinds[id] = kind
		if oid, size, ok := git.Pointer(data); ok {
			stored, err := r.repo.Large(oid, size)
			if err != nil {
				kind.pointer = true
				r.pointers++
				return nil
			}
			defer stored.Close()
			if data, err = io.ReadAll(stored); err != nil {
				return err
			}
		}
		if out, err := format.Read(names[id], bytes.NewReader(data)); err == nil {
			kind.joins = len(out.Traces) > 0 || out.Snapshot != nil
			kind.runs = len(out.Results) > 0 && !kind.joins || out.Archive || len(out.Unfinished) > 0
		}
		return os.WriteFile(r.file(id), data, 0o600)
	})
}

// file returns the path of a blob in the store.
func (r *reader) file(id string) string { return filepath.Join(r.store, "blob-"+id) }

// load reads a unit: it places the files in dir as they were at that time, and reads that with rundir. It includes
// other runs only if something may have to be joined to one of several runs. Whole is false if a file is missing.
func (r *reader) load(u *unit, dir string) (results []result.Result, whole bool, err error) {
	gone := map[string]bool{}
	for _, v := range u.gone {
		gone[v.path] = true
	}
	joins, measured := false, false
	for _, v := range u.scope {
		kind := r.kinds[v.blob]
		joins = joins || kind.joins
		measured = measured || gone[v.path] && (kind.runs || r.mapped(v.path))
		if kind.pointer && gone[v.path] {
			return nil, false, nil
		}
	}
	if !measured {
		return nil, true, nil
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, false, err
	}
	defer root.Close()
	whole = true
	for _, v := range u.scope {
		kind := r.kinds[v.blob]
		if kind.pointer || !gone[v.path] && !joins && (kind.runs || r.mapped(v.path)) {
			continue
		}
		placed, err := r.place(root, v)
		if err != nil {
			return nil, false, err
		}
		whole = whole && placed
	}
	set, err := rundir.Load(dir, rundir.Options{Name: rootName, Mappings: r.opt.Mappings, Mask: r.opt.Mask})
	if err != nil {
		return nil, false, err
	}
	of := versions(u.gone)
	for _, result := range set.Results {
		if _, ok := versionOf(of, result.Source.File); ok {
			result.Telemetry = nil // its values are among the metrics, and its samples are many
			results = append(results, result)
		}
	}
	return results, whole, nil
}

// mapped reports whether a mapping of the site applies to a file.
func (r *reader) mapped(rel string) bool {
	for i := range r.opt.Mappings {
		if r.opt.Mappings[i].Match(rel) {
			return true
		}
	}
	return false
}

// place puts a file at its path of that time. It returns false if the file system does not accept the name.
func (r *reader) place(root *os.Root, v version) (bool, error) {
	name := filepath.FromSlash(v.path)
	if !filepath.IsLocal(name) || root.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return false, nil
	}
	if os.Link(r.file(v.blob), filepath.Join(root.Name(), name)) == nil {
		return true, nil
	}
	data, err := os.ReadFile(r.file(v.blob))
	if err != nil {
		return false, err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, nil
	}
	_, err = f.Write(data)
	return true, errors.Join(err, f.Close())
}
