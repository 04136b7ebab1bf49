package site

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
)

const (
	sourceContext = 3         // lines read around the block of a large file
	sourceMost    = 256 << 10 // bytes read of it
)

// source gives the raw file of a result for its page: whole when it is small,
// and of a large one the result's lines and some around them, so that memory
// does not grow with the files.
func (b *builder) source(r *result.Result) (page.Raw, error) {
	f, err := rawfile.Open(filepath.Join(b.opt.Dir, filepath.FromSlash(r.Source.File)))
	if err != nil {
		return page.Raw{}, err
	}
	defer f.Close()
	if f.Size <= page.MaxRaw {
		most := f.Size
		if most < 0 { // compressed: it may turn out to be small
			most = page.MaxRaw + 1
		}
		data := make([]byte, most)
		n, err := io.ReadFull(f, data)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil // it became shorter since
		}
		if err != nil || n <= page.MaxRaw {
			return page.Whole(data[:n]), err
		}
		f.Close()
		if f, err = rawfile.Open(filepath.Join(b.opt.Dir, filepath.FromSlash(r.Source.File))); err != nil {
			return page.Raw{}, err
		}
		defer f.Close()
	}
	first := max(1, r.Source.Line-sourceContext)
	data, err := linesOf(f, first, r.EndLine+sourceContext)
	return page.Raw{Data: data, First: first, Size: max(f.Size, page.MaxRaw+1)}, err
}

// linesOf reads the lines from … to, counted from 1, at most sourceMost bytes.
func linesOf(f io.Reader, from, to int) ([]byte, error) {
	in := bufio.NewReaderSize(f, 64<<10)
	var data []byte
	for n := 1; n <= to && len(data) < sourceMost; {
		part, err := in.ReadSlice('\n')
		if n >= from {
			data = append(data, part...)
		}
		switch {
		case err == nil:
			n++
		case errors.Is(err, io.EOF):
			return data, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return data, err
		}
	}
	return data, nil
}

// raw gives the lines of a result's block.
func (b *builder) raw(r *result.Result) ([]byte, error) {
	source, err := b.source(r)
	if err != nil {
		return nil, err
	}
	here := *r // the block's place in what was read
	here.Source.Line -= source.First - 1
	here.EndLine -= source.First - 1
	return format.Raw(source.Data, &here), nil
}
