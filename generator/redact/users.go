package redact

import (
	"bytes"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// genericUsers are accounts that identify nobody.
var genericUsers = words(`root ubuntu nvidia jetson user users username runner admin administrator guest test tester me you name someone somebody
	ec2-user azureuser opc centos debian fedora pi vagrant docker node app appuser nobody nonroot daemon git www-data http vscode codespace gitpod coder jovyan mambauser
	conda linuxbrew jenkins gitlab-runner builder build buildkite circleci travis work worker workspace dev devuser developer ollama vllm sglang triton-server trtllm
	public shared default defaultuser all public\ user postgres mysql redis hf huggingface tensorrt rapids ray slurm k8s kubernetes service system local home
	pytest none null true false unknown undefined your_name yourname your-name your_user your-user youruser user_name example myuser`)

func (s *scanner) putUser(start, end int) {
	name := string(s.text[start:end])
	if len(name) < 2 || isPlaceholder(name) || genericUsers[strings.ToLower(name)] || !hasLetter(name) {
		return
	}
	s.put("user", User, start, end, name)
}

// home checks for a user's home folder in a path; i is the first separator.
func (s private) home(i int) {
	t := s.text
	sep := t[i]
	var start int
	switch {
	case sep == '/' && bytes.HasPrefix(t[i:], []byte("/home/")):
		start = i + len("/home/")
	case sep == '/' && bytes.HasPrefix(t[i:], []byte("/Users/")):
		start = i + len("/Users/")
	case sep == '/' && bytes.HasPrefix(t[i:], []byte("/users/")) && s.isOnDisk(i):
		start = i + len("/users/")
	case sep == '\\':
		rest := bytes.TrimLeft(t[i:min(len(t), i+8)], `\`)
		n := len(t[i:min(len(t), i+8)]) - len(rest)
		for _, folder := range []string{"Users", "users", "USERS"} {
			at := i + n + len(folder)
			if at+n < len(t) && string(t[i+n:at]) == folder && bytes.Count(t[at:at+n], []byte(`\`)) == n && s.byteAt(i-1) != '\\' {
				start = at + n
				s.plainAt = start // "\U" is not an escape, and neither is what follows
			}
		}
	}
	if start == 0 || start >= len(t) || sep == '/' && s.inWebAddress(i) {
		return
	}
	end := start
	for end < len(t) && end-start < 64 && (isNameByte(t[end]) && t[end] != '+' || t[end] >= 0x80) {
		end++
	}
	// A name with blanks is accepted only if the path continues after it.
	if long := end; long < len(t) && t[long] == ' ' && (sep == '\\' || s.byteAt(start-7) == '/' && isUserFolder(t, start)) {
		for long < len(t) && long-start < 64 && (isNameByte(t[long]) || t[long] == ' ' || t[long] >= 0x80) {
			long++
		}
		if long < len(t) && t[long] == sep && bytes.Count(t[start:long], []byte(" ")) <= 2 && sep == '\\' {
			end = long
		}
	}
	for end > start && (t[end-1] == '.' || t[end-1] == '-') {
		end--
	}
	s.putUser(start, end)
}

// disks are the first elements of paths below which clusters keep users' folders.
var disks = words("mnt nfs gpfs lustre scratch data work export storage beegfs cephfs ceph net vol volume volumes shared share project projects fs hpc weka vast pfs global cluster lfs")

// isOnDisk reports whether a folder is part of a path in a file system, not of a URL.
func (s private) isOnDisk(i int) bool {
	t := s.text
	from := i
	for from > 0 && i-from < 256 && (isNameByte(t[from-1]) || t[from-1] == '/') {
		from--
	}
	if from == i || t[from] != '/' {
		return false
	}
	first, _, _ := strings.Cut(string(t[from+1:i]), "/")
	return disks[strings.TrimRight(first, "0123456789")]
}

// escapedHomes are the beginnings of home folders in URL escaping.
var escapedHomes = []string{"%2fhome%2f", "%2fusers%2f", "%5cusers%5c", "%5c%5cusers%5c%5c"}

// escapedHome checks for a home folder in an escaped path; i is the first escape.
func (s private) escapedHome(i int) {
	t := s.text
	if s.byteAt(i+1) != '2' && s.byteAt(i+1) != '5' {
		return
	}
	for _, folder := range escapedHomes {
		start := i + len(folder)
		if start >= len(t) || !strings.EqualFold(string(t[i:start]), folder) {
			continue
		}
		end := start
		for end < len(t) && end-start < 64 && isNameByte(t[end]) && t[end] != '+' {
			end++
		}
		s.putUser(start, end)
	}
}

func isUserFolder(t []byte, start int) bool {
	return start >= 7 && string(t[start-7:start]) == "/Users/"
}

// inWebAddress reports whether a path is part of a URL that is not a file URL.
func (s private) inWebAddress(i int) bool {
	t := s.text
	from := i
	for from > 0 && i-from < 512 && t[from-1] > ' ' && bytes.IndexByte([]byte("\"'<>`(),;="), t[from-1]) < 0 {
		from--
	}
	at := bytes.Index(t[from:i], []byte("://"))
	return at >= 0 && !bytes.HasSuffix(bytes.ToLower(t[from:from+at]), []byte("file"))
}

// at checks for an e-mail address, and for user@host in a shell prompt or a login; i is the at sign.
func (s private) at(i int) {
	t := s.text
	if s.byteAt(i-1) >= 0x80 || s.byteAt(i+1) >= 0x80 {
		s.wideMail(i)
		return
	}
	start, end := i, i+1
	for start > 0 && i-start < 65 && (isNameByte(t[start-1]) || t[start-1] == '%') {
		start--
	}
	for end < len(t) && end-i < 254 && (isHostByte(t[end]) || t[end] == '.') {
		end++
	}
	for end > i && (t[end-1] == '.' || t[end-1] == '-') {
		end--
	}
	for start < i && !isWord(t[start]) {
		start++
	}
	if start == i || end == i+1 || s.byteAt(end) == '@' {
		return
	}
	host := string(t[i+1 : end])
	if strings.HasPrefix(host, Email+"-") {
		return // the address b@c in a@b@c was already replaced
	}
	if strings.HasSuffix(string(t[max(0, start-3):start]), "://") || s.byteAt(start-1) == ':' && s.hasScheme(start) {
		return // part of a URL, which url handles
	}
	login := s.isPrompt(start, end) || s.isLogin(start)
	switch {
	case login && string(t[start:i]) != "git":
		s.putUser(start, i)
		s.putHost(i+1, end)
	case isInternal(host) && s.byteAt(end) != '(':
		s.putUser(start, i)
		s.putHost(i+1, end)
	case isMailDomain(host) && s.byteAt(end) != '(' && s.byteAt(end) != '[' && !(string(t[start:i]) == "git" && s.byteAt(end) == ':'):
		if low := strings.ToLower(host); isMail(string(t[start:i]), low) {
			s.put("email", Email, start, end, strings.ToLower(string(t[start:end])))
		}
	}
}

func (s private) hasScheme(at int) bool {
	return bytes.Contains(s.text[max(s.lineStart(at), at-128):at], []byte("://"))
}

// isPrompt reports whether user@host is in a shell prompt: alice@box:~$, [alice@box dir]$, alice@box ~ %.
func (s private) isPrompt(start, end int) bool {
	t := s.text
	switch c := s.byteAt(start - 1); {
	case c == 0, c == '\n', c == '\r', c == '[', c == ')':
	case isQuote(c): // around a JSON string or a command
		if s.byteAt(end) != ':' || s.byteAt(end+1) != '~' && s.byteAt(end+1) != '/' {
			return false
		}
	case c == ' ' || c == '\t':
		// Nothing, or a name in brackets, as of an environment, comes before it.
		lead := bytes.TrimSpace(t[max(s.lineStart(start), start-64):start])
		if len(lead) > 0 && !(lead[0] == '(' && lead[len(lead)-1] == ')') && lead[len(lead)-1] != '[' {
			return false
		}
	default:
		return false
	}
	rest := bytes.TrimLeft(t[end:min(len(t), end+96)], " ")
	if line := bytes.IndexAny(rest, "\r\n"); line >= 0 {
		rest = rest[:line]
	}
	if len(rest) == 0 {
		return false
	}
	switch {
	case bytes.HasPrefix(rest, []byte(":")):
		rest = bytes.TrimLeft(rest[1:], " ")
		return len(rest) > 0 && (rest[0] == '~' || rest[0] == '/' && !bytes.HasPrefix(rest, []byte("//")) && bytes.ContainsAny(rest, "$#"))
	case s.byteAt(start-1) == '[':
		i := bytes.IndexByte(rest, ']')
		return i >= 0 && i < 64 && i+1 < len(rest) && (rest[i+1] == '$' || rest[i+1] == '#')
	case s.byteAt(end) == ' ':
		return (rest[0] == '~' || rest[0] == '/') && bytes.ContainsAny(rest, "%$#>")
	}
	return rest[0] == '$' || rest[0] == '#' && len(rest) > 1 && rest[1] == ' '
}

// isLogin reports whether a program for remote login or copying comes earlier on the line.
func (s private) isLogin(start int) bool {
	if c := s.byteAt(start - 1); c != ' ' && c != '\t' && !isQuote(c) && c != 0 {
		return false
	}
	before := s.text[max(s.lineStart(start), start-160):start]
	for _, program := range []string{"ssh", "scp", "sftp", "rsync", "mosh", "ssh-copy-id", "sshfs"} {
		for at := 0; ; {
			i := bytes.Index(before[at:], []byte(program))
			if i < 0 {
				break
			}
			i += at
			at = i + len(program)
			if (i == 0 || !isNameByte(before[i-1])) && at < len(before) && (before[at] == ' ' || isQuote(before[at]) || before[at] == '\t') {
				return true
			}
		}
	}
	return false
}

// fileEnds are file extensions that are also top-level domains.
var fileEnds = words("py sh rs md so cc pl ps zip mov bin gz ai.py")

// isMailDomain reports whether a host is a domain of the Internet, according to the public suffix list.
func isMailDomain(host string) bool {
	host = strings.ToLower(host)
	i := strings.LastIndexByte(host, '.')
	if i <= 0 || i+1 == len(host) || fileEnds[host[i+1:]] || !isLetter(host[i+1]) || strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(host)
	return (icann || strings.Contains(suffix, ".")) && suffix != host
}

// isMail rejects addresses that are examples or that identify nobody.
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
