package raster

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	freetype "github.com/golang/freetype/raster"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

var (
	white = color.RGBA{255, 255, 255, 255}
	red   = color.RGBA{255, 0, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
)

// plain paints the coverage found by go-chart's rasteriser on a canvas.
type plain struct {
	*Canvas
	colour color.RGBA
}

// Paint is part of go-chart's Painter.
func (p *plain) Paint(spans []freetype.Span, _ bool) {
	for _, s := range spans {
		run := &Mask{Bounds: image.Rect(s.X0, s.Y, s.X1, s.Y+1)}
		run.Levels = bytes.Repeat([]byte{Level(s.Alpha)}, run.Bounds.Dx())
		p.Stamp(run, image.Point{}, p.colour)
	}
}

// SetColor is part of go-chart's Painter.
func (p *plain) SetColor(color.Color) {}

// TestCoverageOfAnyPath checks that any path, also one beyond the canvas, is drawn and leaves nothing behind,
// and that a path inside is drawn as by go-chart.
func TestCoverageOfAnyPath(t *testing.T) {
	t.Parallel()
	const side = 60
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 5))
		beyond := -4.0 // strokes must not leave it either
		if seed%2 == 1 {
			beyond = 40
		}
		path := new(drawing.Path)
		path.MoveTo(r.Float64()*(side+2*beyond)-beyond, r.Float64()*(side+2*beyond)-beyond)
		for range 2 + r.IntN(6) {
			path.LineTo(r.Float64()*(side+2*beyond)-beyond, r.Float64()*(side+2*beyond)-beyond)
		}
		closed := path.Copy()
		closed.Close()
		dashes := []float64{5, 4}

		got := New(side, side, []color.RGBA{white, red})
		drawing.Flatten(closed, got.Outline(), 1)
		got.Paint(red)
		drawing.Flatten(path, got.Stroke(3, dashes), 1)
		got.Paint(blue)

		want := &plain{Canvas: New(side, side, []color.RGBA{white, red}), colour: red}
		gc := drawing.NewRasterGraphicContextWithPainter(want.Image, want)
		gc.SetFillRule(drawing.FillRuleWinding)
		gc.SetLineWidth(3)
		gc.SetLineDash(dashes, 0)
		gc.Fill(closed)
		want.colour = blue
		gc.Stroke(path)

		if i := slices.IndexFunc(got.coverage.cells, func(v int32) bool { return v != 0 }); i >= 0 {
			t.Errorf("seed %d: cell %d is left over", seed, i)
		}
		if beyond < 0 && !slices.Equal(got.Image.Pix, want.Image.Pix) {
			t.Errorf("seed %d: pixels differ", seed)
		}
	}
}

// TestCanvasesAreKept checks that a canvas is reused, also after a garbage collection.
func TestCanvasesAreKept(t *testing.T) {
	const side = 2000
	New(side, side, nil).Release()
	runtime.GC()
	runtime.GC() // empties a sync.Pool
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	New(side, side, nil).Release()
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > side*side {
		t.Errorf("%d bytes were made for a picture like the one before", made)
	}
}
