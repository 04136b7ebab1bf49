// Package scan takes a file apart: a text into lines, cells and numbers, JSON into
// values that know their line.
//
// A [Window] of 64 KB slides along the stream, however large the file. [Lines] splits
// what it shows; [Commas], [Pipes], [Labelled] and [Quantity] take a line apart:
//
//	lines := scan.Lines{W: &window, Number: 1}
//	for l, ok := lines.Next(); ok; l, ok = lines.Next() {
//		label, value, ok := scan.Labelled(l.Text, ":")
//		number, unit, ok := scan.Quantity(value) // "12.34 ms" gives "12.34" and "ms"
//		…
//	}
//
// A [Scanner] reads JSON token by token and a [Builder] makes [Value]s of them, whose
// methods may be called on a value that is absent, so that a path is followed
// without asking at each step:
//
//	mean, ok := v.Get("metrics", "ttft", "mean").Float()
//
// Of a long list the first entries are values, and all of its numbers are in a
// [Sample]: Value.Numbers of a list of numbers, Value.Column of a list of objects.
//
// The JSON reader is our own because no library does four things that raw files
// need: the line of every value; NaN and Infinity, which Python writes; the values
// before the place where a file breaks off; and lists of hundreds of megabytes in
// little memory. BenchmarkDocument compares it with jsontext, whose bare tokens, of
// which no tree is made, come two to three times as fast; on numbers from a text
// both spend most of their time in strconv.
package scan
