package shard

import (
	"errors"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/locale"
)

// shard is an open file.
type shard struct {
	name string
	disk *os.File
	file *parquet.File
	at   map[string]int // the places of the columns that a build needs
}

// open opens a shard. Columns that a build does not need may be absent, as those that are in the names of the
// folders of a partitioned data set.
func open(name string) (*shard, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	p, err := parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		f.Close()
		return nil, damaged(name, err)
	}
	s := &shard{name, f, p, map[string]int{}}
	for i, path := range p.Schema().Columns() {
		if len(path) == 1 {
			s.at[path[0]] = i
		}
	}
	for _, c := range columns() {
		if _, ok := s.at[c.Name]; !ok {
			f.Close()
			return nil, locale.Errorf("%s has no column %s, so it is no shard: write one with benchpost results --shards", name, c.Name)
		}
	}
	return s, nil
}

func (s *shard) Close() error { return s.disk.Close() }

func damaged(name string, err error) error {
	return locale.Errorf("%s is not Parquet, or is cut off (%v): write it again with benchpost results --shards", name, err)
}

// row has the values of one row, which hold until the next.
type row []parquet.Value

func (r row) text(i int) string  { return string(r[i].ByteArray()) }
func (r row) bytes(i int) []byte { return r[i].ByteArray() }

func (r row) number(i int) int64 {
	if r[i].Kind() == parquet.Int32 {
		return int64(r[i].Int32())
	}
	return r[i].Int64()
}

// each visits the rows of a group with the values of some columns, in their order; one that the file does not have is
// null.
func (s *shard) each(group parquet.RowGroup, names []string, visit func(row) error) error {
	cursors := make([]*cursor, len(names))
	for i, name := range names {
		if at, ok := s.at[name]; ok {
			cursors[i] = &cursor{pages: group.ColumnChunks()[at].Pages()}
			defer cursors[i].close()
		}
	}
	values := make(row, len(names))
	for range group.NumRows() {
		for i, c := range cursors {
			if c == nil {
				continue
			}
			v, err := c.next()
			if err != nil {
				return damaged(s.name, err)
			}
			values[i] = v
		}
		if err := visit(values); err != nil {
			return err
		}
	}
	return nil
}

// cursor reads the values of a column one by one.
type cursor struct {
	pages  parquet.Pages
	page   parquet.Page
	reader parquet.ValueReader
	buf    [64]parquet.Value
	values []parquet.Value // of buf
}

func (c *cursor) next() (parquet.Value, error) {
	for len(c.values) == 0 {
		if c.reader == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				if errors.Is(err, io.EOF) {
					err = io.ErrUnexpectedEOF
				}
				return parquet.Value{}, err
			}
			c.release()
			c.page, c.reader = page, page.Values()
		}
		n, err := c.reader.ReadValues(c.buf[:])
		c.values = c.buf[:n]
		if err != nil && !errors.Is(err, io.EOF) {
			return parquet.Value{}, err
		}
		if err != nil {
			c.reader = nil
		}
	}
	v := c.values[0]
	c.values = c.values[1:]
	return v, nil
}

// release lets go of the page whose values have all been visited.
func (c *cursor) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *cursor) close() {
	c.release()
	_ = c.pages.Close() // of a file that is only read
}
