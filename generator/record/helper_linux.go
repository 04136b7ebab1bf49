package record

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// dieWithUs has a helper end even when we are killed. It must be detached.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = unix.SIGTERM }
