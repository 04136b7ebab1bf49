// Package chinese contains the Chinese translations of messages. Each row has an English format and the Chinese
// one. Each subject has a file.
//
// A Chinese format takes the arguments of the English one, in any order: %[2]s is the second. The printer
// adjusts the spaces beside arguments: there is a space where Latin letters and Chinese characters meet, and
// none between Chinese characters.
package chinese

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// row contains the English format of a message, which is its key, and the Chinese format.
type row struct{ English, Chinese string }

// subjects lists the tables of all files.
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

// Of returns the Chinese format for an English one.
func Of(english string) (string, bool) {
	s, ok := table()[english]
	return s, ok
}

// All yields all rows, English format first.
func All() iter.Seq2[string, string] { return maps.All(table()) }

// IsOfSystems reports whether a row is a message of an operating system or of Go's libraries, which does not
// occur in the source.
func IsOfSystems(english string) bool {
	return slices.ContainsFunc(systemRows, func(r row) bool { return r.English == english })
}
