package archive

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// list stages the manifests that change.
func (p *Plan) list() error {
	facts := factsOf(p.all, p.before)
	folders := map[string][]*source{}
	for _, s := range p.taken {
		folders[path.Dir(s.path)] = append(folders[path.Dir(s.path)], s)
	}
	here := map[string]bool{} // everything in the folders, archived or not
	for _, s := range p.all {
		here[plain(s.path)] = true
		if folder := path.Dir(s.path); folders[folder] == nil {
			folders[folder] = nil
		}
	}
	err := files(p.opt.Dir, runsName, func(string) {}, func(folder string) {
		if _, ok := folders[folder]; !ok && !isAbsentFile(p.at(path.Join(folder, ManifestName))) {
			folders[folder] = nil
		}
	})
	if err != nil && !isAbsent(err) {
		return err
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		name := path.Join(folder, ManifestName)
		old, data, err := readManifest(p.at(folder), name)
		if err != nil {
			return &Refusal{Text: err.Error(), Hint: "rename the file, or delete it if it is of no use: benchpost archive writes its own"}
		}
		m := p.manifest(folder, folders[folder], old, here, facts)
		switch next := m.Encode(); {
		case len(m.Files) == 0 && data == nil, bytes.Equal(next, data):
		case len(m.Files) == 0:
			p.Manifests = append(p.Manifests, name)
			p.steps = append(p.steps, step{Was: name, Sum: summed(data)})
		default:
			p.Manifests = append(p.Manifests, name)
			if err := writeFile(p.staged(name), bytes.NewReader(next), 0o644); err != nil {
				return err
			}
			s := step{To: name, New: summed(next)}
			if data != nil {
				s.Was, s.Sum = name, summed(data)
			}
			p.steps = append(p.steps, s)
		}
	}
	return nil
}

// summed returns the SHA-256 of data as hexadecimal digits.
func summed(data []byte) string {
	s := newSummer()
	_, _ = s.Write(data)
	return s.content().SHA256
}

// manifest returns the manifest of a folder after archiving: it lists the taken files, and keeps the entries of other
// files that still exist.
func (p *Plan) manifest(folder string, taken []*source, old *Manifest, here map[string]bool, facts map[string]*facts) *Manifest {
	m := &Manifest{Schema: ManifestSchema + version}
	before := old.byName()
	listed := map[string]bool{}
	for _, s := range taken {
		e := Entry{Name: path.Base(s.target), Size: s.disk.Size, SHA256: s.disk.SHA256, Read: p.opt.Now.UTC().Truncate(1e9), By: p.opt.By}
		if s.packed {
			content := s.is
			e.Content = &content
		}
		for _, found := range s.found {
			if e.Redact == nil {
				e.Redact = map[string]int{}
			}
			e.Redact[found.Rule]++
		}
		if f := facts[s.path]; f != nil {
			e.Tool, e.Format, e.Results = strings.Join(f.tools, ", "), strings.Join(f.formats, ", "), f.ids
		}
		known := before[plain(e.Name)]
		e.follow(known, s.was)
		if known != nil && known.content() != e.content() && known.content() != s.was {
			p.Altered = append(p.Altered, s.path)
		}
		m.Files = append(m.Files, e)
		listed[plain(e.Name)] = true
	}
	for name, e := range before {
		at := path.Join(folder, name)
		if !listed[name] && here[at] { // left for now
			m.Files = append(m.Files, *e)
		} else if !listed[name] && len(p.opt.Paths) > 0 && !within(at, p.opt.Paths) {
			m.Files = append(m.Files, *e)
		}
	}
	return m
}

// facts holds what was read from a file.
type facts struct {
	tools, formats, ids []string
}

// factsOf returns what was read from each file, by its path.
func factsOf(sources []*source, set *rundir.Dataset) map[string]*facts {
	all := map[string]*facts{}
	for _, s := range sources {
		all[s.path] = &facts{}
	}
	of := func(file string) *facts {
		for at := file; at != "." && at != "/"; at = path.Dir(at) { // for a member of an archive, the archive
			if f := all[at]; f != nil {
				return f
			}
		}
		return &facts{}
	}
	add := func(to *[]string, value string) {
		if value != "" && !slices.Contains(*to, value) {
			*to = append(*to, value)
		}
	}
	for i := range set.Results {
		r := &set.Results[i]
		f := of(r.Source.File)
		add(&f.tools, r.Tool)
		add(&f.formats, r.Format)
		f.ids = append(f.ids, r.ID)
	}
	for _, b := range set.Beside {
		add(&of(b.File).formats, b.Format)
	}
	for _, f := range all {
		slices.Sort(f.tools)
		slices.Sort(f.formats)
		slices.SortFunc(f.ids, result.NaturalCompare)
	}
	return all
}

// compareWithHead determines what differs from the last commit, and refuses files that git would ignore.
func (p *Plan) compareWithHead(ctx context.Context) error {
	for _, s := range p.taken {
		if f := s.replaced; f != nil {
			next := step{To: f.Path, New: s.disk.SHA256}
			if f.Was != "" {
				next.Was, next.Sum, next.Keep = f.Was, s.wasDisk.SHA256, len(f.Findings) > 0
			}
			p.steps = append(p.steps, next)
		}
	}
	changed := map[string]bool{}
	defer func() {
		delete(changed, "")
		p.Changed = slices.Sorted(maps.Keys(changed))
	}()
	for _, s := range p.steps {
		changed[s.To] = true
		if s.To == "" {
			changed[s.Was] = true
		}
	}
	if p.repo == nil {
		for _, s := range p.taken {
			changed[s.target] = true
		}
		return nil
	}
	status, err := p.repo.Status(ctx, append([]string{runsName}, inputs(&p.config)...)...)
	if err != nil {
		return err
	}
	taken, moved := map[string]bool{}, map[string]bool{}
	var targets []string
	for _, s := range p.taken {
		folder := path.Dir(s.path)
		moved[s.path] = s.path != s.target
		taken[s.path], taken[path.Join(folder, ManifestName)], taken[path.Join(folder, attributesName)] = true, true, true
		targets = append(targets, s.target)
	}
	here := map[string]bool{}
	for _, s := range p.all {
		here[s.path] = true
	}
	for _, s := range status {
		switch {
		case !within(s.Path, []string{runsName}):
			p.Uncommitted = append(p.Uncommitted, s.Path)
			p.opt.Inputs = p.opt.Inputs || s.Path == config.Name && s.Index == '?' // the site is new to git
		case moved[s.Path] && s.Index == '?': // it gets another name, and git does not know it yet
		case taken[s.Path]:
			changed[s.Path] = true
		case !here[s.Path] && isAbsentFile(p.at(s.Path)) && (len(p.opt.Paths) == 0 || within(s.Path, p.opt.Paths)):
			if path.Base(s.Path) != ManifestName {
				p.Gone = append(p.Gone, s.Path)
			}
			changed[s.Path] = true
		}
	}
	if p.opt.NoCommit {
		return nil
	}
	targets = append(targets, p.Manifests...)
	return p.ignored(ctx, append(targets, path.Join(publicName, result.OutputList), path.Join(publicName, "site", "index.html")))
}

// ignored returns a Refusal for files that the repository ignores.
func (p *Plan) ignored(ctx context.Context, paths []string) error {
	ignored, err := p.repo.Ignored(ctx, paths)
	if err != nil || len(ignored) == 0 {
		return err
	}
	r := &Refusal{Text: fmt.Sprintf("git is configured to ignore %s of the archive", result.Count(len(ignored), "file")), Usage: true,
		Hint: "take the line out, or except the files with a line !/" + p.repo.Prefix + runsName + "/** behind it"}
	var details []string
	for _, i := range ignored {
		details = append(details, fmt.Sprintf("%s: by %q in %s:%s", i.Path, i.Pattern, filepath.ToSlash(i.File), i.Line))
	}
	r.Details = few(details)
	return r
}

// large handles files that are too large for git. They go into Git LFS if that is set up, and are refused otherwise.
// Files that attributes assign to Git LFS are also refused if it is not set up: git would store them directly, or fail.
func (p *Plan) large(ctx context.Context) error {
	if p.repo == nil || p.opt.NoCommit {
		return nil
	}
	_, limit := p.config.Archive.Sizes()
	changes := p.changes()
	var names []string
	for _, s := range p.taken {
		if changes[s.target] {
			names = append(names, s.target)
		}
	}
	filters, err := p.repo.Attribute(ctx, "filter", names)
	if err != nil {
		return err
	}
	ready := p.repo.LFS(ctx)
	lines := map[string][]string{} // by folder, for its .gitattributes
	for _, s := range p.taken {
		given := filters[s.target] == "lfs"
		over := s.disk.Size > limit && changes[s.target]
		switch {
		case given && !ready:
			return &Refusal{Text: s.target + " is given to Git LFS by .gitattributes, and Git LFS is not set up here", Hint: "install git-lfs, then: git lfs install", Usage: true}
		case over && !ready:
			return &Refusal{Text: fmt.Sprintf("%s has %s, and git is to hold no file over %s", s.target, size(s.disk.Size), size(limit)), Hint: "one of: git lfs install (with git-lfs, it goes there by itself); " +
				"[archive] limit in site.toml, if the server takes such files; or take the file out of runs/"}
		case over && !given:
			lines[path.Dir(s.target)] = append(lines[path.Dir(s.target)], attribute(path.Base(s.target)))
			if s.replaced == nil { // git must see it together with its attributes
				p.beside = append(p.beside, s.target)
				if err := link(s.from, p.staged(s.target)); err != nil {
					return err
				}
			}
		}
		if (over || given) && s.replaced != nil {
			s.replaced.LFS = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(lines)) {
		if err := p.attributes(folder, lines[folder]); err != nil {
			return err
		}
	}
	return nil
}

// attributesName is the file that assigns files of a folder to Git LFS.
const attributesName = ".gitattributes"

// attribute returns the line in .gitattributes that assigns a file to Git LFS.
func attribute(name string) string {
	var b strings.Builder
	for _, c := range name {
		if strings.ContainsRune(`*?[\`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	pattern := "/" + b.String()
	if strings.ContainsAny(pattern, " \t\n\"") {
		pattern = fmt.Sprintf("%q", pattern)
	}
	return pattern + " filter=lfs diff=lfs merge=lfs -text\n"
}

// attributes adds lines to the .gitattributes of a folder of runs, which is committed too.
func (p *Plan) attributes(folder string, lines []string) error {
	name := path.Join(folder, attributesName)
	old, err := readSmall(p.at(name))
	if err != nil {
		return err
	}
	next := bytes.Clone(old)
	if len(next) > 0 && next[len(next)-1] != '\n' {
		next = append(next, '\n')
	}
	for _, line := range lines {
		next = append(next, line...)
	}
	if err := writeFile(p.staged(name), bytes.NewReader(next), 0o644); err != nil {
		return err
	}
	s := step{To: name, New: summed(next)}
	if old != nil {
		s.Was, s.Sum = name, summed(old)
	}
	p.steps = append([]step{s}, p.steps...)
	p.Changed = slices.Compact(slices.Sorted(slices.Values(append(p.Changed, name))))
	return nil
}

// size formats a number of bytes.
func size(n int64) string {
	for _, u := range []struct {
		unit string
		of   int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= u.of {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.of), u.unit)
		}
	}
	return fmt.Sprintf("%d B", n)
}
