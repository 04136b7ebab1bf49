package rundir

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// Memory keeps the contents of a folder of runs between calls of Load, so that only changed files and folders are read
// again. Load returns the same with a Memory as without. The results belong to the Memory, and the next Load changes
// them. A Memory serves one Load at a time.
type Memory struct {
	folders map[string]*folder       // by slash path below the root, which is "."
	found   map[string]*folder       // folders that the current Load has visited
	load    int                      // the number of Loads so far
	marks   map[string]filemark.Mark // of files by slash path; set by Forget
	names   *mask.Names              // published names of what is below the root; nil where nothing is masked

	sure    bool            // Changed was called; the two maps say what has changed
	changed map[string]bool // files, and folders with everything in them
	touched map[string]bool // folders in which something has changed

	named  []naming // what the ids of the last Load depend on, the ids, and the order of the results
	bases  []idBase
	places []place

	shapes result.Shapes // of the results

	results []result.Result // of the last Load, related to each other
	runs    []entry         // the same results with their files

	round  int // the current round of comparing results
	twins  map[string]*twins
	groups map[among]*group
}

// NewMemory returns an empty Memory.
func NewMemory() *Memory {
	return &Memory{folders: map[string]*folder{}, twins: map[string]*twins{}, groups: map[among]*group{}}
}

// Changed states what has changed since the last Load, or since the last call of Changed. The paths are slash paths
// below the root as they are on disk; a folder includes everything in it. The next Load looks at nothing else. Without
// a call of Changed, Load looks at everything.
func (m *Memory) Changed(paths []string) {
	if !m.sure {
		m.sure, m.changed, m.touched = true, map[string]bool{}, map[string]bool{}
	}
	for _, p := range paths {
		p = m.names.Published(path.Clean(p))
		above := path.Dir(p)
		for m.folders[above] == nil && above != "." { // the parent folder is new as well
			p, above = above, path.Dir(above)
		}
		m.changed[p], m.touched[above] = true, true
	}
}

// hasChanged reports whether a path, or a folder above it, has changed.
func (m *Memory) hasChanged(rel string) bool {
	for ; !m.changed[rel]; rel = path.Dir(rel) {
		if rel == "." {
			return !m.sure
		}
	}
	return true
}

// folder holds what was found in a folder.
type folder struct {
	load     int // the last Load that found it
	level    level
	model    *model // the model whose files are in it; nil for none
	folders  []string
	files    []*file
	sweep    string // the sweep.toml in it, as in positions; "" for none
	unread   []unread.File
	messages []result.Message

	// The labels declared above (input), and the resulting labels of this folder (output) without and with the labels
	// of the model.
	summed        bool
	above         result.Labels
	from          *model
	sum, declared result.Labels
}

// declare returns the labels declared for the subfolders of a folder (sum) and for its files (declared), given the
// labels declared above and the model that applies here. It returns the identical slices while its inputs are the same.
func (f *folder) declare(above result.Labels, from *model) (sum, declared result.Labels) {
	if !f.summed || f.from != from || !same(f.above, above) {
		f.summed, f.above, f.from = true, above, from
		f.sum = f.level.extend(above)
		f.declared = result.Spread(from.extend(f.sum), "")
	}
	return f.sum, f.declared
}

// same reports whether two lists of labels are equal; most equal ones share their memory, which is quick to see.
func same(a, b result.Labels) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

func (f *folder) skip(name string, kind unread.Kind, reason locale.Text) {
	f.unread = append(f.unread, unread.File{Name: name, Kind: kind, Reason: reason})
}

// key returns the key of a folder in a Memory.
func key(rel string) string {
	if rel == "" {
		return "."
	}
	return rel
}

// begin starts a Load.
func (m *Memory) begin() {
	m.load++
	m.found = map[string]*folder{}
}

// folder returns the contents of a folder: from the Memory, or listed anew if the folder may have changed.
func (m *Memory) folder(l *loader, rel string, changed bool) (*folder, error) {
	at := key(rel)
	known := m.folders[at]
	if known != nil && !changed && !m.touched[at] {
		for _, r := range known.level.rules {
			r.used = false
		}
		known.load = m.load
		return known, nil
	}
	found, err := l.list(rel)
	if err != nil {
		return nil, err
	}
	if known != nil {
		m.recall(l, found.files, known.files)
	}
	if found.load = m.load; l.again {
		m.found[at] = found
	}
	return found, nil
}

// Forget frees the contents of all files but keeps their versions. No Load may follow.
func (m *Memory) Forget() {
	marks := map[string]filemark.Mark{}
	for _, f := range m.folders {
		for _, one := range f.files {
			marks[one.rel] = one.state.mark
		}
	}
	*m = Memory{names: m.names, marks: marks}
}

// Disk returns the path on disk of a file below the root that is given by its published path, as positions name it.
func (m *Memory) Disk(rel string) string { return m.names.Disk(rel) }

// Version identifies the version of a file at the last Load. Rel is the path below the root. The result is "" for a
// file that was not read.
func (m *Memory) Version(rel string) string {
	name, mark := m.OnDisk(rel)
	if name == "" {
		return ""
	}
	return strconv.FormatInt(mark.Size, 36) + "." + strconv.FormatInt(mark.Time, 36) + "." + strconv.FormatInt(mark.Changed, 36) + "." + strconv.FormatUint(mark.Inode, 36)
}

// OnDisk returns the file on disk that held rel at the last Load, which is rel itself or the archive that contains it,
// and the mark of that file. Name is "" for a file that was not read.
func (m *Memory) OnDisk(rel string) (name string, mark filemark.Mark) {
	for ; rel != "." && rel != "/"; rel = path.Dir(rel) { // a member of an archive has the archive's version
		if mark := m.mark(rel); mark != (filemark.Mark{}) {
			return rel, mark
		}
	}
	return "", mark
}

// mark returns the mark of a file at the last Load, zero for none.
func (m *Memory) mark(rel string) filemark.Mark {
	folder := m.folders[path.Dir(rel)]
	if folder == nil {
		return m.marks[rel]
	}
	i, ok := slices.BinarySearchFunc(folder.files, rel, func(f *file, rel string) int { return strings.Compare(f.rel, rel) })
	if !ok {
		return filemark.Mark{}
	}
	return folder.files[i].state.mark
}

// recall replaces files just found by the remembered ones that have not changed. Both lists are sorted by name.
func (m *Memory) recall(l *loader, found, known []*file) {
	for i, f := range found {
		n, ok := slices.BinarySearchFunc(known, f.rel, func(k *file, rel string) int { return strings.Compare(k.rel, rel) })
		if !ok {
			continue
		}
		old := known[n]
		if f.before = old.before; f.before == nil && isWhole(&old.out) {
			f.before = old
		}
		switch {
		case !m.hasChanged(f.rel), !m.changed[f.rel] && old.state.same(stateOf(l.tree.Mark(l.path(f.rel)))):
			found[i] = old
		}
	}
}

// isWhole reports whether a file held finished results and nothing broken.
func isWhole(out *format.Output) bool {
	return !out.Cut && len(out.Results) > 0 && !slices.ContainsFunc(out.Results, func(r result.Result) bool { return r.Status == result.Partial })
}

// hold keeps the previous content of a file that is being rewritten: when its JSON ends in the middle and somebody
// still writes it.
func (l *loader) hold(f *file) {
	before := f.before
	if f.before = nil; before == nil || !f.out.Cut || l.alive == nil || !l.alive(f.name) {
		return
	}
	f.before, f.out, f.err = before, before.out, nil
	f.out.Messages = append(slices.Clone(f.out.Messages), result.Message{Pos: result.Position{File: f.name}, Severity: result.Info, ID: "run.rewritten",
		Text: locale.Textf("is being rewritten; until it is complete, its previous content is shown")})
}

// settle ends a Load: it drops the folders that the Load did not find.
func (m *Memory) settle() {
	maps.DeleteFunc(m.folders, func(_ string, f *folder) bool { return f.load < m.load })
	if len(m.folders) == 0 {
		m.folders = m.found
	} else {
		maps.Copy(m.folders, m.found)
	}
	m.sure, m.changed, m.touched = false, nil, nil
	if len(m.twins)+len(m.groups) > 4*len(m.places)+1000 { // nearly all belong to results that no longer exist
		maps.DeleteFunc(m.groups, func(_ among, g *group) bool { return g.round < m.round })
		maps.DeleteFunc(m.twins, func(_ string, t *twins) bool { return t.round < m.round })
	}
}

// state serves to recognise a changed file.
type state struct {
	read  bool
	mark  filemark.Mark // zero when the file had none
	doubt bool          // changed so recently that a further change may leave the same mark
}

// stateOf returns the state of a file that was found with a mark.
func stateOf(mark filemark.Mark) state {
	return state{true, mark, mark != (filemark.Mark{}) && mark.Fresh(filemark.Settled)}
}

func (s state) same(now state) bool {
	return s.mark != (filemark.Mark{}) && !s.doubt && s.mark == now.mark
}

// merged holds the results of a file with all labels that apply to them, and the inputs from which they were merged.
type merged struct {
	made               bool
	base               idBase
	declared, captured result.Labels
	model              *model
	results            []result.Result
	traits             []traits // one for each result; nil until share has run
	contradictions     []contradiction
}

// contradiction is a label whose declared value differs from the measured one.
type contradiction struct{ declared, measured result.Label }

// merge assigns the file's results their ids and labels, unless they have them. Several files may be merged at once.
func (f *file) merge(base idBase, captured result.Labels) {
	if old := &f.merged; old.made && old.base == base && old.model == f.model && same(old.declared, f.declared) && same(old.captured, captured) {
		return
	}
	f.merged = merged{made: true, base: base, declared: f.declared, captured: captured, model: f.model, results: make([]result.Result, 0, len(f.out.Results))}
	repeat := sweepRepeat(f.rel)
	for n, r := range f.out.Results { // r is a copy: what was read may be shared
		r.ID = base.of(n, len(f.out.Results))
		labels := merge(&r, withCaptured(r.Labels, captured), f.declared, func(declared, measured result.Label) {
			f.merged.contradictions = append(f.merged.contradictions, contradiction{declared, measured})
		})
		r.Labels = f.guess(f.model.fit(labels))
		if repeat != "" && r.Label("repeat") == "" {
			r.Labels.Set(result.Label{Name: "repeat", Value: repeat, Origin: result.Declared, Pos: result.Position{File: f.name}})
		}
		f.merged.results = append(f.merged.results, r)
	}
}

// share lets the results of a file share their common parts with those of all other files, and sets their traits. It
// does so once.
func (m *Memory) share(f *file) {
	if f.merged.traits != nil || len(f.merged.results) == 0 {
		return
	}
	f.merged.traits = make([]traits, len(f.merged.results))
	whole := wholeFacts(f.merged.results)
	for n := range f.merged.results {
		r := &f.merged.results[n]
		m.shapes.Share(r)
		f.merged.traits[n] = m.traitsOf(r, whole, n)
	}
}

// naming is what the ids of a file's results depend on.
type naming struct {
	rel     string
	results int
}

// assignIDs returns the ids of the results' files. It reuses those of the last Load when the files are the same.
func (m *Memory) assignIDs(files []*file) []idBase {
	same := len(files) == len(m.named)
	for i := 0; same && i < len(files); i++ {
		same = m.named[i] == naming{files[i].rel, len(files[i].out.Results)}
	}
	if same {
		return m.bases
	}
	m.named = make([]naming, len(files))
	for i, f := range files {
		m.named[i] = naming{f.rel, len(f.out.Results)}
	}
	m.bases, m.places = assignIDs(files), nil
	return m.bases
}

// place locates a result by the index of its file and its index in that file.
type place struct{ file, result int }

// order sorts the places of all results into the order of the dataset. The files must have their ids, and their results
// must be merged.
func (m *Memory) order(files []*file) {
	if m.places != nil {
		return
	}
	for i, f := range files {
		for n := range f.merged.results {
			m.places = append(m.places, place{i, n})
		}
	}
	at := func(p place) *result.Result { return &files[p.file].merged.results[p.result] }
	compare := func(a, b place) int { return result.Compare(at(a), at(b)) }
	// Files arrive nearly in this order, so each part is nearly sorted; the final stable sort profits from sorted
	// parts.
	const part = 1000
	cores.Each((len(m.places)+part-1)/part, func(i int) {
		slices.SortStableFunc(m.places[i*part:min((i+1)*part, len(m.places))], compare)
	})
	slices.SortStableFunc(m.places, compare)
}

// lay returns the merged results in the order of the dataset, and the same results with their files. Results that are
// unchanged since the last Load are not copied again.
func (m *Memory) lay(files []*file) ([]result.Result, []entry) {
	if m.results == nil || len(m.results) != len(m.places) {
		m.results, m.runs = make([]result.Result, len(m.places)), make([]entry, len(m.places))
	}
	for i, at := range m.places {
		f := files[at.file]
		now := entry{&m.results[i], f, &f.merged.traits[at.result]}
		if made := &f.merged.results[at.result]; !now.Is(made) {
			*now.Result = *made
		}
		if m.runs[i] != now {
			m.runs[i] = now
		}
	}
	return slices.Clip(m.results), m.runs
}
