package weights

import (
	"strings"
	"testing"
)

// check checks that sizes are not negative and that no part is larger than the whole, whatever a header claims.
func check(t *testing.T, c *census) {
	t.Helper()
	if c.totalBytes() < 0 || c.totalElements() < 0 || c.activeBytes(routing{2, 3}) > c.totalBytes() || c.activeElements(routing{2, 3}) > c.totalElements() {
		t.Errorf("%+v", c)
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(tensors(entry{"model.embed_tokens.weight", "BF16", []int{16, 8}}, entry{"model.layers.0.mlp.experts.1.w.weight", "F8_E4M3", []int{8, 8}}))
	f.Add("\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":{}}")
	f.Fuzz(func(t *testing.T, file string) {
		var c census
		if err := safetensors(strings.NewReader(file), int64(len(file)), func(x tensor) error { return c.add(x, placeInTransformers(x.name, 1)) }); err == nil {
			check(t, &c)
		}
	})
}

func FuzzGGUF(f *testing.F) {
	f.Add(ggufFile(qwen3GGUF, "token_embd.weight 13 512 1000", "blk.0.ffn_up_exps.weight 2 256 32 4", "blk.7.x.weight 0 3"))
	f.Add(ggufFile(nil))
	f.Fuzz(func(t *testing.T, file string) {
		meta, c, err := gguf(strings.NewReader(file), nil)
		if err != nil {
			return
		}
		check(t, c)
		if kv := meta.kvBytes(); kv < 0 {
			t.Errorf("a cache of %d bytes", kv)
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add(qwen3)
	f.Add(mixture)
	f.Add(`{"model_type": "deepseek_v3", "text_config": {"hidden_size": 8, "num_hidden_layers": 3, "model_type": "kimi_k2"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, is, err := parseConfig([]byte(text))
		if !is || err != nil {
			return
		}
		s, _ := c.count()
		if s.all() < 0 || s.active() < 0 || s.active() > s.all() || s.read() > s.all() || c.kvBytes() < 0 {
			t.Errorf("%+v, cache %d", s, c.kvBytes())
		}
		if line := c.line("hidden_size"); line < 1 || line > 1+strings.Count(text, "\n") {
			t.Errorf("line %d", line)
		}
	})
}
