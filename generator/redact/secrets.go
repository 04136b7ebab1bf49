package redact

import (
	"bytes"
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// class is what a name says of its value.
type class int

const (
	nothing class = iota
	password
	secret // whatever it looks like
	weak   // where it looks like one: "token" and "key" mean other things, too
	header // of a request: a scheme, then the credential
	hostValue
	looseHost    // where it looks like the name of a host
	looseMachine // and not like the name of a product
	userValue
	looseUser
	networkValue
	serialValue
)

// namedSecret is the rule that knows a secret by its name alone.
const namedSecret = "named-secret"

// fields are names of values that are private, without what joins their words.
var fields = map[string]class{
	"hostname": hostValue, "nodename": hostValue, "computername": hostValue, "machinename": hostValue, "fqdn": hostValue, "hostfqdn": hostValue, "localhostname": hostValue,
	"slurmdnodename": hostValue, "slurmnodelist": hostValue, "slurmjobnodelist": hostValue, "servername": hostValue, "serverhostname": hostValue, "nodelist": hostValue,
	"host": looseHost, "node": looseMachine, "instance": looseHost, "serverhost": looseHost, "remotehost": looseHost, "machine": looseMachine, "server": looseMachine, "exportedinstance": looseHost,
	"masteraddr": looseHost, "distinitaddr": looseHost,
	"username": userValue, "logname": userValue, "loginname": userValue, "user": looseUser, "login": looseUser,
	"ssid": networkValue, "essid": networkValue, "wifissid": networkValue, "wifiname": networkValue, "wirelessssid": networkValue, "80211wirelessssid": networkValue,
	"serial": serialValue, "serialnumber": serialValue, "serialno": serialValue, "serialnumbersystem": serialValue, "boardserial": serialValue, "boardserialnumber": serialValue, "gpuserial": serialValue, "gpuserialnumber": serialValue,
	"deviceserial": serialValue, "moduleserial": serialValue, "moduleserialnumber": serialValue, "chassisserialnumber": serialValue, "systemserialnumber": serialValue,
	"machineid": serialValue, "hardwareuuid": serialValue, "systemuuid": serialValue, "productuuid": serialValue, "productserial": serialValue, "provisioningudid": serialValue,
}

// classify tells what a name says of its value. A variable is written in capitals.
func classify(name string, variable bool) class {
	flat := strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', '.', ' ', '\t', '(', ')':
			return -1
		}
		if r >= 'A' && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, name)
	if c, ok := fields[flat]; ok {
		return c
	}
	if c := SecretName(name, variable); c != "" {
		switch c {
		case "password":
			return password
		case "header":
			return header
		case "weak":
			return weak
		}
		return secret
	}
	if strings.HasSuffix(flat, "hostname") {
		return hostValue
	}
	if strings.HasSuffix(flat, "serialnumber") {
		return serialValue
	}
	if last := strings.ToLower(name[strings.LastIndexAny(name, "._- ")+1:]); last == "ssid" || last == "essid" {
		return networkValue
	}
	return nothing
}

// owners come before "key" and "token" where these are secrets.
var owners = []string{"api", "access", "secret", "private", "auth", "oauth", "bearer", "refresh", "account", "storage", "subscription", "encryption", "signing", "ssh", "openai", "azure", "aws",
	"client", "license", "wandb", "ngc", "hf", "hub", "huggingface", "github", "gh", "gitlab", "session", "csrf", "jwt", "id", "personal", "slack", "discord", "bot", "service", "admin", "login", "deploy", "registry", "npm", "pypi",
	"docker", "modelscope", "dashscope", "anthropic", "gemini", "groq", "mistral", "cohere", "replicate", "nvidia", "nim", "telegram", "influx", "grafana"}

// counted come before "key" and "token" where these are no secrets.
var counted = words(`eos bos pad unk sep cls mask stop start end special per first next last output input prompt image audio video think thinking inter each new total
	per_output decode prefill max min num draft bonus time_per_output inter_output cache sort primary group hash partition map foreign dict row column index metric label lookup public registry_cache
	kv block prefix request req model config sampling seq sequence reduce merge join unique`)

// joints are what joins the words of a name.
var joints = strings.NewReplacer("-", "_", ".", "_", " ", "_")

// SecretName tells what a name says of a value that must not be published: "password",
// "secret", "header", or "weak" where it depends on the value; "" where nothing. A
// variable of the environment says more by "key" and "token" than another name.
func SecretName(name string, variable bool) string {
	low := strings.Trim(joints.Replace(strings.ToLower(name)), "_")
	switch low {
	case "authorization", "proxy_authorization", "x_api_key", "x_auth_token", "cookie", "set_cookie", "x_goog_api_key", "ocp_apim_subscription_key", "private_token", "x_amz_security_token", "xi_api_key":
		return "header"
	case "pwd":
		if !variable { // that of a shell is a folder
			return "secret"
		}
		return ""
	}
	for _, end := range []string{"password", "passwd", "passphrase", "_pwd", "psk", "pass_phrase", "passcode", "wpa_key", "wifi_key"} {
		if strings.HasSuffix(low, end) {
			return "password"
		}
	}
	for _, end := range []string{"secret", "credential", "credentials", "apikey"} {
		if strings.HasSuffix(low, end) {
			return "secret"
		}
	}
	for _, end := range []string{"key", "token"} {
		rest, ok := strings.CutSuffix(low, end)
		if !ok {
			continue
		}
		joined := strings.HasSuffix(rest, "_")
		rest = strings.TrimSuffix(rest, "_")
		last := rest[strings.LastIndexByte(rest, '_')+1:]
		if counted[last] || counted[rest] {
			return ""
		}
		for _, owner := range owners {
			if last == owner || !joined && strings.HasSuffix(last, owner) && len(owner) > 2 {
				return "secret"
			}
		}
		if rest != "" && !joined { // monkey, tokey
			return ""
		}
		if variable && rest != "" {
			return "secret"
		}
		return "weak"
	}
	return ""
}

// SecretFlag tells whether what follows a flag of a command must not be published, by
// the flag's name.
func SecretFlag(word string) bool {
	name := strings.TrimLeft(word, "-")
	return name != word && len(word)-len(name) <= 2 && SecretName(name, false) != ""
}

// mayName tells by a word's last letters whether classify knows it, for most words say
// nothing.
func mayName(a, b byte) bool {
	switch b | 0x20 {
	case 'y': // key
		return a|0x20 == 'e'
	case 'n': // token, fqdn, authorization, login
		return a|0x20 == 'e' || a|0x20 == 'd' || a|0x20 == 'o' || a|0x20 == 'i'
	case 't': // secret, host, nodelist
		return a|0x20 == 'e' || a|0x20 == 's'
	case 'd': // password, passwd, pwd, ssid, uuid
		return a|0x20 == 'r' || a|0x20 == 'w' || a|0x20 == 'i'
	case 'e': // name, passphrase, passcode, cookie, instance, node, machine
		return a|0x20 == 'm' || a|0x20 == 's' || a|0x20 == 'd' || a|0x20 == 'i' || a|0x20 == 'c' || a|0x20 == 'n'
	case 'l': // credential, serial
		return a|0x20 == 'a'
	case 's': // credentials
		return a|0x20 == 'l'
	case 'k': // psk
		return a|0x20 == 's'
	case 'r': // user, number, server, addr
		return a|0x20 == 'e' || a|0x20 == 'd'
	case 'o': // serial no
		return a|0x20 == 'n'
	case ')': // Serial Number (system)
		return a|0x20 == 'm'
	}
	return false
}

// named looks at a value with a name, at the separator between them.
func (s *scanner) named(i int) {
	t := s.text
	sep := t[i]
	e := i
	for e > 0 && i-e < 40 && (t[e-1] == ' ' || t[e-1] == '\t') {
		e--
	}
	quoted := false
	for e > 0 && i-e < 48 && (t[e-1] == '"' || t[e-1] == '\'' || t[e-1] == '\\') {
		quoted = true
		e--
	}
	if e < 2 || !mayName(t[e-2], t[e-1]) {
		return
	}
	b := e
	if system := " (system)"; bytes.HasSuffix(t[:e], []byte(system)) {
		b -= len(system)
	}
	for b > 0 && e-b < 64 && (isWord(t[b-1]) || t[b-1] == '-' || t[b-1] == '.') {
		b--
	}
	for b < e && (t[b] == '-' || t[b] == '.') {
		b++
	}
	if s.byteAt(b-1) == '{' && s.byteAt(b-2) == '$' {
		return // ${NAME:-default}
	}
	name := string(t[b:e])
	if strings.Contains(name, Word("")) {
		return
	}
	variable := sep == '=' && name == strings.ToUpper(name) && i == e
	c := classify(name, variable)
	if c == nothing || c == serialValue && !quoted || name == "no" {
		// Names of two words: Serial Number, Computer Name, Hardware UUID.
		if w := b; w > 1 && t[w-1] == ' ' {
			v := w - 1
			for v > 0 && w-v < 32 && (isWord(t[v-1]) || t[v-1] == '-') {
				v--
			}
			if two := classify(string(t[v:e]), false); two == serialValue || two == hostValue || two == networkValue {
				c = two
			}
		}
	}
	if c == nothing {
		return
	}
	s.value(c, i+1, sep, quoted, variable)
}

// flag looks at a flag whose value is the next word, at its first dash.
func (s *scanner) flag(i int) {
	t := s.text
	if c := s.byteAt(i - 1); c != 0 && c != ' ' && c != '\t' && c != '\n' && c != '\r' && !isQuote(c) && c != '[' && c != '(' && c != ',' {
		return
	}
	b := i + 1
	if s.byteAt(b) == '-' {
		b++
	}
	e := b
	for e < len(t) && e-b < 64 && (isWord(t[e]) || t[e] == '-' || t[e] == '.') {
		e++
	}
	if e-b < 3 || !mayName(t[e-2], t[e-1]) {
		return
	}
	next := e
	for next < len(t) && next-e < 8 && (isQuote(t[next]) || t[next] == ',' || t[next] == ' ' || t[next] == '\t' || t[next] == '\\') {
		next++
	}
	if next == e || next >= len(t) || t[next] == '-' || t[next] == '\n' || t[next] == '\r' || !bytes.ContainsAny(t[e:next], " \t,") {
		return
	}
	if isQuote(t[next-1]) {
		next--
		for next > e && t[next-1] == '\\' {
			next--
		}
	}
	name := string(t[b:e])
	c := classify(name, false)
	if c == weak && counted[strings.ToLower(name)] {
		return
	}
	switch c {
	case weak:
		c = secret // nobody is asked for a key or a token by a flag that is none
	case nothing, looseUser, userValue, serialValue:
		return
	}
	s.value(c, next, ' ', false, false)
}

// value puts the value that begins at i, or what of it is private.
func (s *scanner) value(c class, i int, sep byte, quotedName, variable bool) {
	t := s.text
	for n := 0; n < 40 && i < len(t) && (t[i] == ' ' || t[i] == '\t') && (sep != '=' || !variable); n++ {
		i++
	}
	if sep == '=' && s.byteAt(i) == '=' || s.byteAt(i) == '>' {
		i++
	}
	slashes := 0
	for slashes < 8 && i+slashes < len(t) && t[i+slashes] == '\\' {
		slashes++
	}
	if !isQuote(s.byteAt(i + slashes)) {
		slashes = 0
	}
	start := i + slashes
	if start >= len(t) {
		return
	}
	end, inQuotes := start, isQuote(t[start])
	if inQuotes {
		quote := t[start]
		start++
		for end = start; end < len(t) && end-start < longestValue && t[end] != '\n' && t[end] != '\r'; end++ {
			if t[end] == quote {
				n := 0
				for end-n-1 >= start && t[end-n-1] == '\\' {
					n++
				}
				if n%(2*(slashes+1)) == slashes { // what is escaped within has more of them
					end -= slashes
					break
				}
			}
		}
	} else {
		stops := " \t\r\n\"'`<>|{}[]()"
		if c == header || c == networkValue {
			stops = "\r\n\"'`<>|{}"
		} else {
			stops += ",;"
		}
		if sep == '=' || c != password {
			stops += "&"
		}
		for end < len(t) && end-start < longestValue && bytes.IndexByte([]byte(stops), t[end]) < 0 && !s.escapeAt(end) {
			end++
		}
		end = start + len(bytes.TrimRight(t[start:end], " \t"))
	}
	if end <= start {
		return
	}
	value := string(t[start:end])
	if quotedName && !inQuotes && (c == networkValue || c == header) {
		return // no text, by JSON
	}
	number := !inQuotes && isNumber(value)
	if number && sep == ':' && (quotedName || c != password && c != serialValue) || isPlaceholder(value) {
		return
	}
	switch c {
	case password, secret:
		if number && c == secret && sep != ' ' || !inQuotes && (s.byteAt(end) == '(' || s.byteAt(end) == '[' || s.byteAt(end) == '{') {
			return
		}
		if strings.ContainsAny(value, "$") && (strings.HasPrefix(value, "$") || strings.Contains(value, "${")) {
			return
		}
		if sep == ':' && !inQuotes && !s.endsHere(end) && !looksRandom(value) { // prose
			return
		}
		if !inQuotes && sep != ' ' && isAccount(value) && SecretName(value, false) != "" && !strings.ContainsAny(value, "0123456789") { // api_key=openai_api_key
			return
		}
		if isPath(value) && c == secret && !looksRandom(value) {
			return
		}
		if inQuotes && strings.Count(value, " ") > 5 { // a sentence, as of a help
			return
		}
		s.put(map[class]string{password: "password", secret: namedSecret}[c], Secret, start, end, value)
	case weak:
		if looksRandom(value) {
			s.put(namedSecret, Secret, start, end, value)
		}
	case header:
		s.header(start, end)
	case hostValue, looseHost, looseMachine:
		s.hostValue(c, start, end, sep, quotedName, inQuotes, variable)
	case userValue, looseUser:
		if !isAccount(value) || c == looseUser && !(sep == '=' && !quotedName && len(value) > 2) || sep == ':' && !inQuotes && !s.endsHere(end) {
			return
		}
		s.putUser(start, end)
	case networkValue:
		if isNetworkName(s, start, end) && !bytes.Contains(t[start:end], []byte("  ")) {
			s.put("wifi", WiFi, start, end, value)
		}
	case serialValue:
		if number && quotedName || len(value) < 6 || !strings.ContainsAny(value, "0123456789") || strings.Trim(value, "0-") == "" || strings.ContainsAny(value, " ./:\\") {
			return
		}
		s.put("serial", Serial, start, end, value)
	}
}

// longestValue is how long a value may be.
const longestValue = 16 << 10

// escapeAt tells whether an escape of JSON for a line's end, a tab or a quotation mark
// begins at a place, where a value that has no quotation marks of its own ends.
func (s *scanner) escapeAt(i int) bool {
	return s.text[i] == '\\' && bytes.IndexByte([]byte("nrt\"'\\"), s.byteAt(i+1)) >= 0
}

// endsHere tells whether nothing but punctuation follows on the line.
func (s *scanner) endsHere(end int) bool {
	rest := s.text[end:min(len(s.text), end+8)]
	rest = bytes.TrimLeft(rest, " \t")
	return len(rest) == 0 || bytes.IndexByte([]byte("\r\n,;}])\\\"'|"), rest[0]) >= 0
}

// header puts the credential of a header: what follows its scheme, or all of it.
func (s *scanner) header(start, end int) {
	value := s.text[start:end]
	for _, scheme := range []string{"bearer", "basic", "token", "digest", "apikey", "negotiate", "api-key"} {
		if len(value) > len(scheme) && strings.EqualFold(string(value[:len(scheme)]), scheme) && (value[len(scheme)] == ' ' || value[len(scheme)] == '\t') {
			rest := bytes.TrimLeft(value[len(scheme):], " \t")
			start = end - len(rest)
			break
		}
	}
	if v := string(s.text[start:end]); start < end && !isPlaceholder(v) && !strings.HasPrefix(v, "$") && !isScheme(v) {
		s.put("authorization", Secret, start, end, v)
	}
}

func isScheme(v string) bool {
	low := strings.ToLower(v)
	return low == "bearer" || low == "basic" || low == "digest"
}

// isHeader tells whether a place follows the name of a header.
func (s *scanner) isHeader(at int) bool {
	before := bytes.ToLower(s.text[max(s.lineStart(at), at-48):at])
	return bytes.Contains(before, []byte("authorization"))
}

func (s *scanner) hostValue(c class, start, end int, sep byte, quotedName, inQuotes, variable bool) {
	t := s.text
	if i := bytes.IndexByte(t[start:end], ':'); i > 0 { // a port
		end = start + i
	}
	name := string(t[start:end])
	if strings.ContainsAny(name, "/ @=%") {
		return
	}
	if c != hostValue {
		plain := !strings.ContainsAny(name, "-.0123456789")
		switch {
		case strings.Contains(name, ".") && !isInternal(name) && !isMailDomain(name):
			return
		case plain && !inQuotes && sep != '=' && sep != ' ':
			return
		case !inQuotes && sep == ':' && !s.endsHere(end):
			return
		case isNumber(name) || !strings.ContainsFunc(name, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }):
			return
		case c == looseMachine && (plain || looksLikeModel(name)):
			return
		}
	} else if sep == ':' && !inQuotes && !s.endsHere(end) {
		return
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return
	}
	s.putHost(start, end)
}

// looksLikeModel tells the name of an accelerator or a machine that is for sale.
func looksLikeModel(name string) bool {
	low := strings.ToLower(name)
	for _, w := range []string{"jetson", "nvidia", "rtx", "gtx", "geforce", "tesla", "orin", "thor", "xavier", "h100", "h200", "h20", "b200", "b100", "gb200", "gb10", "a100", "a10", "l40", "l4-", "mi300", "mi325", "mi250", "dgx", "hgx", "gpu", "cpu", "intel", "amd", "apple", "ascend", "m1-", "m2-", "m3-", "m4-", "macbook", "x86", "aarch64", "arm64", "sm_", "spark"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// isNetworkName judges what was taken for the name of a wireless network.
func isNetworkName(s *scanner, start, end int) bool {
	v := strings.Trim(string(s.text[start:end]), "\"'` ")
	low := strings.ToLower(v)
	if v == "" || len(v) > 64 || v == "--" || isPlaceholder(v) || low == "off/any" || low == "ssid" || low == "name" || low == "mode" || low == "any" || low == "off" || low == "hidden" || low == "unavailable" || strings.HasPrefix(low, "not ") || strings.HasPrefix(low, "you are not") {
		return false
	}
	if n := strings.Count(v, ":"); n == 5 && len(v) == 17 { // of a BSSID
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

// isPlaceholder tells what stands where a value would: of a help, of a template.
func isPlaceholder(v string) bool {
	low := strings.ToLower(strings.Trim(v, "\"'` "))
	switch low {
	case "", "none", "null", "nil", "true", "false", "empty", "undefined", "unset", "optional", "required", "str", "string", "int", "float", "bool", "bytes", "any", "object", "dict", "list",
		"not set", "n/a", "na", "dummy", "placeholder", "redacted", "changeme", "xxx", "secret", "password", "token", "key", "api_key", "api-key", "apikey", "your_api_key", "value", "default", "auto", "env", "no", "yes", "-", "--", "user", "pass", "user:pass", "*":
		return true
	}
	if isTemplate(low) || len(low) > 2 && strings.Trim(low, "x") == "" || strings.Trim(low, ".…") == "" || strings.Trim(low, "-_ ") == "" {
		return true
	}
	if strings.HasPrefix(low, "your") || strings.HasPrefix(low, "os.environ") {
		return true
	}
	// API_KEY, as help texts name a value.
	return v == strings.ToUpper(v) && strings.Contains(v, "_") && !strings.ContainsAny(v, "0123456789") && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// isTemplate tells what somebody or a program put where a value was, or will be.
func isTemplate(v string) bool {
	for _, begin := range []string{"<", "{", "$", "%(", "redacted", "[redacted", "***"} {
		if strings.HasPrefix(v, begin) {
			return true
		}
	}
	return strings.Trim(v, "*") == ""
}

// looksRandom tells a key from words: it mixes capitals, small letters and digits over
// a length, and is no digest.
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

// namesDigest tells whether what stands before a place names a digest.
func (s *scanner) namesDigest(at int) bool {
	before := bytes.ToLower(s.text[max(s.lineStart(at), at-96):at])
	for _, w := range []string{"hash", "sha", "digest", "commit", "revision", "checksum", "etag", "md5", "uuid", "fingerprint", "blob", "oid", "snapshot"} {
		if bytes.Contains(before, []byte(w)) {
			return true
		}
	}
	return false
}

// inData tells whether a place is within data in base64: of a picture, an embedding.
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

// longData is how long a run of base64 is in which no token is looked for.
const longData = 256

// isNumberOfJSON tells whether what is to be replaced is a number where JSON has one.
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

// isInternal tells a name that only a network of one's own knows.
func isInternal(host string) bool {
	low := strings.ToLower(host)
	for _, tail := range internalEnds {
		if strings.HasSuffix(low, "."+tail) && tail != "amazonaws.com" {
			return true
		}
	}
	return false
}

// fileEnds are endings of files that are domains, too.
var fileEnds = words("py sh rs md so cc pl ps zip mov bin gz ai.py")

// isMailDomain tells a domain of the Internet, by the list of those under which names
// are given out.
func isMailDomain(host string) bool {
	host = strings.ToLower(host)
	i := strings.LastIndexByte(host, '.')
	if i <= 0 || i+1 == len(host) || fileEnds[host[i+1:]] || !isLetter(host[i+1]) || strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(host)
	return (icann || strings.Contains(suffix, ".")) && suffix != host
}

// isMail leaves out addresses of documentation and of nobody.
func isMail(local, host string) bool {
	if !hasLetter(local) && !strings.ContainsAny(local, "0123456789") {
		return false
	}
	for _, d := range []string{"example.com", "example.org", "example.net", "example.edu"} {
		if host == d || strings.HasSuffix(host, "."+d) {
			return false
		}
	}
	switch strings.ToLower(local) {
	case "git", "noreply", "no-reply", "user", "username", "you", "name", "someone":
		return false
	}
	return true
}

// prefix is a network that the site lets stand.
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

// keyBegin and keyEnd are around a private key.
var (
	keyBegin = []byte("-----BEGIN ")
	keyEnd   = []byte("-----END ")
)

// longestKey is how far a private key may go.
const longestKey = 32 << 10

// privateKeys gives the lines of private keys, each by itself, so that there are as many
// as before.
func (s *scanner) privateKeys() {
	t := s.text
	for at := 0; ; {
		i := bytes.Index(t[at:], keyBegin)
		if i < 0 {
			return
		}
		i += at
		at = i + len(keyBegin)
		head := t[at:min(len(t), at+80)]
		n := bytes.Index(head, []byte("-----"))
		if n < 0 || !bytes.Contains(head[:n], []byte("PRIVATE KEY")) {
			continue
		}
		begin := at + n + len("-----")
		limit := min(len(t), begin+longestKey)
		end := begin
		if j := bytes.Index(t[begin:limit], keyEnd); j >= 0 {
			end = begin + j
		} else { // cut off: as long as there is nothing but a key
			for end < limit && (isToken(t[end]) || bytes.IndexByte([]byte(" \t\r\n\\:,"), t[end]) >= 0) {
				end++
			}
		}
		s.keyLines(begin, end)
		at = end
	}
}

// keyLines puts what lies between line ends, written as such or as escapes.
func (s *scanner) keyLines(begin, end int) {
	t := s.text
	start := begin
	put := func(to int) {
		line := bytes.Trim(t[start:to], " \t\"',+\\")
		if from := bytes.Index(t[start:to], line); len(line) > 0 {
			s.put("private-key", Secret, start+from, start+from+len(line), "")
		}
	}
	for i := begin; i < end; i++ {
		switch {
		case t[i] == '\n' || t[i] == '\r':
			put(i)
			start = i + 1
		case t[i] == '\\' && i+1 < end && (t[i+1] == 'n' || t[i+1] == 'r'):
			put(i)
			start = i + 2
			i++
		}
	}
	put(end)
}
