package site

import (
	"bytes"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/invent"
)

// BenchmarkPost makes one post repeatedly: 16 runs in three tables, four charts and 16 raw blocks. Its charts are drawn
// once.
func BenchmarkPost(b *testing.B) {
	dir := b.TempDir()
	if err := invent.Campaigns(dir, 2); err != nil {
		b.Fatal(err)
	}
	s := Open(Options{Dir: dir})
	defer s.Close()
	e, err := s.Read()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := e.prepare(); err != nil {
		b.Fatal(err)
	}
	p := e.posts[0]
	a, err := e.article(p)
	if err != nil {
		b.Fatal(err)
	}
	if err := e.fill(p, &a, e.drawPost); err != nil {
		b.Fatal(err)
	}
	discard := func(string, []byte) error { return nil }
	run := func(name string, work func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := work(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("text", func() error { return p.doc.HTML(&bytes.Buffer{}, htmlFill{e.builder, p, p.path(e.pages), true}) })
	run("blog", func() error { return jekyllOutlet(e.builder, p).put(e.builder, p, discard) })
	run("data", func() error { return e.putData(p, &a, discard) })
	run("figures", func() error { return putFigures(e.builder, p, discard) })
	run("evaluation", func() error {
		p.forget()
		p.complete(e.builder)
		return nil
	})
}
