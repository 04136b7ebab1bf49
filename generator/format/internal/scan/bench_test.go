package scan

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// requestList returns what benchmarks save of single requests: lists of numbers and of objects.
func requestList() []byte {
	var b strings.Builder
	b.WriteString(`{"model_id": "m", "itls": [`)
	for i := range 2000 {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "[%.17g, %.17g, %.17g]", 0.1/float64(i+1), 0.2/float64(i+1), 0.3/float64(i+1))
	}
	b.WriteString(`], "requests": [`)
	for i := range 2000 {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `{"id": "request-%d", "ttft": %.6f, "ok": true, "tokens": {"in": %d, "out": %d}}`, i, 0.1/float64(i+1), i, 2*i)
	}
	b.WriteString("]}\n")
	return []byte(b.String())
}

// BenchmarkDocument compares building the tree of a document with reading only the tokens of jsontext, which keeps no
// values, counts no lines and rejects NaN.
func BenchmarkDocument(b *testing.B) {
	text := requestList()
	b.Run("scan", func(b *testing.B) {
		m := NewMemory()
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			w := m.Over(bytes.NewReader(text))
			s := NewScanner(&w, 1)
			t := s.Next()
			build := NewBuilder(m, &s)
			if v := build.Object(t, nil); v.Get("requests").Count != 2000 {
				b.Fatal(v.Get("requests").Count)
			}
			m.Forget()
		}
	})
	b.Run("jsontext", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		d := jsontext.NewDecoder(strings.NewReader(""))
		for b.Loop() {
			d.Reset(bytes.NewReader(text))
			sum := 0.0
			for {
				t, err := d.ReadToken()
				if err == io.EOF {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
				if t.Kind() == '0' {
					sum += t.Float()
				}
			}
			if sum == 0 {
				b.Fatal("nothing read")
			}
		}
	})
}

func BenchmarkParseNumber(b *testing.B) {
	for _, text := range []string{"0.0123", "0.012345678901234567"} {
		b.Run(strconv.Itoa(len(text)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := ParseNumber([]byte(text)); !ok {
					b.Fatal(text)
				}
			}
		})
	}
}
