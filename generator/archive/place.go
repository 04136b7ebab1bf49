package archive

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// journalName is the file in the work folder that lists the moves in progress. While it exists, any of its steps may be
// done or not, and repeating a step is safe.
const journalName = "journal.json"

// step moves one file into place, or removes one.
type step struct {
	To   string `json:"to,omitempty"`  // destination of the staged file, relative to the site; "" to remove only
	New  string `json:"new,omitempty"` // its SHA-256
	Was  string `json:"was,omitempty"` // the file that it replaces, "" for none
	Sum  string `json:"sum,omitempty"` // its SHA-256
	Keep bool   `json:"keep,omitempty"`
}

type journal struct {
	Staged string `json:"staged"` // the folder with staged files, within the work folder
	Steps  []step `json:"steps"`
}

// at is called between all steps that change something. Tests kill the process there.
var at = func(string) {}

// place moves the staged files into the site.
func (p *Plan) place() error {
	if len(p.steps) == 0 {
		return nil
	}
	staged, err := filepath.Rel(p.stage, p.tree("new"))
	if err != nil {
		return err
	}
	data, err := json.Marshal(journal{filepath.ToSlash(staged), p.steps})
	if err != nil {
		return err
	}
	at("before the journal")
	name := filepath.Join(p.stage, journalName)
	if err := writeDurably(name+".new", strings.NewReader(string(data)), 0o600); err != nil {
		return err
	}
	if err := errors.Join(os.Rename(name+".new", name), publish.SyncFolder(p.stage)); err != nil {
		return err
	}
	_, conflicts, err := replay(p.opt.Dir, p.stage)
	if err == nil && len(conflicts) > 0 {
		return &Refusal{Text: "files were changed while they were archived", Details: conflicts, Hint: "nothing is lost; wait until nobody writes there, and archive again"}
	}
	return err
}

// replay executes the steps of a journal and removes it. Done is the number of steps that were not done before.
// Conflicts lists the steps that were skipped because somebody has changed the file since it was staged.
func replay(dir, work string) (done int, conflicts []string, err error) {
	data, err := os.ReadFile(filepath.Join(work, journalName))
	if isAbsent(err) {
		return 0, nil, nil
	}
	var j journal
	if err == nil {
		err = json.Unmarshal(data, &j)
	}
	if err != nil {
		return 0, nil, err
	}
	if slices.ContainsFunc(j.Steps, func(s step) bool { return !s.isOurs() }) || !filepath.IsLocal(filepath.FromSlash(j.Staged)) {
		return 0, nil, fmt.Errorf("%s names what no archive moves; if nothing of yours is in that folder, remove it", filepath.Join(work, journalName))
	}
	touched := map[string]bool{}
	for i, s := range j.Steps {
		at("step " + strconv.Itoa(i))
		did, conflict, err := s.do(dir, filepath.Join(work, filepath.FromSlash(j.Staged)))
		if err != nil {
			return done, conflicts, err
		}
		if conflict != "" {
			conflicts = append(conflicts, conflict)
		}
		if did {
			done++
			touched[filepath.Dir(filepath.Join(dir, filepath.FromSlash(cmp.Or(s.To, s.Was))))] = true
		}
	}
	for folder := range touched {
		if err := publish.SyncFolder(folder); err != nil && !isAbsent(err) {
			return done, conflicts, err
		}
	}
	at("before the journal goes")
	return done, conflicts, os.Remove(filepath.Join(work, journalName))
}

// isOurs reports whether a step can be from archiving. A journal may also have come with a site from elsewhere.
func (s step) isOurs() bool {
	for _, file := range [][2]string{{s.To, s.New}, {s.Was, s.Sum}} {
		name, sum := file[0], file[1]
		if name == "" {
			continue
		}
		if digest, err := hex.DecodeString(sum); err != nil || len(digest) != sha256.Size || !filepath.IsLocal(filepath.FromSlash(name)) || !within(path.Clean(name), []string{runsName}) {
			return false
		}
	}
	return true
}

// do executes the part of a step that has not been done.
func (s step) do(dir, staged string) (did bool, conflict string, err error) {
	local := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	is := func(name, sum string) bool {
		got, err := sumOf(local(name))
		return name != "" && err == nil && got.SHA256 == sum
	}
	if s.To != "" && !is(s.To, s.New) {
		switch {
		case s.Was != s.To && !isAbsentFile(local(s.To)):
			return false, s.To + " came into being meanwhile, and is another file", nil
		case s.Was != "" && !is(s.Was, s.Sum):
			return false, s.Was + " was changed meanwhile", nil
		}
		if s.Keep {
			if err := keepOriginal(dir, s.Was, s.Sum); err != nil {
				return false, "", err
			}
			at("kept " + s.Was)
		}
		if err := os.MkdirAll(filepath.Dir(local(s.To)), 0o755); err != nil {
			return false, "", err
		}
		if err := os.Rename(filepath.Join(staged, filepath.FromSlash(s.To)), local(s.To)); err != nil {
			return false, "", err
		}
		did = true
		at("moved " + s.To)
	}
	if s.Was != "" && s.Was != s.To && is(s.Was, s.Sum) {
		if err := os.Remove(local(s.Was)); err != nil {
			return did, "", err
		}
		did = true
		at("removed " + s.Was)
	}
	return did, "", nil
}

// Original returns where the original of a redacted file is kept, relative to the site.
func Original(name, sum string) string {
	return path.Join(".benchpost", originalName, sum[:12], name)
}

// keepOriginal copies a file that is about to be replaced to a folder that is not in git and that other users cannot
// read.
func keepOriginal(dir, name, sum string) error {
	if _, err := cache.Folder(dir, originalName); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(dir, ".benchpost", originalName), 0o700); err != nil {
		return err
	}
	to := filepath.Join(dir, filepath.FromSlash(Original(name, sum)))
	if got, err := sumOf(to); err == nil && got.SHA256 == sum {
		return nil
	}
	from := filepath.Join(dir, filepath.FromSlash(name))
	if err := copyFile(from, to+".new"); err != nil {
		return err
	}
	return errors.Join(os.Rename(to+".new", to), publish.SyncFolder(filepath.Dir(to)))
}

// readSmall reads a file; it returns nil if that does not exist.
func readSmall(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if isAbsent(err) {
		return nil, nil
	}
	return data, err
}
