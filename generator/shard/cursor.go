package shard

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/locale"
)

// file is an open shard.
type file struct {
	name    string
	disk    *os.File
	parquet *parquet.File
	at      map[string]int           // index of each column
	named   map[string]parquet.Value // columns given by the names of folders
}

// open opens a shard. Columns that a build does not need may be absent, for example those that are in the names of a
// partitioned data set's folders.
func open(name string) (*file, error) {
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
	s := &file{name, f, p, map[string]int{}, namedIn(name)}
	for i, path := range p.Schema().Columns() {
		if len(path) == 1 {
			s.at[path[0]] = i
		}
	}
	for _, c := range columns() {
		if _, ok := s.at[c.Name]; !ok {
			f.Close()
			return nil, locale.Errorf("%s has no column %s, so it is not a shard: write one with benchpost results --shards", name, c.Name)
		}
	}
	return s, nil
}

func (s *file) Close() error { return s.disk.Close() }

func damaged(name string, err error) error {
	return locale.Errorf("%s is not Parquet, or is cut off (%v): write it again with benchpost results --shards", name, err)
}

// namedIn returns the columns given by the folders of a partitioned data set, as in model=A/data.parquet. The files
// themselves do not contain them.
func namedIn(name string) map[string]parquet.Value {
	named := map[string]parquet.Value{}
	for folder := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(name)), "/") {
		column, text, ok := strings.Cut(folder, "=")
		value, err := url.PathUnescape(text)
		if ok && err == nil && value != absent {
			named[column] = parquet.ByteArrayValue([]byte(value))
		}
	}
	return named
}

// absent is the text for null in the name of such a folder.
const absent = "__HIVE_DEFAULT_PARTITION__"

// Cell is a value of a row; it may be null.
type Cell struct{ parquet.Value }

// Text returns the value as text, "" for null.
func (c Cell) Text() string { return string(c.ByteArray()) }

// True reports whether the value is true.
func (c Cell) True() bool {
	switch c.Kind() {
	case parquet.Boolean:
		return c.Boolean()
	case parquet.ByteArray:
		return string(c.ByteArray()) == "true"
	}
	return false
}

// Number returns the value as a number; false for null and for other text.
func (c Cell) Number() (float64, bool) {
	switch c.Kind() {
	case parquet.Double:
		return c.Double(), true
	case parquet.Float:
		return float64(c.Float()), true
	case parquet.Int64:
		return float64(c.Int64()), true
	case parquet.Int32:
		return float64(c.Int32()), true
	case parquet.ByteArray:
		v, err := strconv.ParseFloat(string(c.ByteArray()), 64)
		return v, err == nil
	}
	return 0, false
}

// row holds the values of one row. They are valid until the next row.
type row []Cell

func (r row) text(i int) string  { return r[i].Text() }
func (r row) bytes(i int) []byte { return r[i].ByteArray() }

func (r row) number(i int) int64 {
	if r[i].Kind() == parquet.Int32 {
		return int64(r[i].Int32())
	}
	return r[i].Int64()
}

// each visits the rows of a group with the values of the named columns in this order. The values of columns that the
// shard lacks are null.
func (s *file) each(group parquet.RowGroup, names []string, visit func(row) error) error {
	cursors, values := make([]*cursor, len(names)), make(row, len(names))
	for i, name := range names {
		values[i] = Cell{s.named[name]}
		if at, ok := s.at[name]; ok {
			cursors[i] = &cursor{pages: group.ColumnChunks()[at].Pages()}
			defer cursors[i].close()
		}
	}
	for range group.NumRows() {
		for i, c := range cursors {
			if c == nil {
				continue
			}
			v, err := c.next()
			if err != nil {
				return damaged(s.name, err)
			}
			values[i] = Cell{v}
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
	values []parquet.Value // unread values in buf
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

// release frees the current page, whose values have all been read.
func (c *cursor) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *cursor) close() {
	c.release()
	_ = c.pages.Close() // the file was only read
}
