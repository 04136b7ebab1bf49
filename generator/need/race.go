//go:build race

package need

// racing is whether the race detector is built in.
const racing = true
