package vocabulary

import "slices"

// Label describes a label: its displayed name and, if it is a number, which direction is better.
type Label struct {
	Name   string
	Better Better
	Words  Words
	Type   Type   // type of its values
	Unit   string // of a quantity; "" for other types

	// Workload marks labels that describe the task of a machine, and the machine itself. A frontier is drawn
	// only through runs that agree in all of them.
	Workload bool
}

// Type is the type of a label's values, as far as a program may rely on it. A tool may write other values: auto
// for a batch size, inf for a rate.
type Type int8

const (
	Text Type = iota
	Integer
	Number
	Boolean
	Day        // a calendar date, with or without a time
	Quantity   // a figure with a unit that converts into the unit of the label: 8.9 GB
	Parameters // a count of parameters: 8.2 B
)

// LookupLabel returns the row of a label.
func LookupLabel(name string) (Label, bool) {
	i := slices.IndexFunc(labels, func(l Label) bool { return l.Name == name })
	if i < 0 {
		return Label{}, false
	}
	return labels[i], true
}

// Labels returns the labels that have words. Other labels are shown under their own names.
func Labels() []Label { return slices.Clone(labels) }

// LabelBetter returns the better direction of a label's figures. Of sizes, less is better.
func LabelBetter(name string) Better {
	l, _ := LookupLabel(name)
	return l.Better
}

// Workload returns the names of the labels that describe a workload.
func Workload() []string {
	var names []string
	for _, l := range labels {
		if l.Workload {
			names = append(names, l.Name)
		}
	}
	return names
}

var labels = []Label{
	{Name: "model", Words: Words{"Model", "模型"}},
	{Name: "model_raw", Words: Words{"Model as reported", "模型（原始名称）"}},
	{Name: "model_revision", Words: Words{"Model revision", "模型修订版本"}},
	{Name: "tokenizer", Words: Words{"Tokenizer", "分词器"}},
	{Name: "quantization", Words: Words{"Quantization", "量化"}},
	{Name: "engine", Words: Words{"Engine", "推理引擎"}},
	{Name: "engine_version", Words: Words{"Engine version", "引擎版本"}},
	{Name: "server_command", Words: Words{"Server command", "服务端命令"}},
	{Name: "tool", Words: Words{"Tool", "测试工具"}},
	{Name: "tool_version", Words: Words{"Tool version", "工具版本"}},
	{Name: "hardware", Workload: true, Words: Words{"Hardware", "硬件"}},
	{Name: "accelerators", Type: Integer, Workload: true, Words: Words{"Accelerators", "加速器数量"}},
	{Name: "parallelism", Words: Words{"Parallelism", "并行方式"}},
	{Name: "power_mode", Workload: true, Words: Words{"Power mode", "功耗模式"}},
	{Name: "power_scope", Words: Words{"Power measured at", "功率测量位置"}},
	{Name: "clocks", Words: Words{"Clocks", "时钟频率"}},
	{Name: "scenario", Workload: true, Words: Words{"Scenario", "场景"}},
	{Name: "load", Words: Words{"Load", "负载"}},
	{Name: "max_concurrency", Type: Integer, Words: Words{"Concurrency", "并发数"}},
	{Name: "request_rate", Type: Number, Words: Words{"Request rate", "请求速率"}},
	{Name: "num_prompts", Type: Integer, Words: Words{"Prompts", "请求数"}},
	{Name: "dataset", Workload: true, Words: Words{"Dataset", "数据集"}},
	{Name: "input_len", Type: Integer, Workload: true, Words: Words{"Input length", "输入长度"}},
	{Name: "output_len", Type: Integer, Workload: true, Words: Words{"Output length", "输出长度"}},
	{Name: "burstiness", Type: Number, Words: Words{"Burstiness", "突发度"}},
	{Name: "seed", Type: Integer, Words: Words{"Seed", "随机种子"}},
	{Name: "prefix_caching", Type: Boolean, Words: Words{"Prefix caching", "前缀缓存"}},
	{Name: "ignore_eos", Type: Boolean, Words: Words{"Ignore EOS", "忽略 EOS"}},
	{Name: "speculative_decoding", Words: Words{"Speculative decoding", "投机解码"}},
	{Name: "batch_size", Type: Integer, Words: Words{"Batch size", "批大小"}},
	{Name: "context_depth", Type: Integer, Words: Words{"Context depth", "上下文深度"}},
	{Name: "threads", Type: Integer, Words: Words{"Threads", "线程数"}},
	{Name: "gpu_layers", Type: Integer, Words: Words{"GPU layers", "GPU 层数"}},
	{Name: "flash_attention", Type: Boolean, Words: Words{"Flash attention", "Flash Attention"}},
	{Name: "attention_backend", Words: Words{"Attention backend", "注意力后端"}},
	{Name: "kv_cache_dtype", Words: Words{"KV cache data type", "KV 缓存数据类型"}},
	{Name: "kv_cache_type_k", Words: Words{"K cache type", "K 缓存类型"}},
	{Name: "kv_cache_type_v", Words: Words{"V cache type", "V 缓存类型"}},
	{Name: "backend", Words: Words{"Backend", "后端"}},
	{Name: "device", Words: Words{"Device", "设备"}},
	{Name: "gpu", Words: Words{"GPU", "GPU"}},
	{Name: "device_count", Type: Integer, Words: Words{"Devices seen", "检测到的设备数"}},
	{Name: "logical_batch_size", Type: Integer, Words: Words{"Prompt batch (tokens)", "提示批大小（token）"}},
	{Name: "micro_batch_size", Type: Integer, Words: Words{"Micro-batch (tokens)", "微批大小（token）"}},
	{Name: "threads_batch", Type: Integer, Words: Words{"Threads for prompts", "提示处理线程数"}},
	{Name: "split_mode", Words: Words{"Split mode", "切分方式"}},
	{Name: "tensor_split", Words: Words{"Tensor split", "张量切分"}},
	{Name: "n_cpu_moe", Type: Integer, Words: Words{"MoE layers on the CPU", "CPU 上的 MoE 层数"}},
	{Name: "cpu_offload", Type: Boolean, Words: Words{"Weights on the CPU", "权重卸载到 CPU"}},
	{Name: "enforce_eager", Type: Boolean, Words: Words{"Eager mode", "Eager 模式"}},
	{Name: "speculative_tokens", Type: Integer, Words: Words{"Drafted tokens", "投机 token 数"}},
	{Name: "dataset_path", Words: Words{"Dataset file", "数据集文件"}},
	{Name: "dataset_subset", Words: Words{"Dataset subset", "数据集子集"}},
	{Name: "dataset_split", Words: Words{"Dataset split", "数据集划分"}},
	{Name: "temperature", Type: Number, Words: Words{"Temperature", "温度"}},
	{Name: "max_num_seqs", Type: Integer, Words: Words{"Sequences at once, at most", "最大并行序列数"}},
	{Name: "max_num_batched_tokens", Type: Integer, Words: Words{"Tokens per step, at most", "每步最大 token 数"}},
	{Name: "chunked_prefill_size", Type: Integer, Words: Words{"Prefill chunk", "预填充分块大小"}},
	{Name: "max_model_len", Type: Integer, Words: Words{"Context limit", "上下文上限"}},
	{Name: "context_size", Type: Integer, Words: Words{"Context size", "上下文大小"}},
	{Name: "gpu_memory_utilization", Type: Number, Words: Words{"GPU memory share", "显存占比"}},
	{Name: "mem_fraction_static", Type: Number, Words: Words{"Static memory share", "静态显存占比"}},
	{Name: "prompts_per_request", Type: Integer, Words: Words{"Prompts per request", "每个请求的提示数"}},
	{Name: "random_prefix_len", Type: Integer, Words: Words{"Shared prefix", "共享前缀长度"}},
	{Name: "random_range_ratio", Type: Number, Words: Words{"Length range ratio", "长度范围比"}},
	{Name: "goodput_slo", Words: Words{"Goodput SLO", "Goodput 的 SLO"}},
	{Name: "dp_attention", Type: Boolean, Words: Words{"DP attention", "DP 注意力"}},
	{Name: "dtype", Words: Words{"Data type", "数据类型"}},
	{Name: "quantization_type", Words: Words{"Quantization type", "量化类型"}},
	{Name: "endpoint", Words: Words{"Endpoint", "接口路径"}},
	{Name: "endpoint_type", Words: Words{"Endpoint type", "接口类型"}},
	{Name: "streaming", Type: Boolean, Words: Words{"Streaming", "流式输出"}},
	{Name: "disaggregated", Type: Boolean, Words: Words{"Prefill and decode apart", "预填充与解码分离"}},
	{Name: "date", Type: Day, Words: Words{"Date", "日期"}},
	{Name: "repeat", Type: Integer, Words: Words{"Repeat", "重复"}},
	{Name: "section", Words: Words{"Section", "章节"}},
	{Name: "phase", Words: Words{"Phase", "阶段"}},
	{Name: "status", Words: Words{"Status", "状态"}},
	{Name: "campaign", Words: Words{"Campaign", "测试批次"}},
	{Name: "id", Words: Words{"Run", "运行"}},
	{Name: "format", Words: Words{"Format", "格式"}},
	{Name: "task", Words: Words{"Task", "任务"}},
	{Name: "quality_metric", Words: Words{"Quality metric", "质量指标"}},
	{Name: "fewshot", Type: Integer, Words: Words{"Few-shot examples", "少样本示例数"}},
	{Name: "filter", Words: Words{"Filter", "过滤器"}},
	{Name: "x_host", Words: Words{"Host", "主机"}},
	{Name: "x_host_memory", Type: Quantity, Unit: "B", Words: Words{"Host memory", "主机内存"}},
	{Name: "x_started", Words: Words{"Started", "开始时间"}},
	{Name: "x_ended", Words: Words{"Ended", "结束时间"}},
	{Name: "x_exit_code", Type: Integer, Words: Words{"Exit code", "退出码"}},
	{Name: "x_signal", Words: Words{"Ended by signal", "终止信号"}},
	{Name: "x_git_revision", Words: Words{"Git revision", "Git 版本"}},
	{Name: "x_sweep", Words: Words{"Sweep", "参数扫描"}},
	{Name: "x_command", Words: Words{"Command", "命令"}},
	{Name: "weight_size", Type: Quantity, Unit: "B", Better: Lower, Words: Words{"Weights", "权重大小"}},
	{Name: "params", Type: Parameters, Words: Words{"Parameters", "参数量"}},
	{Name: "active_params", Type: Parameters, Words: Words{"Active parameters", "激活参数量"}},
	{Name: "base_model", Words: Words{"Base model", "基础模型"}},
	{Name: "memory", Type: Quantity, Unit: "B", Words: Words{"Memory", "内存"}},
	{Name: "memory_bandwidth", Type: Quantity, Unit: "B/s", Words: Words{"Memory bandwidth", "内存带宽"}},
	{Name: "compute_peak", Type: Quantity, Unit: "FLOP/s", Words: Words{"Compute peak (dense)", "算力峰值（稠密）"}},
	{Name: "compute_type", Words: Words{"Compute data type", "计算数据类型"}},
	{Name: "price_per_hour", Words: Words{"Price per hour", "每小时价格"}},
	{Name: "price_date", Type: Day, Words: Words{"Date of the price", "价格日期"}},
	{Name: "image", Words: Words{"Container image", "容器镜像"}},
	{Name: "os", Words: Words{"Operating system", "操作系统"}},
	{Name: "published", Type: Day, Words: Words{"Published", "公布日期"}},
	{Name: "source", Words: Words{"Source", "来源"}},
	{Name: "active_weight_size", Type: Quantity, Unit: "B", Words: Words{"Weights read for one token", "每个 token 读取的权重"}},
	{Name: "kv_cache_per_token", Type: Quantity, Unit: "B", Words: Words{"KV cache per token", "每 token 的 KV 缓存"}},
	{Name: "answer_length", Type: Number, Words: Words{"Answer length", "回答长度"}},
}
