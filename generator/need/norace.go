//go:build !race

package need

// racing reports whether the race detector is built in.
const racing = false
