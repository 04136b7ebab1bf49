package datapackage

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// cell is a value of a row, or empty. The type of its column determines which field it uses.
type cell struct {
	has     bool
	text    string
	integer int64 // 0 or 1 for a boolean, days since 1970 for a date, microseconds since 1970 for a time
	number  float64

	decimals int8 // decimals of number in CSV; result.FullPrecision for its shortest form
}

func (c *cell) setText(text string) {
	if !utf8.ValidString(text) { // file names may be invalid UTF-8
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	*c = cell{has: true, text: text}
}

func (c *cell) setInteger(v int64) { *c = cell{has: true, integer: v} }

func (c *cell) setBoolean(v bool) {
	*c = cell{has: true}
	if v {
		c.integer = 1
	}
}

func (c *cell) setNumber(v float64, decimals int8) {
	*c = cell{has: true, number: v, decimals: decimals}
}

// conversion describes how figures of a unit are converted into the unit of a column.
type conversion struct {
	to     dataset.Conversion
	known  bool
	places int  // number of places by which the decimal point moves to the right
	exact  bool // moving the decimal point is enough: the digits stay
}

// conversionOf returns the conversion from a unit into that of a column. column is "" if the column has no
// unit.
func conversionOf(from, column string) conversion {
	if column == "" {
		column = from
	}
	to, known := dataset.ConversionOf(from, column)
	places, exact := to.Places()
	return conversion{to, known, places, exact}
}

// setMetric sets a figure in the unit of its column with its known digits. It leaves the cell empty if the
// value cannot be converted, such as a percentile of requests in another unit.
func (c *cell) setMetric(m *result.Metric, by conversion) {
	v, ok := by.to.Of(m.Value)
	if !ok || !by.known {
		return
	}
	decimals := m.Decimals
	switch {
	case decimals == result.FullPrecision:
	case by.exact:
		decimals = int8(max(0, int(decimals)-by.places))
	default:
		decimals = result.FullPrecision
	}
	c.setNumber(v, decimals)
}

// read parses a label's value as its type and reports whether that worked.
func (c *cell) read(value string, is vocabulary.Type) bool {
	switch is {
	case vocabulary.Integer:
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return false
		}
		c.setInteger(v)
	case vocabulary.Number:
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(v) {
			return false
		}
		c.setNumber(v, result.FullPrecision)
	case vocabulary.Boolean:
		switch value {
		case "true", "on", "1", "yes":
			c.setBoolean(true)
		case "false", "off", "0", "no":
			c.setBoolean(false)
		default:
			return false
		}
	case vocabulary.Quantity, vocabulary.Parameters:
		quantity := audit.Quantity
		if is == vocabulary.Parameters {
			quantity = audit.Parameters
		}
		v, ok := quantity(value)
		if !ok {
			return false
		}
		c.setNumber(math.Round(v), result.FullPrecision) // 8.2 · 10⁹ is an integer
	case vocabulary.Day:
		day := value
		if _, ok := clockOf(value); ok {
			day = value[:len(time.DateOnly)]
		}
		v, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return false
		}
		c.setInteger(v.Unix() / secondsOfDay)
	default:
		c.setText(value)
	}
	return true
}

const secondsOfDay = 24 * 60 * 60

// readClock parses a local date and time and reports whether the value contains a time.
func (c *cell) readClock(value string) bool {
	at, ok := clockOf(value)
	if ok {
		c.setInteger(at.UnixMicro())
	}
	return ok
}

// clockOf parses a time in the form of RFC 3339, with or without a zone. It drops the zone, so that the day
// stays as it was written.
func clockOf(value string) (time.Time, bool) {
	if len(value) <= len(time.DateOnly) {
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, value); err == nil {
			return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC), true
		}
	}
	return time.Time{}, false
}

// appendCSV appends a cell with a value in the notation of Table Schema.
func (c *cell) appendCSV(dst []byte, typeName string) []byte {
	switch typeName {
	case "integer":
		return strconv.AppendInt(dst, c.integer, 10)
	case "boolean":
		return strconv.AppendBool(dst, c.integer == 1)
	case "date":
		return time.Unix(c.integer*secondsOfDay, 0).UTC().AppendFormat(dst, time.DateOnly)
	case "datetime":
		return time.UnixMicro(c.integer).UTC().AppendFormat(dst, "2006-01-02T15:04:05.999999")
	case "number":
		switch {
		case math.IsInf(c.number, 1):
			return append(dst, "INF"...)
		case math.IsInf(c.number, -1):
			return append(dst, "-INF"...)
		}
		return strconv.AppendFloat(dst, c.number, 'f', int(c.decimals), 64)
	}
	return append(dst, c.text...)
}
