package redact

import (
	"bytes"
	"slices"
	"strings"
)

// isIn is the separator for a value in a sentence: 密码是…, 密码为….
const isIn byte = 0xe6

// isOpaque reports whether a text is one long word of letters and digits, as keys are.
func isOpaque(v string) bool {
	if len(v) < 16 {
		return false
	}
	letter, digit := 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isDigit(c):
			digit++
		case isLetter(c):
			letter++
		case !isToken(c) && c != '%' && c != ':':
			return false
		}
	}
	return letter > 1 && digit > 1 && entropy([]byte(v)) > 2.5
}

// hasMixedPart reports whether a path element of a text looks random, as base64 does.
func hasMixedPart(v string) bool {
	return slices.ContainsFunc(strings.Split(v, "/"), func(part string) bool { return len(part) >= 10 && isMixed([]byte(part)) })
}

// isDigest reports whether a text may be a hexadecimal digest.
func isDigest(v string) bool { return isHex(v) && len(v) >= 32 }

// number reports whether the value is a number without quotation marks.
func (v *value) number() bool { return !v.quoted && isNumber(v.head) }

// escapeAt reports whether a JSON escape for a line end, a tab, a quotation mark or a backslash begins at i. A value
// without quotation marks of its own ends there.
func (s *scanner) escapeAt(i int) bool {
	return s.text[i] == '\\' && bytes.IndexByte([]byte("nrt\"'\\"), s.byteAt(i+1)) >= 0
}

// widePunctuation lists characters that end a value in Chinese text.
var widePunctuation = []string{"，", "。", "；", "、", "）", "（", "”", "》"}

func beginsWithAny(text []byte, list []string) bool {
	if len(text) == 0 || text[0] < 0x80 {
		return false
	}
	for _, w := range list {
		if bytes.HasPrefix(text, []byte(w)) {
			return true
		}
	}
	return false
}

// endsHere reports whether only punctuation follows on the line, if anything.
func (s *scanner) endsHere(end int) bool {
	rest := s.text[end:min(len(s.text), end+8)]
	rest = bytes.TrimLeft(rest, " \t")
	return len(rest) == 0 || beginsWithAny(rest, widePunctuation) || bytes.IndexByte([]byte("\r\n,;}])\\\"'|"), rest[0]) >= 0
}

func isScheme(v string) bool {
	low := strings.ToLower(v)
	return low == "bearer" || low == "basic" || low == "digest"
}

// isHeader reports whether the text before a place contains the name of an authorization header.
func (s *scanner) isHeader(at int) bool {
	before := bytes.ToLower(s.text[max(s.lineStart(at), at-48):at])
	return bytes.Contains(before, []byte("authorization"))
}

// looksLikeModel reports whether a name is that of a commercial accelerator or machine.
func looksLikeModel(name string) bool {
	low := strings.ToLower(name)
	for _, w := range []string{"jetson", "nvidia", "rtx", "gtx", "geforce", "tesla", "orin", "thor", "xavier", "h100", "h200", "h20", "b200", "b100", "gb200", "gb10", "a100", "a10", "l40", "l4-", "mi300", "mi325", "mi250", "dgx", "hgx", "gpu", "cpu", "intel", "amd", "apple", "ascend", "m1-", "m2-", "m3-", "m4-", "macbook", "x86", "aarch64", "arm64", "sm_", "spark"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// isNetworkName accepts a match as the name of a wireless network unless it is a placeholder, a column title or a
// state.
func isNetworkName(s *scanner, start, end int) bool {
	if end-start > longestHead {
		return false
	}
	v := strings.Trim(string(s.text[start:end]), "\"'` ")
	low := strings.ToLower(v)
	if v == "" || len(v) > 64 || v == "--" || isPlaceholder(v) || low == "off/any" || low == "ssid" || low == "name" || low == "mode" || low == "any" || low == "off" || low == "hidden" || low == "unavailable" || strings.HasPrefix(low, "not ") || strings.HasPrefix(low, "you are not") {
		return false
	}
	if n := strings.Count(v, ":"); n == 5 && len(v) == 17 { // a BSSID
		return false
	}
	return true
}

func isAccount(v string) bool {
	if len(v) < 2 || len(v) > 32 || !(isLetter(v[0]) || v[0] == '_') {
		return false
	}
	for i := range len(v) {
		if !isWord(v[i]) && v[i] != '-' && v[i] != '.' {
			return false
		}
	}
	return true
}

func isNumber(v string) bool {
	return v != "" && strings.Trim(v, "0123456789.eE+-_") == "" && strings.ContainsAny(v, "0123456789")
}

// isPlaceholder reports whether a value is a placeholder, as in a help text or a template.
func isPlaceholder(v string) bool {
	v = v[:min(len(v), longestHead)]
	low := strings.ToLower(strings.Trim(v, "\"'` "))
	switch low {
	case "", "none", "null", "nil", "true", "false", "empty", "undefined", "unset", "optional", "required", "str", "string", "int", "float", "bool", "bytes", "any", "object", "dict", "list",
		"not set", "n/a", "na", "dummy", "placeholder", "redacted", "changeme", "xxx", "secret", "password", "token", "key", "api_key", "api-key", "apikey", "your_api_key", "value", "default", "auto", "env", "no", "yes", "read", "write", "-", "--", "user", "pass", "user:pass", "*", "无", "空", "未设置", "没有":
		return true
	}
	if isTemplate(low) || len(low) < 9 && strings.HasSuffix(low, "xxx") || strings.HasSuffix(low, "***") || len(low) > 2 && strings.Trim(low, "x") == "" || strings.Trim(low, ".…") == "" || strings.Trim(low, "-_ ") == "" {
		return true
	}
	if strings.HasPrefix(low, "your") || strings.HasPrefix(low, "os.environ") {
		return true
	}
	// API_KEY, as help texts write a value.
	return v == strings.ToUpper(v) && strings.Contains(v, "_") && !strings.ContainsAny(v, "0123456789") && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// isTemplate reports whether v was put in place of a value, or will be replaced by one.
func isTemplate(v string) bool {
	for _, begin := range []string{"<", "{", "$", "%(", "redacted", "[redacted", "***"} {
		if strings.HasPrefix(v, begin) {
			return true
		}
	}
	return strings.Trim(v, "*") == ""
}

// looksRandom distinguishes a key from words: it contains a long word that mixes capital letters, small letters and
// digits.
func looksRandom(v string) bool {
	run, best := 0, ""
	for i := 0; i <= len(v); i++ {
		if i < len(v) && (isWord(v[i]) || v[i] == '+' || v[i] == '/' && !strings.Contains(v, ".")) {
			run++
			continue
		}
		if run > len(best) {
			best = v[i-run : i]
		}
		run = 0
	}
	if strings.ContainsAny(v, " \t") || len(best) < 16 || strings.Count(best, "/") > 1 || strings.Contains(best, "_") {
		return false
	}
	upper, lower, digit := 0, 0, 0
	for i := range len(best) {
		switch c := best[i]; {
		case isDigit(c):
			digit++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
	}
	return upper > 1 && lower > 1 && digit > 1 && entropy([]byte(best)) > 3.3
}

func isHex(v string) bool {
	for i := range len(v) {
		if unhex(v[i]) < 0 && v[i] != '-' {
			return false
		}
	}
	return true
}

func isPath(v string) bool {
	return strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "~/") || len(v) > 2 && v[1] == ':' && v[2] == '\\'
}

// namesDigest reports whether the text before a place on the line contains a word for a digest.
func (s *scanner) namesDigest(at int) bool {
	before := bytes.ToLower(s.text[max(s.lineStart(at), at-96):at])
	for _, w := range []string{"hash", "sha", "digest", "commit", "revision", "checksum", "etag", "md5", "uuid", "fingerprint", "blob", "oid", "snapshot"} {
		if bytes.Contains(before, []byte(w)) {
			return true
		}
	}
	return false
}

// inData reports whether a place is within base64 data, such as an image or an embedding.
func (s *scanner) inData(start, end int) bool {
	isData := func(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '/' }
	from, to := start, end
	for from > 0 && start-from < longData && isData(s.text[from-1]) {
		from--
	}
	for to < len(s.text) && to-end < longData && isData(s.text[to]) {
		to++
	}
	return start-from >= longData/2 || to-end >= longData/2
}

// longData is the length in bytes of base64 data in which no token is searched; half of it on one side of a token is
// enough.
const longData = 256

// isNumberOfJSON reports whether a finding is a number, or a part of one, that is a value in JSON.
func isNumberOfJSON(text []byte, start, end int) bool {
	if !isNumber(string(text[start:end])) {
		return false
	}
	isPart := func(c byte) bool { return isDigit(c) || c == '.' || c|0x20 == 'e' || c == '+' || c == '-' }
	for start > 0 && isPart(text[start-1]) {
		start--
	}
	for end < len(text) && isPart(text[end]) {
		end++
	}
	before := bytes.TrimRight(text[max(0, start-64):start], " \t\r\n")
	after := bytes.TrimLeft(text[end:min(len(text), end+64)], " \t\r\n")
	return len(before) > 0 && bytes.IndexByte([]byte(":,["), before[len(before)-1]) >= 0 && (len(after) == 0 || bytes.IndexByte([]byte(",]}"), after[0]) >= 0)
}
