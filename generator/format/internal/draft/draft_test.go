package draft

import "testing"

// TestVersionsKeepTheirDigits checks that a version is not treated as a number: 0.10 follows 0.9 and is not 0.1.
func TestVersionsKeepTheirDigits(t *testing.T) {
	var s Draft
	s.Reset(NewFile(), "x", "y", 1)
	s.SetLabel("engine_version", []byte("0.10"), 1)
	s.SetLabel("x_scale", []byte("0.10"), 1)
	if v, n := s.Labels.Get("engine_version"), s.Labels.Get("x_scale"); v != "0.10" || n != "0.1" {
		t.Errorf("version %q, number %q", v, n)
	}
}
