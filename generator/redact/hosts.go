package redact

import (
	"bytes"
	"strings"
)

// genericHosts are host names that identify nobody.
var genericHosts = words(`localhost localhost.localdomain ip6-localhost host hostname server node name ip client worker machine computer
	ubuntu debian fedora centos jetson tegra-ubuntu nvidia raspberrypi archlinux alpine docker-desktop buildkitsandbox wsl desktop laptop
	vllm sglang ollama llama llamacpp llm-server llm llama-server llama-cpp triton tritonserver tensorrt-llm trtllm lmdeploy openai api gateway proxy router nginx
	prometheus grafana redis postgres mysql db mongo mongodb etcd minio kafka rabbitmq nats jaeger otel-collector node-exporter dcgm-exporter
	backend frontend web app service endpoint target base url address address:port your-server your-host myhost my-host my-server example
	model models master head leader none null true false auto unknown undefined default empty any all cpu gpu cuda rocm device local remote
	x86_64 amd64 aarch64 arm64 linux darwin windows`)

// publicHosts are hosts that everybody uses, including all their subdomains.
var publicHosts = words(`example.com example.org example.net example.edu huggingface.co hf.co hf-mirror.com github.com githubusercontent.com github.io ghcr.io gitlab.com
	bitbucket.org gitee.com pypi.org pythonhosted.org python.org anaconda.org anaconda.com conda.io pytorch.org tensorflow.org nvidia.com nvcr.io docker.io docker.com quay.io k8s.io
	kubernetes.io gcr.io google.com googleapis.com openai.com anthropic.com cohere.com mistral.ai groq.com together.ai together.xyz fireworks.ai openrouter.ai deepseek.com
	meta.com llama.com qwen.ai qwenlm.ai microsoft.com azure.com windows.com apple.com intel.com amd.com arm.com qualcomm.com amazon.com aws.amazon.com amazonaws.com cloudflare.com
	vllm.ai sglang.ai lmsys.org lmstudio.ai ollama.com ollama.ai modelscope.cn modelscope.ai readthedocs.io readthedocs.org arxiv.org wikipedia.org wikimedia.org wikidata.org w3.org
	ietf.org rfc-editor.org json-schema.org schema.org spec.openapis.org apache.org gnu.org kernel.org debian.org ubuntu.com launchpad.net fedoraproject.org redhat.com archlinux.org
	npmjs.com npmjs.org nodejs.org golang.org go.dev rust-lang.org crates.io docs.rs stackoverflow.com stackexchange.com discord.gg discord.com slack.com twitter.com x.com
	youtube.com reddit.com medium.com kaggle.com wandb.ai mlcommons.org mlperf.org prometheus.io grafana.com opencontainers.org ray.io anyscale.com roboflow.com ultralytics.com
	creativecommons.org opensource.org mozilla.org gstatic.com jsdelivr.net unpkg.com zenodo.org nist.gov baidu.com aliyun.com aliyuncs.com tsinghua.edu.cn ustc.edu.cn
	host.docker.internal gateway.docker.internal kubernetes.docker.internal metadata.google.internal sourceforge.net cmake.org llvm.org khronos.org
	opentelemetry.io jupyter.org numpy.org scipy.org pandas.pydata.org scikit-learn.org fastapi.tiangolo.com uvicorn.org gradio.app gradio.live streamlit.io pydantic.dev
	starlette.io swagger.io jinja.palletsprojects.com wangjunjian.com jetson-ai-lab.com jetson-ai-lab.io ai.google.dev modal.com minimax.io blackforestlabs.ai bfl.ai sglang.io staticflickr.com artificialanalysis.ai shields.io cocodataset.org tencent.com
	wikia.nocookie.net daocloud.io matplotlib.org moonshot.cn moonshot.ai z.ai bigmodel.cn volcengine.com huaweicloud.com hiascend.com thinkingmachines.ai nebius.com lambda.ai runpod.io vast.ai coreweave.com aka.ms goo.gle git.io bit.ly s3.amazonaws.com`)

// isPrivateHost reports whether a host name may identify somebody.
func isPrivateHost(name string) bool {
	name = strings.Trim(strings.ToLower(name), ".")
	if len(name) < 2 || len(name) > 253 || genericHosts[name] {
		return false
	}
	if strings.HasPrefix(name, "ec2-") && strings.HasSuffix(name, ".amazonaws.com") || storage.MatchString(name) {
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
	for _, end := range []string{".example", ".test", ".invalid", ".localhost", "example", ".onion"} {
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

// isHostName accepts a match of a pattern if it is a private host name.
func isHostName(s *scanner, start, end int) bool { return isPrivateHost(string(s.text[start:end])) }

func (s *scanner) putHost(start, end int) {
	for end > start && s.text[end-1] == '.' {
		end--
	}
	if name := string(s.text[start:end]); isPrivateHost(name) {
		s.put("host", Host, start, end, strings.ToLower(name))
	}
}

// internalEnds are the last labels of host names that only exist in a private network.
var internalEnds = []string{"local", "svc", "lan", "internal", "intranet", "corp", "localdomain", "home.arpa", "ts.net", "lan.local", "compute.amazonaws.com", "amazonaws.com"}

// notHosts are words of code that occur before such a label: env.local is no host.
var notHosts = words(`rc env self cls threading thread settings config conf vars torch torch.distributed docker-compose compose jax nn vllm sglang java sun jdk go node tls
	bash_profile zshrc bashrc gitconfig claude.md application appsettings asyncio werkzeug flask contextvars gevent ctx this window global process op ops tf`)

// internal checks for a host name that ends in one of internalEnds, with the dot before that at i.
func (s private) internal(i int) {
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

// hostOfAddress checks for a name that a cloud derives from an address, such as ip-10-0-0-5; i is its first dash.
func (s private) hostOfAddress(i int) {
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

// schemes are the schemes of URLs that contain a host.
var schemes = words(`http https ws wss grpc grpcs tcp udp tls ssl ssh sftp ftp ftps redis rediss postgres postgresql mysql mariadb mongodb mongodb+srv amqp amqps nfs smb rtsp
	git git+ssh git+https git+http ssh+git svn nats kafka ldap ldaps vnc rdp mqtt mqtts clickhouse etcd zmq socks5 socks5h socks4 telnet rsync`)

// url checks the user and the host of a URL whose "://" is at i.
func (s *scanner) url(i int) {
	t := s.text
	start := i
	for start > 0 && i-start < 16 && (isLetter(t[start-1]) || isDigit(t[start-1]) || t[start-1] == '+') {
		start--
	}
	scheme := strings.ToLower(string(t[start:i]))
	known := schemes[scheme] || schemes[strings.TrimLeft(scheme, "nrtbf")] // "\nhttp" with an escape
	if base, _, driver := strings.Cut(scheme, "+"); driver && schemes[base] {
		known = true // postgresql+psycopg2
	}
	begin, end := i+3, i+3
	for end < len(t) && end-begin < 2048 && t[end] > ' ' && t[end] != 0x7f && bytes.IndexByte([]byte("/?#\"'<>`\\,;)}|"), t[end]) < 0 {
		end++
	}
	if user := bytes.LastIndexByte(t[begin:end], '@'); user >= 0 {
		if known || bytes.IndexByte(t[begin:begin+user], ':') > 0 {
			s.userinfo(scheme, begin, begin+user)
		}
		begin += user + 1
	}
	if !known {
		return
	}
	if begin < end && t[begin] == '[' {
		return // an address, which ip6 finds
	}
	host := begin
	for host < end && (isHostByte(t[host]) || t[host] == '.' || t[host] == '_') {
		host++
	}
	if host < end && t[host] != ':' && t[host] != ']' && t[host] != '!' && t[host] != '*' && t[host] != '&' && t[host] != '=' {
		return // not a host name: http://{host}
	}
	s.putHost(begin, host)
}

// userinfo handles the part of a URL before the host: name and password, a token, or just a name.
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

// isInternal reports whether a host name only exists in a private network.
func isInternal(host string) bool {
	low := strings.ToLower(host)
	for _, tail := range internalEnds {
		if strings.HasSuffix(low, "."+tail) && tail != "amazonaws.com" {
			return true
		}
	}
	return false
}
