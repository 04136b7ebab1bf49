//go:build !unix

package sweep

// Lock does nothing on this system, where commands cannot be recorded.
func Lock(string) (unlock func(), err error) { return func() {}, nil }
