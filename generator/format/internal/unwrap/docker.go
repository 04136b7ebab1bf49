package unwrap

import (
	"bytes"
	"encoding/json"
)

// dockerJSON matches a line of a container's log in docker's storage format:
// {"log":"the line\n","stream":"stdout","time":"2026-11-22T12:00:00Z"}.
func dockerJSON(text []byte) (f found, ok bool) {
	if !bytes.HasPrefix(text, []byte(`{"log":"`)) {
		return f, false
	}
	var entry struct {
		Log    string `json:"log"`
		Stream string `json:"stream"`
		Time   string `json:"time"`
	}
	if json.Unmarshal(text, &entry) != nil || entry.Stream == "" || entry.Time == "" {
		return f, false
	}
	log := []byte(entry.Log)
	rest, whole := bytes.CutSuffix(log, []byte{'\n'})
	return found{rest: bytes.TrimSuffix(rest, []byte{'\r'}), goesOn: !whole, again: true}, true
}
