// Package lazy delays work until its result is first needed, so that a command pays only for what it uses.
package lazy

import "sync"

// Regexp returns a function that compiles expr when it is first called and returns the same expression from
// then on. It panics if expr is invalid, as [regexp.MustCompile] does.
//
//	var digits = lazy.Regexp(`\d+`)
//	… digits().FindString(line)
func Regexp(expr string) func() *Pattern {
	return sync.OnceValue(func() *Pattern { return newPattern(expr) })
}
