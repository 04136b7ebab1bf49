package result

import "fmt"

// Count returns a number of things in English: "1 run", "3 runs".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
