package result

import (
	"errors"
	"slices"
	"testing"
)

func TestSelector(t *testing.T) {
	r := &Result{ID: "a/high", Tool: "vllm-serve", Status: Partial}
	r.Labels.Set(Label{Name: "model", Value: "Qwen3-8B"})
	r.Labels.Set(Label{Name: "负载", Value: "高"})
	for text, want := range map[string]bool{
		`{}`:                      true,
		`{model="Qwen3-8B"}`:      true,
		`{model="Qwen3"}`:         false,
		`{ model = 'Qwen3-8B', }`: true,
		`{model=~"Qwen3"}`:        false, // the whole value
		`{model=~"Qwen3.*|x"}`:    true,
		`{model=~"(?i)qwen3-8b"}`: true,
		`{model=~"Qwen\\d-8B"}`:   true,
		`{model!~"Qwen.*"}`:       false,
		`{model!="x",负载="高"}`:     true,
		`{absent=""}`:             true,
		`{absent!=""}`:            false,
		`{id="a/high",tool="vllm-serve",status="partial"}`: true,
	} {
		s, err := ParseSelector(text)
		if err != nil || s.Match(r) != want {
			t.Errorf("%s: matches %v, %v", text, !want, err)
		}
	}
}

func TestSelectorErrorsTellWhere(t *testing.T) {
	for text, offset := range map[string]int{
		``:                   0,
		`load`:               0,
		`  ttft_mean{a="b"}`: 2,
		`{load}`:             5,
		`{load=high}`:        6,
		`{load=“high”}`:      6,
		`{load="high`:        6,
		`{load="high"`:       12,
		`{load="high" x`:     13,
		`{="x"}`:             1,
		`{a=~"("}`:           4,
		`{a="b"} c`:          7,
	} {
		_, err := ParseSelector(text)
		var at *SelectorError
		if !errors.As(err, &at) || at.Offset != offset {
			t.Errorf("%s: %v at %+v, want offset %d", text, err, at, offset)
		}
	}
}

func TestNumbersAreOrderedByTheirValue(t *testing.T) {
	want := []string{"a", "a01", "a1", "a1b", "a2", "a10", "a10/c2", "a10/c16", "b"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, NaturalCompare)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDigitsAreThoseOfTheToolOrTwoDecimals(t *testing.T) {
	for _, c := range []struct {
		m    Metric
		want string
	}{
		{Metric{Kind: &Kind{}, Value: 298.07, Decimals: 2}, "298.07"},
		{Metric{Kind: &Kind{}, Value: 43688.4, Decimals: 2}, "43688.40"},
		{Metric{Kind: &Kind{}, Value: 298.0712345678, Decimals: FullPrecision}, "298.07"},
		{Metric{Kind: &Kind{}, Value: 123456.789, Decimals: FullPrecision}, "123456.79"},
		{Metric{Kind: &Kind{}, Value: 0.0123456, Decimals: FullPrecision}, "0.0123"},
		{Metric{Kind: &Kind{}, Value: -0.5, Decimals: FullPrecision}, "-0.50"},
		{Metric{Kind: &Kind{}, Value: 0, Decimals: FullPrecision}, "0.00"},
		{Metric{Kind: &Kind{Unit: "1"}, Value: 200, Decimals: FullPrecision}, "200"},
	} {
		if got := c.m.Digits(); got != c.want {
			t.Errorf("Digits of %v = %s, want %s", c.m.Value, got, c.want)
		}
	}
}
