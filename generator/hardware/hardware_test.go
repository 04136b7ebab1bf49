package hardware

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		// As nvidia-smi and PyTorch print them.
		"NVIDIA H100 80GB HBM3":          "h100-sxm",
		"NVIDIA H100 PCIe":               "h100-pcie",
		"NVIDIA H100 NVL":                "h100-nvl",
		"NVIDIA H200":                    "h200-sxm",
		"NVIDIA H200 NVL":                "h200-nvl",
		"NVIDIA B200":                    "b200",
		"NVIDIA GB200":                   "gb200",
		"NVIDIA A100-SXM4-80GB":          "a100-sxm-80gb",
		"NVIDIA A100-SXM4-40GB":          "a100-sxm-40gb",
		"NVIDIA A100-PCIE-40GB":          "a100-pcie-40gb",
		"NVIDIA A100 80GB PCIe":          "a100-pcie-80gb",
		"Tesla V100-SXM2-32GB":           "v100-sxm2-32gb",
		"Tesla V100-PCIE-16GB":           "v100-pcie-16gb",
		"Tesla T4":                       "t4",
		"NVIDIA A10":                     "a10",
		"NVIDIA L40S":                    "l40s",
		"NVIDIA L4":                      "l4",
		"NVIDIA GeForce RTX 3090":        "rtx-3090",
		"NVIDIA GeForce RTX 4090":        "rtx-4090",
		"NVIDIA GeForce RTX 5090":        "rtx-5090",
		"NVIDIA RTX 6000 Ada Generation": "rtx-6000-ada",
		"NVIDIA RTX PRO 6000 Blackwell Workstation Edition": "rtx-pro-6000-blackwell-workstation",
		"NVIDIA RTX PRO 6000 Blackwell Server Edition":      "rtx-pro-6000-blackwell-server",
		"NVIDIA GB10":                                 "gb10",
		"NVIDIA Jetson AGX Thor Developer Kit":        "jetson-agx-thor",
		"NVIDIA Jetson Orin Nano Developer Kit Super": "jetson-orin-nano-8gb-super",
		"AMD Instinct MI300X OAM":                     "mi300x",
		"AMD Instinct MI325X":                         "mi325x",
		"HL-225":                                      "gaudi-2",
		"Apple M3 Ultra":                              "m3-ultra",

		// As people write them.
		"Jetson AGX Thor":               "jetson-agx-thor",
		"jetson-agx-thor":               "jetson-agx-thor",
		"Jetson AGX Thor 128 GB":        "jetson-agx-thor",
		"rtx4090":                       "rtx-4090",
		"RTX_4090":                      "rtx-4090",
		"H100-SXM5-80GB":                "h100-sxm",
		"Intel(R) Gaudi(R) 3":           "gaudi-3",
		"NVIDIA A10 Tensor Core GPU":    "a10",
		"NVIDIA Jetson AGX Orin (64GB)": "jetson-agx-orin-64gb",
		"Apple M4 Max (40-core GPU)":    "m4-max-40-core-gpu",

		// What several variants share, and what is none of ours.
		"":                                   "",
		"NVIDIA":                             "",
		"GPU":                                "",
		"A100":                               "",
		"NVIDIA A100":                        "",
		"A100 80GB":                          "",
		"H100":                               "",
		"H100 80GB":                          "",
		"V100":                               "",
		"Apple M4 Max":                       "",
		"NVIDIA Thor":                        "", // T4000 and T5000
		"Jetson AGX Orin":                    "", // 32 and 64 GB
		"Jetson Orin Nano":                   "", // 4 and 8 GB, with and without Super
		"RTX PRO 6000 Blackwell":             "",
		"RTX 6000":                           "", // Quadro, Ada and PRO
		"NVIDIA GeForce RTX 4090 Laptop GPU": "",
		"NVIDIA GeForce RTX 4090 D":          "",
		"NVIDIA GeForce RTX 3090 Ti":         "",
		"NVIDIA A10G":                        "",
		"NVIDIA L40":                         "",
		"NVIDIA H100 80GB HBM3 MIG 1g.10gb":  "",
		"8x NVIDIA H100 80GB HBM3":           "",
	} {
		s, ok := Find(name)
		if s.ID != want || ok != (want != "") {
			t.Errorf("%q is %q, not %q", name, s.ID, want)
		}
	}
}

// Each name, as ids, names and further names are compared, means one of them.
func TestNamesAreUnique(t *testing.T) {
	for i, s := range table {
		for _, name := range append([]string{s.ID, s.Name}, s.also...) {
			if found := byName[plain(name)]; found != i {
				t.Errorf("%q means %s and %s", name, s.ID, table[found].ID)
			}
		}
	}
}

// Each figure has the vendor's magnitude: a slip of a power of ten or a sparse
// peak beside dense ones stands out.
func TestTable(t *testing.T) {
	for _, s := range table {
		if s.ID != strings.ToLower(s.ID) || s.Name == "" || s.Source == "" {
			t.Errorf("%+v lacks a name or source", s)
		}
		if s.Memory != 0 && (s.Memory < 8e9 || s.Memory > 300e9) || s.Bandwidth < 100e9 || s.Bandwidth > 10e12 {
			t.Errorf("%s: %d bytes at %g B/s", s.ID, s.Memory, s.Bandwidth)
		}
		for dtype, flops := range s.Peak {
			if flops < 30e12 || flops > 11e15 {
				t.Errorf("%s: %s %g FLOP/s", s.ID, dtype, flops)
			}
		}
		// Half the bits are twice the rate. The first pair takes FP16 where
		// BF16 is slowed by its sum in FP32.
		wider := max(s.Peak["BF16"], s.Peak["FP16"])
		for _, pair := range [][2]float64{{wider, s.Peak["INT8"]}, {s.Peak["FP8"], s.Peak["FP4"]}} {
			if ratio := pair[1] / pair[0]; pair[0] != 0 && pair[1] != 0 && (ratio < 1.98 || ratio > 2.03) {
				t.Errorf("%s: %g to %g FLOP/s", s.ID, pair[0], pair[1])
			}
		}
	}
}

func TestThor(t *testing.T) {
	s, _ := Find("AGX Thor")
	if s.Bandwidth != 273e9 || s.Memory != 128e9 || len(s.Peak) != 3 || s.Peak["BF16"] != 257e12 || s.Peak["FP8"] != 515e12 || s.Peak["FP4"] != 1030e12 {
		t.Errorf("%+v", s)
	}
}

// What vendors print "with sparsity" is halved.
func TestPeaksAreDense(t *testing.T) {
	for _, test := range []struct {
		hardware, dtype string
		tflops          float64
	}{
		{"h100-sxm", "BF16", 989.5},                    // 1,979 / 2
		{"h100-sxm", "FP8", 1979},                      // 3,958 / 2
		{"l40s", "BF16", 366.5},                        // 733 / 2, not the 362.05 beside it
		{"rtx-5090", "FP4", 1676},                      // of 1676/3352, the "3352 AI TOPS"
		{"b200", "FP4", 9000},                          // 18,000 / 2
		{"rtx-pro-6000-blackwell-server", "FP4", 2000}, // 4,000 / 2
		{"jetson-orin-nano-8gb-super", "INT8", 33.5},   // 67 / 2
		{"mi355x", "FP8", 5033.2},                      // AMD prints 5.03 dense, 10.1 PFLOPS with sparsity
	} {
		s, _ := Find(test.hardware)
		if s.Peak[test.dtype] != test.tflops*1e12 {
			t.Errorf("%s of %s: %g, not %g TFLOPS", test.dtype, test.hardware, s.Peak[test.dtype]/1e12, test.tflops)
		}
	}
}

// Where a vendor's documents differ, the larger bandwidth stands.
func TestBandwidthIsNotRoundedDown(t *testing.T) {
	for id, gbps := range map[string]float64{
		"t4":                         320,   // 256 bits · 10 Gbit/s; the sheet says 300
		"h100-pcie":                  2039,  // else 2 TB/s
		"h100-nvl":                   3938,  // else 3.9 TB/s
		"b200":                       8000,  // 64 TB/s of eight; else 7.7
		"jetson-orin-nx-16gb":        102.4, // 128 bits · 6.4 Gbit/s; the sheet says 102
		"jetson-orin-nano-8gb-super": 102.4,
	} {
		if s, _ := Find(id); s.Bandwidth != gbps*1e9 {
			t.Errorf("%s: %g, not %g GB/s", id, s.Bandwidth/1e9, gbps)
		}
	}
}

func TestComputeType(t *testing.T) {
	for dtype, labels := range map[string]string{
		"BF16": "BF16 bfloat16 FP16 float16 F16 none AWQ AWQ-4bit AWQ-8bit GPTQ GPTQ-Int4 GPTQ-Int8 W4A16 W8A16 Int4-W4A16 INT4 bitsandbytes bnb-4bit NF4 NVFP4A16 FP8-W8A16",
		"FP8":  "FP8 fp8 FP8-dynamic FP8_BLOCK W8A8-FP8 FP8-W8A8 MXFP8",
		"INT8": "INT8 W8A8 W8A8-INT8 INT8-W8A8 Q4_K_M q5_k_m Q4_0 Q8_0 IQ4_XS UD-Q4_K_XL Q6_K TQ1_0",
		"FP4":  "NVFP4 FP4 MXFP4 W4A4 nvfp4",
		"":     "W4A8 FP32 FP6 4.5bpw Q QAT mixed Qwen3",
	} {
		for _, label := range strings.Fields(labels) {
			if got := ComputeType(label); got != dtype {
				t.Errorf("%s computes in %q, not %q", label, got, dtype)
			}
		}
	}
	if got := ComputeType(""); got != "" {
		t.Errorf("no label computes in %q", got)
	}
}

func TestPeakFor(t *testing.T) {
	for _, test := range []struct {
		hardware, quantization string
		tflops                 float64 // 0 for none
		dtype                  string
	}{
		{"jetson-agx-thor", "BF16", 257, "BF16"},
		{"jetson-agx-thor", "FP8", 515, "FP8"},
		{"jetson-agx-thor", "NVFP4", 1030, "FP4"},
		{"jetson-agx-thor", "MXFP4", 1030, "FP4"},
		{"jetson-agx-thor", "W4A16", 257, "BF16"},
		{"jetson-agx-thor", "Q5_K_M", 257, "BF16"}, // no INT8 figure
		{"jetson-agx-thor", "W8A8", 0, ""},         // no INT8 figure
		{"h100-sxm", "NVFP4", 989.5, "BF16"},       // weights unpacked
		{"h100-sxm", "MXFP4", 989.5, "BF16"},
		{"h100-sxm", "W8A8", 1979, "INT8"},
		{"a100-sxm-80gb", "FP8", 0, ""}, // no FP8
		{"rtx-4090", "BF16", 165.2, "BF16"},
		{"rtx-4090", "AWQ", 330.3, "FP16"}, // summed in FP16, where the engine allows it
		{"rtx-4090", "FP16", 330.3, "FP16"},
		{"rtx-4090", "Q4_K_M", 660.6, "INT8"},
		{"v100-sxm2-32gb", "Q4_K_M", 125, "FP16"},
		{"v100-sxm2-32gb", "BF16", 0, ""}, // Volta has none
		{"t4", "AWQ", 65, "FP16"},
		{"m2-ultra", "Q4_K_M", 0, ""},
		{"h100-sxm", "W4A8", 0, ""},
		{"h100-sxm", "", 0, ""},
	} {
		s, ok := Find(test.hardware)
		if !ok {
			t.Fatal(test.hardware)
		}
		flops, dtype, ok := s.PeakFor(test.quantization)
		if flops != test.tflops*1e12 || dtype != test.dtype || ok != (test.tflops != 0) {
			t.Errorf("%s of %s: %g %s %v, not %g %s", test.quantization, test.hardware, flops, dtype, ok, test.tflops*1e12, test.dtype)
		}
	}
}

// A site's own peaks are asked the same way.
func TestPeakForOwnFigures(t *testing.T) {
	s := Spec{Peak: map[string]float64{"BF16": 257e12}}
	if flops, dtype, ok := s.PeakFor("GPTQ-Int4"); !ok || flops != 257e12 || dtype != "BF16" {
		t.Errorf("%g %s %v", flops, dtype, ok)
	}
}
