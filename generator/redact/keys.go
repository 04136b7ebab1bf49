package redact

import (
	"bytes"
	"slices"
	"strings"
)

// class is the meaning of a value according to its name.
type class int

// namedSecret is the rule for secrets that are recognised only by their name.
const namedSecret = "named-secret"

// fields maps names of private values to their class. The names are in lower case without separators.
var fields = map[string]class{
	"hostname": hostValue, "nodename": hostValue, "computername": hostValue, "machinename": hostValue, "fqdn": hostValue, "hostfqdn": hostValue, "localhostname": hostValue,
	"slurmdnodename": hostValue, "slurmnodelist": hostValue, "slurmjobnodelist": hostValue, "servername": hostValue, "serverhostname": hostValue, "nodelist": hostValue,
	"host": looseHost, "node": looseMachine, "instance": looseHost, "serverhost": looseHost, "remotehost": looseHost, "machine": looseMachine, "server": looseMachine, "exportedinstance": looseHost,
	"masteraddr": looseHost, "distinitaddr": looseHost, "rdzvendpoint": looseHost, "serveraddr": looseHost, "nodeip": looseHost,
	"slurmsubmithost": hostValue, "slurmjobuser": userValue, "slurmjobaccount": userValue, "sudouser": userValue, "remoteuser": userValue,
	"username": userValue, "logname": userValue, "loginname": userValue, "user": looseUser, "login": looseUser,
	"ssid": networkValue, "essid": networkValue, "wifissid": networkValue, "wifiname": networkValue, "wirelessssid": networkValue, "80211wirelessssid": networkValue,
	"serial": serialValue, "serialnumber": serialValue, "serialno": serialValue, "serialnumbersystem": serialValue, "boardserial": serialValue, "boardserialnumber": serialValue, "gpuserial": serialValue, "gpuserialnumber": serialValue,
	"deviceserial": serialValue, "moduleserial": serialValue, "moduleserialnumber": serialValue, "chassisserialnumber": serialValue, "systemserialnumber": serialValue,
	"machineid": serialValue, "bootid": serialValue, "hardwareuuid": serialValue, "systemuuid": serialValue, "productuuid": serialValue, "productserial": serialValue, "provisioningudid": serialValue,
}

// chineseFields are such names in Chinese.
var chineseFields = []struct {
	name  string
	class class
}{
	{"密码", password}, {"口令", password}, {"密钥", secret}, {"令牌", secret}, {"秘钥", secret}, {"私钥", secret}, {"凭证", secret}, {"凭据", secret}, {"验证码", code}, {"动态码", code},
	{"主机名", hostValue}, {"主机名称", hostValue}, {"用户名", userValue}, {"账号", userValue}, {"账户", userValue}, {"登录名", userValue},
	{"序列号", serialValue}, {"无线网络", networkValue}, {"热点名称", networkValue},
}

// classify returns the class of a value according to its name. Variable says that it is an environment variable in
// capitals.
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
	if c := secretClass(name, variable); c != nothing {
		return c
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

// names caches results of classify, since logs repeat a few names.
type names [2]map[string]class // index 1 is for environment variables

// mostNames is the greatest number of cached names.
const mostNames = 2000

func (n *names) classify(name []byte, variable bool) class {
	known := &n[0]
	if variable {
		known = &n[1]
	}
	c, ok := (*known)[string(name)]
	if !ok {
		c = classify(string(name), variable)
		if *known == nil || len(*known) == mostNames {
			*known = map[string]class{}
		}
		(*known)[string(name)] = c
	}
	return c
}

// owners are words before "key" and "token" that make these a secret.
var owners = []string{"api", "access", "secret", "private", "auth", "oauth", "bearer", "refresh", "account", "storage", "subscription", "encryption", "signing", "ssh", "openai", "azure", "aws",
	"client", "license", "wandb", "ngc", "hf", "hub", "huggingface", "github", "gh", "gitlab", "session", "csrf", "xsrf", "jwt", "id", "identity", "personal", "slack", "discord", "bot", "service", "admin", "login", "deploy", "registry", "npm", "pypi",
	"docker", "modelscope", "dashscope", "anthropic", "gemini", "groq", "mistral", "cohere", "replicate", "nvidia", "nim", "telegram", "influx", "grafana", "preshared", "master", "webhook", "security"}

// counted are words before "key" and "token" with which these are no secrets.
var counted = words(`eos bos pad unk sep cls mask stop start end special per first next last output input prompt image audio video think thinking inter each new total
	per_output decode prefill max min num draft bonus time_per_output inter_output cache sort primary group hash partition map foreign dict row column index metric label lookup public registry_cache
	kv block prefix request req model config sampling seq sequence reduce merge join unique`)

// joints replaces the characters that join the words of a name by underscores.
var joints = strings.NewReplacer("-", "_", ".", "_", " ", "_")

// secretNames maps complete names to the class of their value.
var secretNames = map[string]class{
	"authorization": header, "proxy_authorization": header, "x_api_key": header, "x_auth_token": header, "cookie": header, "set_cookie": header, "x_goog_api_key": header,
	"ocp_apim_subscription_key": header, "private_token": header, "x_amz_security_token": header, "xi_api_key": header,
	"access_key_id": secret, "accesskeyid": secret, "secret_id": secret, "secretid": secret, "private_key_id": secret, "client_key_data": secret, "tls_key": secret, "authtoken": secret,
	"x_amz_signature": secret, "x_goog_signature": secret, "q_signature": secret, "q_ak": secret, "ossaccesskeyid": secret, "x_amz_credential": secret, "x_goog_credential": secret,
	"sig": opaque, "signature": opaque, "auth": opaque, "jsessionid": opaque, "phpsessid": opaque, "sessionid": opaque,
	"otp": code, "totp": code, "verification_code": code, "one_time_code": code, "2fa_code": code, "mfa_code": code, "sms_code": code, "login_code": code,
}

// secretEnds maps the ends of names to the class of their value, whatever comes before.
var secretEnds = []struct {
	end   string
	class class
}{
	{"password", password}, {"passwd", password}, {"passphrase", password}, {"_pwd", password}, {"psk", password}, {"pass_phrase", password}, {"passcode", password}, {"wpa_key", password}, {"wifi_key", password},
	{"become_pass", password}, {"db_pass", password}, {"user_pass", password}, {"ssh_pass", password}, {"root_pass", password}, {"admin_pass", password}, {"sudo_pass", password}, {"smtp_pass", password}, {"vault_pass", password}, {"proxy_pass", password}, {"mysql_pass", password},
	{"secret", secret}, {"credential", secret}, {"credentials", secret}, {"apikey", secret}, {"apitoken", secret},
	{"passwords", password}, {"secrets", secret}, {"api_keys", secret}, {"apikeys", secret}, {"access_keys", secret}, {"secret_keys", secret}, {"auth_tokens", secret}, {"access_tokens", secret}, {"api_tokens", secret}, {"hf_tokens", secret},
}

// secretClass returns the class of a value that must not be published, according to its name, and nothing for other
// names. The words "key" and "token" are stronger evidence in the name of an environment variable than elsewhere.
func secretClass(name string, variable bool) class {
	low := strings.Trim(joints.Replace(strings.ToLower(name)), "_")
	if c, ok := secretNames[low]; ok {
		return c
	}
	if low == "pwd" {
		if variable { // PWD of a shell is a folder
			return nothing
		}
		return secret
	}
	for _, e := range secretEnds {
		if strings.HasSuffix(low, e.end) {
			return e.class
		}
	}
	if variable && strings.HasSuffix(low, "_pass") {
		return password
	}
	for _, end := range []string{"key", "token"} {
		rest, ok := strings.CutSuffix(low, end)
		if !ok {
			continue
		}
		joined := strings.HasSuffix(rest, "_")
		rest = strings.TrimSuffix(rest, "_")
		last := rest[strings.LastIndexByte(rest, '_')+1:]
		switch {
		case counted[last] || counted[rest]:
			return nothing
		case slices.ContainsFunc(owners, func(owner string) bool {
			return last == owner || !joined && strings.HasSuffix(last, owner) && len(owner) > 2
		}):
			return secret
		case rest != "" && !joined: // monkey, tokey
			return nothing
		case variable && rest != "":
			return secret
		case end == "token":
			return opaque
		}
		return weak
	}
	return nothing
}

// IsSecretName reports whether the value of a label, a variable or a flag with that name must not be published.
func IsSecretName(name string) bool {
	upper := name == strings.ToUpper(name)
	c := secretClass(name, upper)
	return c != nothing && (c != weak || upper)
}

// SecretFlag reports whether word is a flag after which a command takes a value that must not be published.
func SecretFlag(word string) bool {
	name := strings.TrimLeft(word, "-")
	return name != word && len(word)-len(name) <= 2 && secretClass(name, false) != nothing
}

// mayName reports whether classify may know a name with these last two letters. It rejects most words quickly.
func mayName(a, b byte) bool {
	switch b | 0x20 {
	case 'y': // key
		return a|0x20 == 'e'
	case 'n': // token, fqdn, authorization, login
		return a|0x20 == 'e' || a|0x20 == 'd' || a|0x20 == 'o' || a|0x20 == 'i'
	case 't': // secret, host, nodelist, endpoint
		return a|0x20 == 'e' || a|0x20 == 's' || a|0x20 == 'n'
	case 'p': // otp
		return a|0x20 == 't'
	case 'g': // sig
		return a|0x20 == 'i'
	case 'h': // auth
		return a|0x20 == 't'
	case 'a': // client-key-data
		return a|0x20 == 't'
	case 'd': // password, passwd, pwd, ssid, uuid
		return a|0x20 == 'r' || a|0x20 == 'w' || a|0x20 == 'i'
	case 'e': // name, passphrase, passcode, cookie, instance, node, machine, signature, value
		return a|0x20 == 'm' || a|0x20 == 'r' || a|0x20 == 'u' || a|0x20 == 's' || a|0x20 == 'd' || a|0x20 == 'i' || a|0x20 == 'c' || a|0x20 == 'n'
	case 'l': // credential, serial
		return a|0x20 == 'a'
	case 's': // credentials, pass, keys, tokens, secrets, passwords
		return a|0x20 == 'l' || a|0x20 == 's' || a|0x20 == 'y' || a|0x20 == 'n' || a|0x20 == 't' || a|0x20 == 'd'
	case 'k': // psk, q-ak
		return a|0x20 == 's' || a|0x20 == 'a'
	case 'r': // user, number, server, addr
		return a|0x20 == 'e' || a|0x20 == 'd'
	case 'o': // serial no
		return a|0x20 == 'n'
	case ')': // Serial Number (system)
		return a|0x20 == 'm'
	}
	return false
}

// endsName marks the bytes that may come right before the separator of a known name: last letters for mayName, bytes of
// Chinese characters, and the characters that nameEnd skips.
var endsName = func() (ends [256]bool) {
	for i := range ends {
		c := byte(i)
		ends[i] = c >= 0x80 || isQuote(c) || bytes.IndexByte([]byte(" \t\\]*"), c) >= 0 || bytes.IndexByte([]byte("yntpghadelskro)"), c|0x20) >= 0
	}
	return ends
}()
