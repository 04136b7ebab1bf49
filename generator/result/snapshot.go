package result

// Snapshot is the state of a server's counters when it was asked.
type Snapshot struct {
	Source   Position // the first of them
	Format   string
	Engine   string    // as the label says it
	Started  float64   // when the server's process was, in seconds since 1970; 0 when not known
	Counters []Counter // in the order of the file
	Cut      bool      // the file ends within a line
}

// Counter is one of them, over all parts of the server.
type Counter struct {
	Name  string // one of the names below, with the reason behind Requests
	Field string // as the server calls it
	Value float64
	Line  int // the first that counts
}

// The counters of a snapshot.
const (
	CountedRequests    = "requests" // that were finished; requests_stop and the like by the reason
	CountedInput       = "input"    // tokens of prompts
	CountedOutput      = "output"   // tokens that were generated
	CountedQueries     = "queries"  // tokens of prompts that were looked up in the prefix cache
	CountedHits        = "hits"     // and found there
	CountedPreemptions = "preemptions"
)

// Counter finds one by name.
func (s *Snapshot) Counter(name string) (Counter, bool) {
	for _, c := range s.Counters {
		if c.Name == name {
			return c, true
		}
	}
	return Counter{}, false
}
