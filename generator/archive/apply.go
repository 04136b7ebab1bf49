package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
)

// Outcome is the result of Apply.
type Outcome struct {
	Commit   string // its id, "" if there was nothing to commit
	Nothing  bool   // everything was archived already
	Public   int    // number of files in public that the commit changes
	Messages []result.Message
	Ahead    bool // public contains more than the archive: from files that were left or are not committed
}

// Apply executes the plan. If it fails before files are moved into place, the site is unchanged.
func (p *Plan) Apply(ctx context.Context) (Outcome, error) {
	var out Outcome
	if p.repo == nil {
		return p.applyWithout(ctx)
	}
	index, err := p.repo.NewIndex(ctx, filepath.Join(p.stage, "index"), p.head)
	if err != nil {
		return out, err
	}
	if err := p.fillIndex(ctx, index); err != nil {
		return out, err
	}
	tree, err := index.Tree(ctx)
	if err != nil {
		return out, err
	}
	if nothing, err := p.nothing(ctx, tree); err != nil || nothing {
		out.Nothing = nothing
		return out, err
	}
	at("before the rebuild")
	p.opt.Progress("rebuilding from what is archived")
	names, err := p.export(ctx, index)
	if err != nil {
		return out, err
	}
	made, err := p.rebuild(ctx, p.tree("tree"))
	if err != nil {
		return out, err
	}
	if tree, err = p.addPublic(ctx, index, names, made); err != nil {
		return out, err
	}
	if out.Public, err = p.givesBack(ctx, index, tree, made); err != nil {
		return out, err
	}
	if err := p.inPlace(ctx, made, &out); err != nil {
		return out, err
	}
	if p.opt.NoCommit {
		return out, nil
	}
	if tree == p.head.Tree {
		out.Nothing = true
		return out, nil
	}
	p.opt.Progress("committing")
	at("before the commit")
	out.Commit, err = p.repo.Commit(ctx, git.NewCommit{Index: index, Tree: tree, Parent: p.head, Message: p.Message, Step: at})
	return out, err
}

// applyWithout executes the plan without a repository. It rebuilds from a copy of the site.
func (p *Plan) applyWithout(ctx context.Context) (out Outcome, err error) {
	p.opt.Progress("rebuilding from what is archived")
	tree := p.tree("tree")
	err = filepath.WalkDir(p.opt.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.opt.Dir, name)
		switch {
		case err != nil || rel == ".":
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || rel == publicName):
			return fs.SkipDir
		case !d.Type().IsRegular() || within(filepath.ToSlash(rel), []string{runsName}):
			return nil
		}
		return link(name, filepath.Join(tree, rel))
	})
	for _, s := range p.taken {
		from := s.from
		if s.replaced != nil {
			from = p.staged(s.target)
		}
		if err == nil {
			err = link(from, filepath.Join(tree, filepath.FromSlash(s.target)))
		}
	}
	if err != nil {
		return out, err
	}
	made, err := p.rebuild(ctx, tree)
	if err != nil {
		return out, err
	}
	return out, p.inPlace(ctx, made, &out)
}

// fillIndex adds the runs in their new form to the index, and with Inputs also the other uncommitted files.
func (p *Plan) fillIndex(ctx context.Context, index *git.Index) error {
	staged := map[string]bool{}
	moved := slices.Clone(p.beside)
	for _, name := range moved {
		staged[name] = true
	}
	for _, s := range p.steps {
		for _, name := range []string{s.To, s.Was} {
			if name != "" && !staged[name] {
				staged[name] = true
				moved = append(moved, name)
			}
		}
	}
	var rest []string
	for _, name := range p.Changed {
		if !staged[name] {
			rest = append(rest, name)
		}
	}
	if p.opt.Inputs {
		rest = append(rest, p.Uncommitted...)
	}
	// Attributes come first, since they affect how other files are added.
	first := func(a, b string) int {
		return cmp.Compare(rank(a), rank(b))
	}
	slices.SortStableFunc(rest, first)
	slices.SortStableFunc(moved, first)
	err := index.Set(ctx, p.opt.Dir, rest)
	if err == nil {
		if err = os.MkdirAll(p.tree("new"), 0o755); err == nil {
			err = index.Set(ctx, p.tree("new"), moved)
		}
	}
	return refused(err)
}

// rank orders .gitattributes before other files.
func rank(name string) int {
	if path.Base(name) == attributesName {
		return 0
	}
	return 1
}

// refused converts an error of git about a file into a Refusal.
func refused(err error) error {
	var said *git.CommandError
	if errors.As(err, &said) {
		return &Refusal{Text: "git does not take a file", Details: strings.Split(said.Said, "\n")}
	}
	return err
}

// nothing reports whether everything is archived already: no run changes, and public is as in the last commit. It
// builds the site to find out.
func (p *Plan) nothing(ctx context.Context, tree string) (bool, error) {
	if len(p.steps) > 0 || tree != p.head.Tree || len(p.Uncommitted) > 0 || len(p.Left) > 0 || p.head.ID == "" {
		return false, nil
	}
	p.opt.Progress("building")
	if s, _, err := site.Build(ctx, site.Options{Dir: p.opt.Dir, Durable: true}); err != nil || s.Broken {
		return false, err
	}
	status, err := p.repo.Status(ctx, publicName)
	return err == nil && len(status) == 0, err
}

// export writes the site as in the index to the stage, in the form that a clone would get from git, and verifies its
// runs. It returns the files in public that are both in the index and benchpost's own.
func (p *Plan) export(ctx context.Context, index *git.Index) (ours []string, err error) {
	all, err := index.Paths(ctx)
	if err != nil {
		return nil, err
	}
	dir := p.tree("tree")
	list := path.Join(publicName, result.OutputList)
	var names []string
	var hasList bool
	for _, name := range all {
		if !within(name, []string{publicName}) {
			names = append(names, name)
		}
		hasList = hasList || name == list
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := index.Checkout(ctx, dir, names); err != nil {
		return nil, refused(err)
	}
	if hasList {
		before := p.tree("before")
		if err := os.MkdirAll(before, 0o755); err != nil {
			return nil, err
		}
		if err := index.Checkout(ctx, before, []string{list}); err != nil {
			return nil, refused(err)
		}
		for name := range publish.Files(filepath.Join(before, publicName)) {
			ours = append(ours, path.Join(publicName, name))
		}
		ours = append(ours, list)
	}
	if !isAbsentFile(filepath.Join(dir, config.Name)) {
		return ours, p.verify(dir)
	}
	return nil, &Refusal{Text: config.Name + " is not committed, and no clone could build the site", Hint: "commit it, with content and layouts; or --inputs takes them along", Usage: true}
}

// verify compares the archived folders, as git returns them, with their manifests.
func (p *Plan) verify(dir string) error {
	folders := map[string]bool{}
	for _, s := range p.taken {
		folders[path.Dir(s.path)] = true
	}
	_, ms, err := Verify(dir)
	if err != nil {
		return err
	}
	var details []string
	for _, m := range ms {
		if m.Severity == result.Error && folders[path.Dir(m.Pos.File)] {
			details = append(details, m.Pos.File+": "+locale.English(m.Text))
		}
	}
	if len(details) == 0 {
		return nil
	}
	return &Refusal{Text: "git would not give the runs back as they are; nothing was changed", Details: few(details),
		Hint: "line ends and filters change files on their way: put \"/" + p.repo.Prefix + runsName + "/** -text\" into .gitattributes and commit it"}
}

// rebuild builds a copy of the site, and returns the path of its public.
func (p *Plan) rebuild(ctx context.Context, dir string) (string, error) {
	aside := p.tree("made")
	s, ms, err := site.Build(ctx, site.Options{Dir: dir, Into: aside, Repository: p.opt.Dir})
	var details []string
	for _, m := range ms {
		if m.Severity == result.Error {
			details = append(details, m.Error())
		}
	}
	switch {
	case errors.Is(err, site.ErrConfig):
		return "", &Refusal{Text: "the site cannot be built from what is committed: " + config.Name + " is wrong there", Details: few(details), Hint: p.inputsHint()}
	case err != nil:
		return "", err
	case s.Broken:
		return "", &Refusal{Text: "the site cannot be built from what would be archived; nothing was changed", Details: few(details), Hint: p.inputsHint()}
	}
	return filepath.Join(aside, publicName), nil
}

func (p *Plan) inputsHint() string {
	if len(p.Uncommitted) == 0 || p.opt.Inputs {
		return ""
	}
	return "not committed, and so not part of it: " + strings.Join(few(p.Uncommitted), ", ") + "; commit them, or take them along with --inputs"
}

// addPublic replaces the public in the index by the rebuilt one, and returns the new tree.
func (p *Plan) addPublic(ctx context.Context, index *git.Index, ours []string, made string) (string, error) {
	_, limit := p.config.Archive.Sizes()
	names := map[string]bool{}
	for _, name := range ours {
		names[name] = true
	}
	var large, new []string
	err := filepath.WalkDir(made, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(filepath.Dir(made), name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		names[rel] = true
		new = append(new, rel)
		info, err := d.Info()
		if err == nil && info.Size() > limit {
			large = append(large, fmt.Sprintf("%s: %s", rel, size(info.Size())))
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if len(large) > 0 && !p.opt.NoCommit && !p.repo.LFS(ctx) {
		return "", &Refusal{Text: "public would hold files over " + size(limit), Details: few(large), Hint: "[archive] limit in site.toml allows more; or give them to Git LFS in .gitattributes"}
	}
	if !p.opt.NoCommit {
		if err := p.ignored(ctx, new); err != nil {
			return "", err
		}
	}
	if err := index.Set(ctx, filepath.Dir(made), slices.Sorted(maps.Keys(names))); err != nil {
		return "", refused(err)
	}
	return index.Tree(ctx)
}

// givesBack checks that git returns the public in the index byte for byte. It returns the number of files in public
// that the commit changes.
func (p *Plan) givesBack(ctx context.Context, index *git.Index, tree, made string) (int, error) {
	changes, err := p.repo.Changes(ctx, p.head.Tree, tree)
	if err != nil {
		return 0, err
	}
	var names []string
	n := 0
	for _, c := range changes {
		if within(c.Path, []string{publicName}) {
			n++
			if c.New.ID != "" {
				names = append(names, c.Path)
			}
		}
	}
	back := p.tree("back")
	defer os.RemoveAll(filepath.Join(p.stage, "back"))
	if err := os.MkdirAll(back, 0o755); err != nil {
		return n, err
	}
	if err := index.Checkout(ctx, back, names); err != nil {
		return n, refused(err)
	}
	other := differing(back, filepath.Dir(made), names)
	if len(other) > 0 {
		return n, &Refusal{Text: "git would not give public back as it was made; nothing was changed", Details: few(other),
			Hint: "line ends and filters change files on their way: put \"/" + p.repo.Prefix + publicName + "/** -text\" into .gitattributes and commit it"}
	}
	return n, nil
}

// differing returns the files that differ between two folders.
func differing(a, b string, names []string) []string {
	same := make([]bool, len(names))
	cores.Each(len(names), func(i int) {
		name := filepath.FromSlash(names[i])
		x, errX := sumOf(filepath.Join(a, name))
		y, errY := sumOf(filepath.Join(b, name))
		same[i] = errX == nil && errY == nil && x == y
	})
	var other []string
	for i, name := range names {
		if !same[i] {
			other = append(other, name)
		}
	}
	return other
}

// inPlace moves the files into place, builds the site, and compares its public with the one rebuilt from the archive.
// They may only differ if the site contains files that are not archived.
func (p *Plan) inPlace(ctx context.Context, made string, out *Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.opt.Progress("moving files into place")
	if err := p.place(); err != nil {
		return err
	}
	at("before the build")
	p.opt.Progress("building")
	s, ms, err := site.Build(ctx, site.Options{Dir: p.opt.Dir, Durable: true})
	out.Messages = ms
	if err != nil {
		return err
	}
	if s.Broken {
		out.Ahead = true
		return nil
	}
	public := filepath.Join(p.opt.Dir, publicName)
	var names []string
	for name := range publish.Files(made) {
		names = append(names, name)
	}
	other := differing(made, public, append(names, result.OutputList))
	if len(other) == 0 {
		return nil
	}
	if out.Ahead = len(p.Left) > 0 || len(p.Uncommitted) > 0 && !p.opt.Inputs || len(p.opt.Paths) > 0; out.Ahead {
		return nil
	}
	return &Refusal{Text: "a rebuild from what is archived gives another public; nothing was committed", Details: few(other),
		Hint: "a file that the site reads may be missing in git, or is ignored: git status --ignored"}
}
