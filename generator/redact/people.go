package redact

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// peoplePatterns find people by the words before their names, in English and in Chinese.
var peoplePatterns = []pattern{
	ownPattern("person", User, `(?m)(?:^[ \t>|*#-]*|["'(=][ \t]*)(?:Author|Commit|Committer|Tagger|Signed-off-by|Co-authored-by|Reviewed-by|Reported-by|Tested-by|Acked-by|Suggested-by):[ \t]+([^<\r\n"]*[^<\s"])[ \t]*<`, isPerson,
		"author:", "commit:", "committer:", "tagger:", "-by:"),
	ownPattern("person", User, `(?:姓名|测试人员?|负责人|作者|联系人|操作员|操作人员?|记录人|审核人|填写人|提交人|报告人|经办人|申请人|测试者|撰写人|编写人|工程师)["'*`+"`"+`\\]*[ \t]*(?:[:：=|]|为|是|[ \t])[ \t]*["'“*`+"`"+`\\]*(\p{Han}{2,4}(?:·\p{Han}{1,8})?|[A-Z][a-z]+(?: [A-Z][a-z]+){1,2})`, isPerson,
		"姓名", "测试人", "负责人", "作者", "联系人", "操作员", "操作人", "记录人", "审核人", "填写人", "提交人", "报告人", "经办人", "申请人", "测试者", "撰写人", "编写人", "工程师"),
	ownPattern("phone", User, `(?i)(?:电话|手机|联系|拨打|请打|致电|号码|\btel\b|phone|mobile|whatsapp|微信)[^\r\n\d+]{0,16}((?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4})\b`, isNoFigure,
		"电话", "手机", "联系", "拨打", "请打", "致电", "号码", "tel", "phone", "mobile", "whatsapp", "微信"),
	ownPattern("phone", User, `\+86[- ]?(1[3-9]\d[- ]?\d{4}[- ]?\d{4})\b`, isNoFigure, "+86"),
	ownPattern("phone", User, `(?i)\b(?:tel|phone|mobile|telephone|cell|fax)\b\.?["']?[ \t]*[:：=][ \t]*["']?(\+?\d[\d ()-]{6,18}\d)\b`, isNoFigure, "tel", "phone", "mobile", "cell", "fax"),
	ownPattern("account", User, `(?i)(?:微信|wechat|weixin)(?:号码?|账号| ?id)?["'*`+"`"+`\\]*[ \t]*(?:[:：=|]|为|是|[ \t])[ \t]*["'“*`+"`"+`\\]*([A-Za-z][A-Za-z0-9_-]{5,19})\b`, isHandle, "微信", "wechat", "weixin"),
	ownPattern("account", User, `\b(wxid_[a-z0-9]{6,24})\b`, nil, "wxid_"),
	ownPattern("account", User, `\bQQ(?:群)?(?:号码?|账号)?["'*`+"`"+`\\]*[ \t]*(?:[:：=|]|为|是|[ \t])[ \t]*["'“*`+"`"+`\\]*([1-9]\d{4,10})\b`, isNoFigure, "qq"),
	ownPattern("user", User, `\b(?:User|Group)Id=([A-Za-z_][\w.-]*)\(\d+\)`, isAccountName, "userid=", "groupid="),
	ownPattern("user", User, `[=,]\d+\(([A-Za-z_][\w.-]{0,31})\)`, isAccountName, "uid=", "gid="),
}

// isPerson rejects words that are not names.
func isPerson(s *scanner, start, end int) bool {
	name := string(s.text[start:end])
	next, _ := utf8.DecodeRune(s.text[end:])
	if first, _ := utf8.DecodeRuneInString(name); unicode.Is(unicode.Han, first) {
		return !unicode.Is(unicode.Han, next) && !isPlaceholder(name) && !strings.HasPrefix(name, "见") && !strings.HasPrefix(name, "未") && name != "匿名"
	}
	return !isPlaceholder(name) && hasLetter(name) && !strings.Contains(name, "[bot]") && !genericUsers[strings.ToLower(name)]
}

// isHandle distinguishes the name of an account from a word that follows the name of its service.
func isHandle(s *scanner, start, end int) bool {
	before := bytes.TrimRight(s.text[max(0, start-16):start], " \t\"'*`\\")
	said := len(before) > 0 && (bytes.IndexByte([]byte(":=|"), before[len(before)-1]) >= 0 || bytes.HasSuffix(before, wideColon))
	return !isPlaceholder(string(s.text[start:end])) && (said || bytes.ContainsAny(s.text[start:end], "0123456789_"))
}

// isNoFigure rejects numbers in JSON, and parts of longer numbers.
func isNoFigure(s *scanner, start, end int) bool {
	after := s.byteAt(end)
	return !isNumberOfJSON(s.text, start, end) && !(after == '.' && isDigit(s.byteAt(end+1))) && s.byteAt(start-1) != '.'
}

func isAccountName(s *scanner, start, end int) bool {
	name := strings.ToLower(string(s.text[start:end]))
	return len(name) > 1 && !genericUsers[name] && !systemGroups[name]
}

// systemGroups are groups that exist on every machine.
var systemGroups = words(`adm dialout cdrom sudo audio video plugdev render input netdev lxd gdm i2c trusty kvm wheel dip crypto jtop gpio weston-launch disk tty lp mail news sys bin games staff
	operator libvirt wireshark bluetooth scanner lpadmin sambashare systemd-journal messagebus ssl-cert`)

// identity checks for the number of a Chinese identity card: 17 digits and a check digit.
func (s private) identity(start, end int) {
	t := s.text
	if c := s.byteAt(end); end-start == 17 && c|0x20 == 'x' && !isWord(s.byteAt(end+1)) {
		end++
	}
	if end-start != 18 || isWord(s.byteAt(end)) || isWord(s.byteAt(start-1)) || s.byteAt(start-1) == '.' || s.byteAt(start-1) == '-' || s.byteAt(end) == '.' && isDigit(s.byteAt(end+1)) {
		return
	}
	number := func(from, to int) (n int) {
		for _, c := range t[start+from : start+to] {
			n = 10*n + int(c-'0')
		}
		return n
	}
	year, month, day := number(6, 10), number(10, 12), number(12, 14)
	if year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31 || t[start] == '0' || t[start] == '9' {
		return
	}
	weights := [17]int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
	sum := 0
	for i, w := range weights {
		sum += w * int(t[start+i]-'0')
	}
	if c := t[end-1]; "10x98765432"[sum%11] != c|0x20 {
		return
	}
	if !isNumberOfJSON(t, start, end) {
		s.put("identity-card", User, start, end, strings.ToUpper(string(t[start:end])))
	}
}

// wideMail checks for an e-mail address with non-ASCII letters whose at sign is at i.
func (s private) wideMail(i int) {
	t := s.text
	isPart := func(c byte) bool { return c >= 0x80 || isNameByte(c) }
	start, end := i, i+1
	for start > 0 && i-start < 64 && isPart(t[start-1]) {
		start--
	}
	for end < len(t) && end-i < 128 && isPart(t[end]) {
		end++
	}
	name, domain := t[start:i], t[i+1:end]
	for _, w := range widePunctuation {
		if j := bytes.Index(domain, []byte(w)); j >= 0 {
			domain = domain[:j]
		}
		if j := bytes.LastIndex(name, []byte(w)); j >= 0 {
			name = name[j+len(w):]
		}
	}
	if j := bytes.LastIndex(name, wideColon); j >= 0 {
		name = name[j+len(wideColon):]
	}
	dot := bytes.LastIndexByte(domain, '.')
	if len(name) == 0 || dot < 1 || dot+1 >= len(domain) || !utf8.Valid(name) || !utf8.Valid(domain) || isDigit(domain[dot+1]) {
		return
	}
	if domain[dot+1] < 0x80 && !isMailDomain(string(domain)) {
		return
	}
	start, end = i-len(name), i+1+len(domain)
	s.put("email", Email, start, end, strings.ToLower(string(t[start:end])))
}
