// Package cache keeps what a site took long to make, from turn to turn of a session and from
// one process to the next.
//
// Its laws, which every key and every entry follows:
//
//  1. What is reused is what would be made. An entry may be used again only if everything that
//     decides its bytes is equal: the inputs it was made from, the configuration, the layouts,
//     and the program itself, whose file is part of every key.
//  2. A key is made of contents, never of identities. No heap address, no order of a map, no
//     clock, no absolute path and no count of turns goes into one: two processes make equal
//     keys of equal inputs. Keys are made by Key, and of the types of this file alone; a type
//     lists what its artifact depends on, field by field.
//  3. A result is in a key by its stamp (result.Result.Seal), which is of every field of it.
//  4. A file is in a key by its bytes where they are at hand (site.toml, the text of a post),
//     else by path and mark (File, package filemark). A file that was changed a moment ago is
//     not trusted: its next change might have the same mark.
//  5. An entry is never changed. It is written whole, under a name of its own, and carries a sum
//     of its bytes: what is damaged or half written is made again.
//  6. Nothing depends on the cache. The folder is safe to delete, at any time; that it cannot be
//     written is not an error.
//  7. What has something to report is not kept, or its messages are kept with it: a build that
//     reuses everything reports what a build of everything reports.
//  8. The output is compared with the ledger by marks unless nobody else can have written
//     there: within a session, while no other process has had the lock.
//
// The ledger (Ledger) knows the artifacts in the output folder, a store (Store) keeps bytes by
// key, Reader what raw files held, Evaluations what posts came to, Sums the sums of raw files, and State whether
// anything has changed at all since the last build.
package cache

import (
	"os"
	"path/filepath"
	"reflect"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
)

// Keyed are the types that keys are made of.
type Keyed interface {
	ReadingKey | SiteKey | MaskKey | PlansKey | PostsKey | UnfinishedKey | EvaluationKey | PostKey | ResultsKey | FilesKey
}

// Key makes the key of what depends on k: equal contents, equal keys.
func Key[K Keyed](k K) result.Stamp {
	return result.StampOf(func(s *result.Stamper) {
		s.Text(reflect.TypeFor[K]().Name())
		s.Value(k)
	})
}

// ReadingKey is what decides what a raw file contains for us. Positions carry its name.
type ReadingKey struct {
	Name string
	Mark filemark.Mark
	Mask result.Stamp // of what is masked in it
}

// SiteKey is what everything is made from, besides runs and posts.
type SiteKey struct {
	Drafts bool
	Config []byte // of site.toml
	Fonts  []File
	Mask   result.Stamp // of what is masked, and how
	Built  result.Stamp // of the program
}

// NewSiteKey looks at the files in a site's folder.
func NewSiteKey(dir string, drafts bool, config []byte, fonts []string, mask result.Stamp) SiteKey {
	return SiteKey{drafts, config, FilesOf(dir, fonts), mask, program()}
}

// PlansKey adds the plans that lie among the runs, and the names of the site that have other
// paths than they would have alone.
type PlansKey struct {
	Site  result.Stamp
	Apart bool // the site is a part of an archive
	Plans []dataset.Plan
	Twins []address.Name
}

// PostsKey is what all posts are evaluated with, besides the runs each selects.
type PostsKey struct {
	Plans result.Stamp
	Past  []*result.Result
}

// UnfinishedKey adds how far runs without a result are, for the posts that show plans.
type UnfinishedKey struct {
	Posts result.Stamp
	Runs  []*result.Unfinished
}

// EvaluationKey is what the blocks and values of a post are evaluated with.
type EvaluationKey struct {
	Posts     result.Stamp
	Source    [32]byte         // sum of its text
	Results   []*result.Result // that it may select
	Auxiliary []*result.Result
	Styles    map[string]map[string]int // of the values of the labels of those
	Waiting   bool                      // it may select runs without a result
	Versions  []string                  // of the files of those, whose text it may show
	Linked    map[string]string         // by address: why a file is not published, "" for one that is
	Aims      []string                  // where its links to posts lead
}

// PostKey is what the files of a post are made from.
type PostKey struct {
	Evaluation result.Stamp
	Lenient    bool // it lacks figures that a run that could not be read may have
	OwnLayouts bool
	Cited      map[string]string // version of each file that its figures are from
	Linked     map[string]File   // by address: files it publishes
}

// ResultsKey is what the files of all results are made from.
type ResultsKey struct {
	Site    result.Stamp
	Results []*result.Result
}

// FilesKey is what depends on some files alone.
type FilesKey struct{ Files []File }

// File is a file as far as it is known without reading it.
type File struct {
	Name string
	Mark filemark.Mark // zero without a file
}

// FilesOf looks at files, named from a folder.
func FilesOf(dir string, names []string) []File {
	files := make([]File, len(names))
	for i, name := range names {
		files[i] = FileOf(dir, name)
	}
	return files
}

// FileOf looks at a file, named from a folder.
func FileOf(dir, name string) File {
	return File{name, filemark.At(filepath.Join(dir, filepath.FromSlash(name)))}
}

// MaskKey is what decides what is masked of files.
type MaskKey struct {
	Rules []redact.Rule // of the site
	Keep  []string
	Key   []byte // of pseudonyms
	Built result.Stamp
}

// NewMaskKey adds the program, which has the other rules.
func NewMaskKey(rules []redact.Rule, keep []string, key []byte) MaskKey {
	return MaskKey{rules, keep, key, program()}
}

// program identifies the version of benchpost, by the program's file.
func program() result.Stamp {
	exe, err := os.Executable()
	if err != nil {
		return result.Stamp{}
	}
	f := FileOf("", exe)
	f.Name = ""
	return Key(FilesKey{[]File{f}})
}
