package result

import "testing"

// TestDegreesInTexts checks that a text that consists only of degrees is parallelism in any spelling, and that
// any other text is not.
func TestDegreesInTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"TP=4": "tp4", "tp4": "tp4", "TP 4": "tp4", "TP=2, PP=2": "tp2-pp2", "tp2xdp4": "tp2-dp4", "DP8TP2EP16": "tp2-dp8-ep16", "DP=8": "dp8",
		"TP2 + EP2": "tp2-ep2", "tp_4": "tp4", "TP1": "tp1",
		"": "", "pp512": "", "ep2": "", "tp": "", "TP=4, concurrency 8": "", "4x TP": "", "TP2 TP4": "", "http2": "", "tp1024": "", "tp0": "",
	} {
		if got := degreesIn(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
	var labels Labels
	labels.Set(Label{Name: "x_layout", Value: "TP=4"})
	if got := Spread(labels, "x_").Get("parallelism"); got != "tp4" {
		t.Errorf("x_layout is %q", got)
	}
	labels.Set(Label{Name: "x_draft", Value: "TP=2"})
	if got := Spread(labels, "x_").Get("parallelism"); got != "" {
		t.Errorf("of two that differ %q is taken", got)
	}
	labels.Set(Label{Name: "x_tp", Value: "8"})
	if got := Spread(labels, "x_").Get("parallelism"); got != "tp8" {
		t.Errorf("beside a degree of its own %q is taken", got)
	}
}
