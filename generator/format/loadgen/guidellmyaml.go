package loadgen

import "bytes"

// isGuideYAML recognises GuideLLM's report as YAML by its head. PyYAML sorts keys, so a
// report begins with its args (0.4 to 0.6) or its benchmarks; metadata or config
// come first when it is asked not to. One of the tool's own words is nearby.
func isGuideYAML(head []byte) bool {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, " \r")
		if len(line) == 0 || line[0] == '#' || string(line) == "---" {
			head = rest
			continue
		}
		switch string(line) {
		case "args:", "benchmarks:", "config:", "metadata:":
			for _, word := range guideYAMLWords {
				if bytes.Contains(rest, word) {
					return true
				}
			}
		}
		return false
	}
	return false
}

var guideYAMLWords = [][]byte{[]byte("guidellm"), []byte("generative_benchmark"), []byte("data_column_mapper:"),
	[]byte("- args:\n    cooldown_duration:"), []byte("- concurrencies:\n"),
	[]byte("time_to_first_token_ms:")}

// guideYAMLRest names the blocks of a report that nothing is read from: the
// requests, which are most of it, and what a distribution was computed from.
func guideYAMLRest(key string, indent int) bool {
	return key == "pdf" || key == "requests" && indent == 2
}
