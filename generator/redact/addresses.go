package redact

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
)

// dot checks for an IPv4 address whose first dot is at i, and for an internal host name whose last dot is at i.
func (s private) dot(i int) {
	t := s.text
	if i == 0 || i+1 >= len(t) {
		return
	}
	if isDigit(t[i-1]) && isDigit(t[i+1]) {
		s.ip4(i)
	}
	switch t[i+1] | 0x20 {
	case 'a', 'c', 'h', 'i', 'l', 't', 's', 'p':
		s.internal(i)
		s.inside(i)
	}
}

func (s private) ip4(i int) {
	t := s.text
	start := i
	for start > 0 && i-start < 4 && isDigit(t[start-1]) {
		start--
	}
	if i-start > 3 {
		return
	}
	end, dots := start, 0
	for end < len(t) && (isDigit(t[end]) || t[end] == '.') && end-start < 16 {
		if t[end] == '.' {
			if dots++; dots > 3 {
				break
			}
		}
		end++
	}
	if dots < 3 {
		return
	}
	addr, err := netip.ParseAddr(string(t[start:end]))
	if err != nil || !addr.Is4() || s.isVersion(start, end, addr) || !identifies(addr) {
		return
	}
	s.put("ip", IP, start, end, addr.String())
}

// isVersion distinguishes a four-part version from an address by the text around it.
func (s private) isVersion(start, end int, addr netip.Addr) bool {
	t := s.text
	before, after := s.byteAt(start-1), s.byteAt(end)
	switch {
	case isWord(before), before == '.', before == '^', before == '~', before == '+':
		return true
	case before == '-' && !(start > 1 && isDigit(t[start-2])): // cudnn-8.9.7.29
		return true
	case isWord(after), after == '+':
		return true
	case (after == '-' || after == '.') && isWord(s.byteAt(end+1)) && !(after == '-' && isDigit(s.byteAt(end+1)) && bytes.IndexByte(t[end:min(len(t), end+6)], '.') > 0):
		return true
	}
	if before == '/' {
		if s.byteAt(start-2) == '/' && !isWord(s.byteAt(end+1)) {
			return false // part of a URL
		}
		if octets := addr.As4(); after == '/' && !isDigit(s.byteAt(end+1)) && !(octets[0] == 192 && octets[1] == 168) {
			return true // a folder named after a version
		}
	}
	if before == '@' && !isWord(s.byteAt(start-2)) {
		return true
	}
	line := t[max(s.lineStart(start), start-96):start]
	trimmed := bytes.TrimRight(line, " \t\"'\\`([<{:,|")
	if n := len(trimmed); n > 0 && bytes.IndexByte([]byte("=~!><"), trimmed[n-1]) >= 0 && n > 1 && bytes.IndexByte([]byte("=~!><"), trimmed[n-2]) >= 0 {
		return true // ==1.2.3.4
	}
	for _, w := range []string{"版本", "驱动", "固件", "版", "版本号"} {
		if addr.IsPrivate() && (addr.As4()[0] != 10 || w == "固件" || w == "驱动") {
			continue
		}
		if bytes.HasSuffix(bytes.TrimRight(trimmed, "为是："), []byte(w)) {
			return true
		}
	}
	port := after == ':' && isDigit(s.byteAt(end+1))
	words := lastWords(trimmed, 2)
	if addr.IsPrivate() {
		return !port && len(words) > 0 && isPrivateVersion(words[0], addr)
	}
	if !port {
		for _, w := range words {
			if namesVersion(w) {
				return true
			}
		}
		next := bytes.TrimLeft(t[end:min(len(t), end+24)], " \t(,")
		for _, w := range []string{"driver", "version", "release", "firmware"} {
			if len(next) >= len(w) && strings.EqualFold(string(next[:len(w)]), w) {
				return true
			}
		}
	}
	// A row in a list of packages: a name, blanks, and a version with a small first number.
	return !port && addr.As4()[0] < 32 && len(words) > 0 && isPackageRow(line)
}

// products are names after which a four-part number is a version even if it could be an address of a private network.
var products = []string{"version", "tensorrt", "trt", "cudnn", "cuda", "cublas", "cufft", "cusparse", "cusolver", "curand", "nvidia-", "nvidia_", "rocm", "opencv", "onnx", "jetpack", "l4t", "vulkan", "cann"}

// isPrivateVersion reports whether a number in a private address range is a version, according to the word right before
// it. No product has versions that begin with 172.16 or 192.168; versions that begin with 10 have small numbers.
func isPrivateVersion(word string, addr netip.Addr) bool {
	octets := addr.As4()
	if octets[0] != 10 || max(octets[1], octets[2], octets[3]) > 99 {
		return false
	}
	word = strings.ToLower(word)
	return word == "v" || word == "ver" || word == "ver." || strings.HasSuffix(word, "_ver") || slices.ContainsFunc(products, func(p string) bool { return strings.Contains(word, p) })
}

// isPackageRow reports whether the text before a number on a line is just the name of a package.
func isPackageRow(line []byte) bool {
	rest := strings.TrimSpace(string(line))
	for _, mark := range []string{"[pip3] ", "[conda] ", "ii "} {
		rest = strings.TrimSpace(strings.TrimPrefix(rest, mark))
	}
	if rest == "" || strings.ContainsAny(rest, " \t=\"'") || strings.HasSuffix(rest, ":") || !isLetter(rest[0]) {
		return false
	}
	switch strings.ToLower(rest) {
	case "inet", "addr", "address", "ip", "host", "server", "client", "peer", "from", "to", "at", "gateway", "dns", "nameserver", "default", "via", "ping", "node", "remote", "local", "master", "src", "dst", "connect", "listen", "ssh":
		return false
	}
	return true
}

// versionWords occur in the words before a version.
var versionWords = []string{"version", "driver", "cuda", "cudnn", "nccl", "tensorrt", "cublas", "cufft", "cusparse", "cusolver", "curand", "nvidia-", "nvidia_",
	"jetpack", "l4t", "firmware", "bios", "inforom", "rocm", "release", "toolkit", "kernel", "package", "opencv", "onnx", "oneapi", "level_zero", "igc", "neo", "mesa", "vulkan", "cann", "npu-smi", "hdk"}

func namesVersion(word string) bool {
	word = strings.ToLower(word)
	switch word {
	case "v", "ver", "ver.", "rev", "build", "trt", "sdk", "api", "compiler", "runtime":
		return true
	}
	for _, w := range versionWords {
		if strings.Contains(word, w) {
			return true
		}
	}
	return strings.HasSuffix(word, "_ver") || strings.HasPrefix(word, "lib") && len(word) > 4
}

// lastWords returns the last words of a text, the last one first.
func lastWords(text []byte, n int) []string {
	var words []string
	end := len(text)
	for end > 0 && len(words) < n {
		for end > 0 && !isNameByte(text[end-1]) {
			end--
		}
		start := end
		for start > 0 && isNameByte(text[start-1]) {
			start--
		}
		if start < end {
			words = append(words, string(text[start:end]))
		}
		end = start
	}
	return words
}

// identifies reports whether an address may identify somebody. It excludes addresses that are the same everywhere, and
// those reserved for documentation.
func identifies(a netip.Addr) bool {
	for _, p := range common {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

var common = func() (list []netip.Prefix) {
	for _, s := range []string{"0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "169.254.169.254/32",
		"2001:db8::/32", "3fff::/20", "2000::/16"} {
		list = append(list, netip.MustParsePrefix(s))
	}
	return list
}()

// identifying lists the ranges of IPv6 addresses that can be told apart from other text with colons.
var identifying = []netip.Prefix{netip.MustParsePrefix("2000::/3"), netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10")}

// ip6 checks for an IPv6 address whose first colon is at i.
func (s private) ip6(i int) {
	t := s.text
	start := i
	for start > 0 && i-start <= 4 && unhex(t[start-1]) >= 0 {
		start--
	}
	if i-start > 4 || i == start || isWord(s.byteAt(start-1)) || s.byteAt(start-1) == ':' || s.byteAt(start-1) == '.' {
		return
	}
	end := i
	for end < len(t) && end-start < 46 && (unhex(t[end]) >= 0 || t[end] == ':') {
		end++
	}
	if isWord(s.byteAt(end)) {
		return
	}
	for end > i && t[end-1] == ':' && s.byteAt(end-2) != ':' {
		end--
	}
	if digits := t[start:end]; bytes.Count(digits, []byte(":")) != 7 && !bytes.Contains(digits, []byte("::")) {
		return // a time of day
	}
	addr, err := netip.ParseAddr(string(t[start:end]))
	if err != nil || !identifies(addr) {
		return
	}
	for _, p := range identifying {
		if p.Contains(addr) {
			if s.byteAt(start-1) == '[' && s.byteAt(end) == ']' && s.byteAt(start-2) == '/' && !isWord(s.byteAt(end+1)) {
				start, end = start-1, end+1 // only the host of a URL needs brackets
			}
			s.put("ip", IP, start, end, addr.String())
			return
		}
	}
}

// hardware checks for a MAC or InfiniBand address whose first separator is at i.
func (s private) hardware(i int) {
	t := s.text
	sep := t[i]
	start := i - 2
	if start < 0 || unhex(t[start]) < 0 || unhex(t[start+1]) < 0 || isWord(s.byteAt(start-1)) || s.byteAt(start-1) == sep {
		return
	}
	groups, end := 1, i
	for end+2 < len(t) && t[end] == sep && unhex(t[end+1]) >= 0 && unhex(t[end+2]) >= 0 {
		groups++
		end += 3
	}
	if groups != 6 && groups != 8 && groups != 20 {
		return
	}
	address := strings.ToLower(strings.ReplaceAll(string(t[start:end]), "-", ":"))
	switch {
	case groups == 20 && !bytes.Contains(s.line(start), []byte("infiniband")), isWord(s.byteAt(end)), s.byteAt(end) == sep && unhex(s.byteAt(end+1)) >= 0:
		return
	case strings.Trim(address, "0:") == "", strings.Trim(address, "f:") == "":
		return
	case (sep == '-' || groups == 8) && !strings.ContainsAny(address, "abcdef"): // a date and time
		return
	}
	s.put("mac", MAC, start, end, address)
}

// prefix is a network on the site's list of what to keep.
type prefix = netip.Prefix

func parsePrefix(s string) (prefix, bool) {
	if p, err := netip.ParsePrefix(s); err == nil {
		return p, true
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return prefix{}, false
	}
	return netip.PrefixFrom(a, a.BitLen()), true
}

func inAny(nets []prefix, s string) bool {
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return false
	}
	for _, n := range nets {
		if n.Contains(a) {
			return true
		}
	}
	return false
}
