package redact

import (
	"bytes"
	"net/netip"
	"strings"
)

// class is what a name says of its value.
type class int

// namedSecret is the rule that knows a secret by its name alone.
const namedSecret = "named-secret"

// fields are names of values that are private, without what joins their words.
var fields = map[string]class{
	"hostname": hostValue, "nodename": hostValue, "computername": hostValue, "machinename": hostValue, "fqdn": hostValue, "hostfqdn": hostValue, "localhostname": hostValue,
	"slurmdnodename": hostValue, "slurmnodelist": hostValue, "slurmjobnodelist": hostValue, "servername": hostValue, "serverhostname": hostValue, "nodelist": hostValue,
	"host": looseHost, "node": looseMachine, "instance": looseHost, "serverhost": looseHost, "remotehost": looseHost, "machine": looseMachine, "server": looseMachine, "exportedinstance": looseHost,
	"masteraddr": looseHost, "distinitaddr": looseHost, "rdzvendpoint": looseHost, "serveraddr": looseHost, "nodeip": looseHost,
	"username": userValue, "logname": userValue, "loginname": userValue, "user": looseUser, "login": looseUser,
	"ssid": networkValue, "essid": networkValue, "wifissid": networkValue, "wifiname": networkValue, "wirelessssid": networkValue, "80211wirelessssid": networkValue,
	"serial": serialValue, "serialnumber": serialValue, "serialno": serialValue, "serialnumbersystem": serialValue, "boardserial": serialValue, "boardserialnumber": serialValue, "gpuserial": serialValue, "gpuserialnumber": serialValue,
	"deviceserial": serialValue, "moduleserial": serialValue, "moduleserialnumber": serialValue, "chassisserialnumber": serialValue, "systemserialnumber": serialValue,
	"machineid": serialValue, "bootid": serialValue, "hardwareuuid": serialValue, "systemuuid": serialValue, "productuuid": serialValue, "productserial": serialValue, "provisioningudid": serialValue,
}

// chineseFields are the same in Chinese.
var chineseFields = []struct {
	name  string
	class class
}{
	{"密码", password}, {"口令", password}, {"密钥", secret}, {"令牌", secret}, {"主机名", hostValue}, {"主机名称", hostValue}, {"用户名", userValue},
	{"序列号", serialValue}, {"无线网络", networkValue}, {"热点名称", networkValue},
}

// classify returns what a name says of its value. A variable is written in capitals.
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

// SecretName returns what a name says of a value that must not be published: "password",
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
	if variable && strings.HasSuffix(low, "_pass") {
		return "password"
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

// SecretFlag reports whether what follows a flag of a command must not be published, by
// the flag's name.
func SecretFlag(word string) bool {
	name := strings.TrimLeft(word, "-")
	return name != word && len(word)-len(name) <= 2 && SecretName(name, false) != ""
}

// mayName reports by a word's last letters whether classify knows it, for most words say
// nothing.
func mayName(a, b byte) bool {
	switch b | 0x20 {
	case 'y': // key
		return a|0x20 == 'e'
	case 'n': // token, fqdn, authorization, login
		return a|0x20 == 'e' || a|0x20 == 'd' || a|0x20 == 'o' || a|0x20 == 'i'
	case 't': // secret, host, nodelist, endpoint
		return a|0x20 == 'e' || a|0x20 == 's' || a|0x20 == 'n'
	case 'd': // password, passwd, pwd, ssid, uuid
		return a|0x20 == 'r' || a|0x20 == 'w' || a|0x20 == 'i'
	case 'e': // name, passphrase, passcode, cookie, instance, node, machine
		return a|0x20 == 'm' || a|0x20 == 's' || a|0x20 == 'd' || a|0x20 == 'i' || a|0x20 == 'c' || a|0x20 == 'n'
	case 'l': // credential, serial
		return a|0x20 == 'a'
	case 's': // credentials, pass
		return a|0x20 == 'l' || a|0x20 == 's'
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
	next := i + 1
	if sep == wideColon[0] {
		sep, next = ':', i+len(wideColon)
	}
	if e >= 3 && t[e-1] >= 0x80 {
		for _, n := range chineseFields {
			if bytes.HasSuffix(t[:e], []byte(n.name)) {
				s.value(n.class, next, sep, quoted, false)
				return
			}
		}
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
	s.value(c, next, sep, quoted, variable)
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
	if strings.Contains(name, Word("")) {
		return // sshpass -predacted-password
	}
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
		s.cover(end, s.put("authorization", Secret, start, end, v))
	}
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
