package svg

import (
	"image/color"
	"testing"
)

func TestLengths(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 1: "1", 1200: "1200", 0.5: "0.5", 0.05: "0.1", 12.35: "12.4", 12.349: "12.3", 99.99: "100",
		-0.04: "0", -0.3: "-0.3", -7: "-7", 1e6: "1000000",
	} {
		if got := string(new(Writer).Length(v).Bytes()); got != want {
			t.Errorf("%g is written %s, want %s", v, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	var w Writer
	w.Move(1, 2).Line(1.01, 3).Line(4, 3.04).Line(5, 6).Move(-1, 0).Line(0, 0)
	if got, want := string(w.Bytes()), "M1 2V3H4L5 6M-1 0H0"; got != want {
		t.Errorf("a path is written %s, want %s", got, want)
	}
}

func TestAttributes(t *testing.T) {
	t.Parallel()
	var w Writer
	w.Attribute("x", 1.25).Colour("fill", color.RGBA{255, 255, 255, 255}).Colour("stroke", color.RGBA{0, 0x72, 0xb2, 255}).Data("title", "a<b>\n'\"&")
	if got, want := string(w.Bytes()), ` x="1.3" fill="#fff" stroke="#0072b2" data-title="a&lt;b&gt;&#10;&#39;&#34;&amp;"`; got != want {
		t.Errorf("attributes are written %s, want %s", got, want)
	}
	n := w.Len()
	w.Add("more").Truncate(n)
	if w.Len() != n {
		t.Errorf("%d bytes stay of %d", w.Len(), n)
	}
	if w.Reset(); w.Len() != 0 {
		t.Errorf("%d bytes stay", w.Len())
	}
}
