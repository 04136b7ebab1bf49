package redact

import (
	"bytes"
	"regexp"
	"strings"
)

// placePatterns find hosts that are not named by an address: cluster nodes, registries and buckets. They also find
// machine ids.
var placePatterns = []pattern{
	ownPattern("host", Host, `\b((?:[a-z][a-z0-9]*-)*(?:node|nid|compute|worker)-?\d{2,6})\b`, isNode, "node", "nid", "compute", "worker"),
	ownPattern("host", Host, `(?i)(?:\bimage["']?[ \t]*[:=][ \t]*["']?|\b(?:docker|podman|nerdctl|ctr|crictl|skopeo|buildah|apptainer|singularity)\b[^\r\n]*?(?:[ \t]|://))((?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?/[\w./-]+`, isHostName,
		"image", "docker", "podman", "nerdctl", "ctr", "crictl", "skopeo", "buildah", "apptainer", "singularity"),
	ownPattern("host", Host, `\b(?:s3[an]?|gs|oss|cosn?|obs|tos|r2|b2|abfss?|wasbs?|hdfs|minio|swift)://([A-Za-z0-9][\w.-]{2,62})`, isBucket, "://"),
	ownPattern("serial", Serial, `(?m)^[ \t]+UUID:[ \t]+([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\b`, nil, "uuid:"),
}

// isNode distinguishes the name of a machine from a count of nodes: its number has a leading zero or three digits, or
// another word precedes it.
func isNode(s *scanner, start, end int) bool {
	name := string(s.text[start:end])
	number := name[len(strings.TrimRight(name, "0123456789")):]
	if c := s.byteAt(end); c == '.' && isDigit(s.byteAt(end+1)) || c == '=' {
		return false
	}
	if c := s.byteAt(start - 1); c == '.' || c == '/' && s.byteAt(start-2) != '/' || c == '-' {
		return false
	}
	return number[0] == '0' || len(number) > 2 || strings.Contains(strings.TrimRight(name[:len(name)-len(number)], "-"), "-")
}

// genericBuckets are names of buckets used in examples.
var genericBuckets = words("bucket my-bucket mybucket your-bucket models data path bucket-name bucket_name example")

// isBucket accepts names of buckets that are not generic.
func isBucket(s *scanner, start, end int) bool {
	name := strings.ToLower(string(bytes.TrimRight(s.text[start:end], ".-_")))
	return !genericBuckets[name] && !isPlaceholder(name) && !publicHosts[name]
}

// storage matches hosts whose first label is a bucket or an account.
var storage = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\.(?:s3[a-z0-9.-]*\.amazonaws\.com(?:\.cn)?|oss-[a-z0-9-]+\.aliyuncs\.com|cos\.[a-z0-9-]+\.myqcloud\.com|(?:blob|dfs|file)\.core\.windows\.net|storage\.googleapis\.com|tos-[a-z0-9-]+\.volces\.com|obs\.[a-z0-9-]+\.myhuaweicloud\.com|openai\.azure\.com|cognitiveservices\.azure\.com|r2\.cloudflarestorage\.com)$`)

// insideLabels are labels within host names that companies use for their internal network.
var insideLabels = []string{"corp", "internal", "intranet", "lan", "intra", "prod", "svc"}

// inside checks for a host name with such a label before the company's domain; i is the dot before the label.
func (s private) inside(i int) {
	t := s.text
	for _, label := range insideLabels {
		end := i + 1 + len(label)
		if end+3 > len(t) || t[end] != '.' || !bytes.EqualFold(t[i+1:end], []byte(label)) {
			continue
		}
		start := i
		for start > 0 && i-start < 200 && (isHostByte(t[start-1]) || t[start-1] == '.') {
			start--
		}
		for end < len(t) && end-i < 200 && (isHostByte(t[end]) || t[end] == '.') {
			end++
		}
		for end > i && t[end-1] == '.' {
			end--
		}
		if c := s.byteAt(start - 1); isWord(c) || c == '/' && s.byteAt(start-2) != '/' || c == '@' || start == i || !isLetter(t[start]) && !isDigit(t[start]) {
			return
		}
		low := strings.ToLower(string(t[start:end]))
		if top := low[strings.LastIndexByte(low, '.')+1:]; companyEnds[top] && isMailDomain(low) {
			s.putHost(start, end)
		}
		return
	}
}

// companyEnds are the top-level domains of most companies. Other last labels are usually identifiers in code.
var companyEnds = words("com net org cn de fr uk jp eu co edu gov kr in nl ch se it es ru br au ca tw hk sg")
