package redact

import (
	"bytes"
	"slices"
	"strings"
)

// serviceTokens match tokens by their prefix. They are those that gitleaks lacks, or has in a form too narrow for logs.
var serviceTokens = []pattern{
	tokenPattern("huggingface-token", `\b(hf_[A-Za-z0-9]{10,}|api_org_[A-Za-z0-9]{20,})\b`, notCode, "hf_", "api_org_"),
	tokenPattern("openai-key", `\b(sk-[A-Za-z0-9_-]{8,})`, looksLikeKey, "sk-"),
	tokenPattern("nvidia-key", `\b(nvapi-[A-Za-z0-9_-]{8,})`, nil, "nvapi-"),
	tokenPattern("github-token", `\b(gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})`, nil, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
	tokenPattern("gitlab-token", `\b(gl(?:pat|dt|rt|ptt|cbt|oas|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{16,})`, hasDigit, "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "gloas-", "glft-", "glimt-", "glagent-", "glsoat-", "glffct-"),
	tokenPattern("aws-access-key", `\b((?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16})\b`, nil, "akia", "asia", "abia", "acca"),
	tokenPattern("slack-token", `\b(xox[abeoprs](?:-|\.)[A-Za-z0-9.-]{8,}|xapp-\d-[A-Za-z0-9-]{16,})`, nil, "xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"),
	tokenPattern("google-key", `\b(AIza[\w-]{30,}|ya29\.[\w-]{20,})`, hasDigit, "aiza", "ya29."),
	tokenPattern("groq-key", `\b(gsk_[A-Za-z0-9]{20,})`, hasDigit, "gsk_"),
	tokenPattern("replicate-token", `\b(r8_[A-Za-z0-9]{20,})`, hasDigit, "r8_"),
	tokenPattern("tailscale-key", `\b(tskey-[a-z]+-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)`, hasDigit, "tskey-"),
	tokenPattern("alibaba-key", `\b(LTAI[A-Za-z0-9]{12,30})\b`, hasDigit, "ltai"),
	tokenPattern("tencent-key", `\b(AKID[A-Za-z0-9]{13,60})\b`, hasDigit, "akid"),
	tokenPattern("volcengine-key", `\b(AKLT[A-Za-z0-9_-]{20,})`, hasDigit, "aklt"),
	tokenPattern("baidu-key", `\b(ALTAK-?[A-Za-z0-9]{16,}(?:/[0-9a-f]{32,})?)`, hasDigit, "altak"),
	tokenPattern("xai-key", `\b(xai-[A-Za-z0-9]{32,})`, hasDigit, "xai-"),
	tokenPattern("cerebras-key", `\b(csk-[a-z0-9]{24,})`, hasDigit, "csk-"),
	tokenPattern("fireworks-key", `\b(fw_[A-Za-z0-9]{16,})\b`, hasDigit, "fw_"),
	tokenPattern("together-key", `\b(tgp_v\d_[\w-]{20,})`, hasDigit, "tgp_v"),
	tokenPattern("runpod-key", `\b(rp[as]_[A-Z0-9]{20,})`, hasDigit, "rpa_", "rps_"),
	tokenPattern("modal-token", `\b(a[ks]-[A-Za-z0-9]{20,26})\b`, looksMixed, "ak-", "as-"),
	tokenPattern("wandb-key", `\b(wandb_v\d_[\w-]{20,})`, hasDigit, "wandb_v"),
	tokenPattern("docker-token", `\b(dckr_(?:pat|oat)_[\w-]{20,})`, hasDigit, "dckr_pat_", "dckr_oat_"),
	tokenPattern("databricks-token", `\b(dapi[0-9a-f]{32}(?:-\d)?)`, nil, "dapi"),
	tokenPattern("langsmith-key", `\b(lsv2_[a-z]{2}_[0-9a-f]{20,}(?:_[0-9a-f]+)?)`, nil, "lsv2_"),
	tokenPattern("langfuse-key", `\b([sp]k-lf-[0-9a-f-]{30,})`, nil, "sk-lf-", "pk-lf-"),
	tokenPattern("pinecone-key", `\b(pcsk_[\w-]{20,})`, hasDigit, "pcsk_"),
	tokenPattern("jina-key", `\b(jina_[A-Za-z0-9_-]{30,})`, hasDigit, "jina_"),
	tokenPattern("tavily-key", `\b(tvly-[A-Za-z0-9-]{20,})`, hasDigit, "tvly-"),
	tokenPattern("stripe-key", `\b((?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,})`, hasDigit, "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "pk_live_", "pk_test_", "whsec_"),
	tokenPattern("elevenlabs-key", `\b(sk_[0-9a-f]{40,64})\b`, nil, "sk_"),
	tokenPattern("sentry-token", `\b(sntry[a-z]_[A-Za-z0-9+/=_-]{20,})`, hasDigit, "sntrys_", "sntryu_"),
	tokenPattern("supabase-token", `\b(sb[p]_[0-9a-f]{32,}|sb_(?:secret|publishable)_[\w-]{16,})`, nil, "sbp_", "sb_secret_", "sb_publishable_"),
	tokenPattern("kaggle-token", `\b(KGAT_[0-9a-f]{24,})`, nil, "kgat_"),
	tokenPattern("lambda-key", `\b(secret_[\w-]{1,64}_[0-9a-f]{24,}\.[A-Za-z0-9]{16,})`, nil, "secret_"),
	tokenPattern("neptune-token", `\b(eyJhcGlf[A-Za-z0-9+/_-]{24,}={0,2})`, nil, "eyjhcglf"),
	tokenPattern("twilio-key", `\b(SK[0-9a-f]{32})\b`, nil, "sk"),
	tokenPattern("vault-token", `\b(hv[sbr]\.[\w-]{20,})`, hasDigit, "hvs.", "hvb.", "hvr."),
	tokenPattern("atlassian-token", `\b(ATATT3[\w=-]{20,}|ATBB[A-Za-z0-9]{20,})`, nil, "atatt3", "atbb"),
	tokenPattern("notion-token", `\b(ntn_[A-Za-z0-9]{30,})`, nil, "ntn_"),
	ownPattern("telegram-token", Secret, `\b(\d{8,12}:AA[\w-]{30,40})`, nil, ":aa"),
	ownPattern("telegram-token", Secret, `/bot(\d{6,12}:[\w-]{30,40})`, nil, "/bot"),

	// URLs that are secrets.
	ownPattern("webhook", Secret, `/api(?:/v\d+)?/webhooks/\d+/([\w-]{20,})`, nil, "/webhooks/"),
	ownPattern("webhook", Secret, `webhook\.office\.com/webhookb2/([^\s"'<>\\]{20,})`, nil, "webhook.office.com/"),
	ownPattern("webhook", Secret, `/open-apis/bot/v\d+/hook/([\w-]{16,})`, nil, "/open-apis/bot/"),
	ownPattern("webhook", Secret, `/cgi-bin/webhook/\w+\?key=([\w-]{16,})`, nil, "/cgi-bin/webhook/"),
	ownPattern("webhook", Secret, `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{16,})`, nil, "hooks.slack.com/"),

	// Arguments and output of commands.
	ownPattern("wandb-key", Secret, `(?i)\bwandb\b[^\r\n]{0,240}?\b(?:login|netrc|key)\b[^\r\n]{0,160}?[ \t:='"]([0-9a-f]{40})\b`, nil, "wandb"),
	ownPattern("password", Secret, `\bsshpass[ \t]+-p[ \t]?("[^"\r\n]+"|'[^'\r\n]+'|[^\s"']+)`, nil, "sshpass"),
	ownPattern("password", Secret, `\blogin[ \t]+\S+[ \t\r\n]+password[ \t]+([^\s"']+)`, nil, "login"), // of .netrc
	ownPattern("password", Secret, `\blogin\b[^\r\n]*?[ \t]-p[ \t]+("[^"\r\n]+"|'[^'\r\n]+'|[^\s"'$-][^\s"']*)`, nil, "login"),
	ownPattern("password", Secret, `\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\r\n]*?[ \t]-p("[^"\r\n]+"|'[^'\r\n]+'|[^\s"'$-][^\s"']*)`, isMySQLPassword, "mysql", "mariadb"),
	ownPattern("password", Secret, `\bcurl\b[^\r\n]*?[ \t](?:-u|--user)[ \t=]+("[^"\r\n:]*:[^"\r\n]+"|'[^'\r\n:]*:[^'\r\n]+'|[^\s"':$]*:[^\s"'$]+)`, isPassword, "curl"),
	ownPattern("password", Secret, `\bredis-cli\b[^\r\n]*?[ \t](?:-a|--pass)[ \t]+("[^"\r\n]+"|'[^'\r\n]+'|[^\s"'$-][^\s"']*)`, nil, "redis-cli"),
	ownPattern("password", Secret, `\becho[ \t]+(?:-n[ \t]+)?("[^"\r\n]+"|'[^'\r\n]+'|[^\s"'$|-][^\s"'|]*)[ \t]*\|[^\r\n|]*(?:sudo[ \t]+-S|--password-stdin|passwd|chpasswd)\b`, isPassword, "echo"),
	ownPattern("password", Secret, `[ \t]-?-pass(?:in|out|word)?[ \t=]+pass:([^\s"']+)`, nil, "pass:"),
	ownPattern("password", Secret, `\bhtpasswd[ \t]+-[a-zA-Z]*b[a-zA-Z]*[ \t]+\S+[ \t]+\S+[ \t]+("[^"\r\n]+"|'[^'\r\n]+'|[^\s"']+)`, nil, "htpasswd"),
	ownPattern("password", Secret, `\bmc(?:li)?[ \t]+(?:alias[ \t]+set|config[ \t]+host[ \t]+add)[ \t]+\S+[ \t]+\S+[ \t]+\S+[ \t]+([^\s"']+)`, nil, "alias", "config host"),
	ownPattern("named-secret", Secret, `(?i)\b(?:ngrok|cloudflared|vault|hf|huggingface-cli|wandb|gh|flyctl|railway|modal)\b[^\r\n]*?[ \t](?:login|add-authtoken|authtoken)[ \t]+(?:-\S+[ \t]+)*([A-Za-z0-9][\w.-]{15,})`, isLongWord, "login", "authtoken"),
	ownPattern("named-secret", Secret, `(?m)^[ \t]*(?:ENV|ARG|setx?|setenv|set[ \t]+-g?x)[ \t]+\w*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)[ \t]+("[^"\r\n]+"|'[^'\r\n]+'|[^\s"'$=][^\s"']*)`, isPassword, "env ", "arg ", "set ", "setx ", "setenv "),
}

// hasDigit distinguishes a token from an identifier made of words.
func hasDigit(s *scanner, start, end int) bool {
	t := s.text[start:end]
	t = t[bytes.IndexAny(t, "-_.")+1:]
	low := bytes.ToLower(t)
	return bytes.ContainsAny(t, "0123456789") && !bytes.Contains(low, []byte("xxxx")) && !bytes.HasPrefix(low, []byte("your")) && entropy(t) > 2.5
}

// looksMixed distinguishes a token of mixed capital letters, small letters and digits from words.
func looksMixed(s *scanner, start, end int) bool {
	t := s.text[start:end]
	return isMixed(t[bytes.IndexByte(t, '-')+1:])
}

// isPassword rejects placeholders, shell variables and flags.
func isPassword(s *scanner, start, end int) bool {
	v := strings.Trim(string(s.text[start:end]), `"'`)
	return !isPlaceholder(v) && !strings.HasPrefix(v, "$") && !strings.HasPrefix(v, "-")
}

// isMySQLPassword rejects other flags that begin with "-p".
func isMySQLPassword(s *scanner, start, end int) bool {
	word, _, _ := strings.Cut(string(s.text[start:end]), "=")
	switch word {
	case "ort", "rotocol", "ager", "lugin-dir", "lugin_dir", "rint-defaults", "assword":
		return false
	}
	return isPassword(s, start, end)
}

// isLongWord rejects words of a sentence about a login.
func isLongWord(s *scanner, start, end int) bool { return isOpaque(string(s.text[start:end])) }

// ids are prefixes of ids of requests, runs and files. Such ids are random, but no secrets.
var ids = words(`chatcmpl cmpl req resp request response msg message run asst call toolu file batch gen trace span thread conv evt event id job task step image build worker actor node session tmp temp
	sha sha1 sha256 sha384 sha512 md5 hash blob commit rev layer model ckpt checkpoint exp experiment artifact dataset data cache embd rerank score tool fc rs lora adapter prompt pool seq tokenize compile`)

// random checks for a token of an unknown service: a short prefix in small letters, a separator at i, and a long random
// word.
func (s *scanner) random(i int) {
	const least, most = 20, 256
	t := s.text
	if i+least >= len(t) || !isAlphanumeric(t[i+least]) || !isAlphanumeric(t[i+least/2]) { // most words are shorter
		return
	}
	end := i + 1
	for end < len(t) && end-i <= most && isAlphanumeric(t[end]) {
		end++
	}
	if end-i-1 < least || end-i > most || !isMixed(t[i+1:end]) {
		return
	}
	start := i
	for start > 0 && i-start <= 24 && (isWord(t[start-1]) || t[start-1] == '-') {
		start--
	}
	if start > 0 && (isToken(t[start-1]) && t[start-1] != '=' || t[start-1] == '+') || start == 0 && !s.first {
		return
	}
	parts := strings.FieldsFunc(string(t[start:i]), func(r rune) bool { return r == '_' || r == '-' })
	if len(parts) == 0 || len(parts) > 3 || ids[parts[0]] || ids[parts[len(parts)-1]] {
		return
	}
	for _, p := range parts {
		if len(p) > 8 || strings.ToLower(p) != p {
			return
		}
	}
	if !isLetter(parts[0][0]) {
		return
	}
	for end < len(t) && end-i <= most && (isWord(t[end]) || t[end] == '-') {
		end++
	}
	if c := s.byteAt(end); c == '+' || c == '/' || c == '=' { // base64
		return
	}
	if !s.inData(start, end) && !s.namesDigest(start) {
		s.put("random-token", Secret, start, end, string(t[start:end]))
	}
}

// isMixed reports whether a word looks random: capital letters, small letters and digits alternate more often than in
// words and identifiers.
func isMixed(t []byte) bool {
	var counts [3]int
	changes, before := 0, -1
	for _, c := range t {
		kind := 0
		switch {
		case isDigit(c):
		case c >= 'a':
			kind = 1
		default:
			kind = 2
		}
		counts[kind]++
		if kind != before {
			changes++
		}
		before = kind
	}
	return slices.Min(counts[:]) > 1 && changes*20 > len(t)*7 && entropy(t) > 3.2
}

// dotted checks for tokens without a known prefix whose first dot is at i: Zhipu keys (32 hexadecimal digits and 16
// other characters) and Discord tokens.
func (s *scanner) dotted(i int) {
	t := s.text
	if i < 24 || i+16 >= len(t)+1 || !isWord(t[i-1]) || i+1 >= len(t) || !isWord(t[i+1]) {
		return
	}
	if far := t[i-23]; !isWord(far) && far != '-' {
		return
	}
	start, end := i, i+1
	for start > 0 && i-start <= 33 && (isWord(t[start-1]) || t[start-1] == '-') {
		start--
	}
	if i-start < 23 {
		return
	}
	for end < len(t) && end-i <= 40 && (isWord(t[end]) || t[end] == '-') {
		end++
	}
	switch left, right := t[start:i], t[i+1:end]; {
	case len(left) == 32 && len(right) == 16 && isHex(string(left)) && bytes.IndexByte(left, '-') < 0 && !isHex(string(right)) && bytes.ContainsAny(right, "0123456789") && string(right) != strings.ToLower(string(right)) && !(s.byteAt(end) == '.' && isWord(s.byteAt(end+1))):
		s.put("zhipu-key", Secret, start, end, string(t[start:end]))
	case len(left) >= 23 && len(left) <= 28 && len(right) == 6 && s.byteAt(end) == '.' && bytes.IndexByte([]byte("MNO"), left[0]) >= 0 && isMixed(left):
		last := end + 1
		for last < len(t) && last-end <= 40 && (isWord(t[last]) || t[last] == '-') {
			last++
		}
		if n := last - end - 1; n >= 27 && n <= 38 {
			s.put("discord-token", Secret, start, last, string(t[start:last]))
		}
	}
}
