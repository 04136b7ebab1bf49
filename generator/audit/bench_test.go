package audit

import "testing"

// BenchmarkRaised judges a run that agrees with itself and breaks the memory
// roofline.
func BenchmarkRaised(b *testing.B) {
	r := run(thor + "weight_size=8.9_G compute_peak=515_TFLOPS compute_type=FP8 kv_cache_per_token=147456_B " + fp8)
	b.ReportAllocs()
	for b.Loop() {
		Raised(r)
	}
}

func BenchmarkRaisedPlain(b *testing.B) {
	r := run(fp8)
	b.ReportAllocs()
	for b.Loop() {
		Raised(r)
	}
}

func BenchmarkDerive(b *testing.B) {
	r := run(fp8)
	n := len(r.Metrics)
	b.ReportAllocs()
	for b.Loop() {
		r.Metrics = r.Metrics[:n]
		Derive(r)
	}
}
