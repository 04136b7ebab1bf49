// Package cache keeps what was expensive to make, between the builds of a session and from one process to the next.
//
// Every key and every entry follows these rules:
//
//  1. Reused output equals new output. An entry may be reused only if everything that
//     determines its bytes is equal: the inputs it was made from, the configuration, the layouts,
//     and the program itself, whose file is part of every key.
//  2. A key is made of contents, never of identities. It contains no address in memory, no order of a
//     map, no time, no absolute path and no count of builds: two processes make equal
//     keys from equal inputs. Only Key makes keys, and only from the types in this file; a type
//     lists what its artifact depends on, field by field.
//  3. A result is represented in a key by its stamp (result.Result.Seal), which covers every field.
//  4. A file is represented in a key by its bytes if they are in memory (site.toml, the text of a post),
//     and otherwise by path and mark (File, package filemark). A file that was changed a moment ago is
//     not trusted: its next change might have the same mark.
//  5. An entry is never changed. It is written as a whole, under its own name, with a checksum
//     of its bytes: a damaged or incomplete entry is made again.
//  6. Nothing depends on the cache. The folder is safe to delete at any time. If it cannot be
//     written, that is not an error.
//  7. If making something produces messages, it is either not kept, or kept with its messages: a build
//     that reuses everything reports what a complete build reports.
//  8. The output is compared with the ledger by marks, unless nobody else can have written
//     there: within a session, while no other process has held the lock.
//
// Ledger knows the artifacts in the output folder. Store keeps bytes by key. Reader keeps the contents read from raw
// files, Evaluations the evaluations of posts, and Sums the checksums of raw files. State knows whether anything has
// changed since the last build.
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

// Keyed lists the types from which keys are made.
type Keyed interface {
	ReadingKey | SiteKey | MaskKey | PlansKey | PostsKey | UnfinishedKey | EvaluationKey | PostKey | ResultsKey | FilesKey
}

// Key returns the key of what depends on k. Equal contents have equal keys.
func Key[K Keyed](k K) result.Stamp {
	return result.StampOf(func(s *result.Stamper) {
		s.Text(reflect.TypeFor[K]().Name())
		s.Value(k)
	})
}

// ReadingKey determines what is read from a raw file. It includes the name, because positions contain it.
type ReadingKey struct {
	Name string
	Mark filemark.Mark
	Mask result.Stamp // stamp of the masker
}

// SiteKey contains what everything is made from, except runs and posts.
type SiteKey struct {
	Drafts bool
	Config []byte // contents of site.toml
	Fonts  []File
	Mask   result.Stamp // stamp of the masker
	Built  result.Stamp // key of the program
}

// NewSiteKey returns the key of a site, with the marks of the font files, which are named relative to dir.
func NewSiteKey(dir string, drafts bool, config []byte, fonts []string, mask result.Stamp) SiteKey {
	return SiteKey{drafts, config, FilesOf(dir, fonts), mask, program()}
}

// PlansKey adds the plans found below the runs, and the names whose paths depend on other names of the site.
type PlansKey struct {
	Site  result.Stamp
	Apart bool // the site is a part of an archive
	Plans []dataset.Plan
	Twins []address.Name
}

// PostsKey contains what all posts are evaluated with, except the runs that each post selects.
type PostsKey struct {
	Plans result.Stamp
	Past  []*result.Result
}

// UnfinishedKey adds the progress of runs without a result, for posts that show plans.
type UnfinishedKey struct {
	Posts result.Stamp
	Runs  []*result.Unfinished
}

// EvaluationKey contains what the blocks and values of a post are evaluated with.
type EvaluationKey struct {
	Posts     result.Stamp
	Source    [32]byte         // checksum of the post's text
	Results   []*result.Result // results that it may select
	Auxiliary []*result.Result
	Styles    map[string]map[string]int // styles of the values of these results' labels
	Waiting   bool                      // it may select runs without a result
	Versions  []string                  // versions of these results' files, whose text it may show
	Linked    map[string]string         // by address: why a linked file is not published, "" for one that is
	Aims      []string                  // where its links to posts lead
}

// PostKey contains what the files of a post are made from.
type PostKey struct {
	Evaluation result.Stamp
	Lenient    bool // the post lacks figures, which a run that could not be read may have
	OwnLayouts bool
	Cited      map[string]string // version of each file that its figures come from
	Linked     map[string]File   // by address: files that it publishes
}

// ResultsKey contains what the files of all results are made from.
type ResultsKey struct {
	Site    result.Stamp
	Results []*result.Result
}

// FilesKey is the key of what depends only on some files.
type FilesKey struct{ Files []File }

// File is what is known about a file without reading it.
type File struct {
	Name string
	Mark filemark.Mark // zero if there is no such file
}

// FilesOf returns files with their marks. Names are relative to dir.
func FilesOf(dir string, names []string) []File {
	files := make([]File, len(names))
	for i, name := range names {
		files[i] = FileOf(dir, name)
	}
	return files
}

// FileOf returns a file with its mark. The name is relative to dir.
func FileOf(dir, name string) File {
	return File{name, filemark.At(filepath.Join(dir, filepath.FromSlash(name)))}
}

// MaskKey determines what is masked in files.
type MaskKey struct {
	Rules []redact.Rule // the site's own rules
	Keep  []string
	Key   []byte // key of the pseudonyms
	Built result.Stamp
}

// NewMaskKey adds the key of the program, which contains the built-in rules.
func NewMaskKey(rules []redact.Rule, keep []string, key []byte) MaskKey {
	return MaskKey{rules, keep, key, program()}
}

// program returns the key of the running benchpost, by the mark of its executable.
func program() result.Stamp {
	exe, err := os.Executable()
	if err != nil {
		return result.Stamp{}
	}
	f := FileOf("", exe)
	f.Name = ""
	return Key(FilesKey{[]File{f}})
}
