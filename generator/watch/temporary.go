package watch

import "strings"

// isTemporary reports whether a file or folder, judged by its name, is hidden, a lock, or a temporary file of an editor
// or of a program that saves atomically.
func isTemporary(name string) bool {
	switch {
	case strings.HasPrefix(name, "."): // vim's .x.swp, Emacs' .#x, nano, Kate, gedit, folders as .git
	case strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"): // Emacs
	case strings.HasPrefix(name, "~$"): // Office
	case name == "4913": // vim, to test whether it may write here
	case strings.HasSuffix(name, "___jb_tmp___"), strings.HasSuffix(name, "___jb_old___"): // JetBrains
	default:
		for _, suffix := range []string{"~", ".swp", ".swo", ".swx", ".tmp", ".vsctmp", ".lock"} {
			if strings.HasSuffix(name, suffix) {
				return true
			}
		}
		return false
	}
	return true
}
