package mask

import (
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Names are names of files and folders as they are published: secrets and private names in them
// are replaced as in text. Of two that become one the second has a number. All are slash paths
// below one folder, of what an archive contains, too. It serves several goroutines at once; nil
// leaves all names as they are.
type Names struct {
	masker *Masker

	some      atomic.Bool // names are masked: nearly always there are none, which needs no lock
	mu        sync.RWMutex
	published map[string]string // by the path on the disk, of what is masked
	disk      map[string]string // and back
}

// Names returns the names below a folder, of which none is known yet.
func (m *Masker) Names() *Names {
	if m == nil {
		return nil
	}
	return &Names{masker: m, published: map[string]string{}, disk: map[string]string{}}
}

// Add makes names of one folder known. The folder is its path on the disk, "" for the topmost.
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
	n.mu.Lock() // after the search, for which others would wait
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

// Member makes the name of a part of an archive known, and returns the path at which it is
// published. The archive is its path on the disk.
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

// Published returns what a path on the disk is published as.
func (n *Names) Published(name string) string {
	if n == nil || !n.some.Load() {
		return name
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return renamed(n.published, name)
}

// Disk returns the path on the disk of one that is published.
func (n *Names) Disk(name string) string {
	if n == nil || !n.some.Load() {
		return name
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return renamed(n.disk, name)
}

// renamed returns a path whose longest known beginning is replaced.
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

// name returns what a name in a folder is published as.
func (m *Masker) name(folder, name string) string {
	var out strings.Builder
	at := 0
	for _, f := range m.redactor.FindInName(folder, name) {
		out.WriteString(name[at:f.Start] + f.Replacement)
		at = f.End
	}
	return out.String() + name[at:]
}
