package result

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// TestAnUnfinishedRunIsStampedWhole checks that a change of any field of a run without a result changes its stamp.
func TestAnUnfinishedRunIsStampedWhole(t *testing.T) {
	t.Parallel()
	stamp := func(u Unfinished) Stamp { return StampOf(func(s *Stamper) { s.Unfinished(&u) }) }
	seen := map[Stamp]string{stamp(Unfinished{}): "nothing"}
	of := reflect.TypeFor[Unfinished]()
	for i := range of.NumField() {
		var u Unfinished
		switch field := reflect.ValueOf(&u).Elem().Field(i); field.Addr().Interface().(type) {
		case *string:
			field.SetString("x")
		case *[]string:
			field.Set(reflect.ValueOf([]string{"x"}))
		case *int, *time.Duration:
			field.SetInt(1)
		case *float64:
			field.SetFloat(1)
		case *bool:
			field.SetBool(true)
		case *Labels:
			field.Set(reflect.ValueOf(Labels{{Name: "model", Value: "m"}}))
		case *Position:
			field.Set(reflect.ValueOf(Position{File: "a.log", Line: 1}))
		default:
			t.Fatalf("no change of %s is known", of.Field(i).Name)
		}
		if other, met := seen[stamp(u)]; met {
			t.Errorf("a change of %s gives the stamp of %s", of.Field(i).Name, other)
		}
		seen[stamp(u)] = of.Field(i).Name
	}
}

// TestAStampIsOfEveryField checks that a change of any field of a result, however deep, changes its stamp.
func TestAStampIsOfEveryField(t *testing.T) {
	full := func() *Result {
		label := Label{"model", "m", Measured, Position{"a.log", 2, 3}}
		return &Result{ID: "a", Source: Position{"a.log", 1, 1}, EndLine: 9, Tool: "t", Format: "f", Labels: Labels{label},
			Metrics:       []Metric{{Kind: &Kind{Name: "n", Unit: "ms", Better: Lower, Field: "F"}, Value: 1, Decimals: 2, Line: 4}},
			Checks:        []Check{{ID: "c", Severity: Warning, Text: locale.Lit("x"), Hint: locale.Lit("y"), Figures: map[string]float64{"f": 1}, Metrics: []string{"n"}, Line: 5, Waived: "w"}},
			Counters:      []string{"before.prom"},
			Revision:      &Revision{Commit: "3fa2", Subject: "s", Time: time.Unix(6, 0), URL: "u"},
			Period:        Period{From: time.Unix(1, 0), To: time.Unix(2, 0)},
			Distributions: []Distribution{{Family: "ttft", Unit: "ms", Field: "F", Line: 1, N: 2, Mean: 3, Std: 4, Quantiles: []float64{1, 2}}},
			Requests: &Requests{N: 1, Line: 2, Sent: []float64{1}, First: []float64{2}, Done: []float64{3}, Step: 4, InFlight: []float64{5}, Tokens: []float64{6},
				Median: []float64{7}, Longest: []float64{8}, FullFrom: 9, FullTo: 10},
			Telemetry: &Telemetry{From: 1, To: 2, Trace: &Trace{Source: Position{"p.csv", 1, 0}, Labels: Labels{label}, Start: time.Unix(5, 0), Times: []float64{1},
				Channels: []Channel{{Name: "power", Unit: "W", Field: "VDD", Scope: "gpu", Values: []float64{5}, Lines: []int32{2}}}}}}
	}
	base := full()
	base.Seal()
	if again := full(); func() bool { again.Seal(); return again.Stamp != base.Stamp }() {
		t.Fatal("equal results have different stamps")
	}
	seen := map[Stamp]string{}
	n := 0
	check := func(path string, r *Result) {
		n++
		r.Seal()
		if r.Stamp == base.Stamp {
			t.Errorf("a change of %s does not change the stamp", path)
		}
		if other, met := seen[r.Stamp]; met {
			t.Errorf("a change of %s and one of %s give the same stamp", path, other)
		}
		seen[r.Stamp] = path
	}
	// Each change is applied to a result of its own, in which the field is found again by its path.
	var find func(v reflect.Value, steps []any) reflect.Value
	find = func(v reflect.Value, steps []any) reflect.Value {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if len(steps) == 0 {
			return v
		}
		if i, ok := steps[0].(int); ok {
			return find(v.Index(i), steps[1:])
		}
		return find(v.FieldByName(steps[0].(string)), steps[1:])
	}
	var visit func(v reflect.Value, steps []any, path string)
	visit = func(v reflect.Value, steps []any, path string) {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		change := func(set func(reflect.Value)) {
			r := full()
			set(find(reflect.ValueOf(r), steps))
			check(path, r)
		}
		switch {
		case v.Type() == reflect.TypeFor[time.Time]():
			change(func(v reflect.Value) { v.Set(reflect.ValueOf(time.Unix(99, 7))) })
		case v.Type() == reflect.TypeFor[locale.Text]():
			change(func(v reflect.Value) { v.Set(reflect.ValueOf(locale.Lit("else"))) })
		case v.Type() == reflect.TypeFor[Stamp]():
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if name == "_" || v.Field(i).Type() == reflect.TypeFor[*shape]() { // derived from the other fields
					continue
				}
				visit(v.Field(i), append(append([]any{}, steps...), name), path+"."+name)
			}
		case v.Kind() == reflect.Slice:
			change(func(v reflect.Value) { v.SetLen(v.Len() - 1) })
			if v.Len() > 0 {
				visit(v.Index(0), append(append([]any{}, steps...), 0), path+"[0]")
			}
		case v.Kind() == reflect.Map:
			change(func(v reflect.Value) { v.Set(reflect.ValueOf(map[string]float64{"g": 1})) })
		case v.Kind() == reflect.String:
			change(func(v reflect.Value) { v.SetString(v.String() + "~") })
		case v.Kind() == reflect.Bool:
			change(func(v reflect.Value) { v.SetBool(!v.Bool()) })
		case v.CanInt():
			change(func(v reflect.Value) { v.SetInt(v.Int() + 1) })
		case v.CanUint():
			change(func(v reflect.Value) { v.SetUint(v.Uint() + 1) })
		case v.CanFloat():
			change(func(v reflect.Value) { v.SetFloat(v.Float() + 0.5) })
		default:
			t.Errorf("%s is of a kind that this test does not change: %v", path, v.Kind())
		}
	}
	visit(reflect.ValueOf(base), nil, "Result")
	if n < 50 {
		t.Errorf("only %d fields were changed", n)
	}
}

// TestStampsOfPieces checks that adjacent pieces are delimited.
func TestStampsOfPieces(t *testing.T) {
	stamp := func(pieces ...string) Stamp {
		var s Stamper
		s.Text(pieces...)
		return s.Sum()
	}
	if stamp("ab", "c") == stamp("a", "bc") || stamp("a", "") == stamp("a") || stamp(strings.Repeat("x", 200)) == stamp(strings.Repeat("x", 199), "x") {
		t.Error("different pieces have one stamp")
	}
}

// TestAValueIsStampedByItsContents checks that a stamp depends on all contents of a value, and not on how the
// value is stored.
func TestAValueIsStampedByItsContents(t *testing.T) {
	t.Parallel()
	type inner struct{ A, b int }
	type outer struct {
		Text  locale.Text
		Map   map[string]float64
		At    *inner
		List  []string
		Any   any
		When  time.Time
		inner inner
	}
	make := func(change func(*outer)) Stamp {
		v := outer{Text: locale.By(map[string]string{"zh": "甲", "en": "A"}, "A"), Map: map[string]float64{"x": 1, "y": 2, "z": 3}, At: &inner{1, 2}, List: []string{"a", "b"}, Any: 7, When: time.Unix(5, 0)}
		change(&v)
		var s Stamper
		s.Value(v)
		return s.Sum()
	}
	base := make(func(*outer) {})
	for range 20 { // map iteration order differs each time
		if make(func(v *outer) { at := *v.At; v.At = &at }) != base {
			t.Fatal("equal values have different stamps")
		}
	}
	seen := map[Stamp]int{base: -1}
	for i, change := range []func(*outer){
		func(v *outer) { v.Text = locale.By(map[string]string{"zh": "乙", "en": "A"}, "A") },
		func(v *outer) { v.Text = locale.Lit("B") },
		func(v *outer) { v.Map["x"] = 4 }, func(v *outer) { delete(v.Map, "z") }, func(v *outer) { v.Map = nil },
		func(v *outer) { v.At.A = 3 }, func(v *outer) { v.At.b = 3 }, func(v *outer) { v.At = nil },
		func(v *outer) { v.List = []string{"ab"} }, func(v *outer) { v.List = []string{"a", "b", ""} },
		func(v *outer) { v.Any = "7" }, func(v *outer) { v.Any = nil }, func(v *outer) { v.When = time.Unix(5, 1) }, func(v *outer) { v.inner.b = 1 },
	} {
		s := make(change)
		if n, taken := seen[s]; taken {
			t.Errorf("changes %d and %d give the same stamp", n, i)
		}
		seen[s] = i
	}
	defer func() {
		if recover() == nil {
			t.Error("a function was stamped")
		}
	}()
	make(func(v *outer) { v.Any = func() {} })
}

// TestIs checks that a copy of a result Is the same until any of its fields changes.
func TestIs(t *testing.T) {
	t.Parallel()
	was := Result{ID: "a", Labels: Labels{{Name: "model", Value: "m"}}, Metrics: []Metric{{Value: 1}}, Checks: []Check{{ID: "c"}},
		Counters: []string{"before.prom"}, Distributions: []Distribution{{Family: "ttft"}}}
	if now := was; !now.Is(&was) {
		t.Error("a copy is another")
	}
	for i := range reflect.TypeFor[Result]().NumField() {
		now := was
		field, f := reflect.TypeFor[Result]().Field(i), reflect.ValueOf(&now).Elem().Field(i)
		switch f.Kind() {
		case reflect.String:
			f.SetString("other")
		case reflect.Slice:
			other := reflect.MakeSlice(f.Type(), f.Len(), f.Len())
			reflect.Copy(other, f)
			f.Set(other)
		case reflect.Pointer:
			if field.IsExported() {
				f.Set(reflect.New(f.Type().Elem()))
			}
		case reflect.Struct:
			switch {
			case field.Name == "Source":
				now.Source.Line++
			case field.Name == "Period":
				now.Period.Zoned = true
			}
		case reflect.Int, reflect.Int8:
			f.SetInt(f.Int() + 1)
		case reflect.Uint8:
			f.SetUint(f.Uint() + 1)
		}
		if follows := !field.IsExported() || field.Name == "Stamp"; now.Is(&was) != follows {
			t.Errorf("with another %s it is %v", field.Name, now.Is(&was))
		}
	}
}
