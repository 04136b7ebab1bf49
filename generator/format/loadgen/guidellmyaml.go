package loadgen

import "bytes"

// isGuideYAML reports whether the head of a YAML file is that of GuideLLM's report. PyYAML sorts keys, so a report
// begins with its args (0.4 to 0.6) or its benchmarks; if sorting is disabled, metadata or config come first. One of
// the tool's own words must follow.
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

// guideYAMLRest reports whether a block of a report is skipped: the requests, which are most of the report, and the
// densities from which a distribution was computed.
func guideYAMLRest(key string, indent int) bool {
	return key == "pdf" || key == "requests" && indent == 2
}
