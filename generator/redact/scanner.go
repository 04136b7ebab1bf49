package redact

import (
	"bytes"
	"net/netip"
	"strings"
)

// scanner looks at one spelling of a text. It stops at the characters that addresses and
// named values have within them, and looks around there.
type scanner struct {
	text        []byte
	name        string
	first, last bool // whether it begins and ends where the text does
	onlySecrets bool
	add         func(candidate)
}

// put adds a place that is to be replaced.
func (s *scanner) put(rule, kind string, start, end int, original string) {
	rank := rankPrivate
	if kind == Secret {
		rank = rankSecret
	} else if s.onlySecrets {
		return
	}
	s.add(candidate{start, end, rule, kind, original, rank})
}

// wideColon is the colon of Chinese text.
var wideColon = []byte("：")

// names gives private names and named secrets.
func (s *scanner) names() {
	t := s.text
	for i, c := range t {
		switch c {
		case '=':
			s.named(i)
		case wideColon[0]:
			if bytes.HasPrefix(t[i:], wideColon) {
				s.named(i)
			}
		case ':':
			if bytes.HasPrefix(t[i:], []byte("://")) {
				s.url(i)
				continue
			}
			s.named(i)
			if !s.onlySecrets && i > 0 && (unhex(t[i-1]) >= 0 || t[i-1] == ':') {
				s.hardware(i)
				s.ip6(i)
			}
		case '-':
			s.flag(i)
			if !s.onlySecrets {
				if i > 1 && unhex(t[i-1]) >= 0 && unhex(t[i-2]) >= 0 {
					s.hardware(i)
				}
				s.hostOfAddress(i)
			}
		case '.':
			if !s.onlySecrets {
				s.dot(i)
			}
		case '@':
			if !s.onlySecrets {
				s.at(i)
			}
		case '/', '\\':
			if !s.onlySecrets {
				s.home(i)
			}
		}
	}
}

// Addresses

// dot looks at an address of IPv4, at its first dot, and at an internal name, at its last.
func (s *scanner) dot(i int) {
	t := s.text
	if i == 0 || i+1 >= len(t) {
		return
	}
	if isDigit(t[i-1]) && isDigit(t[i+1]) {
		s.ip4(i)
	}
	switch t[i+1] | 0x20 {
	case 'a', 'c', 'h', 'i', 'l', 't':
		s.internal(i)
	}
}

func (s *scanner) ip4(i int) {
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

// isVersion tells a version of four parts from an address, by what stands around it.
func (s *scanner) isVersion(start, end int, addr netip.Addr) bool {
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
		if s.byteAt(start-2) == '/' {
			return false // of a URL
		}
		if octets := addr.As4(); after == '/' && !isDigit(s.byteAt(end+1)) && !(octets[0] == 192 && octets[1] == 168) {
			return true // a folder of a version
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
		if bytes.HasSuffix(bytes.TrimRight(trimmed, "为是："), []byte(w)) {
			return true
		}
	}
	port := after == ':' && isDigit(s.byteAt(end+1))
	words := lastWords(trimmed, 2)
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
	// A list of packages: a name, blanks, small numbers.
	return !port && addr.As4()[0] < 32 && !addr.IsPrivate() && len(words) > 0 && isPackageRow(line)
}

// isPackageRow tells whether a line up to a figure is the name of a package alone.
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

// versionWords are in the words that stand before a version.
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

// lastWords gives the last words of a text, the last one first.
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

// identifies leaves out addresses that are the same everywhere, and those of
// documentation.
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

// identifying are the addresses of IPv6 that are told from other text with colons.
var identifying = []netip.Prefix{netip.MustParsePrefix("2000::/3"), netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10")}

// ip6 looks at an address of IPv6, at its first colon.
func (s *scanner) ip6(i int) {
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
	addr, err := netip.ParseAddr(string(t[start:end]))
	if err != nil || !identifies(addr) {
		return
	}
	for _, p := range identifying {
		if p.Contains(addr) {
			if s.byteAt(start-1) == '[' && s.byteAt(end) == ']' && s.byteAt(start-2) == '/' {
				start, end = start-1, end+1 // a URL's host has brackets for its colons alone
			}
			s.put("ip", IP, start, end, addr.String())
			return
		}
	}
}

// hardware looks at the address of a network card, at its first separator.
func (s *scanner) hardware(i int) {
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
	address := strings.ToLower(strings.ReplaceAll(string(t[start:end]), "-", ":"))
	switch {
	case groups != 6 && groups != 8 && !(groups == 20 && strings.Contains(string(s.line(start)), "infiniband")), isWord(s.byteAt(end)), s.byteAt(end) == sep && unhex(s.byteAt(end+1)) >= 0:
		return
	case strings.Trim(address, "0:") == "", strings.Trim(address, "f:") == "":
		return
	case (sep == '-' || groups == 8) && !strings.ContainsAny(address, "abcdef"): // a date and time
		return
	}
	s.put("mac", MAC, start, end, address)
}

// Hosts

// genericHosts are names of hosts that are the same everywhere.
var genericHosts = words(`localhost localhost.localdomain ip6-localhost host hostname server node name ip client worker machine computer
	ubuntu debian fedora centos jetson tegra-ubuntu nvidia raspberrypi archlinux alpine docker-desktop buildkitsandbox wsl desktop laptop
	vllm sglang ollama llama llamacpp llm-server llm llama-server llama-cpp triton tritonserver tensorrt-llm trtllm lmdeploy openai api gateway proxy router nginx
	prometheus grafana redis postgres mysql db mongo mongodb etcd minio kafka rabbitmq nats jaeger otel-collector node-exporter dcgm-exporter
	backend frontend web app service endpoint target base url address address:port your-server your-host myhost my-host my-server example
	model models master head leader none null true false auto unknown undefined default empty any all cpu gpu cuda rocm device local remote
	x86_64 amd64 aarch64 arm64 linux darwin windows`)

// publicHosts are hosts that everybody uses, with all below them.
var publicHosts = words(`example.com example.org example.net example.edu huggingface.co hf.co hf-mirror.com github.com githubusercontent.com github.io ghcr.io gitlab.com
	bitbucket.org gitee.com pypi.org pythonhosted.org python.org anaconda.org anaconda.com conda.io pytorch.org tensorflow.org nvidia.com nvcr.io docker.io docker.com quay.io k8s.io
	kubernetes.io gcr.io google.com googleapis.com openai.com anthropic.com cohere.com mistral.ai groq.com together.ai together.xyz fireworks.ai openrouter.ai deepseek.com
	meta.com llama.com qwen.ai qwenlm.ai microsoft.com azure.com windows.com apple.com intel.com amd.com arm.com qualcomm.com amazon.com aws.amazon.com amazonaws.com cloudflare.com
	vllm.ai sglang.ai lmsys.org lmstudio.ai ollama.com ollama.ai modelscope.cn modelscope.ai readthedocs.io readthedocs.org arxiv.org wikipedia.org wikimedia.org wikidata.org w3.org
	ietf.org rfc-editor.org json-schema.org schema.org spec.openapis.org apache.org gnu.org kernel.org debian.org ubuntu.com launchpad.net fedoraproject.org redhat.com archlinux.org
	npmjs.com npmjs.org nodejs.org golang.org go.dev rust-lang.org crates.io docs.rs stackoverflow.com stackexchange.com discord.gg discord.com slack.com twitter.com x.com
	youtube.com reddit.com medium.com kaggle.com wandb.ai mlcommons.org mlperf.org prometheus.io grafana.com opencontainers.org ray.io anyscale.com roboflow.com ultralytics.com
	creativecommons.org opensource.org mozilla.org gstatic.com jsdelivr.net unpkg.com zenodo.org nist.gov baidu.com aliyun.com aliyuncs.com tsinghua.edu.cn ustc.edu.cn
	host.docker.internal gateway.docker.internal kubernetes.docker.internal metadata.google.internal cluster.local sourceforge.net cmake.org llvm.org khronos.org
	opentelemetry.io jupyter.org numpy.org scipy.org pandas.pydata.org scikit-learn.org fastapi.tiangolo.com uvicorn.org gradio.app gradio.live streamlit.io pydantic.dev
	starlette.io swagger.io jinja.palletsprojects.com wangjunjian.com jetson-ai-lab.com jetson-ai-lab.io ai.google.dev modal.com minimax.io blackforestlabs.ai bfl.ai sglang.io staticflickr.com artificialanalysis.ai shields.io cocodataset.org tencent.com
	wikia.nocookie.net matplotlib.org moonshot.cn moonshot.ai z.ai bigmodel.cn volcengine.com huaweicloud.com hiascend.com thinkingmachines.ai nebius.com lambda.ai runpod.io vast.ai coreweave.com aka.ms goo.gle git.io bit.ly s3.amazonaws.com`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// isPrivateHost tells a host by whose name somebody may be known.
func isPrivateHost(name string) bool {
	name = strings.Trim(strings.ToLower(name), ".")
	if len(name) < 2 || len(name) > 253 || genericHosts[name] {
		return false
	}
	if strings.HasPrefix(name, "ec2-") && strings.HasSuffix(name, ".amazonaws.com") {
		return true
	}
	for at := name; ; {
		if publicHosts[at] {
			return false
		}
		_, rest, more := strings.Cut(at, ".")
		if !more {
			break
		}
		at = rest
	}
	for _, end := range []string{".example", ".test", ".invalid", ".localhost", ".svc", "example", ".onion"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	letter := false
	for i := range len(name) {
		c := name[i]
		letter = letter || isLetter(c)
		if !isWord(c) && c != '-' && c != '.' || c == '.' && i+1 < len(name) && name[i+1] == '.' {
			return false
		}
	}
	return letter && name[0] != '-' && name[len(name)-1] != '-'
}

// isHostName judges what a pattern took for the name of a host.
func isHostName(s *scanner, start, end int) bool { return isPrivateHost(string(s.text[start:end])) }

func (s *scanner) putHost(start, end int) {
	for end > start && s.text[end-1] == '.' {
		end--
	}
	if name := string(s.text[start:end]); isPrivateHost(name) {
		s.put("host", Host, start, end, strings.ToLower(name))
	}
}

// internalEnds are the last labels of names that only a network of one's own knows.
var internalEnds = []string{"local", "lan", "internal", "intranet", "corp", "localdomain", "home.arpa", "ts.net", "lan.local", "compute.amazonaws.com", "amazonaws.com"}

// notHosts stand before such an ending in code.
var notHosts = words(`rc env self cls threading thread settings config conf vars torch torch.distributed docker-compose compose jax nn vllm sglang java sun jdk go node tls
	bash_profile zshrc bashrc gitconfig claude.md application appsettings asyncio werkzeug flask contextvars gevent ctx this window global process op ops tf`)

// internal looks at a name that ends in one of these, at the dot before it.
func (s *scanner) internal(i int) {
	t := s.text
	for _, tail := range internalEnds {
		end := i + 1 + len(tail)
		if end > len(t) || !strings.EqualFold(string(t[i+1:end]), tail) {
			continue
		}
		if c := s.byteAt(end); isWord(c) || c == '-' || c == '(' || c == '.' && isWord(s.byteAt(end+1)) {
			continue
		}
		start := i
		for start > 0 && i-start < 200 && (isHostByte(t[start-1]) || t[start-1] == '.') {
			start--
		}
		if c := s.byteAt(start - 1); isWord(c) || c == '$' || c == '{' || c == '/' && s.byteAt(start-2) != '/' || c == '\\' {
			return
		}
		if i-start < 2 || t[start] == '.' || t[start] == '-' || notHosts[strings.ToLower(string(t[start:i]))] || s.byteAt(end) == '/' && s.byteAt(start-1) != '/' && s.byteAt(start-1) != '@' {
			return
		}
		if strings.HasPrefix(tail, "amazonaws") && !strings.HasPrefix(string(t[start:i]), "ec2-") {
			return
		}
		s.putHost(start, end)
		return
	}
}

// hostOfAddress looks at the name that a cloud makes of an address: ip-10-0-0-5.
func (s *scanner) hostOfAddress(i int) {
	t := s.text
	if i < 2 || t[i-1]|0x20 != 'p' || t[i-2]|0x20 != 'i' || isWord(s.byteAt(i-3)) || s.byteAt(i-3) == '-' || s.byteAt(i-3) == '.' {
		return
	}
	end, dashes := i, 0
	for end < len(t) && end-i < 17 && (isDigit(t[end]) || t[end] == '-') {
		if t[end] == '-' {
			dashes++
		}
		end++
	}
	if dashes != 4 || t[end-1] == '-' || isWord(s.byteAt(end)) {
		return
	}
	for end < len(t) && end-i < 200 && (isHostByte(t[end]) || t[end] == '.') {
		end++
	}
	s.putHost(i-2, end)
}

// schemes are those whose URLs name a host.
var schemes = words(`http https ws wss grpc grpcs tcp udp tls ssl ssh sftp ftp ftps redis rediss postgres postgresql mysql mariadb mongodb mongodb+srv amqp amqps nfs smb rtsp
	git git+ssh git+https git+http ssh+git svn nats kafka ldap ldaps vnc rdp mqtt mqtts clickhouse etcd zmq socks5 socks5h socks4 telnet rsync`)

// url looks at who and where of a URL, at "://".
func (s *scanner) url(i int) {
	t := s.text
	start := i
	for start > 0 && i-start < 16 && (isLetter(t[start-1]) || isDigit(t[start-1]) || t[start-1] == '+') {
		start--
	}
	scheme := strings.ToLower(string(t[start:i]))
	if !schemes[scheme] && !schemes[strings.TrimLeft(scheme, "nrtbf")] { // "\nhttp" of an escape
		return
	}
	begin, end := i+3, i+3
	for end < len(t) && end-begin < 2048 && t[end] > ' ' && t[end] != 0x7f && bytes.IndexByte([]byte("/?#\"'<>`\\,;)}|"), t[end]) < 0 {
		end++
	}
	if user := bytes.LastIndexByte(t[begin:end], '@'); user >= 0 {
		s.userinfo(scheme, begin, begin+user)
		begin += user + 1
	}
	if begin < end && t[begin] == '[' {
		return // an address, which is found as such
	}
	host := begin
	for host < end && (isHostByte(t[host]) || t[host] == '.' || t[host] == '_') {
		host++
	}
	if host < end && t[host] != ':' && t[host] != ']' && t[host] != '!' && t[host] != '*' && t[host] != '&' && t[host] != '=' {
		return // no name: http://{host}
	}
	s.putHost(begin, host)
}

// userinfo is what a URL has before its host: a password, a token, or a name alone.
func (s *scanner) userinfo(scheme string, start, end int) {
	who := string(s.text[start:end])
	name, password, both := strings.Cut(who, ":")
	switch {
	case isTemplate(who), both && isTemplate(password):
	case both, strings.HasPrefix(scheme, "http") || strings.HasPrefix(scheme, "git+http"):
		if name != "git" || both {
			s.put("url-credentials", Secret, start, end, who)
		}
	default:
		s.putUser(start, end)
	}
}

// Users

// genericUsers are accounts by which nobody is known.
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

// home looks at a folder of a user, at its first separator.
func (s *scanner) home(i int) {
	t := s.text
	sep := t[i]
	var start int
	switch {
	case sep == '/' && bytes.HasPrefix(t[i:], []byte("/home/")):
		start = i + len("/home/")
	case sep == '/' && bytes.HasPrefix(t[i:], []byte("/Users/")):
		start = i + len("/Users/")
	case sep == '\\':
		rest := bytes.TrimLeft(t[i:min(len(t), i+8)], `\`)
		n := len(t[i:min(len(t), i+8)]) - len(rest)
		for _, folder := range []string{"Users", "users", "USERS"} {
			at := i + n + len(folder)
			if at+n < len(t) && string(t[i+n:at]) == folder && bytes.Count(t[at:at+n], []byte(`\`)) == n && s.byteAt(i-1) != '\\' {
				start = at + n
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
	// A name with blanks is one where the folder goes on behind it.
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

func isUserFolder(t []byte, start int) bool {
	return start >= 7 && string(t[start-7:start]) == "/Users/"
}

// inWebAddress tells whether a path belongs to a URL that is no file's.
func (s *scanner) inWebAddress(i int) bool {
	t := s.text
	from := i
	for from > 0 && i-from < 512 && t[from-1] > ' ' && bytes.IndexByte([]byte("\"'<>`(),;="), t[from-1]) < 0 {
		from--
	}
	at := bytes.Index(t[from:i], []byte("://"))
	return at >= 0 && !bytes.HasSuffix(bytes.ToLower(t[from:from+at]), []byte("file"))
}

// at looks at an e-mail address, and at who is where: at a prompt, of a login.
func (s *scanner) at(i int) {
	t := s.text
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
	if strings.HasSuffix(string(t[max(0, start-3):start]), "://") || s.byteAt(start-1) == ':' && s.hasScheme(start) {
		return // of a URL, which is looked at as such
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

func (s *scanner) hasScheme(at int) bool {
	return bytes.Contains(s.text[max(s.lineStart(at), at-128):at], []byte("://"))
}

// isPrompt tells the prompt of a shell: alice@box:~$, [alice@box dir]$, alice@box ~ %.
func (s *scanner) isPrompt(start, end int) bool {
	t := s.text
	switch c := s.byteAt(start - 1); {
	case c == 0, c == '\n', c == '\r', c == '[', c == ')':
	case c == ' ' || c == '\t':
		// A name in brackets before it, as of an environment, or nothing.
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

// isLogin tells whether a program that logs in elsewhere stands before on the line.
func (s *scanner) isLogin(start int) bool {
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

// Small things

func (s *scanner) byteAt(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

// lineStart gives where a line begins, at most so far back as anything looks.
func (s *scanner) lineStart(at int) int {
	from := max(0, at-lineReach)
	return from + bytes.LastIndexAny(s.text[from:at], "\r\n") + 1
}

// lineReach is how far a line is looked at from a place in it.
const lineReach = 512

// line gives the line of a place, as far as anything looks.
func (s *scanner) line(at int) []byte {
	to := min(len(s.text), at+lineReach)
	if i := bytes.IndexAny(s.text[at:to], "\r\n"); i >= 0 {
		to = at + i
	}
	return s.text[s.lineStart(at):to]
}

func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isLetter(c byte) bool   { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isWord(c byte) bool     { return isLetter(c) || isDigit(c) || c == '_' }
func isHostByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' }
func isNameByte(c byte) bool { return isWord(c) || c == '-' || c == '.' || c == '+' }
func isQuote(c byte) bool    { return c == '"' || c == '\'' || c == '`' }
func isToken(c byte) bool {
	return isWord(c) || c == '-' || c == '.' || c == '/' || c == '+' || c == '=' || c == '~'
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || isLetter(byte(r)) })
}
