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

// Memory keeps what a folder of runs held from one Load to the next: only files
// and folders that changed are read again. Load returns with it what it
// returns without; its results belong to the memory, and the next Load changes them. It serves one Load at a time.
type Memory struct {
	folders map[string]*folder       // by slash path below the root, which is "."
	found   map[string]*folder       // those that the Load under way has looked at
	load    int                      // how many Loads there have been
	marks   map[string]filemark.Mark // of files by slash path, once the rest is forgotten
	names   *mask.Names              // of what is below the root; nil where nothing is masked

	sure    bool            // what has changed is known, and it is this:
	changed map[string]bool // files, and folders with all that is in them
	touched map[string]bool // folders in which something has changed

	named  []naming // what the ids of the last Load depend on, those, and their order
	bases  []idBase
	places []place

	shapes result.Shapes // of the results

	results []result.Result // of the last Load, related to each other
	runs    []entry         // those, and where they are from

	round  int // of comparing results
	twins  map[string]*twins
	groups map[among]*group
}

// NewMemory returns a memory that knows nothing.
func NewMemory() *Memory {
	return &Memory{folders: map[string]*folder{}, twins: map[string]*twins{}, groups: map[among]*group{}}
}

// Changed says what has changed since the last Load, or since Changed was last
// called: slash paths below the root as they are on the disk, of files and of folders with all that is in
// them. Nothing else is looked at in the next Load. Without a call of it, a Load
// looks at everything.
func (m *Memory) Changed(paths []string) {
	if !m.sure {
		m.sure, m.changed, m.touched = true, map[string]bool{}, map[string]bool{}
	}
	for _, p := range paths {
		p = m.names.Published(path.Clean(p))
		above := path.Dir(p)
		for m.folders[above] == nil && above != "." { // a folder that was made along with it
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

// folder is what a folder was found to hold.
type folder struct {
	load     int // in which it was last there
	level    level
	model    *model // whose files are in it; nil for none
	folders  []string
	files    []*file
	sweep    string // its file with plans, as in positions; "" for none
	unread   []unread.File
	messages []result.Message

	// What was declared above, and what it comes to here, without the model's files and
	// with them.
	summed        bool
	above         result.Labels
	from          *model
	sum, declared result.Labels
}

// declare returns what is declared for the folders in a folder and for its files, with
// what is declared above and the model that holds here. It returns the same labels as
// long as they come from the same.
func (f *folder) declare(above result.Labels, from *model) (sum, declared result.Labels) {
	if !f.summed || f.from != from || !same(f.above, above) {
		f.summed, f.above, f.from = true, above, from
		f.sum = f.level.extend(above)
		f.declared = result.Spread(from.extend(f.sum), "")
	}
	return f.sum, f.declared
}

// same reports whether labels are the same, mostly by being the same piece of memory.
func same(a, b result.Labels) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

func (f *folder) skip(name string, kind unread.Kind, reason locale.Text) {
	f.unread = append(f.unread, unread.File{Name: name, Kind: kind, Reason: reason})
}

// key is a folder's in a memory.
func key(rel string) string {
	if rel == "" {
		return "."
	}
	return rel
}

// begin begins a Load.
func (m *Memory) begin() {
	m.load++
	m.found = map[string]*folder{}
}

// folder returns what a folder holds, as it is remembered or, where it may have changed, as it is found now.
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

// Forget lets go of what the files held, but not of their versions: no further Load is
// going to ask for it.
func (m *Memory) Forget() {
	marks := map[string]filemark.Mark{}
	for _, f := range m.folders {
		for _, one := range f.files {
			marks[one.rel] = one.state.mark
		}
	}
	*m = Memory{names: m.names, marks: marks}
}

// Disk returns where a file below the root lies, which positions name as it is published.
func (m *Memory) Disk(rel string) string { return m.names.Disk(rel) }

// Version distinguishes versions of a file: of the path below the root, as it was at
// the last Load. It is "" for a file that was not read.
func (m *Memory) Version(rel string) string {
	name, mark := m.OnDisk(rel)
	if name == "" {
		return ""
	}
	return strconv.FormatInt(mark.Size, 36) + "." + strconv.FormatInt(mark.Time, 36) + "." + strconv.FormatInt(mark.Changed, 36) + "." + strconv.FormatUint(mark.Inode, 36)
}

// OnDisk returns the file below the root that one of the last Load lies in, itself or the
// archive that holds it, and the mark it was found with. Name is "" for a file that was not read.
func (m *Memory) OnDisk(rel string) (name string, mark filemark.Mark) {
	for ; rel != "." && rel != "/"; rel = path.Dir(rel) { // what an archive holds is of its version
		if mark := m.mark(rel); mark != (filemark.Mark{}) {
			return rel, mark
		}
	}
	return "", mark
}

// mark returns that of a file in a folder, zero for none.
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

// recall puts files that have not changed in the place of those just found. Both
// lists are in the order of their names.
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

// hold lets a file have what it held before while it is being written anew: JSON that
// ends in the middle.
func (l *loader) hold(f *file) {
	before := f.before
	if f.before = nil; before == nil || !f.out.Cut || l.alive == nil || !l.alive(f.name) {
		return
	}
	f.before, f.out, f.err = before, before.out, nil
	f.out.Messages = append(slices.Clone(f.out.Messages), result.Message{Pos: result.Position{File: f.name}, Severity: result.Info, ID: "run.rewritten",
		Text: locale.Textf("is being rewritten; until it is complete, its previous content is shown")})
}

// settle ends a Load: what it did not come across is gone.
func (m *Memory) settle() {
	maps.DeleteFunc(m.folders, func(_ string, f *folder) bool { return f.load < m.load })
	if len(m.folders) == 0 {
		m.folders = m.found
	} else {
		maps.Copy(m.folders, m.found)
	}
	m.sure, m.changed, m.touched = false, nil, nil
	if len(m.twins)+len(m.groups) > 4*len(m.places)+1000 { // nearly all are of results that are gone
		maps.DeleteFunc(m.groups, func(_ among, g *group) bool { return g.round < m.round })
		maps.DeleteFunc(m.twins, func(_ string, t *twins) bool { return t.round < m.round })
	}
}

// state is by what a changed file is recognised.
type state struct {
	read  bool
	mark  filemark.Mark // zero when there was none
	doubt bool          // it was changed so shortly before that a further change may leave the same mark
}

// stateOf is the state of a file that was found with a mark.
func stateOf(mark filemark.Mark) state {
	return state{true, mark, mark != (filemark.Mark{}) && mark.Fresh(filemark.Settled)}
}

func (s state) same(now state) bool {
	return s.mark != (filemark.Mark{}) && !s.doubt && s.mark == now.mark
}

// merged are the results of a file with the labels of all that describes them, and
// what those were that they were made from.
type merged struct {
	made               bool
	base               idBase
	declared, captured result.Labels
	model              *model
	results            []result.Result
	traits             []traits // one for each; nil until they are shared
	contradictions     []contradiction
}

// contradiction is a label that is declared in one way and was measured in another.
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

// share has the results of a file share with all others what they have in common, unless they do.
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

// assignIDs returns the ids of the last Load when the files are still the same.
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

// place is where a result is: by its file, and in that.
type place struct{ file, result int }

// order finds the places of all results in the order of the dataset, when the files' ids are assigned and their
// results merged.
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
	// Files come nearly in this order: few are in another part than their own, and a stable sort makes use of it.
	const part = 1000
	cores.Each((len(m.places)+part-1)/part, func(i int) {
		slices.SortStableFunc(m.places[i*part:min((i+1)*part, len(m.places))], compare)
	})
	slices.SortStableFunc(m.places, compare)
}

// lay returns the results in their order, as they were merged, and where they are from. Those of the last Load that
// are so still are not copied again.
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
