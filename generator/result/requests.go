package result

// MostRequests is how many requests of a run are kept one by one.
const MostRequests = 300

// Requests is when the requests of a run were sent, first answered and done, where its file has each: in
// seconds since the first was sent. Those that failed are left out.
type Requests struct {
	N    int // of them
	Line int // where the file has the first

	// Of each, in the order in which they were sent; nil for more than MostRequests. First is NaN where it is
	// unknown.
	Sent, First, Done []float64

	// Of equal intervals from the first request sent to the last one done.
	Step     float64   // seconds of each
	InFlight []float64 // requests sent and not done, mean
	Tokens   []float64 // output tokens in a second, those of a request evenly between its first and its last; nil where unknown
	Median   []float64 // TTFT of the requests sent in it, in ms, NaN for none; nil where unknown
	Longest  []float64 // and the longest

	// FullFrom and FullTo are when nine tenths of the most requests at once were first and last in flight; equal
	// where there is no such time.
	FullFrom, FullTo float64
}

// Stamp distinguishes one from another.
func (q *Requests) Stamp() Stamp {
	var s Stamper
	q.stamp(&s)
	return s.Sum()
}

// stamp adds all of it, as that of a result.
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
