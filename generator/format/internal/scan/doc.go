// Package scan splits files into their parts: texts into lines, cells and numbers, JSON into values with line numbers.
//
// A [Window] of 64 KB slides along the stream, however large the file. [Lines] splits its content into lines; [Commas],
// [Pipes], [Labelled] and [Quantity] split a line:
//
//	lines := scan.Lines{W: &window, Number: 1}
//	for l, ok := lines.Next(); ok; l, ok = lines.Next() {
//		label, value, ok := scan.Labelled(l.Text, ":")
//		number, unit, ok := scan.Quantity(value) // "12.34 ms" gives "12.34" and "ms"
//		…
//	}
//
// A [Scanner] reads JSON token by token, and a [Builder] builds [Value]s from the tokens. Methods of Value accept an
// absent value (nil), so a path can be followed without a check at each step:
//
//	mean, ok := v.Get("metrics", "ttft", "mean").Float()
//
// Only the first entries of a long list are kept as values. All its numbers are in a [Sample]: Value.Numbers for a list
// of numbers, Value.Column for a list of objects.
//
// There is a JSON reader in this package because no library has four features that raw files need: the line of every
// value; NaN and Infinity, which Python writes; the values before the place where a file breaks off; and lists of
// hundreds of megabytes in little memory. BenchmarkDocument compares it with jsontext. jsontext returns bare tokens,
// without a tree, two to three times as fast; on numbers parsed from text both spend most of their time in strconv.
package scan
