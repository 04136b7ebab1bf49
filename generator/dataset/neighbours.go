package dataset

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// follows maps labels to the leading label of their setting: they change together. A model determines its
// quantization and its size, a board its memory, an engine its image, a load its number of prompts.
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
		// How many accelerators are used, and how.
		"parallelism": "accelerators device_count tensor_split split_mode",
	} {
		m[lead] = lead
		for _, name := range strings.Fields(names) {
			m[name] = lead
		}
	}
	return m
}()

// settingOf returns the setting that a label belongs to. It returns "" for labels that are no settings: where
// and when a run was measured, what follows from other labels, and captured facts of the machine.
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

// Variation is the only setting in which a run and others differ. Labels of one setting, such as a model and
// its quantization, count as one difference.
type Variation struct {
	Label  string           // the first label of the setting that differs: "model", "max_concurrency"
	Runs   []*result.Result // one run for each of the nearest other values, in order, up to the requested number
	Places []int32          // indexes of Runs among all results
	More   bool             // there are further values
}

// Neighbours finds results that differ in only one setting. Building it takes time proportional to the labels
// of all results. It is read-only afterwards.
type Neighbours struct {
	*variants
	results []*result.Result
	sound   []bool // of each set: whether it has a result that is not excluded
}

// variants has what follows from the labels of results alone.
type variants struct {
	seed    maphash.Seed
	sets    map[uint64]*sameSettings // by the hash sum of their settings
	ordered []*sameSettings          // the same sets in order of appearance
	of      []*sameSettings          // the set of each result; nil for a result without neighbours
	members []*sameSettings          // the members of all groups, group by group, each in the order of its values
}

// sameSettings is a set of results with the same settings.
type sameSettings struct {
	place  int     // among all sets
	runs   []int32 // indexes among all results, ascending
	groups []group
}

// setting is one setting of a run: its name, its leading value, and the hash sum of all its labels.
type setting struct {
	name, value string
	sum         uint64
}

// group is the sets that differ in only one setting: members[from:to]. The set that has the group is at the
// index at.
type group struct {
	setting      string
	from, to, at int
}

// member is a set without one of its settings: sets with equal keys differ in nothing else.
type member struct {
	key   uint64
	place int // in order of appearance
	of    *sameSettings
	left  *setting // the setting that is left out
}

// NewNeighbours indexes results, which must be in order. Auxiliary results and results that name no model have
// no neighbours.
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

// Among returns the neighbours among other results with SameTerms.
func (n *variants) Among(results []*result.Result) *Neighbours {
	of := &Neighbours{n, results, make([]bool, len(n.ordered))}
	for i, set := range n.ordered {
		of.sound[i] = slices.ContainsFunc(set.runs, of.isSound)
	}
	return of
}

func (n *Neighbours) isSound(place int32) bool { return !n.results[place].Excluded() }

// Beside returns the indexes of all results whose neighbours change if the result at an index is excluded or no
// longer excluded.
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

// group sorts sets that differ in only one setting by its values and records the index of each. A single set
// has no such difference.
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

// Of returns the variations of the result at an index, the leading settings first. most limits the number of
// other values of each setting. If the result's campaign has other values, only these are used, so that a
// result usually changes what is near in its own campaign only. Of results with the same settings, Of uses the
// nearest one in the folders.
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

// reach is how many values on either side are searched for the same campaign: a site may have thousands of
// values, each in a campaign of its own.
const reach = 64

// around returns the indexes of results for the sound sets of a group whose values are nearest to that of the
// result at an index, in order. more reports whether there are further values. Results of other campaigns are
// used only if the result's campaign has no other value.
func (n *Neighbours) around(g group, place, most int) (places []int32, more bool) {
	campaign := n.results[place].Label("campaign")
	var own, others [2][]int32 // indexes of results with values before and after
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

// evenly divides a number of values (most) between a values before and b values after: the same number of each,
// with an odd one before, and more of one side if the other has too few.
func evenly(a, b, most int) (before, after int) {
	after = min(b, most/2)
	before = min(a, most-after)
	return before, min(b, most-before)
}

// nearest returns the result whose id has the longest common prefix with that of the result at an index. places
// is ascending, and not all its results are excluded.
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

// inCommon returns the length of the common prefix of two texts in bytes.
func inCommon(a, b string) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}

// differing returns the first label of a setting in which two results differ, or "" if they differ also in
// another setting, or not at all.
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

// rank ranks labels: the leading ones in the order of their importance to readers, then the others.
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

// total returns the hash sum of settings, which does not depend on their order.
func total(of []setting) uint64 {
	sum := uint64(0)
	for i := range of {
		sum += of[i].sum
	}
	return sum
}

// without returns the hash sum with any other value of a setting: its name takes the place of its value.
func (n *variants) without(sum uint64, s *setting) uint64 {
	return sum - s.sum + maphash.String(n.seed, s.name)
}
