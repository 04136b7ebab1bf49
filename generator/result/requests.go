package result

// MostRequests is the greatest number of requests of a run that are kept individually.
const MostRequests = 300

// Requests has the times at which the requests of a run were sent, first answered and completed, if its file
// has them, in seconds since the first was sent. Failed requests are left out.
type Requests struct {
	N    int // number of requests
	Line int // line of the first request in the file

	// For each request, in the order in which they were sent; nil if there are more than MostRequests. First is
	// NaN if unknown.
	Sent, First, Done []float64

	// For equal intervals between sending the first request and completing the last:
	Step     float64   // length of an interval in seconds
	InFlight []float64 // mean number of requests that were sent and not completed
	Tokens   []float64 // output tokens per second, a request's spread evenly from its first to its last; nil if unknown
	Median   []float64 // median TTFT in ms of the requests sent in it, NaN if there are none; nil if unknown
	Longest  []float64 // the longest TTFT, likewise

	// FullFrom and FullTo are when nine tenths of the greatest number of concurrent requests were first and
	// last in flight. They are equal if there is no such time.
	FullFrom, FullTo float64
}

// Stamp returns a checksum of the requests.
func (q *Requests) Stamp() Stamp {
	var s Stamper
	q.stamp(&s)
	return s.Sum()
}

// stamp adds all fields to the stamp of a result.
func (q *Requests) stamp(s *Stamper) {
	s.Bool(q != nil)
	if q == nil {
		return
	}
	s.Int(q.N, q.Line)
	for _, list := range [][]float64{q.Sent, q.First, q.Done, {q.Step, q.FullFrom, q.FullTo}, q.InFlight, q.Tokens, q.Median, q.Longest} {
		s.Float(list...)
	}
}
