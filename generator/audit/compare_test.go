package audit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// differencesOf formats differences as "setting (common): value×runs | value×runs".
func differencesOf(rs []*result.Result, laid ...string) string {
	var out []string
	for _, d := range Differences(rs, laid) {
		var within, values []string
		for _, l := range d.Within {
			within = append(within, l.Value)
		}
		for _, v := range d.Values {
			values = append(values, fmt.Sprintf("%s×%d", v.Text, len(v.Runs)))
		}
		name := d.Setting
		if len(within) > 0 {
			name += " (" + strings.Join(within, " ") + ")"
		}
		out = append(out, name+": "+strings.Join(values, " | "))
	}
	return strings.Join(out, "; ")
}

func TestDifferences(t *testing.T) {
	runs := func(fields ...string) []*result.Result {
		var rs []*result.Result
		for i, f := range fields {
			r := run(f)
			r.ID = fmt.Sprint(i)
			rs = append(rs, r)
		}
		return rs
	}
	for _, c := range []struct {
		name string
		runs []*result.Result
		laid []string
		want string
	}{
		{"alike", runs("model=A num_prompts=100", "model=B num_prompts=100"), []string{"model"}, ""},
		{"prompts", runs("model=A num_prompts=100", "model=B num_prompts=200", "model=C num_prompts=100"), []string{"model"}, "num_prompts: 100×2 | 200×1"},
		{"a load explains its concurrency", runs("model=A load=high max_concurrency=8 num_prompts=100", "model=A load=low max_concurrency=1 num_prompts=10"), []string{"model", "load"}, ""},
		{"but not within the load", runs("model=A load=low max_concurrency=1 num_prompts=10", "model=B load=low max_concurrency=1 num_prompts=1"), []string{"model", "load"}, "num_prompts (low): 1×1 | 10×1"},
		{"a model explains no engine", runs("model=A engine_version=0.9", "model=B engine_version=0.10"), []string{"model"}, "engine_version: 0.9×1 | 0.10×1"},
		{"an engine explains its version", runs("engine=vllm engine_version=0.9", "engine=sglang engine_version=0.5"), []string{"engine"}, ""},
		{"what is laid out may differ", runs("clocks=free", "clocks=locked"), []string{"clocks"}, ""},
		{"who does not tell is not held against the others", runs("model=A seed=1", "model=B"), []string{"model"}, ""},
		{"a scenario explains its lengths", runs("scenario=chat input_len=128 output_len=64", "scenario=long input_len=1024 output_len=128"), []string{"scenario"}, ""},
		// 12392/100 = 123.9 and 128.0 are 3.2 % apart.
		{"answers", runs("model=A requests_completed:100 output_tokens:12392", "model=B requests_completed:100 output_tokens:12800"), []string{"model"}, "answer_length: 123.9×1 | 128.0×1"},
		// 126 and 128 are 1.6 % apart.
		{"answers within tolerance", runs("model=A requests_completed:100 output_tokens:12600", "model=B requests_completed:100 output_tokens:12800"), []string{"model"}, ""},
		{"requests sent stand for prompts", runs("model=A requests_completed:100", "model=B requests_completed:90 requests_failed:9"), []string{"model"}, "num_prompts: 99×1 | 100×1"},
		{"numbers and switches in other digits", runs("max_concurrency=8 prefix_caching=True", "max_concurrency=8.0 prefix_caching=true"), nil, ""},
		{"no bound in other words", runs("request_rate=inf", "request_rate=Infinity"), nil, ""},
		{"a bound and none", runs("request_rate=4", "request_rate=inf"), nil, "request_rate: 4×1 | inf×1"},
		{"a version is no number", runs("engine_version=0.1", "engine_version=0.10"), nil, "engine_version: 0.1×1 | 0.10×1"},
		{"other models on other hardware", runs("hardware=a model=A", "hardware=b model=B"), []string{"hardware"}, "model: A×1 | B×1"},
		{"a quantization is a model of its own", runs("quantization=FP8 model=A-FP8", "quantization=BF16 model=A"), []string{"quantization"}, ""},
		{"engines with other weights", runs("engine=vllm quantization=AWQ", "engine=llama.cpp quantization=Q4_K_M"), []string{"engine"}, "quantization: AWQ×1 | Q4 K M×1"},
		{"a data type belongs to the weights", runs("model=A-AWQ dtype=float16", "model=A dtype=bfloat16"), []string{"model"}, ""},
		{"a way of attention", runs("model=A flash_attention=1 kv_cache_type_k=q8_0", "model=B flash_attention=0 kv_cache_type_k=f16"), []string{"model"},
			"kv_cache_type_k: f16×1 | q8 0×1; flash_attention: 0×1 | 1×1"},
		{"layers that left the machine's memory", runs("gpu_layers=99", "gpu_layers=0 cpu_offload=true"), []string{"gpu_layers"}, ""},
		{"all layers in two numbers", runs("model=Qwen3-8B gpu_layers=99", "model=Qwen3-8B gpu_layers=999"), nil, ""},
		{"layers of a model that may have more", runs("model=A gpu_layers=99", "model=A gpu_layers=999"), nil, "gpu_layers: 99×1 | 999×1"},
		{"a model under the name of another", runs("model=Qwen3-8B params=12B gpu_layers=99", "model=Qwen3-8B params=12B gpu_layers=999"), nil, "gpu_layers: 99×1 | 999×1"},
		{"all layers but the output", runs("model=Qwen3-8B gpu_layers=36", "model=Qwen3-8B gpu_layers=99"), nil, "gpu_layers: 36×1 | all×1"},
		{"all layers of old builds", runs("model=Qwen3-8B gpu_layers=-1", "model=Qwen3-8B gpu_layers=99"), nil, "gpu_layers: -1×1 | all×1"},
		{"drafts", runs("model=A speculative_decoding=eagle", "model=B speculative_decoding=False"), []string{"model"}, "speculative_decoding: eagle×1 | false×1"},
		{"one run alone", runs("model=A seed=1"), []string{"model"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := differencesOf(c.runs, c.laid...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Of each label that has words it is decided whether runs have to agree in it: what a user or an engine sets, they do.
func TestEverySettingIsHeldAgainstRuns(t *testing.T) {
	const no = `
		model_raw model_revision tokenizer weight_size params active_params active_weight_size kv_cache_per_token base_model quantization_type which model
		server_command command endpoint endpoint_type dataset_path how it is called
		gpu device device_count memory memory_bandwidth compute_peak compute_type x_host x_host_memory price_per_hour price_date os python which machine
		max_model_len context_size gpu_memory_utilization mem_fraction_static room, not speed
		scenario load campaign section phase status id format repeat date published source x_started x_ended x_exit_code x_signal x_git_revision x_sweep x_command groups and records
		goodput_slo task quality_metric fewshot filter what a metric is of
		`
	held := append(Settings(), strings.Fields(no)...)
	for _, label := range vocabulary.Labels() {
		if !slices.Contains(held, label.Name) {
			t.Errorf("is %s a setting in which runs have to agree?", label.Name)
		}
	}
}

func TestOrderOfRunsChangesNoDifference(t *testing.T) {
	var rs []*result.Result
	for i := range 12 {
		r := run(fmt.Sprintf("model=%c num_prompts=%d engine_version=0.%d load=%d seed=%d requests_completed:100 output_tokens:%d", 'A'+i, 100*(i%3), i%2, i%2, i%4, 12000+70*i))
		r.ID = fmt.Sprint(i)
		rs = append(rs, r)
	}
	want := differencesOf(rs, "model", "load")
	if strings.Count(want, ";") < 3 {
		t.Fatalf("the runs differ in too little: %s", want)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(rs), func(i, j int) { rs[i], rs[j] = rs[j], rs[i] })
		if got := differencesOf(rs, "model", "load"); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}
