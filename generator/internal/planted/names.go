package planted

import (
	"fmt"
	"strings"
)

// private is a text with a private name in place of %s.
type private struct {
	kind, text string
	make       func(m maker) string
}

// user returns an account name. Many begin with letters of escape sequences.
func (m maker) user() string {
	return m.pick("tom", "nick", "bob", "fred", "rob", "ulrich", "alice", "zhangwei", "jane.doe", "nadia", "thea", "rita", "felix", "uma", "bert") + m.pick("", "", m.of("123456789", 1), "-x")
}

func (m maker) host() string {
	return m.pick("gpubox", "trainer", "thunder", "bigiron", "rocket", "nimbus") + "-" + m.of("123456789", 2)
}

func (m maker) address() string {
	return fmt.Sprintf(m.pick("10.%d.%d.%d", "172.20.%[2]d.%[3]d", "192.168.%[2]d.%[3]d"), 40+m.IntN(200), 1+m.IntN(250), 34+m.IntN(200))
}

func (m maker) phone() string { return "13" + m.of("356789", 1) + m.of("123456789", 8) }

// identity returns the number of a Chinese identity card with a valid check digit.
func (m maker) identity() string {
	body := "1101051987" + m.pick("0312", "1121", "0730") + m.of("123456789", 3)
	weights := []int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
	sum := 0
	for i, w := range weights {
		sum += w * int(body[i]-'0')
	}
	return body + string("10X98765432"[sum%11])
}

func (m maker) person() string {
	return m.pick("张伟", "王秀英", "李娜", "刘洋", "陈思雨", "欧阳明", "赵敏")
}

func (m maker) mac() string {
	return fmt.Sprintf("3c:%s:%s:0a:1b:%s", m.of("6789abcdef", 2), m.of("6789abcdef", 2), m.of("6789abcdef", 2))
}

var privates = []private{
	{"home folder", "model=/home/%s/models/Qwen3-8B", maker.user},
	{"home folder of a Mac", "--model /Users/%s/models/Qwen3-8B-4bit", maker.user},
	{"home folder of Windows", `model: C:\Users\%s\models\q.gguf`, maker.user},
	{"home folder of Windows", `open 'C:\Users\%s\AppData\Local\Temp\x'`, maker.user},
	{"home folder of Windows, quoted", `"model": "C:\\Users\\%s\\models\\q.gguf"`, maker.user},
	{"home folder of Windows, twice", `{"body": "{\"m\": \"C:\\\\Users\\\\%s\\\\q.gguf\"}"}`, maker.user},
	{"home folder of Windows, slashes", `C:/Users/%s/models/q.gguf`, maker.user},
	{"home folder as a URL", `file:///C:/Users/%s/report.html`, maker.user},
	{"home folder as a URL", `file:///home/%s/report.html`, maker.user},
	{"home folder of WSL", `/mnt/c/Users/%s/models/q.gguf`, maker.user},
	{"home folder, escaped", `path=%%2Fhome%%2F%s%%2Fmodels`, maker.user},
	{"home folder, escaped", `path=C%%3A%%5CUsers%%5C%s%%5Cmodels`, maker.user},
	{"home folder in JSON", `{"path": "\/home\/%s\/models"}`, maker.user},
	{"home folder of NFS", `/mnt/nfs/users/%s/models`, maker.user},
	{"home folder of a cluster", `/nfs/home/%s/models`, maker.user},
	{"home folder of a cluster", `/gpfs/users/%s/bench`, maker.user},
	{"home folder of a cluster", `/data/home/%s/bench`, maker.user},
	{"home folder of a cluster", `/scratch/users/%s/bench`, maker.user},
	{"prompt", "%s@gpubox-7:~$ vllm serve Qwen/Qwen3-8B", maker.user},
	{"prompt", "[%s@gpubox-7 bench]$ ls", maker.user},
	{"prompt in JSON", `{"log": "%s@gpubox-7:~$ ls"}`, maker.user},
	{"prompt in JSON", `{"log": "a\n%s@gpubox-7:~/x$ ls"}`, maker.user},
	{"prompt, its host", "root@%s:/workspace# trtllm-bench", maker.host},
	{"slurm user", "SLURM_JOB_USER=%s", maker.user},
	{"slurm account", "SLURM_JOB_ACCOUNT=%s", maker.user},
	{"slurm user", `"SLURM_JOB_USER": "%s"`, maker.user},
	{"slurm user", "UserId=%s(1001) GroupId=users(100)", maker.user},
	{"slurm node", "SLURM_NODELIST=%s", maker.host},
	{"slurm node", "SLURM_SUBMIT_HOST=%s", maker.host},
	{"sudo user", "SUDO_USER=%s", maker.user},
	{"log name", "LOGNAME=%s", maker.user},
	{"id", "uid=1001(%s) gid=1001 groups=27(sudo)", maker.user},
	{"id", "uid=1001(x) gid=1001(%s) groups=1001", maker.user},
	{"git author", "Author: %s <bench@localhost>", func(m maker) string { return "Alice " + m.pick("Nowak", "Tanner", "Berg") + "son" }},
	{"git mail", "Author: A B <%s>", func(m maker) string { return m.user() + "@acme.io" }},
	{"git signature", "Signed-off-by: A B <%s>", func(m maker) string { return m.user() + "@acme.io" }},
	{"cluster name", "http://%s.llm.svc.cluster.local:8000/v1", maker.host},
	{"cluster name", "host=%s.default.svc.cluster.local", maker.host},
	{"cluster name", "connected to %s.default.svc:8000", maker.host},
	{"internal name", "target %s.internal up", maker.host},
	{"internal name", "target %s.corp up", maker.host},
	{"internal name", "target %s.lan up", maker.host},
	{"internal name", "target %s.corp.acme.com up", maker.host},
	{"node", "running on node%s", func(m maker) string { return "0" + m.of("123456789", 2) }},
	{"node", "srun: job 17 on gpu-node%s", func(m maker) string { return "1" + m.of("123456789", 2) }},
	{"private address", "nccl bootstrap %s<0>", maker.address},
	{"private address", "driver host %s", maker.address},
	{"private address", "version server %s", maker.address},
	{"private address", "release node %s", maker.address},
	{"private address", "driver %s", maker.address},
	{"private address", "http://%s:8000/v1", maker.address},
	{"private address", `"host": "%s"`, maker.address},
	{"private address", "服务器地址%s", maker.address},
	{"private address", "驱动服务器 %s", maker.address},
	{"private address", "ip-%s.ec2.internal", func(m maker) string { return strings.ReplaceAll(m.address(), ".", "-") }},
	{"private address of IPv6", "inet6 %s/64 scope link", func(m maker) string { return "fe80::" + m.of("123456789", 4) + ":" + m.of("6789abcdef", 4) }},
	{"private address of IPv6", "http://[%s]:8000/v1", func(m maker) string { return "fd12:3456:789a::" + m.of("123456789", 4) }},
	{"private address of IPv6", "driver host fd00:%s::1", func(m maker) string { return m.of("123456789", 4) }},
	{"network card", "link/ether %s brd ff:ff:ff:ff:ff:ff", maker.mac},
	{"network card", "MAC地址：%s", maker.mac},
	{"network card", "eth0 %s", func(m maker) string { return strings.ReplaceAll(m.mac(), ":", "-") }},
	{"serial number", "Serial Number: %s", func(m maker) string { return "132" + m.of("123456789", 10) }},
	{"serial number", "	Serial Number: %s", func(m maker) string { return "PF" + m.of(upper+"23456789", 5) + "7Q" }},
	{"serial number", `"serial": "%s"`, func(m maker) string { return "SN" + m.of(digits, 10) }},
	{"system uuid", "System Information\n\tManufacturer: Acme\n\tUUID: %s", maker.uuid},
	{"system uuid", "/sys/class/dmi/id/product_uuid: %s", maker.uuid},
	{"machine id", "machine-id: %s", func(m maker) string { return m.of(hexes, 32) }},
	{"accelerator", "GPU 0: NVIDIA H100 (UUID: GPU-%s)", maker.uuid},
	{"bucket", "s3://%s/models/Qwen3-8B", func(m maker) string { return "acme-" + m.of(lower, 6) + "-models" }},
	{"bucket", "gs://%s/models/Qwen3-8B", func(m maker) string { return "acme-" + m.of(lower, 6) + "-models" }},
	{"bucket", "oss://%s/models/Qwen3-8B", func(m maker) string { return "acme-" + m.of(lower, 6) + "-models" }},
	{"bucket", "https://%s.s3.us-east-1.amazonaws.com/x", func(m maker) string { return "acme-" + m.of(lower, 6) + "-models" }},
	{"registry", "docker pull %s/llm/vllm:v0.11.0", func(m maker) string { return "registry." + m.of(lower, 7) + ".com:5000" }},
	{"registry", "image: %s/llm/vllm:v0.11.0", func(m maker) string { return "harbor." + m.of(lower, 7) + ".cn" }},
	{"registry", `"Image": "%s/llm/vllm@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`, func(m maker) string { return "cr." + m.of(lower, 7) + ".com" }},
	{"phone", "联系电话：%s", maker.phone},
	{"phone", "手机号 %s", maker.phone},
	{"phone", "有问题请打%s找我", maker.phone},
	{"phone", "+86 %s", maker.phone},
	{"identity card", "身份证号：%s", maker.identity},
	{"identity card", "证件 %s 已登记", maker.identity},
	{"person", "姓名：%s", maker.person},
	{"person", "测试人：%s", maker.person},
	{"person", "负责人: %s", maker.person},
	{"person", "作者：%s，日期：2026-11-22", maker.person},
	{"person", `{"测试人员": "%s"}`, maker.person},
	{"person", "| 测试人 | %s |", maker.person},
	{"person", "联系人 %s", maker.person},
	{"wechat", "微信号：%s", func(m maker) string { return "wx" + m.of(lower, 5) + m.of(digits, 3) }},
	{"wechat", "微信: %s", func(m maker) string { return "wxid_" + m.of(lower+digits, 14) }},
	{"wechat", "加微信 %s", func(m maker) string { return m.of(lower, 6) + "_" + m.of("123456789", 4) }},
	{"qq", "QQ：%s", func(m maker) string { return m.of("123456789", 9) }},
	{"qq", "QQ群号 %s", func(m maker) string { return m.of("123456789", 9) }},
	{"mail", "邮箱%s", func(m maker) string { return m.user() + "@acme.com.cn" }},
	{"mail", "联系 %s", func(m maker) string { return m.person() + "@例子.公司" }},
	{"mail", "mailto:%s", func(m maker) string { return m.user() + "@acme.io" }},
	{"ssh", "ssh -p 2222 %s@bastion.acme.org", maker.user},
	{"account of a process", "USER=%s", maker.user},
	{"account of a process", "username: %s", maker.user},
	{"hostname", "hostname: %s", maker.host},
	{"hostname", "HOSTNAME=%s", maker.host},
	{"uname", "Linux %s 6.8.0-48-generic #48-Ubuntu SMP x86_64 GNU/Linux", maker.host},
	{"network", "SSID: %s", func(m maker) string { return "Acme-" + m.of(mixed, 6) }},
}

// Names returns texts with invented private names of each kind, in the form of their kind.
func Names(seed uint64) []Plant {
	m := newMaker(seed)
	var all []Plant
	for _, p := range privates {
		name := p.make(m)
		all = append(all, Plant{p.kind, "its own", fmt.Sprintf(p.text, name), []string{hidden(p, name)}})
	}
	return all
}

// hidden returns the part of a text that must not be found later. Short names are extended by neighbouring
// characters, because a few digits occur anywhere.
func hidden(p private, name string) string {
	text := fmt.Sprintf(p.text, name)
	if len(name) > 4 {
		return name
	}
	i := strings.Index(text, name)
	from, to := i, i+len(name)
	for from > 0 && i-from < 6 && text[from-1] > ' ' {
		from--
	}
	for to < len(text) && to-i-len(name) < 1 && text[to] > ' ' {
		to++
	}
	return text[from:to]
}

// Harmless returns invented texts that must be kept: models, digests, versions, figures, numbers of tokens.
func Harmless(seed uint64) []string {
	m := newMaker(seed)
	hex := func(n int) string { return m.of(hexes, n) }
	version := func() string { return fmt.Sprintf("%d.%d.%d", m.IntN(20), m.IntN(30), m.IntN(99)) }
	all := []string{
		"sha256:" + hex(64), "digest: sha256:" + hex(64), "commit " + hex(40), `"revision": "` + hex(40) + `"`, "build: " + hex(8) + " (5432)",
		"vllm/vllm-openai@sha256:" + hex(64), `"run_id": "` + m.uuid() + `"`, "id=cmpl-" + hex(32), `"id": "chatcmpl-` + hex(32) + `"`,
		`"request_id": "req_` + hex(24) + `"`, "etag: \"" + hex(32) + "\"", "md5 " + hex(32), "cache_key: " + hex(32),
		`"id": "chatcmpl-` + m.of(mixed, 29) + `"`, "x-request-id: " + m.uuid(), "trace_id=" + hex(32) + " span_id=" + hex(16),
		"models--Qwen--Qwen3-8B/snapshots/" + hex(40), "torch_compile_cache/" + hex(10) + "/rank_0_0", "/root/.cache/vllm/torch_compile_cache/" + hex(10),
		"integrity sha512-" + m.base64(64),
		"cudnn " + version() + ".21", "nvidia-cublas-cu12==12." + version(), "driver_version: 570.133.20", "NCCL version 2.27.3+cuda12.9",
		"NVIDIA-SMI 580.65.06  Driver Version: 580.65.06  CUDA Version: 13.0", "torch==" + version() + "+cu128", "vllm==0.11.0.dev" + m.of("123456789", 4) + "+g" + hex(9),
		"TensorRT-LLM version: 1.0.0, TRT 10.11.0.33", "tensorrt==10.13.0.35", "VBIOS 96.00.74.00.01", "kernel 6.8.12-1016-tegra",
		"Output token throughput (tok/s):         298.07", "Mean TTFT (ms):                          974.57", "Total input tokens: 1024", `"total_output_tokens": 2048`,
		"max_tokens=128", "--max-num-batched-tokens=8192", "token: 512", "tokens: 512", `{"token": " Hello", "logprob": -0.12}`, `"token": "Ġworld"`, `{"token": "` + m.pick("benchmark", "therefore", "model's") + `"}`,
		"Per-token latency: 12.3 ms", "per_token=12.34", "output_token_count: 12345678", "eos_token_id=151645", "token_ids: [1, 2, 3]", `"prompt_tokens": 13812345678`, "num_tokens=13812345678",
		`"input_tokens": 110105198703120123`, "elapsed 13512345678 ns", "total 13512345678 bytes",
		"key: latency", `"sort_key": "throughput"`, "primary_key=id", "| key | value |", "| token | 12.5 |", "| tokens | 2048 |", "| Key | Median TTFT |", "the key is to batch more",
		"--api-key EMPTY", "api_key='EMPTY'", "api_key=None", "api_key: null", "--api-key $KEY", "api_key=os.environ['OPENAI_API_KEY']", "{'api_key': [None]}", "{'api_key': []}", "SecretStr('**********')", "api_key:\n  - null",
		"export HF_TOKEN=$(cat token)", "HF_TOKEN=${HF_TOKEN}", "password: ********", "enable_password=False", "secret: null", "token_type: bearer", "tokenizer: Qwen/Qwen3-8B", "--tokenizer-mode auto",
		"hf_transfer", "sk-learn", "task-abcdefghijk", "disk-123456789", "r8_quant", "gsk_kernel", "fw_pipeline_stage_one", "as-is", "ak-47", "xai-org/grok-2", "csk-core", "pplx-eval", "rpa_workflow_engine",
		"2026-11-22T02:07:28.123456Z", "[02:07:28] step 12:34", "00000000:01:00.0", "0000:3b:00.0", "127.0.0.1:8000", "0.0.0.0:8000", "http://localhost:8000/v1", "192.0.2.1",
		"node 0", "nodes: 2", "node_0", "node.js", "--nnodes 2 --node-rank 0", "host memory 32 GiB", "user: who asks", `"role": "user"`, "uid=0(root) gid=0(root)", "USER=root", "/home/ubuntu/models", "/root/.cache/huggingface", "/users/", "https://example.com/users/42",
		"s3://bucket/models", "docker pull vllm/vllm-openai:v0.11.0", "image: nvcr.io/nvidia/pytorch:25.08-py3", "image: ghcr.io/ggml-org/llama.cpp:server", "ghcr.io/huggingface/text-generation-inference:3.3", "quay.io/ascend/vllm-ascend:v0.11.0rc0", "swr.cn-south-1.myhuaweicloud.com/x/y:1",
		"首个令牌: 974.57", "每个令牌的时间：12.3 ms", "吞吐量：298.07 tok/s", "测试人数：3", "作者：", "微信小程序", "版本：10.0.0.1", "驱动版本 10.13.0.41", "密码：无", "负责任的模型", "姓名：", "联系方式见官网", "令牌数：2048", "密钥长度：256",
		"requests 4 and 13712345678901 more", "0.13712345678", "13712345678.5", "seed=13712345678", "timestamp 1764000000", "ts=1763776048123",
		"version==10.0.0.1", "libcudnn.so.9.10.2.21", "tensorrt-10.13.0.35-cp312-none-linux_x86_64.whl", "v10.0.0.1", "firmware 28.39.1002",
		"Authorization: Bearer $TOKEN", "password authentication is off", "OTP", "otp=None", "verification code path", "code: 200", "exit code: 137", "status code: 404404",
		"pass@1: 0.512345", "mysql -p", "mysql -port 3306", "curl -u", "sig=0.5", "signature=(a, b)", "Signature: generate(prompt)", "auth: none", `"auth": "basic"`, "auth=disabled",
		"wandb: Run data is saved locally in /workspace/wandb/run-20261122_020728-" + m.of(lower+digits, 8), "wandb: Syncing run glad-sun-1", "wandb login",
	}
	for _, model := range []string{"Qwen/Qwen3-8B-AWQ", "meta-llama/Llama-3.3-70B-Instruct", "deepseek-ai/DeepSeek-R1-0528", "openai/gpt-oss-120b", "google/gemma-3-27b-it", "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
		"RedHatAI/Qwen3-8B-FP8-dynamic", "unsloth/Qwen3-8B-GGUF:Q4_K_M", "moonshotai/Kimi-K2-Instruct", "zai-org/GLM-4.5-Air-FP8", "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5", "Qwen3-30B-A3B-Instruct-2507-UD-Q4_K_XL.gguf", "mlx-community/Qwen3-8B-4bit-DWQ"} {
		all = append(all, "model: "+model, `"model": "`+model+`"`, "--model "+model, "model="+model+", tokenizer="+model, "| "+model+" | 298.07 |", "模型："+model+"，量化")
	}
	return all
}
