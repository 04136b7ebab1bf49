package unwrap

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// isCast recognises a recording of asciinema: a line with its version, then a line of JSON for each piece of output.
func isCast(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	return len(line) < 4096 && bytes.HasPrefix(line, []byte{0x7b}) && bytes.Contains(scan.Clip(line, 40), []byte(`"version"`)) && castVersion.Match(line) && bytes.HasPrefix(bytes.TrimLeft(rest, " \r\n"), []byte("["))
}

var castVersion = regexp.MustCompile(`^\{.*"version": ?[23]\b`)

// cast adds the output in a recording.
func cast(data []byte, to *contents) {
	for number := 1; len(data) > 0; number++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		var event [3]any
		if json.Unmarshal(line, &event) != nil {
			continue
		}
		if text, ok := event[2].(string); ok && event[1] == "o" {
			to.add(text, number)
		}
	}
}
