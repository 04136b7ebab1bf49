package catalogue

import "testing"

// FuzzFind: for any name, the functions return consistent results.
func FuzzFind(f *testing.F) {
	for _, name := range []string{"Qwen/Qwen3-30B-A3B-Instruct-2507-GGUF:Q4_K_M", "gpt-oss 20B MXFP4 MoE", "a/b/c-00001-of-00002.gguf", "w4a16", "8-bit", "q4", "+", "/", "Foo-40B-A4B"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		m, ok := Find(name)
		known, mixture := Mixture(name)
		if ok != (m.Name != "") || ok && (!known || mixture != m.Traits.Has(MoE)) || mixture && !known {
			t.Errorf("%q: %q, known %v, mixture %v", name, m.Name, known, mixture)
		}
		Mention(name)
		Quantization(name)
	})
}
