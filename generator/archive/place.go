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

// journalName is the file in the work folder that lists what is being moved into place.
// While it exists, each step in it may be done or not, and doing it again is safe.
const journalName = "journal.json"

// step puts one file into place, or takes one away.
type step struct {
	To   string `json:"to,omitempty"`  // where what is staged goes, relative to the site
	New  string `json:"new,omitempty"` // its SHA-256
	Was  string `json:"was,omitempty"` // the file in whose place it comes, "" for none
	Sum  string `json:"sum,omitempty"` // its SHA-256
	Keep bool   `json:"keep,omitempty"`
}

type journal struct {
	Staged string `json:"staged"` // the folder of what is staged, within the work folder
	Steps  []step `json:"steps"`
}

// at is called between the steps of all that changes something; tests kill the process
// there.
var at = func(string) {}

// place moves what is staged into the site.
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

// replay carries out the steps of a journal and removes it. Done is how many steps were still
// to be done; a conflict is one that cannot be, as somebody changed the file since it was
// staged: it is left alone.
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

// isOurs reports whether archiving wrote a step, and it did not come with a site from elsewhere.
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

// do does one step, as far as it is not done.
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

// Original is where the original of a redacted file is kept.
func Original(name, sum string) string {
	return path.Join(".benchpost", originalName, sum[:12], name)
}

// keepOriginal keeps a file that is about to be replaced, out of git and of the reach of
// others.
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

// readSmall reads a file, nil where it does not exist.
func readSmall(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if isAbsent(err) {
		return nil, nil
	}
	return data, err
}
