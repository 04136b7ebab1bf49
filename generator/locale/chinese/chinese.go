// Package chinese is what messages say in Chinese: a row for each, of its English format and the
// Chinese one, in a file for each subject.
//
// A Chinese format takes the arguments of the English one, in any order: %[2]s is the second.
// Beside an argument the printer sees to the space: there is one where Latin letters and Han
// meet, and none between Han.
package chinese

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// row is the format of a message in English, by which it is known, and in Chinese.
type row struct{ English, Chinese string }

// subjects are the tables of all files.
var subjects = [][]row{systemRows, configRows, dataRows, settingsRows, sweepRows, weightsRows, postRows, blockRows, chartRows, runRows, importRows, recordRows, formatRows, siteRows, manualRows}

var table = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, rows := range subjects {
		for _, r := range rows {
			all[r.English] = r.Chinese
		}
	}
	return all
})

// Of returns the Chinese format of a message by its English one.
func Of(english string) (string, bool) {
	s, ok := table()[english]
	return s, ok
}

// All yields all rows.
func All() iter.Seq2[string, string] { return maps.All(table()) }

// IsOfSystems reports whether a row is the words of a system for what failed, which no source says.
func IsOfSystems(english string) bool {
	return slices.ContainsFunc(systemRows, func(r row) bool { return r.English == english })
}
