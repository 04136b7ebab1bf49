//go:build !linux && !darwin

package record

import (
	"errors"
	"io"
	"os"
	"os/exec"
)

// supported is the reason why no command can be recorded on this system.
const supported = "recording needs the terminals and signals of Linux or macOS; on Windows run benchpost in WSL"

type child struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	log            io.Writer
}

type ending struct {
	code        int
	signal      string
	interrupted bool
}

func handled() []os.Signal { return []os.Signal{os.Interrupt} }

func stops(os.Signal) bool { return true }

func (c *child) run(string, []string, <-chan os.Signal) (ending, error) {
	return ending{}, errors.New(supported)
}

func detach(*exec.Cmd) {}

func end(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
