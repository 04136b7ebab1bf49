package weights

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestHeaderSize checks that Read finds the same in a file truncated to its header.
func TestHeaderSize(t *testing.T) {
	t.Parallel()
	header := `{"a":{"dtype":"BF16","shape":[4,4],"data_offsets":[0,32]}}`
	tensors := string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header + strings.Repeat("w", 1<<20)
	for name, text := range map[string]string{
		"a.safetensors": tensors, "a.gguf": ggufFile([]string{}) + strings.Repeat("w", 1<<20),
		"short.safetensors": "abc", "empty.safetensors": "", "other.safetensors": strings.Repeat("\xff", 1<<10), "empty.gguf": "", "other.gguf": strings.Repeat("text ", 1<<16),
	} {
		whole, cut := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(whole, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		n, err := HeaderSize(filepath.Join(whole, name))
		if err != nil || n > 1<<18 {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
		if err := os.WriteFile(filepath.Join(cut, name), []byte(text[:min(int(n), len(text))]), 0o644); err != nil {
			t.Fatal(err)
		}
		facts, ms := Read(whole, "m", []string{name})
		again, others := Read(cut, "m", []string{name})
		if !reflect.DeepEqual(facts, again) || !reflect.DeepEqual(ms, others) {
			t.Errorf("%s: %+v %v, and of %d bytes %+v %v", name, facts, ms, n, again, others)
		}
	}
}
