//go:build !linux

package record

import "os/exec"

// dieWithUs has a helper end even when we are killed, where the system can.
func dieWithUs(*exec.Cmd) {}
