package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// Stamp is a checksum of contents. Equal contents have equal stamps, in every run of the program and on every
// machine.
type Stamp [16]byte

// Stamper collects the contents of a stamp. The zero value is empty. Pieces are delimited, so only equal
// sequences of pieces have the same stamp.
type Stamper struct{ b []byte }

// stampers is a pool of stampers, so that a stamp of usual size needs no allocation.
var stampers = sync.Pool{New: func() any { return new(Stamper) }}

// StampOf returns the stamp of everything that add adds. It is the efficient way to make many stamps.
func StampOf(add func(*Stamper)) Stamp {
	s := stampers.Get().(*Stamper)
	defer stampers.Put(s)
	add(s)
	return s.Sum()
}

// Text adds pieces of text.
func (s *Stamper) Text(texts ...string) {
	for _, t := range texts {
		s.b = binary.AppendUvarint(s.b, uint64(len(t)))
		s.b = append(s.b, t...)
	}
}

// Bytes adds a piece of data.
func (s *Stamper) Bytes(data []byte) {
	s.b = binary.AppendUvarint(s.b, uint64(len(data)))
	s.b = append(s.b, data...)
}

// Int adds whole numbers.
func (s *Stamper) Int(numbers ...int) {
	for _, n := range numbers {
		s.b = binary.AppendVarint(s.b, int64(n))
	}
}

// Bool adds truth values.
func (s *Stamper) Bool(conditions ...bool) {
	for _, is := range conditions {
		if is {
			s.b = append(s.b, 1)
		} else {
			s.b = append(s.b, 0)
		}
	}
}

// Float adds numbers, bit by bit.
func (s *Stamper) Float(numbers ...float64) {
	s.Int(len(numbers))
	for _, f := range numbers {
		s.b = binary.LittleEndian.AppendUint64(s.b, math.Float64bits(f))
	}
}

// Stamp adds the stamps of other contents.
func (s *Stamper) Stamp(stamps ...Stamp) {
	for i := range stamps {
		s.b = append(s.b, stamps[i][:]...)
	}
}

// Results adds results by their stamps.
func (s *Stamper) Results(rs []*Result) {
	s.Int(len(rs))
	for _, r := range rs {
		s.b = append(s.b, r.Stamp[:]...)
	}
}

// Position adds a position.
func (s *Stamper) Position(p Position) {
	s.Text(p.File)
	s.Int(p.Line, p.Column)
}

// Message adds a message.
func (s *Stamper) Message(m Message) {
	s.Position(m.Pos)
	s.Int(int(m.Severity))
	s.Text(m.ID)
	s.Words(m.Text, m.Hint)
	s.figures(m.Figures)
}

// Words adds texts in every language.
func (s *Stamper) Words(texts ...locale.Text) {
	for _, t := range texts {
		for _, lang := range locale.Languages {
			p, _ := locale.For(lang)
			s.Text(p.Say(t))
		}
	}
}

// Value adds everything that a value holds: a number, a text, or structs, lists and maps of these, field by
// field, so that fields added later are included. It follows pointers and never adds addresses. It adds a
// result by its stamp. It panics for types without contents, such as functions and channels.
func (s *Stamper) Value(v any) { s.value(reflect.ValueOf(v)) }

func (s *Stamper) value(v reflect.Value) {
	if !v.IsValid() {
		s.Bool(false)
		return
	}
	if v.CanInterface() {
		switch v := v.Interface().(type) {
		case locale.Text:
			s.Words(v)
			return
		case time.Time:
			s.time(v)
			return
		case *Result:
			s.Stamp(v.Stamp)
			return
		case *Unfinished:
			s.Unfinished(v)
			return
		case Selector:
			s.Text(v.Metric)
			s.Int(len(v.Matchers))
			for _, m := range v.Matchers {
				s.Text(m.Label, m.Op, m.Value)
			}
			return
		case []byte:
			s.Bytes(v)
			return
		}
	}
	switch v.Kind() {
	case reflect.String:
		s.Text(v.String())
	case reflect.Bool:
		s.Bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.Int(int(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s.b = binary.AppendUvarint(s.b, v.Uint())
	case reflect.Float32, reflect.Float64:
		s.Float(v.Float())
	case reflect.Pointer, reflect.Interface:
		s.Bool(!v.IsNil())
		if !v.IsNil() {
			s.value(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		s.Int(v.Len())
		for i := range v.Len() {
			s.value(v.Index(i))
		}
	case reflect.Map:
		s.entries(v)
	case reflect.Struct:
		for i := range v.NumField() {
			s.value(v.Field(i))
		}
	default:
		panic("nothing of " + v.Type().String() + " can be stamped")
	}
}

// entries adds a map, independently of the iteration order.
func (s *Stamper) entries(v reflect.Value) {
	var all [][]byte
	for it := v.MapRange(); it.Next(); {
		var one Stamper
		one.value(it.Key())
		one.value(it.Value())
		all = append(all, one.b)
	}
	slices.SortFunc(all, bytes.Compare)
	s.Int(len(all))
	for _, one := range all {
		s.Bytes(one)
	}
}

// Sum returns the stamp of everything added and empties the stamper.
func (s *Stamper) Sum() Stamp {
	sum := sha256.Sum256(s.b)
	s.b = s.b[:0]
	return Stamp(sum[:16])
}

func (s *Stamper) time(t time.Time) {
	s.Int(int(t.Unix()), t.Nanosecond())
	_, offset := t.Zone()
	s.Int(offset)
}

func (s *Stamper) figures(figures map[string]float64) {
	s.Int(len(figures))
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		s.Text(name)
		s.Float(figures[name])
	}
}

func (s *Stamper) labels(labels Labels) {
	s.Int(len(labels))
	for i := range labels {
		l := &labels[i]
		s.Text(l.Name, l.Value)
		s.Int(int(l.Origin))
		s.Position(l.Pos)
	}
}

// Seal sets the result's stamp to that of its current contents.
func (r *Result) Seal() { r.Stamp = StampOf(r.stamp) }

func (r *Result) stamp(s *Stamper) {
	s.Text(r.ID, r.Tool, r.Format, r.Digest)
	s.Position(r.Source)
	s.Int(r.EndLine, int(r.Status))
	s.labels(r.Labels)
	s.Int(len(r.Metrics))
	for i := range r.Metrics {
		m := &r.Metrics[i]
		s.Text(m.Name, m.Unit, m.Field, m.File)
		s.Float(m.Value)
		s.Int(int(m.Better), int(m.Decimals), int(m.Line))
		s.Bool(m.Derived)
	}
	s.Int(len(r.Checks))
	for i := range r.Checks {
		c := &r.Checks[i]
		s.Text(c.ID, c.Waived)
		s.Int(int(c.Severity), c.Line)
		s.Words(c.Text, c.Hint)
		s.figures(c.Figures)
		s.Int(len(c.Metrics))
		s.Text(c.Metrics...)
	}
	s.time(r.Period.From)
	s.time(r.Period.To)
	s.Bool(r.Period.Zoned)
	s.Int(len(r.Distributions))
	for i := range r.Distributions {
		d := &r.Distributions[i]
		s.Text(d.Family, d.Unit, d.Field)
		s.Int(d.Line, d.N)
		s.Float(d.Mean, d.Std)
		s.Float(d.Quantiles...)
		s.Bool(d.Rounded)
	}
	r.Requests.stamp(s)
	if t := r.Telemetry; t != nil {
		s.Float(t.From, t.To)
		s.trace(t.Trace)
	}
	s.Int(len(r.Counters))
	s.Text(r.Counters...)
	if v := r.Revision; v != nil {
		s.Text(v.Commit, v.Subject, v.URL)
		s.time(v.Time)
	}
}

// Unfinished adds a run without a result.
func (s *Stamper) Unfinished(u *Unfinished) {
	s.Text(u.ID, u.Tool, u.Unit)
	s.Position(u.Source)
	s.labels(u.Labels)
	s.Int(u.Done, u.Total, int(u.Elapsed), int(u.Left))
	s.Float(u.Rate)
	s.Bool(u.Running)
	s.Text(u.Failure)
	s.Int(len(u.Last))
	s.Text(u.Last...)
}

func (s *Stamper) trace(t *Trace) {
	s.Position(t.Source)
	s.Int(t.EndLine)
	s.Text(t.Tool, t.Format)
	s.labels(t.Labels)
	s.time(t.Start)
	s.Bool(t.Zoned, t.Stepped, t.Undated)
	s.Int(int(t.SinceMidnight))
	s.Float(t.Times...)
	s.Int(len(t.Channels))
	for i := range t.Channels {
		c := &t.Channels[i]
		s.Text(c.Name, c.Unit, c.Field, c.Scope)
		s.Float(c.Values...)
		for _, line := range c.Lines {
			s.Int(int(line))
		}
	}
}
