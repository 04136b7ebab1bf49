package weights

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// ggufFile returns a GGUF file of version 3 that ends after its header. Metadata are key=value, where numbers are
// UINT32; tensors are "name type dims".
func ggufFile(metadata []string, tensors ...string) string {
	le := binary.LittleEndian
	text := func(b []byte, s string) []byte { return append(le.AppendUint64(b, uint64(len(s))), s...) }
	b := le.AppendUint32([]byte("GGUF"), 3)
	b = le.AppendUint64(b, uint64(len(tensors)))
	b = le.AppendUint64(b, uint64(len(metadata)+2))
	b = le.AppendUint32(text(b, "tokenizer.ggml.tokens"), ggufArray)
	b = le.AppendUint64(le.AppendUint32(b, ggufString), 2)
	b = text(text(b, "<s>"), "</s>")
	b = le.AppendUint32(text(b, "tokenizer.ggml.scores"), ggufArray)
	b = le.AppendUint64(le.AppendUint32(b, 6), 2) // FLOAT32
	b = append(b, make([]byte, 8)...)
	for _, entry := range metadata {
		key, value, _ := strings.Cut(entry, "=")
		b = text(b, key)
		var figure uint32
		if n, _ := fmt.Sscanf(value, "%d", &figure); n == 1 {
			b = le.AppendUint32(le.AppendUint32(b, 4), figure)
		} else {
			b = text(le.AppendUint32(b, ggufString), value)
		}
	}
	for _, entry := range tensors {
		fields := strings.Fields(entry)
		b = le.AppendUint32(text(b, fields[0]), uint32(len(fields)-2))
		var kind uint32
		fmt.Sscan(fields[1], &kind)
		for _, field := range fields[2:] {
			var size uint64
			fmt.Sscan(field, &size)
			b = le.AppendUint64(b, size)
		}
		b = le.AppendUint64(le.AppendUint32(b, kind), 0)
	}
	return string(b)
}

var qwen3GGUF = []string{"general.architecture=qwen3", "general.type=model", "general.file_type=17", "qwen3.block_count=1", "qwen3.context_length=40960",
	"qwen3.embedding_length=512", "qwen3.attention.head_count=4", "qwen3.attention.head_count_kv=2", "qwen3.attention.key_length=128", "qwen3.attention.value_length=128"}

// TestGGUF checks the sizes of a small model. A block of 256 elements has 176 bytes in Q5_K (type 13) and 210 in Q6_K
// (14). The table of 512·1000 has 2000·176 = 352,000 bytes, the head 2000·210 = 420,000, the matrix of 512·512 has
// 1024·176 = 180,224, and the norm of 512 and 64 rotation factors in 32 bits have 2,304.
func TestGGUF(t *testing.T) {
	t.Parallel()
	f, told := read(t, map[string]string{
		"config.json": qwen3, // of the model from which it was made
		"Qwen3-Q5_K_M.gguf": ggufFile(qwen3GGUF, "token_embd.weight 13 512 1000", "output.weight 14 512 1000", "output_norm.weight 0 512",
			"blk.0.attn_q.weight 13 512 512", "rope_freqs.weight 0 64"),
	})
	want := `bytes 954528 m/Qwen3-Q5_K_M.gguf
active 602528 m/Qwen3-Q5_K_M.gguf
params 1286720 m/Qwen3-Q5_K_M.gguf
active params 1286720 m/Qwen3-Q5_K_M.gguf
kv 1024 m/Qwen3-Q5_K_M.gguf
context 40960 m/Qwen3-Q5_K_M.gguf
Q5_K_M m/Qwen3-Q5_K_M.gguf`
	if got := say(f); got != want || told != "" || len(f.Files) != 2 {
		t.Errorf("got\n%s\n%s %s", got, told, f.Files)
	}
}

// TestGGUFOfATiedModel checks that the table is read as the head if output.weight is absent.
func TestGGUFOfATiedModel(t *testing.T) {
	t.Parallel()
	f, _ := read(t, map[string]string{"x.gguf": ggufFile(qwen3GGUF, "token_embd.weight 13 512 1000", "blk.0.attn_q.weight 13 512 512")})
	if f.ActiveBytes.Value != 352_000+180_224 || f.Bytes != f.ActiveBytes {
		t.Errorf("%s", say(f))
	}
}

// TestGGUFOfAMixture checks that 2 of 4 experts of 256·32 elements in Q4_0 (type 2, 18 bytes for 32) are read, which is
// half of 4·4,608 bytes. Block 1 is for multi-token prediction, and block_count includes it.
func TestGGUFOfAMixture(t *testing.T) {
	t.Parallel()
	meta := []string{"general.architecture=glm4moe", "glm4moe.block_count=2", "glm4moe.nextn_predict_layers=1", "glm4moe.expert_count=4", "glm4moe.expert_used_count=2"}
	for name, expertTensors := range map[string][]string{
		"stacked": {"blk.0.ffn_up_exps.weight 2 256 32 4"},
		"single":  {"blk.0.ffn_up.0.weight 2 256 32", "blk.0.ffn_up.1.weight 2 256 32", "blk.0.ffn_up.2.weight 2 256 32", "blk.0.ffn_up.3.weight 2 256 32"},
	} {
		f, told := read(t, map[string]string{"x.gguf": ggufFile(meta, append(expertTensors,
			"token_embd.weight 1 256 10", "output.weight 1 256 10", "blk.0.ffn_up_shexp.weight 1 256 4", "blk.0.ffn_gate_inp.weight 0 256 4", "blk.1.attn_q.weight 1 256 4")...)})
		if f.Bytes.Value != 4*4608+2*5120+2048+4096+2048 || f.ActiveBytes.Value != 2*4608+5120+2048+4096 ||
			f.Params.Value != 4*8192+2*2560+3*1024 || f.ActiveParams.Value != 2*8192+2*2560+2*1024 || f.KVBytesPerToken.Known() || told != "" {
			t.Errorf("%s: %s %s", name, say(f), told)
		}
	}
}

func TestGGUFInParts(t *testing.T) {
	t.Parallel()
	one, two := ggufFile(qwen3GGUF, "token_embd.weight 13 512 1000"), ggufFile([]string{"split.no=1"}, "output.weight 14 512 1000", "blk.0.attn_q.weight 13 512 512")
	f, told := read(t, map[string]string{"q-00001-of-00002.gguf": one, "q-00002-of-00002.gguf": two, "mmproj-q.gguf": ggufFile([]string{"general.architecture=clip"}, "v.weight 1 8 8")})
	if f.Bytes.Value != 352_000+420_000+180_224 || f.ActiveBytes.Value != 420_000+180_224 || f.Quantization.Value != "Q5_K_M" || told != "" {
		t.Errorf("%s %s", say(f), told)
	}
	f, told = read(t, map[string]string{"q-00001-of-00002.gguf": one})
	if say(f) != "" || told != "m/q-00001-of-00002.gguf: info: q-00002-of-00002.gguf belongs to this and is missing, so the tensors do not give the size of the model" {
		t.Errorf("%s %s", say(f), told)
	}
}

func TestGGUFOfSeveralModels(t *testing.T) {
	t.Parallel()
	one := ggufFile(qwen3GGUF, "token_embd.weight 13 512 1000")
	f, told := read(t, map[string]string{"a.gguf": one, "b.gguf": one})
	if say(f) != "" || len(f.Files) != 2 || told != "m/a.gguf: info: this and b.gguf are of different models, so the size of the one that ran is not known" {
		t.Errorf("%s %s", say(f), told)
	}
	f, told = read(t, map[string]string{"a.gguf": one, "model.safetensors": tensors()})
	if say(f) != "" || told != "m/a.gguf: info: this and model.safetensors are of different models, so the size of the one that ran is not known" {
		t.Errorf("%s %s", say(f), told)
	}
}

// TestGGUFCache checks that the size of the KV cache is only known for plain attention.
func TestGGUFCache(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		change string
		want   int64
	}{
		{"", 1 * 2 * (128 + 128) * 2},
		{"qwen3.attention.sliding_window=512", 0},
		{"general.architecture=gemma3", 0},
		{"qwen3.attention.head_count=0", 0},
	} {
		meta := append(append([]string{}, qwen3GGUF...), test.change)
		if test.change == "" {
			meta = qwen3GGUF
		}
		f, told := read(t, map[string]string{"x.gguf": ggufFile(meta, "token_embd.weight 13 512 1000")})
		if f.KVBytesPerToken.Value != test.want || told != "" {
			t.Errorf("%s: %d B, not %d %s", test.change, f.KVBytesPerToken.Value, test.want, told)
		}
	}
}

// TestGGUFCacheOfAnOldFile checks a file of 2023 without further metadata: heads have 512/4 elements, and there are as
// many for keys as for queries.
func TestGGUFCacheOfAnOldFile(t *testing.T) {
	t.Parallel()
	f, _ := read(t, map[string]string{"x.gguf": ggufFile([]string{"general.architecture=llama", "llama.block_count=3", "llama.embedding_length=512",
		"llama.attention.head_count=4"}, "token_embd.weight 1 512 10")})
	if f.KVBytesPerToken.Value != 3*4*(128+128)*2 {
		t.Errorf("%s", say(f))
	}
}
