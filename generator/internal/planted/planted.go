// Package planted generates data that must not be published, for tests that search the output for it: secrets
// of many services and private names of many forms, as tools, shells and configuration files write them. A seed
// determines everything.
//
//	for _, p := range planted.Secrets(1) {
//		if left := p.Left(published); left != "" {
//			t.Errorf("%s in %s is left", p.Kind, p.Form)
//		}
//	}
//
// Harmless returns the opposite: data that looks similar and must be kept.
package planted

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Plant is a text that contains something that must not be published.
type Plant struct {
	Kind   string   // kind of secret or name: "groq", "home folder"
	Form   string   // notation: "json", "yaml list"
	Text   string   // one line or several, without a final newline
	Hidden []string // strings that must not be found later
}

// Left returns the part of a plant that a published text still contains, "" if there is none. Long parts of a
// secret count as well.
func (p Plant) Left(published []byte) string {
	for _, h := range p.Hidden {
		if bytes.Contains(published, []byte(h)) {
			return h
		}
		if len(h) >= 2*part {
			for _, part := range []string{h[:part], h[len(h)-part:]} {
				if bytes.Contains(published, []byte(part)) {
					return part
				}
			}
		}
	}
	return ""
}

// part is the length of the beginning and of the end of a long secret that must not be found alone.
const part = 12

// maker generates values.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))} }

const (
	digits  = "0123456789"
	hexes   = digits + "abcdef"
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = lower + upper
	mixed   = letters + digits
)

// of returns n random characters of an alphabet. If it is mixed, the first six include lower and upper case
// letters and digits.
func (m maker) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	if alphabet == mixed && n >= 6 {
		for i, part := range []string{lower, digits, upper, digits, upper, lower} {
			b[i] = part[m.IntN(len(part))]
		}
	}
	return string(b)
}

func (m maker) base64(bytes int) string {
	b := make([]byte, bytes)
	for i := range b {
		b[i] = byte(m.IntN(256))
	}
	return base64.StdEncoding.EncodeToString(b)
}

func (m maker) uuid() string {
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", m.of(hexes, 8), m.of(hexes, 4), m.of(hexes, 3), m.of(hexes, 3), m.of(hexes, 12))
}

// word returns a password of the kind that people choose.
func (m maker) word() string { return m.of(lower, 5) + m.of(digits, 3) + m.of(upper, 2) }

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

// token is a secret that is recognisable by its form.
type token struct {
	kind string
	make func(m maker) string
}

// tokens must be recognised wherever they are.
var tokens = []token{
	{"huggingface", func(m maker) string { return "hf_" + m.of(letters, 34) }},
	{"huggingface organisation", func(m maker) string { return "api_org_" + m.of(letters, 34) }},
	{"openai", func(m maker) string { return "sk-" + m.of(mixed, 48) }},
	{"openai project", func(m maker) string { return "sk-proj-" + m.of(mixed, 40) + "_" + m.of(mixed, 40) }},
	{"openai service", func(m maker) string { return "sk-svcacct-" + m.of(mixed, 60) }},
	{"anthropic", func(m maker) string { return "sk-ant-api03-" + m.of(mixed, 93) + "AA" }},
	{"openrouter", func(m maker) string { return "sk-or-v1-" + m.of(hexes, 64) }},
	{"deepseek", func(m maker) string { return "sk-" + m.of(hexes, 32) }},
	{"dashscope", func(m maker) string { return "sk-" + m.of(hexes, 32) }},
	{"moonshot", func(m maker) string { return "sk-" + m.of(mixed, 48) }},
	{"zhipu", func(m maker) string { return m.of(hexes, 32) + "." + m.of(mixed, 16) }},
	{"groq", func(m maker) string { return "gsk_" + m.of(mixed, 52) }},
	{"replicate", func(m maker) string { return "r8_" + m.of(mixed, 37) }},
	{"tailscale", func(m maker) string { return "tskey-auth-" + m.of(mixed, 12) + "CNTRL-" + m.of(mixed, 32) }},
	{"ngc", func(m maker) string { return "nvapi-" + m.of(mixed, 64) }},
	{"google", func(m maker) string { return "AIza" + m.of(mixed, 35) }},
	{"google access", func(m maker) string { return "ya29." + m.of(mixed, 60) }},
	{"aws id", func(m maker) string { return "AKIA" + m.of(upper+"234567", 16) }},
	{"github", func(m maker) string {
		return m.pick("ghp_", "gho_", "ghu_", "ghs_", "ghr_") + m.of(mixed, 36)
	}},
	{"github fine-grained", func(m maker) string { return "github_pat_" + m.of(mixed, 22) + "_" + m.of(mixed, 59) }},
	{"gitlab", func(m maker) string {
		return m.pick("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-1_") + m.of(mixed, 20)
	}},
	{"npm", func(m maker) string { return "npm_" + m.of(mixed, 36) }},
	{"pypi", func(m maker) string { return "pypi-AgEIcHlwaS5vcmc" + m.of(mixed, 80) }},
	{"slack bot", func(m maker) string {
		return "xoxb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(mixed, 24)
	}},
	{"slack app", func(m maker) string {
		return "xapp-1-A" + m.of(upper, 9) + "-" + m.of(digits, 12) + "-" + m.of(hexes, 40)
	}},
	{"slack webhook", func(m maker) string {
		return "T" + m.of(upper, 9) + "/B" + m.of(upper, 9) + "/" + m.of(mixed, 24)
	}},
	{"discord bot", func(m maker) string { return "M" + m.of(mixed, 23) + "." + m.of(mixed, 6) + "." + m.of(mixed, 27) }},
	{"telegram bot", func(m maker) string { return m.of("123456789", 10) + ":AA" + m.of(mixed, 33) }},
	{"alibaba", func(m maker) string { return "LTAI5t" + m.of(mixed, 18) }},
	{"tencent", func(m maker) string { return "AKID" + m.of(mixed, 32) }},
	{"volcengine", func(m maker) string { return "AKLT" + m.of(mixed, 43) }},
	{"baidu", func(m maker) string { return "bce-v3/ALTAK-" + m.of(mixed, 21) + "/" + m.of(hexes, 40) }},
	{"jwt", func(m maker) string {
		body := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + m.of(mixed, 20) + `"}`))
		return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + body + "." + m.of(mixed, 43)
	}},
	{"sendgrid", func(m maker) string { return "SG." + m.of(mixed, 22) + "." + m.of(mixed, 43) }},
	{"twilio", func(m maker) string { return "SK" + m.of(hexes, 32) }},
	{"stripe", func(m maker) string { return m.pick("sk_live_", "rk_live_", "sk_test_") + m.of(mixed, 24) }},
	{"stripe webhook", func(m maker) string { return "whsec_" + m.of(mixed, 32) }},
	{"perplexity", func(m maker) string { return "pplx-" + m.of(mixed, 48) }},
	{"xai", func(m maker) string { return "xai-" + m.of(mixed, 80) }},
	{"cerebras", func(m maker) string { return "csk-" + m.of(lower+digits, 48) }},
	{"fireworks", func(m maker) string { return "fw_" + m.of(mixed, 24) }},
	{"together", func(m maker) string { return "tgp_v1_" + m.of(mixed, 43) }},
	{"runpod", func(m maker) string { return "rpa_" + m.of(upper+digits, 44) }},
	{"modal id", func(m maker) string { return "ak-" + m.of(mixed, 22) }},
	{"modal secret", func(m maker) string { return "as-" + m.of(mixed, 22) }},
	{"wandb", func(m maker) string { return "wandb_v1_" + m.of(mixed, 77) }},
	{"docker", func(m maker) string { return "dckr_pat_" + m.of(mixed, 27) }},
	{"databricks", func(m maker) string { return "dapi" + m.of(hexes, 32) }},
	{"digitalocean", func(m maker) string { return "dop_v1_" + m.of(hexes, 64) }},
	{"grafana", func(m maker) string { return "glsa_" + m.of(mixed, 32) + "_" + m.of(hexes, 8) }},
	{"vault", func(m maker) string { return "hvs." + m.of(mixed, 95) }},
	{"langsmith", func(m maker) string { return "lsv2_pt_" + m.of(hexes, 32) + "_" + m.of(hexes, 10) }},
	{"pinecone", func(m maker) string { return "pcsk_" + m.of(mixed, 6) + "_" + m.of(mixed, 63) }},
	{"jina", func(m maker) string { return "jina_" + m.of(hexes, 32) + m.of(mixed, 28) }},
	{"tavily", func(m maker) string { return "tvly-" + m.of(mixed, 32) }},
	{"elevenlabs", func(m maker) string { return "sk_" + m.of(hexes, 48) }},
	{"sentry token", func(m maker) string { return "sntryu_" + m.of(hexes, 64) }},
	{"supabase", func(m maker) string { return "sbp_" + m.of(hexes, 40) }},
	{"linear", func(m maker) string { return "lin_api_" + m.of(mixed, 40) }},
	{"notion", func(m maker) string { return "ntn_" + m.of(digits, 11) + m.of(mixed, 35) }},
	{"atlassian", func(m maker) string { return "ATATT3xFfGF0" + m.of(mixed, 180) }},
	{"age", func(m maker) string { return "AGE-SECRET-KEY-1" + m.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58) }},
	{"kaggle", func(m maker) string { return "KGAT_" + m.of(hexes, 32) }},
	{"lambda", func(m maker) string { return "secret_bench_" + m.of(hexes, 32) + "." + m.of(mixed, 32) }},
	{"neptune", func(m maker) string {
		return base64.StdEncoding.EncodeToString([]byte(`{"api_address":"https://app.neptune.ai","api_key":"` + m.uuid() + `"}`))
	}},
	{"a service of tomorrow", func(m maker) string { return m.of(lower, 3) + "_" + m.of(mixed, 36) }},
}

// around contains the contexts of a token, as tools and people write them.
var around = map[string]string{
	"log line":         "INFO 11-22 02:07:28 [serve.py:128] using %s for the hub",
	"error":            "openai.AuthenticationError: Error code: 401 - Incorrect API key provided: %s. You can find it",
	"shell":            "export SOME_API_KEY=%s",
	"quoted shell":     `curl -s -H "Authorization: Bearer %s" http://localhost:8000/v1/models`,
	"flag":             "vllm serve Qwen/Qwen3-8B --api-key %s --port 8000",
	"json":             `{"model": "Qwen/Qwen3-8B", "note": "%s", "ttft": 0.123}`,
	"json key":         `{"api_key": "%s", "output_throughput": 298.07}`,
	"yaml":             "  token: %s",
	"toml":             `api_key = "%s"`,
	"python":           "Namespace(model='Qwen3-8B', api_key='%s', port=8000)",
	"python list":      "non-default args: {'api_key': ['%s'], 'model': 'Qwen/Qwen3-8B'}",
	"SecretStr":        "Settings(api_key=SecretStr('%s'), timeout=30)",
	"environment":      "  \"Env\": [\"PATH=/usr/bin\", \"HUB_TOKEN=%s\"],",
	"markdown":         "- the key was `%s`, since revoked",
	"table":            "| api_key | %s | set by hand |",
	"url":              "GET /v1/models?api_key=%s&limit=10 HTTP/1.1",
	"chinese":          "接口密钥是%s，请勿外传",
	"chinese colon":    "密钥：%s",
	"html":             "<td>%s</td>",
	"list on lines":    "args:\n  - \"--api-key\"\n  - \"%s\"\n  - \"--port\"\n  - \"8000\"",
	"continued":        "vllm serve Qwen/Qwen3-8B \\\n  --api-key \\\n  %s \\\n  --port 8000",
	"powershell":       "$env:HUB_TOKEN = \"%s\"",
	"coloured":         "\x1b[32mINFO\x1b[0m key \x1b[1m%s\x1b[0m accepted",
	"pod":              "    - name: HF_TOKEN\n      value: %s",
	"inspected object": `[{"name": "HF_TOKEN", "value": "%s"}]`,
}

// named is a secret that is recognisable only by its name.
type named struct {
	kind  string
	names []string
	make  func(m maker) string
}

var namedSecrets = []named{
	{"an API key", []string{"api_key", "API_KEY", "apiKey", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "MISTRAL_API_KEY", "COHERE_API_KEY", "SAMBANOVA_API_KEY", "TOGETHER_API_KEY", "VAST_API_KEY", "LAMBDA_API_KEY", "COMET_API_KEY", "NEPTUNE_API_TOKEN", "ZHIPUAI_API_KEY", "ARK_API_KEY", "NGC_API_KEY", "WANDB_API_KEY", "api-key", "apikey"},
		func(m maker) string { return m.pick(m.of(hexes, 32), m.of(mixed, 32), m.of(hexes, 40), m.uuid()) }},
	{"a token", []string{"HF_TOKEN", "hf_token", "access_token", "auth_token", "AUTH_TOKEN", "REPLICATE_API_TOKEN", "accessToken", "refresh_token", "bearer_token", "CLEARML_API_ACCESS_KEY", "id_token", "session_token"},
		func(m maker) string { return m.pick(m.of(mixed, 20), m.of(hexes, 24), m.of(lower, 6)+m.of(digits, 4)) }},
	{"a secret", []string{"client_secret", "secret_key", "SECRET_KEY", "AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "TENCENTCLOUD_SECRET_KEY", "ALIBABA_CLOUD_ACCESS_KEY_SECRET", "MODAL_TOKEN_SECRET", "CLEARML_API_SECRET_KEY", "secret"},
		func(m maker) string { return m.pick(m.of(mixed, 40), m.of(mixed+"/+", 40), m.of(mixed, 30)) }},
	{"a password", []string{"password", "PASSWORD", "DB_PASSWORD", "MYSQL_ROOT_PASSWORD", "PGPASSWORD", "MLFLOW_TRACKING_PASSWORD", "passwd", "db_password", "passphrase", "REDIS_PASSWORD"},
		func(m maker) string { return m.pick(m.word(), m.word()+"!", m.of(mixed, 12)) }},
}

// writings contains notations of a name %[1]s with its value %[2]s.
var writings = map[string]string{
	"shell":            "export %[1]s=%[2]s",
	"shell, quoted":    "%[1]s='%[2]s' vllm serve Qwen/Qwen3-8B",
	"docker run":       "docker run --rm -e %[1]s=%[2]s -v /models:/models vllm/vllm-openai:v0.11.0",
	"json":             `{"%[1]s": "%[2]s", "ttft_ms": 974.57}`,
	"json, tight":      `{"x":1,"%[1]s":"%[2]s"}`,
	"json list":        `{"%[1]s": ["%[2]s"], "n": 1}`,
	"python":           "{'%[1]s': '%[2]s', 'port': 8000}",
	"python list":      "args: {'%[1]s': ['%[2]s'], 'port': 8000}",
	"python tuple":     "args: {'%[1]s': ('%[2]s',), 'port': 8000}",
	"python bytes":     "config = {'%[1]s': b'%[2]s'}",
	"SecretStr":        "Config(%[1]s=SecretStr('%[2]s'), retries=3)",
	"repr":             "Namespace(%[1]s='%[2]s', model='m')",
	"yaml":             "  %[1]s: %[2]s",
	"yaml, quoted":     "  %[1]s: \"%[2]s\"",
	"yaml list":        "%[1]s:\n  - %[2]s",
	"toml":             `%[1]s = "%[2]s"`,
	"ini":              "%[1]s = %[2]s",
	"table":            "| %[1]s | %[2]s |",
	"html":             "<tr><td>%[1]s</td><td>%[2]s</td></tr>",
	"xml":              "<%[1]s>%[2]s</%[1]s>",
	"pod":              "  - name: %[1]s\n    value: \"%[2]s\"",
	"inspected":        `{"name":"%[1]s","value":"%[2]s"}`,
	"env list":         `"Env": ["%[1]s=%[2]s", "PATH=/bin"]`,
	"powershell":       `$env:%[1]s = "%[2]s"`,
	"cmd":              "set %[1]s=%[2]s",
	"markdown":         "- **%[1]s**: `%[2]s`",
	"log":              "2026-11-22 02:07:28,123 INFO %[1]s=%[2]s, model=Qwen3-8B",
	"url":              "http://localhost:8000/v1?%[1]s=%[2]s&x=1",
	"url, escaped":     "http%%3A%%2F%%2Flocalhost%%3A8000%%2Fv1%%3F%[1]s%%3D%[2]s%%26x%%3D1",
	"escaped json":     `{"body": "{\"%[1]s\": \"%[2]s\"}"}`,
	"dockerfile":       "ENV %[1]s %[2]s",
	"chinese":          "参数%[1]s：%[2]s，其余默认",
	"set on a map":     `os.environ["%[1]s"] = "%[2]s"`,
	"setdefault":       `os.environ.setdefault("%[1]s", "%[2]s")`,
	"from-literal":     "kubectl create secret generic hf --from-literal=%[1]s=%[2]s",
	"set option":       "helm install vllm --set env.%[1]s=%[2]s",
	"json on lines":    "{\n  \"%[1]s\":\n    \"%[2]s\"\n}",
	"name of a header": "-H 'X-%[1]s: %[2]s'",
}

// fixed contains secrets with only one notation each: %s is the secret.
var fixed = []struct {
	kind, text string
	make       func(m maker) string
}{
	{"wandb netrc", "wandb: Appending key for api.wandb.ai to your netrc file: /root/.netrc: %s", func(m maker) string { return m.of(hexes, 40) }},
	{"wandb login", "wandb login %s", func(m maker) string { return m.of(hexes, 40) }},
	{"wandb login --relogin", "wandb login --relogin %s", func(m maker) string { return m.of(hexes, 40) }},
	{"netrc", "machine api.wandb.ai\n  login user\n  password %s", func(m maker) string { return m.of(hexes, 40) }},
	{"huggingface login", "huggingface-cli login --token %s", func(m maker) string { return m.of(mixed, 20) }},
	{"basic header", "Authorization: Basic %s", func(m maker) string {
		return base64.StdEncoding.EncodeToString([]byte("bench:" + m.word()))
	}},
	{"bearer header", "> Authorization: Bearer %s", func(m maker) string { return m.of(mixed, 24) }},
	{"token header", `headers: {"Authorization": "Token %s"}`, func(m maker) string { return m.of(hexes, 40) }},
	{"api-key header", "api-key: %s", func(m maker) string { return m.of(hexes, 32) }},
	{"cookie", "Cookie: session=%s; theme=dark", func(m maker) string { return m.of(mixed, 32) }},
	{"set-cookie", "< Set-Cookie: sid=%s; HttpOnly", func(m maker) string { return m.of(mixed, 32) }},
	{"url", "git clone https://bench:%s@git.acme.io/llm/bench.git", func(m maker) string { return m.of(mixed, 16) }},
	{"url without name", "pip install --index-url https://:%s@pypi.acme.io/simple", func(m maker) string { return m.of(mixed, 16) }},
	{"dsn", "postgresql+psycopg2://bench:%s@db:5432/results", maker.word},
	{"jdbc", "jdbc:mysql://db:3306/results?user=bench&password=%s", maker.word},
	{"odbc", "Server=db;Database=x;Uid=bench;Pwd=%s;", maker.word},
	{"mongo", "mongodb+srv://bench:%s@cluster0.abcde.mongodb.net/x", maker.word},
	{"redis-cli", "redis-cli -h cache -a %s ping", maker.word},
	{"mysql", "mysql -u root -p%s -e 'select 1'", maker.word},
	{"mysqldump", "mysqldump -uroot -p'%s' results", maker.word},
	{"sshpass", "sshpass -p %s ssh bench@gpu01", maker.word},
	{"sshpass glued", "sshpass -p'%s' scp x.log bench@gpu01:", maker.word},
	{"curl user", "curl -u bench:%s http://localhost:8000/v1/models", maker.word},
	{"wget", "wget --user=bench --password=%s http://files/x.bin", maker.word},
	{"docker login", "docker login -u bench -p %s registry.acme.io", maker.word},
	{"docker login, stdin", "echo %s | docker login -u bench --password-stdin registry.acme.io", maker.word},
	{"sudo", "echo '%s' | sudo -S nvpmodel -m 0", maker.word},
	{"docker auth", `{"auths": {"nvcr.io": {"auth": "%s"}}}`, func(m maker) string {
		return base64.StdEncoding.EncodeToString([]byte("$oauthtoken:" + m.of(mixed, 40)))
	}},
	{"identity token", `{"auths": {"acr.io": {"identitytoken": "%s"}}}`, func(m maker) string { return m.of(mixed, 40) }},
	{"npmrc", "//registry.npmjs.org/:_authToken=%s", func(m maker) string { return m.uuid() }},
	{"pypirc", "[pypi]\nusername = bench\npassword = %s", maker.word},
	{"azure account", "DefaultEndpointsProtocol=https;AccountName=bench;AccountKey=%s;EndpointSuffix=core.windows.net", func(m maker) string { return m.base64(64) }},
	{"azure sas", "https://bench.blob.core.windows.net/models/q.gguf?sv=2023-11-03&se=2026-11-22&sr=b&sp=r&sig=%s", func(m maker) string {
		return strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(m.base64(32))
	}},
	{"amz signature", "https://bucket.s3.amazonaws.com/q.gguf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261122T000000Z&X-Amz-Expires=3600&X-Amz-Signature=%s", func(m maker) string { return m.of(hexes, 64) }},
	{"amz credential", "https://bucket.s3.amazonaws.com/q.gguf?X-Amz-Credential=%s%%2F20261122%%2Fus-east-1%%2Fs3%%2Faws4_request&X-Amz-Date=20261122T000000Z", func(m maker) string { return "ASIA" + m.of(upper+"234567", 16) }},
	{"amz token", "https://bucket.s3.amazonaws.com/q.gguf?X-Amz-Security-Token=%s&X-Amz-Expires=60", func(m maker) string { return m.of(mixed, 200) }},
	{"goog signature", "https://storage.googleapis.com/b/q.gguf?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=%s", func(m maker) string { return m.of(hexes, 128) }},
	{"oss signature", "https://b.oss-cn-beijing.aliyuncs.com/q.gguf?OSSAccessKeyId=LTAIx&Expires=1795000000&Signature=%s", func(m maker) string {
		return strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(m.base64(20))
	}},
	{"cos signature", "https://b.cos.ap-guangzhou.myqcloud.com/q.gguf?q-sign-algorithm=sha1&q-ak=AKIDx&q-signature=%s", func(m maker) string { return m.of(hexes, 40) }},
	{"cloudfront", "https://cdn-lfs.huggingface.co/repos/x?Expires=1795000000&Policy=eyJTdGF0&Signature=%s&Key-Pair-Id=K24J24Z295AEI9", func(m maker) string { return m.of(mixed, 120) }},
	{"pem", "-----BEGIN RSA PRIVATE " + "KEY-----\n%s\n-----END RSA PRIVATE " + "KEY-----", func(m maker) string { return m.of(mixed+"+/", 64) }},
	{"openssh", "-----BEGIN OPENSSH PRIVATE " + "KEY-----\nb3BlbnNzaC1rZXktdjE%s\n-----END OPENSSH PRIVATE " + "KEY-----", func(m maker) string { return m.of(mixed+"+/", 51) }},
	{"putty", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAAC3Nza\nPrivate-Lines: 1\n%s\nPrivate-MAC: 00", func(m maker) string { return m.of(mixed+"+/", 48) }},
	{"pgp", "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\n\n%s\n-----END PGP PRIVATE " + "KEY BLOCK-----", func(m maker) string { return m.of(mixed+"+/", 64) }},
	{"service account", `{"type": "service_account", "private_key_id": "%s", "client_id": "1"}`, func(m maker) string { return m.of(hexes, 40) }},
	{"service account key", `{"private_key": "-----BEGIN PRIVATE ` + `KEY-----\n%s\n-----END PRIVATE ` + `KEY-----\n"}`, func(m maker) string { return m.of(mixed+"+/", 64) }},
	{"kubeconfig", "    client-key-data: %s", func(m maker) string { return m.base64(120) }},
	{"kubeconfig token", "users:\n- name: bench\n  user:\n    token: %s", func(m maker) string { return m.of(mixed, 48) }},
	{"k8s secret", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: hf\ndata:\n  HF: %s", func(m maker) string { return base64.StdEncoding.EncodeToString([]byte(m.of(mixed, 30))) }},
	{"k8s string data", "kind: Secret\nstringData:\n  hub: %s\ntype: Opaque", func(m maker) string { return m.of(mixed, 30) }},
	{"sentry", "https://%s@o12345.ingest.sentry.io/67890", func(m maker) string { return m.of(hexes, 32) }},
	{"discord webhook", "https://discord.com/api/webhooks/123456789012345678/%s", func(m maker) string { return m.of(mixed+"_-", 68) }},
	{"telegram", "POST https://api.telegram.org/bot%s/sendMessage", func(m maker) string { return m.of("123456789", 10) + ":AA" + m.of(mixed, 33) }},
	{"slack webhook", "https://hooks.slack.com/services/%s", func(m maker) string {
		return "T" + m.of(upper, 9) + "/B" + m.of(upper, 9) + "/" + m.of(mixed, 24)
	}},
	{"teams webhook", "https://acme.webhook.office.com/webhookb2/%s", func(m maker) string { return m.uuid() + "@" + m.uuid() + "/IncomingWebhook/" + m.of(hexes, 32) }},
	{"dingtalk webhook", "https://oapi.dingtalk.com/robot/send?access_token=%s", func(m maker) string { return m.of(hexes, 64) }},
	{"feishu webhook", "https://open.feishu.cn/open-apis/bot/v2/hook/%s", func(m maker) string { return m.uuid() }},
	{"wecom webhook", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=%s", func(m maker) string { return m.uuid() }},
	{"token in json", `{"token":"%s"}`, func(m maker) string { return m.of(lower, 8) + m.of(digits, 8) }},
	{"jupyter", "http://localhost:8888/lab?token=%s", func(m maker) string { return m.of(hexes, 48) }},
	{"otp", "otpauth://totp/Acme:bench?secret=%s&issuer=Acme", func(m maker) string { return m.of(upper+"234567", 32) }},
	{"otp code", "Enter the verification code: %s", func(m maker) string { return m.of("123456789", 6) }},
	{"otp field", "OTP=%s", func(m maker) string { return m.of("123456789", 6) }},
	{"wireguard", "[Interface]\nPrivateKey = %s", func(m maker) string { return m.base64(32) }},
	{"wifi", `network={ psk="%s" }`, maker.word},
	{"ngrok", "ngrok config add-authtoken %s", func(m maker) string { return m.of(mixed, 27) + "_" + m.of(mixed, 21) }},
	{"vault", "vault login %s", func(m maker) string { return "s." + m.of(mixed, 24) }},
	{"chinese password", "登录密码为%s，请修改", maker.word},
	{"chinese key", "访问密钥：%s", func(m maker) string { return m.of(mixed, 24) }},
	{"chinese word", "口令是 %s", maker.word},
	{"ssh tunnel", "ssh://bench:%s@gpu01:22", maker.word},
	{"smb", "mount -t cifs //nas/x /mnt -o username=bench,password=%s,vers=3.0", maker.word},
	{"openssl", "openssl enc -aes-256-cbc -pass pass:%s -in x", maker.word},
	{"htpasswd", "htpasswd -b .htpasswd bench %s", maker.word},
	{"ansible", "ansible_become_pass=%s", maker.word},
	{"mysql url", "MYSQL_PWD=%s mysqldump results", maker.word},
	{"minio", "mc alias set bench http://minio:9000 admin %s", maker.word},
	{"az login", "az login --service-principal -u app -p %s --tenant t", maker.word},
	{"hf token in url", "https://user:%s@huggingface.co/acme/model", func(m maker) string { return "hf_" + m.of(letters, 34) }},
}

// Secrets returns texts with invented secrets: tokens in every context, named secrets in every notation, and
// fixed ones.
func Secrets(seed uint64) []Plant {
	m := newMaker(seed)
	var all []Plant
	for _, form := range sorted(around) {
		for _, k := range tokens {
			secret := k.make(m)
			text := fmt.Sprintf(around[form], secret)
			if k.kind == "slack webhook" {
				text = fmt.Sprintf(around[form], "https://hooks.slack.com/services/"+secret)
			}
			all = append(all, Plant{k.kind, form, text, []string{secret}})
		}
	}
	for _, form := range sorted(writings) {
		for _, k := range namedSecrets {
			for _, name := range k.names {
				if form == "dockerfile" && name != strings.ToUpper(name) || form == "cmd" && name != strings.ToUpper(name) {
					continue
				}
				secret := k.make(m)
				all = append(all, Plant{k.kind, form + " of " + name, fmt.Sprintf(writings[form], name, secret), []string{secret}})
			}
		}
	}
	for _, f := range fixed {
		secret := f.make(m)
		all = append(all, Plant{f.kind, "its own", fmt.Sprintf(f.text, secret), []string{secret}})
	}
	return all
}

// Some selects n plants of as many kinds as possible.
func Some(all []Plant, n int) []Plant {
	var some []Plant
	byKind := map[string][]Plant{}
	var kinds []string
	for _, p := range all {
		if byKind[p.Kind] == nil {
			kinds = append(kinds, p.Kind)
		}
		byKind[p.Kind] = append(byKind[p.Kind], p)
	}
	for i := 0; len(some) < min(n, len(all)); i++ {
		kind := kinds[i%len(kinds)]
		if left := byKind[kind]; len(left) > 0 {
			at := (i * 7) % len(left)
			some = append(some, left[at])
			byKind[kind] = slices.Delete(left, at, at+1)
		}
	}
	return some
}

func sorted(forms map[string]string) []string {
	names := make([]string, 0, len(forms))
	for name := range forms {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// InJSON returns the plant inside a JSON string, which escapes it once more.
func (p Plant) InJSON() Plant {
	text, _ := json.Marshal(map[string]string{"log": "first\n" + p.Text + "\nlast"})
	p.Form, p.Text = p.Form+", in JSON", string(text)
	return p
}
