package audit

import "testing"

// BenchmarkComplete judges a run that is consistent and violates the memory roofline.
func BenchmarkComplete(b *testing.B) {
	r := run(thor + "weight_size=8.9_G compute_peak=515_TFLOPS compute_type=FP8 kv_cache_per_token=147456_B " + fp8)
	b.ReportAllocs()
	var a Auditor
	for b.Loop() {
		again := *r
		a.Complete(&again)
	}
}

// BenchmarkCompletePlain judges a sound run on an unknown machine.
func BenchmarkCompletePlain(b *testing.B) {
	r := run(fp8)
	b.ReportAllocs()
	var a Auditor
	for b.Loop() {
		again := *r
		a.Complete(&again)
	}
}
