package mask

import (
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Names maps names of files and folders on disk to their published names, in which secrets and private names are
// replaced as in text. If two names become the same, the second gets a number. All names are slash paths below one
// folder, including members of archives. Names is safe for concurrent use; nil leaves all names as they are.
type Names struct {
	masker *Masker

	some      atomic.Bool // some names are masked; usually none is, which needs no lock
	mu        sync.RWMutex
	published map[string]string // by path on disk; only of what is masked
	disk      map[string]string // the reverse
}

// Names returns the mapping for the names below a folder. It is empty at first.
func (m *Masker) Names() *Names {
	if m == nil {
		return nil
	}
	return &Names{masker: m, published: map[string]string{}, disk: map[string]string{}}
}

// Add adds the names in one folder. The folder is its path on disk, "" for the topmost.
func (n *Names) Add(folder string, names []string) {
	if n == nil {
		return
	}
	if !n.some.Load() && !n.masker.redactor.AnyInNames(folder, names) {
		return
	}
	shown := n.Published(folder)
	masked := make([]string, len(names))
	taken := map[string]bool{}
	for i, name := range names {
		masked[i], taken[name] = n.masker.name(shown, name), true
	}
	n.mu.Lock() // only after the search, so that others need not wait for it
	defer n.mu.Unlock()
	for i, name := range names {
		from, to := path.Join(folder, name), masked[i]
		isTaken := n.disk[path.Join(shown, name)] != ""
		if to == name && !isTaken || n.published[from] != "" {
			continue
		}
		ending := path.Ext(to)
		stem := strings.TrimSuffix(to, ending)
		for i := 2; taken[to] || n.disk[path.Join(shown, to)] != ""; i++ {
			to = stem + "-" + strconv.Itoa(i) + ending
		}
		n.published[from], n.disk[path.Join(shown, to)] = path.Join(shown, to), from
		n.some.Store(true)
	}
}

// Member adds the name of a member of an archive, and returns the published path of the member. The archive is its path
// on disk.
func (n *Names) Member(archive, member string) string {
	whole := archive + "/" + member
	if n == nil {
		return whole
	}
	if shown := n.Published(archive); len(n.masker.redactor.FindInName(shown, member)) == 0 && n.Disk(shown+"/"+member) == whole {
		return shown + "/" + member
	}
	at := archive
	for part := range strings.SplitSeq(member, "/") {
		n.Add(at, []string{part})
		at += "/" + part
	}
	return n.Published(whole)
}

// Published returns the published path of a path on disk.
func (n *Names) Published(name string) string {
	if n == nil || !n.some.Load() {
		return name
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return renamed(n.published, name)
}

// Disk returns the path on disk of a published path.
func (n *Names) Disk(name string) string {
	if n == nil || !n.some.Load() {
		return name
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return renamed(n.disk, name)
}

// renamed replaces the longest known prefix of a path.
func renamed(by map[string]string, name string) string {
	if len(by) == 0 {
		return name
	}
	for at := name; at != "." && at != "/" && at != ""; at = path.Dir(at) {
		if to, ok := by[at]; ok {
			return to + name[len(at):]
		}
	}
	return name
}

// name returns the published name of a file in a folder.
func (m *Masker) name(folder, name string) string {
	var out strings.Builder
	at := 0
	for _, f := range m.redactor.FindInName(folder, name) {
		out.WriteString(name[at:f.Start] + f.Replacement)
		at = f.End
	}
	return out.String() + name[at:]
}
