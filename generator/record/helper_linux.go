package record

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// dieWithUs makes a helper end even when benchpost is killed. The helper must have been detached.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = unix.SIGTERM }
