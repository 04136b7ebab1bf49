package publish

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/benchpost/benchpost/generator/sitefile"
)

// journal lists the changes that move the files of a stage into place. While it exists, each of them may be done or
// not; doing all of them again is safe.
type journal struct {
	Moves []move `json:"moves"`
}

// move is a change in the journal. From is relative to the folder that contains the stage; "" if the file is removed.
type move struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"`
}

// move makes the changes in the folder one by one. If one fails, it undoes those before it.
func (o *Output) move(changes []change) (err error) {
	if err := o.restage(changes); err != nil {
		return err
	}
	if err := o.begin(changes); err != nil {
		return err
	}
	var undo undo
	for _, c := range changes {
		if c.from == "" {
			err = o.setAside(o.Path(c.path), &undo)
			o.removeEmptyParents(filepath.Dir(o.Path(c.path)))
		} else {
			err = o.moveFile(c.from, o.Path(c.path), &undo)
		}
		if err != nil {
			err = errors.Join(err, undo.run())
			break
		}
	}
	return errors.Join(err, os.Remove(filepath.Join(o.stage, journalName)))
}

// restage copies the staged files into a stage in the folder itself, if they are on another disk and so cannot be
// moved.
func (o *Output) restage(changes []change) error {
	inside := filepath.Join(o.dir, stageName)
	if o.stage == inside || !o.isFar(changes) {
		return nil
	}
	if err := makeStage(inside); err != nil {
		return err
	}
	far := o.stage
	o.stage, o.first = inside, false
	for i := range changes {
		if c := &changes[i]; c.from != "" {
			to := filepath.Join(inside, strconv.FormatInt(o.count.Add(1), 10))
			if err := copyFile(c.from, to); err != nil {
				return err
			}
			c.from = to
		}
	}
	if o.folder.opt.Durable {
		if err := syncData(inside, changes); err != nil {
			return err
		}
	}
	return os.RemoveAll(far)
}

// isFar reports whether the staged files are on another disk than the folder.
func (o *Output) isFar(changes []change) bool {
	for _, c := range changes {
		if c.from != "" {
			probe := filepath.Join(o.dir, stageName)
			err := os.Rename(c.from, probe)
			if err == nil {
				return os.Rename(probe, c.from) != nil
			}
			return errors.Is(err, syscall.EXDEV)
		}
	}
	return false
}

func copyFile(from, to string) error {
	in, err := sitefile.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// begin writes the journal.
func (o *Output) begin(changes []change) error {
	if err := os.MkdirAll(o.stage, 0o777); err != nil {
		return err
	}
	var j journal
	for _, c := range changes {
		m := move{Path: c.path}
		if c.from != "" {
			from, err := filepath.Rel(filepath.Dir(o.stage), c.from)
			if err != nil {
				return err
			}
			m.From = filepath.ToSlash(from)
		}
		j.Moves = append(j.Moves, m)
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	name := filepath.Join(o.stage, journalName)
	if err := writeNew(name+".new", data); err != nil {
		return err
	}
	if o.folder.opt.Durable {
		if err := syncFile(name + ".new"); err != nil {
			return err
		}
	}
	if err := os.Rename(name+".new", name); err != nil || !o.folder.opt.Durable {
		return err
	}
	return SyncFolder(o.stage)
}

// recover completes the moves from a stage that a killed process has begun, and removes the stage. It skips what cannot
// be moved: the next commit finds it missing.
func (f *Folder) recover(stage string) error {
	if _, err := os.Lstat(stage); absent(err) {
		return nil
	}
	var j journal
	if data, err := sitefile.Read(filepath.Join(stage, journalName)); err == nil && json.Unmarshal(data, &j) == nil {
		o := &Output{folder: f, dir: f.dir, stage: stage}
		for _, m := range j.Moves {
			if !filepath.IsLocal(filepath.FromSlash(m.Path)) || m.From != "" && !filepath.IsLocal(filepath.FromSlash(m.From)) {
				continue
			}
			to := o.Path(m.Path)
			if m.From == "" {
				if info, err := os.Lstat(to); err == nil && !info.IsDir() && os.Remove(to) == nil {
					o.removeEmptyParents(filepath.Dir(to))
				}
				continue
			}
			from := filepath.Join(filepath.Dir(stage), filepath.FromSlash(m.From))
			if _, err := os.Lstat(from); err == nil {
				_ = put(from, to)
			}
		}
		if f.opt.Durable {
			if err := SyncFolder(f.dir); err != nil && !absent(err) {
				return err
			}
		}
	}
	return os.RemoveAll(stage)
}

// undo lists functions that undo the moves of a commit.
type undo []func() error

func (u undo) run() error {
	var errs []error
	for i := len(u) - 1; i >= 0; i-- {
		errs = append(errs, u[i]())
	}
	return errors.Join(errs...)
}

// aside returns a free name in the stage for a file that must be kept until the commit is done.
func (o *Output) aside(undo *undo) (string, error) {
	dir := filepath.Join(o.stage, "old")
	return filepath.Join(dir, strconv.Itoa(len(*undo))), os.MkdirAll(dir, 0o777)
}

// setAside moves a file out of the folder.
func (o *Output) setAside(name string, undo *undo) error {
	old, err := o.aside(undo)
	if err == nil {
		err = os.Rename(name, old)
	}
	if err != nil {
		return err
	}
	*undo = append(*undo, func() error { return put(old, name) })
	return nil
}

// moveFile moves a staged file into place. If the file system allows, it links the old file instead of moving it away,
// so that the path always exists. Undoing moves the staged file back to the stage, because the journal still lists it.
func (o *Output) moveFile(from, to string, undo *undo) error {
	old, err := o.aside(undo)
	if err != nil {
		return err
	}
	info, err := os.Lstat(to)
	there := err == nil && !info.IsDir()
	if there && os.Link(to, old) != nil {
		if err := o.setAside(to, undo); err != nil {
			return err
		}
		there = false
	}
	if err := put(from, to); err != nil {
		return err
	}
	*undo = append(*undo, func() error {
		err := os.Rename(to, from)
		if there {
			return errors.Join(err, os.Rename(old, to))
		}
		o.removeEmptyParents(filepath.Dir(to))
		return err
	})
	return nil
}

// put moves a file into place. It creates the folders above, and removes an empty folder at the path.
func put(from, to string) error {
	err := os.Rename(from, to)
	if err == nil {
		return nil
	}
	if absent(err) {
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
	} else if info, _ := os.Lstat(to); info == nil || !info.IsDir() || os.Remove(to) != nil {
		return err
	}
	return os.Rename(from, to)
}

func (o *Output) removeEmptyParents(dir string) { removeEmpty(o.dir, dir) }

// removeEmpty removes a folder if it is empty, and the folders above that become empty, but not top.
func removeEmpty(top, dir string) {
	for dir != top && strings.HasPrefix(dir, top) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}
