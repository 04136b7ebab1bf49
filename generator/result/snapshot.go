package result

// Snapshot is the state of a server's counters at the time of a query.
type Snapshot struct {
	Source   Position // position of the first counter
	Format   string
	Engine   string    // as in the label engine
	Started  float64   // start of the server's process, in seconds since 1970; 0 if unknown
	Counters []Counter // in the order of the file
	Cut      bool      // the file ends within a line
}

// Counter is one counter, summed over all parts of the server.
type Counter struct {
	Name  string // one of the names below; CountedRequests may be followed by the reason for finishing
	Field string // the server's name for it
	Value float64
	Line  int // the first line that contributes
}

// The counters of a snapshot.
const (
	CountedRequests    = "requests" // finished requests; requests_stop and similar names for each reason
	CountedInput       = "input"    // tokens of prompts
	CountedOutput      = "output"   // generated tokens
	CountedQueries     = "queries"  // tokens of prompts looked up in the prefix cache
	CountedHits        = "hits"     // of these, tokens found there
	CountedPreemptions = "preemptions"
)

// Counter returns a counter by name.
func (s *Snapshot) Counter(name string) (Counter, bool) {
	for _, c := range s.Counters {
		if c.Name == name {
			return c, true
		}
	}
	return Counter{}, false
}
