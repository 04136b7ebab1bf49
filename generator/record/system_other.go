//go:build !linux && !darwin

package record

func system() (kernel, arch string) { return "", "" }
