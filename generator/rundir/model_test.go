package rundir

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// qwen05B is the config of Qwen2.5-0.5B: 494,032,768 parameters.
const qwen05B = `{"model_type": "qwen2", "vocab_size": 151936, "hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
"num_key_value_heads": 2, "intermediate_size": 4864, "tie_word_embeddings": true, "torch_dtype": "bfloat16"}`

func TestFigure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		v    float64
		want string
	}{
		{16.381470720, "16.38"}, {15.136811008, "15.14"}, {8.190735360, "8.191"}, {0.494032768, "0.4940"}, {671.0264192, "671.0"},
		{1026.4, "1026"}, {12346, "12350"}, {9.99996, "10.00"}, {0.000123456, "0.0001235"}, {1, "1.000"},
	} {
		if got := figure(test.v); got != test.want {
			t.Errorf("%g is %s, not %s", test.v, got, test.want)
		}
	}
}

// TestQuantizedWhileLoading checks that a 16-bit model file says nothing about the bytes read if an engine has
// quantised it, but still gives the number of parameters.
func TestQuantizedWhileLoading(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ toml, size, active, kv string }{
		{"", "0.9881 GB", "0.9881 GB", "12288 B"},
		{`quantization = "FP8"`, "", "", "12288 B"},
		{`quantization = "float16"`, "0.9881 GB", "0.9881 GB", "12288 B"},
		{"quantization = \"FP8\"\nweight_size = \"0.5 GB\"", "0.5 GB", "", "12288 B"},
		{`kv_cache_dtype = "fp8"`, "0.9881 GB", "0.9881 GB", ""},
		{`kv_cache_dtype = "auto"`, "0.9881 GB", "0.9881 GB", "12288 B"},
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, "config.json"), qwen05B)
		write(t, filepath.Join(root, "a.log"), block)
		write(t, filepath.Join(root, "run.toml"), test.toml)
		r := load(t, root, "runs").Results[0]
		if r.Label("weight_size") != test.size || r.Label("active_weight_size") != test.active || r.Label("kv_cache_per_token") != test.kv || r.Label("params") != "0.4940 G" {
			t.Errorf("%s: %v", test.toml, r.Labels)
		}
	}
}

// TestModelAgainstWhatWasRead checks that the model's files win over what is guessed from a name, and that a raw file's
// measured labels win over them.
func TestModelAgainstWhatWasRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "config.json"), qwen05B)
	write(t, filepath.Join(root, "a.log"), block)
	for origin, want := range map[result.Origin]string{result.Guessed: "BF16", result.Measured: "FP16"} {
		read := func(path, name string, _ filemark.Mark) (format.Output, error) {
			out, err := format.ReadFile(path, name)
			out.Results[0].Labels.Set(result.Label{Name: "quantization", Value: "FP16", Origin: origin})
			return out, err
		}
		d, err := Load(root, Options{Name: "runs", Read: read})
		if err != nil || d.Results[0].Label("quantization") != want || len(d.Messages) != 0 {
			t.Errorf("%v: %v %v, error %v", origin, d.Results, d.Messages, err)
		}
	}
}

// TestModelBesideASingleFile checks that a single file gets the model beside it, and that a file of a model gives no
// result.
func TestModelBesideASingleFile(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "logs/x/config.json", qwen05B)
	write(t, "logs/x/high.log", block)
	d := load(t, "logs/x/high.log", "")
	l, _ := d.Results[0].Labels.Lookup("params")
	if l.Value != "0.4940 G" || l.Pos.String() != "logs/x/config.json:1" || len(d.Messages) != 0 {
		t.Errorf("%+v %v", l, d.Messages)
	}
	d = load(t, "logs/x/config.json", "")
	if len(d.Results) != 0 || len(d.Unread) != 1 || !reflect.DeepEqual(d.Unread[0], unread.File{Name: "logs/x/config.json", Kind: unread.Other, Reason: locale.Textf("a file of a model, not a result")}) {
		t.Errorf("%v %v", d.Results, d.Unread)
	}
}
