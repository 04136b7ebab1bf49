package result

// Shapes has the names of the labels and metrics of many results. Results of one tool mostly have the same
// names in the same order, so they share an index and values are found without a search. The zero value is
// ready to use.
type Shapes struct {
	shared map[string]*shape
	last   *shape
	key    []byte
}

// shape is an index of the labels and metrics of a result.
type shape struct{ labels, metrics index }

// Share gives a result an index of its labels and metrics, shared with others of the same shape. Afterwards
// names must not change; labels and metrics may be added.
func (s *Shapes) Share(r *Result) {
	if s.last.is(r) { // the usual case
		r.shape = s.last
		return
	}
	s.key = s.key[:0]
	for i := range r.Labels {
		s.key = append(append(s.key, r.Labels[i].Name...), 0)
	}
	s.key = append(s.key, 0)
	for i := range r.Metrics {
		s.key = append(append(s.key, r.Metrics[i].Name...), 0)
	}
	known := s.shared[string(s.key)]
	if known == nil {
		known = newShape(r)
		if s.shared == nil {
			s.shared = map[string]*shape{}
		}
		s.shared[string(s.key)] = known
	}
	r.shape, s.last = known, known
}

// is reports whether a result has exactly the labels and metrics of a shape.
func (s *shape) is(r *Result) bool {
	if s == nil || len(s.labels.names) != len(r.Labels) || len(s.metrics.names) != len(r.Metrics) {
		return false
	}
	for i, name := range s.labels.names {
		if r.Labels[i].Name != name {
			return false
		}
	}
	for i, name := range s.metrics.names {
		if r.Metrics[i].Name != name {
			return false
		}
	}
	return true
}

func newShape(r *Result) *shape {
	labels, metrics := make([]string, len(r.Labels)), make([]string, len(r.Metrics))
	for i := range r.Labels {
		labels[i] = r.Labels[i].Name
	}
	for i := range r.Metrics {
		metrics[i] = r.Metrics[i].Name
	}
	return &shape{newIndex(labels), newIndex(metrics)}
}

// label returns the index of a label in ls. ok is false if s is nil or ls differs from the labels of the shape.
func (s *shape) label(ls Labels, name string) (i int, found, ok bool) {
	if s == nil || len(s.labels.names) != len(ls) {
		return 0, false, false
	}
	i, found = s.labels.place(name)
	return i, found, !found || ls[i].Name == name
}

// metric does for metrics what label does for labels.
func (s *shape) metric(ms []Metric, name string) (i int, found, ok bool) {
	if s == nil || len(s.metrics.names) != len(ms) {
		return 0, false, false
	}
	i, found = s.metrics.place(name)
	return i, found, !found || ms[i].Name == name
}

// Getter returns a function that does what Labels.Get does for one label. It is fast for many results in turn:
// it searches only if a result's labels differ from those of the result before. It is not safe for concurrent
// use.
func Getter(name string) func(*Result) string {
	var last *shape
	var i int
	var found bool
	return func(r *Result) string {
		if r.shape == nil || len(r.shape.labels.names) != len(r.Labels) {
			return r.Labels.Get(name)
		}
		if r.shape != last {
			last = r.shape
			i, found = last.labels.place(name)
		}
		switch {
		case !found:
			return ""
		case r.Labels[i].Name == name:
			return r.Labels[i].Value
		}
		return r.Labels.Get(name)
	}
}

// Labelled returns a function that does what [Result.Label] does for one label, as Getter does for Labels.Get.
func Labelled(name string) func(*Result) string {
	get := Getter(name)
	return func(r *Result) string {
		if value := get(r); value != "" {
			return value
		}
		return r.own(name)
	}
}
