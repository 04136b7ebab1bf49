package dataset

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// follows names, of labels that change with another, that other: they make one setting together. A model brings
// its quantization and its size, a board its memory, an engine its image, a load its number of prompts.
var follows = func() map[string]string {
	m := map[string]string{}
	for lead, names := range map[string]string{
		"model": `model_raw model_revision base_model tokenizer quantization quantization_type dtype weight_size active_weight_size params active_params
			kv_cache_per_token x_model x_model_type x_model_name x_model_filename x_model_size x_model_dtype x_model_id`,
		"hardware": "memory memory_bandwidth compute_peak compute_type price_per_hour price_date gpu device x_hardware x_gpus x_arch x_cpu x_cpus x_cpu_sockets x_host_memory",
		"engine":   "engine_version image x_image x_torch x_torch_cuda x_transformers_version x_git_hash x_build_number x_build_commit",
		"tool":     "tool_version format",
		"load":     "max_concurrency request_rate num_prompts x_warmups x_num_warmups",
		"scenario": "dataset dataset_path dataset_subset dataset_split input_len output_len x_n_prompt x_n_gen",
		// Of how many accelerators are used and how.
		"parallelism": "accelerators device_count tensor_split split_mode",
	} {
		m[lead] = lead
		for _, name := range strings.Fields(names) {
			m[name] = lead
		}
	}
	return m
}()

// settingOf returns the setting that a label belongs to, "" for a label that is none: where and when a run was
// measured, what follows from the other labels, and what was only captured of the machine.
func settingOf(l *result.Label) string {
	switch {
	case l.Value == "" || l.Origin == result.Derived || l.Name == "campaign" || l.Name == "phase":
		return ""
	}
	if lead := follows[l.Name]; lead != "" {
		return lead
	}
	if !tellsApart(*l) || l.Origin == result.Captured && slices.Contains(drifting, l.Name) {
		return ""
	}
	return l.Name
}

// Variation is the one setting in which a run and others differ. Labels of one setting, as a
// model and its quantization, are one difference.
type Variation struct {
	Label  string           // the first of the setting's that differs: "model", "max_concurrency"
	Runs   []*result.Result // one for each of the values nearest to its own, in order, no more than asked for
	Places []int32          // of Runs among all results
	More   bool             // there are further values
}

// Neighbours knows which results are the same but for one setting. It is made once of all results, in a time
// proportional to their labels, and is read-only from then on.
type Neighbours struct {
	*variants
	results []*result.Result
	sound   []bool // of each set: it has a result that is not excluded
}

// variants are what follows from the labels of results.
type variants struct {
	seed    maphash.Seed
	sets    map[uint64]*sameSettings // by the sum of their settings
	ordered []*sameSettings          // the same in the order in which they appear
	of      []*sameSettings          // those of each result, nil for one that is nobody's neighbour
	members []*sameSettings          // of groups, one group after the other, each in the order of its values
}

// sameSettings are results with the same settings.
type sameSettings struct {
	place  int     // among all sets
	runs   []int32 // their places among all results, in order
	groups []group
}

// setting is one setting of a run: its name, the sum over all that belongs to it, and the first value.
type setting struct {
	name, value string
	sum         uint64
}

// group are the sets that differ from one in a setting: members[from:to], itself at the place at.
type group struct {
	setting      string
	from, to, at int
}

// member is a set without one of its settings: equal keys differ in nothing else.
type member struct {
	key   uint64
	place int // in the order in which sets appear
	of    *sameSettings
	left  *setting // the one that is left out
}

// NewNeighbours indexes results, given in order. Of a result that is excluded or that names no model
// nothing is the neighbour.
func NewNeighbours(rs []*result.Result) *Neighbours {
	n := &variants{seed: maphash.MakeSeed(), sets: map[uint64]*sameSettings{}, of: make([]*sameSettings, len(rs))}
	members := make([]member, 0, 4*len(rs))
	var own []setting
	for place, r := range rs {
		if r.Auxiliary() || !Identified(r) {
			continue
		}
		own = n.settingsOf(r, own[:0])
		sum := total(own)
		set := n.sets[sum]
		if set == nil {
			set = &sameSettings{place: len(n.ordered)}
			n.sets[sum], n.ordered = set, append(n.ordered, set)
			kept := slices.Clone(own)
			for i := range kept {
				members = append(members, member{n.without(sum, &kept[i]), len(members), set, &kept[i]})
			}
		}
		set.runs = append(set.runs, int32(place))
		n.of[place] = set
	}
	slices.SortFunc(members, func(a, b member) int { return cmp.Or(cmp.Compare(a.key, b.key), a.place-b.place) })
	for from := 0; from < len(members); {
		to := from + 1
		for to < len(members) && members[to].key == members[from].key {
			to++
		}
		n.group(members[from:to])
		from = to
	}
	return n.Among(rs)
}

// Among returns the neighbours of other results with the SameTerms.
func (n *variants) Among(results []*result.Result) *Neighbours {
	of := &Neighbours{n, results, make([]bool, len(n.ordered))}
	for i, set := range n.ordered {
		of.sound[i] = slices.ContainsFunc(set.runs, of.isSound)
	}
	return of
}

func (n *Neighbours) isSound(place int32) bool { return !n.results[place].Excluded() }

// Beside returns the places of all results whose neighbours are others when the one at a place is excluded, or no
// longer is.
func (n *Neighbours) Beside(place int) []int32 {
	set := n.of[place]
	if set == nil {
		return nil
	}
	places := slices.Clone(set.runs)
	for _, g := range set.groups {
		for _, other := range n.members[g.from:g.to] {
			places = append(places, other.runs...)
		}
	}
	return places
}

// group puts sets that differ in one setting into the order of its values, and notes where each is. From one alone
// nothing differs in that setting only.
func (n *variants) group(of []member) {
	if len(of) == 1 {
		return
	}
	slices.SortStableFunc(of, func(a, b member) int { return result.NaturalCompare(a.left.value, b.left.value) })
	from := len(n.members)
	for i, m := range of {
		n.members = append(n.members, m.of)
		m.of.groups = append(m.of.groups, group{m.left.name, from, from + len(of), from + i})
	}
}

// Of returns what differs from the result at a place in exactly one setting, the leading settings first, with the results of
// at most so many other values of each setting: those in its campaign, or of others where its campaign has no other
// value, so that a result changes what is near in its own campaign alone, as a rule. A result stands for all that have
// its settings: the one that is the nearest in the folders.
func (n *Neighbours) Of(place, most int) []Variation {
	r, set := n.results[place], n.of[place]
	if set == nil {
		set = n.sets[total(n.settingsOf(r, nil))]
	}
	if set == nil || !n.sound[set.place] {
		return nil
	}
	var found []Variation
	for _, g := range set.groups {
		var d Variation
		near, more := n.around(g, place, most)
		for _, there := range near {
			other := n.results[there]
			label := differing(r, other, g.setting)
			if label == "" || !MeasureAlike(r, other) || !sameLengths(r, other) && g.setting != "scenario" {
				continue
			}
			d.Runs, d.Places = append(d.Runs, other), append(d.Places, there)
			if d.Label == "" {
				d.Label = label
			}
		}
		if len(d.Runs) > 0 {
			d.More = more
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b Variation) int {
		return cmp.Or(cmp.Compare(rank(a.Label), rank(b.Label)), strings.Compare(a.Label, b.Label))
	})
	return found
}

// reach is how many values on either side of its own are looked at for those of the same campaign: a site may have
// thousands, each in a campaign of its own.
const reach = 64

// around returns, for the sound sets of a group whose values are the nearest to that of the result at a place, the
// places of their results, in order, and reports whether it knows of more. Where a result of its campaign has
// another value, those of other campaigns are left out.
func (n *Neighbours) around(g group, place, most int) (places []int32, more bool) {
	campaign := n.results[place].Label("campaign")
	var own, others [2][]int32 // places of results whose values come before, and after
	for side, step := range [2]int{-1, 1} {
		for at := g.at + step; at >= g.from && at < g.to && step*(at-g.at) <= reach && len(own[side]) <= most; at += step {
			if !n.sound[n.members[at].place] {
				continue
			}
			if there := n.nearest(n.members[at].runs, place); n.results[there].Label("campaign") == campaign {
				own[side] = append(own[side], there)
			} else {
				others[side] = append(others[side], there)
			}
		}
	}
	near := own
	if len(own[0])+len(own[1]) == 0 {
		near = others
	}
	before, after := evenly(len(near[0]), len(near[1]), most)
	places = slices.Clone(near[0][:before])
	slices.Reverse(places)
	return append(places, near[1][:after]...), before+after < len(near[0])+len(near[1])
}

// evenly parts so many places among those before and those after, of which there are a and b: as many of each, the odd
// one before, and more of one side where the other has fewer.
func evenly(a, b, most int) (before, after int) {
	after = min(b, most/2)
	before = min(a, most-after)
	return before, min(b, most-before)
}

// nearest returns the one of several results, in order and not all excluded, whose id begins with most of that of the one at
// a place.
func (n *Neighbours) nearest(places []int32, place int) int32 {
	after, _ := slices.BinarySearch(places, int32(place))
	before := after - 1
	for before >= 0 && !n.isSound(places[before]) {
		before--
	}
	for after < len(places) && !n.isSound(places[after]) {
		after++
	}
	id := n.results[place].ID
	if before >= 0 && (after == len(places) || inCommon(n.results[places[before]].ID, id) >= inCommon(n.results[places[after]].ID, id)) {
		return places[before]
	}
	return places[after]
}

// inCommon returns how many bytes two texts begin with alike.
func inCommon(a, b string) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}

// differing returns the first label of a setting in which two results differ, "" when they differ in another
// setting, too, or in none.
func differing(a, b *result.Result, setting string) string {
	label := ""
	for _, of := range [2][2]*result.Result{{a, b}, {b, a}} {
		for i := range of[0].Labels {
			l := &of[0].Labels[i]
			s := settingOf(l)
			if s == "" || of[1].Label(l.Name) == l.Value {
				continue
			}
			if s != setting {
				return ""
			}
			if label == "" || rank(l.Name) < rank(label) {
				label = l.Name
			}
		}
	}
	if label == "" && setting == "tool" && a.Tool != b.Tool {
		label = "tool"
	}
	return label
}

// rank orders labels: those that lead, in the order in which people ask for them, then the others.
func rank(label string) int {
	leading := [...]string{"model", "quantization", "base_model", "model_raw", "hardware", "power_mode", "clocks", "parallelism", "accelerators", "engine", "engine_version", "image",
		"load", "max_concurrency", "request_rate", "scenario", "dataset", "input_len", "output_len"}
	if i := slices.Index(leading[:], label); i >= 0 {
		return i
	}
	return len(leading)
}

// settingsOf appends the settings of a result, each once.
func (n *variants) settingsOf(r *result.Result, to []setting) []setting {
	add := func(name, label, value string) {
		sum := maphash.Comparable(n.seed, [2]string{label, value})
		i := slices.IndexFunc(to, func(s setting) bool { return s.name == name })
		if i < 0 {
			to = append(to, setting{name, value, sum})
			return
		}
		to[i].sum += sum
		if label == name {
			to[i].value = value
		}
	}
	for i := range r.Labels {
		if name := settingOf(&r.Labels[i]); name != "" {
			add(name, r.Labels[i].Name, r.Labels[i].Value)
		}
	}
	if r.Tool != "" && r.Labels.Get("tool") == "" {
		add("tool", "tool", r.Tool)
	}
	return to
}

// total is the sum over settings, in whatever order.
func total(of []setting) uint64 {
	sum := uint64(0)
	for i := range of {
		sum += of[i].sum
	}
	return sum
}

// without is what a sum would be with another value of a setting, whichever: the name of the setting in the place
// of the value.
func (n *variants) without(sum uint64, s *setting) uint64 {
	return sum - s.sum + maphash.String(n.seed, s.name)
}
