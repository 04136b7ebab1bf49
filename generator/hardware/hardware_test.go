package hardware

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// spellings lists names as vendors, tools and people write them, with the ids they mean.
const spellings = `
	NVIDIA H100 80GB HBM3 = h100-sxm
	NVIDIA H100 PCIe = h100-pcie
	NVIDIA H100 NVL = h100-nvl
	H100 NVL 94GB = h100-nvl
	H100 94GB = h100-nvl
	H100 = h100-sxm
	H100 80GB = h100-sxm
	H100 SXM = h100-sxm
	H100 SXM5 = h100-sxm
	H100-SXM5-80GB = h100-sxm
	H100 (SXM5, 80 GB) = h100-sxm
	h100-pcie-80gb = h100-pcie
	H100 HBM2e = h100-pcie
	HGX H100 = h100-sxm
	NVIDIA H200 = h200-sxm
	H200 SXM 141GB = h200-sxm
	NVIDIA H200 NVL = h200-nvl
	NVIDIA H20 = h20
	H20-96GB = h20
	H20 141GB = h20-141gb
	NVIDIA H20-3e 141GB =
	NVIDIA H800 = h800-sxm
	H800 PCIe = h800-pcie
	A800 = a800-sxm-80gb
	NVIDIA A800-SXM4-80GB = a800-sxm-80gb
	NVIDIA A800 80GB PCIe = a800-pcie-80gb
	NVIDIA GH200 480GB = gh200-96gb
	GH200 = gh200-144gb
	NVIDIA GH200 144G HBM3e = gh200-144gb
	NVIDIA B200 = b200
	B200 180GB = b200
	NVIDIA GB200 = gb200
	GB200 NVL72 = gb200
	NVIDIA B300 SXM = b300
	GB300 NVL72 = gb300
	NVIDIA A100-SXM4-80GB = a100-sxm-80gb
	NVIDIA A100-SXM4-40GB = a100-sxm-40gb
	NVIDIA A100-PCIE-40GB = a100-pcie-40gb
	NVIDIA A100 80GB PCIe = a100-pcie-80gb
	A100 = a100-sxm-80gb
	A100 80G = a100-sxm-80gb
	A100 40GB = a100-sxm-40gb
	A100 SXM = a100-sxm-80gb
	a100_80gb_sxm = a100-sxm-80gb
	Tesla V100-SXM2-32GB = v100-sxm2-32gb
	Tesla V100-PCIE-16GB = v100-pcie-16gb
	V100 = v100-sxm2-32gb
	V100 16GB = v100-sxm2-16gb
	V100S = v100s-pcie-32gb
	Tesla V100S-PCIE-32GB = v100s-pcie-32gb
	Tesla T4 = t4
	T4 16GB = t4
	Tesla P40 = p40
	P40 24GB = p40
	Tesla P4 = p4
	Tesla P100-PCIE-16GB = p100-pcie-16gb
	P100 = p100-sxm2
	Tesla M40 24GB = m40
	NVIDIA A2 = a2
	NVIDIA A10 = a10
	NVIDIA A10 Tensor Core GPU = a10
	NVIDIA A10G = a10g
	NVIDIA A16 = a16
	NVIDIA A30 = a30
	NVIDIA A40 = a40
	NVIDIA L4 = l4
	NVIDIA L20 = l20
	NVIDIA L40 = l40
	NVIDIA L40S = l40s
	L40S 48GB = l40s
	NVIDIA RTX A2000 12GB = rtx-a2000-12gb
	RTX A4000 = rtx-a4000
	NVIDIA RTX A4500 = rtx-a4500
	NVIDIA RTX A5000 = rtx-a5000
	NVIDIA RTX A5500 = rtx-a5500
	RTX A6000 48GB = rtx-a6000
	A6000 = rtx-a6000
	NVIDIA RTX 2000 Ada Generation = rtx-2000-ada
	RTX 4000 Ada = rtx-4000-ada
	NVIDIA RTX 4000 SFF Ada Generation = rtx-4000-sff-ada
	RTX 4500 Ada = rtx-4500-ada
	RTX 5000 Ada = rtx-5000-ada
	NVIDIA RTX 5880 Ada Generation = rtx-5880-ada
	NVIDIA RTX 6000 Ada Generation = rtx-6000-ada
	6000 Ada = rtx-6000-ada
	RTX 6000 = rtx-6000-ada
	A6000 Ada = rtx-6000-ada
	Quadro RTX 6000 = quadro-rtx-6000
	Quadro RTX 8000 = quadro-rtx-8000
	RTX PRO 4000 Blackwell = rtx-pro-4000-blackwell
	NVIDIA RTX PRO 4000 Blackwell SFF Edition = rtx-pro-4000-blackwell-sff
	RTX PRO 4500 = rtx-pro-4500-blackwell
	RTX PRO 5000 Blackwell 72GB = rtx-pro-5000-blackwell-72gb
	NVIDIA RTX PRO 6000 Blackwell Workstation Edition = rtx-pro-6000-blackwell-workstation
	NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition = rtx-pro-6000-blackwell-max-q
	NVIDIA RTX PRO 6000 Blackwell Server Edition = rtx-pro-6000-blackwell-server
	RTX PRO 6000 = rtx-pro-6000-blackwell-workstation
	RTX 6000 Pro = rtx-pro-6000-blackwell-workstation
	RTX PRO 6000 Max-Q = rtx-pro-6000-blackwell-max-q
	RTX PRO 6000 Blackwell 96GB = rtx-pro-6000-blackwell-workstation
	GTX 1080 Ti = gtx-1080-ti
	GTX1080Ti = gtx-1080-ti
	NVIDIA GeForce GTX 1060 6GB = gtx-1060
	NVIDIA GeForce GTX 1660 SUPER = gtx-1660-super
	NVIDIA GeForce RTX 2060 = rtx-2060
	RTX 2070 Super = rtx-2070-super
	NVIDIA GeForce RTX 2080 Ti = rtx-2080-ti
	2080Ti = rtx-2080-ti
	NVIDIA GeForce RTX 3050 = rtx-3050
	RTX 3060 = rtx-3060-12gb
	NVIDIA GeForce RTX 3060 Ti = rtx-3060-ti
	rtx3060ti = rtx-3060-ti
	RTX 3070 Ti = rtx-3070-ti
	RTX 3080 10GB = rtx-3080-10gb
	RTX 3080 = rtx-3080-12gb
	RTX 3080 Ti = rtx-3080-ti
	NVIDIA GeForce RTX 3090 = rtx-3090
	3090 = rtx-3090
	RTX 3090 24GB = rtx-3090
	RTX 3090 Ti = rtx-3090-ti
	rtx3090ti = rtx-3090-ti
	RTX 4060 = rtx-4060
	RTX 4060 Ti 16GB = rtx-4060-ti-16gb
	4060Ti 16G = rtx-4060-ti-16gb
	RTX 4070 = rtx-4070
	RTX 4070 SUPER = rtx-4070-super
	RTX 4070 Ti = rtx-4070-ti
	RTX 4070 Ti Super = rtx-4070-ti-super
	4070TiS =
	RTX 4080 = rtx-4080
	RTX 4080 SUPER = rtx-4080-super
	NVIDIA GeForce RTX 4090 = rtx-4090
	rtx4090 = rtx-4090
	RTX_4090 = rtx-4090
	GeForce RTX™ 4090 Founders Edition = rtx-4090
	NVIDIA GeForce RTX 4090 D = rtx-4090-d
	4090D = rtx-4090-d
	RTX 4090D 24G = rtx-4090-d
	NVIDIA GeForce RTX 4090 Laptop GPU = rtx-4090-laptop
	RTX 4090 Laptop = rtx-4090-laptop
	RTX 4090 笔记本 = rtx-4090-laptop
	RTX 4070 Laptop GPU = rtx-4070-laptop
	NVIDIA GeForce RTX 3060 Laptop GPU = rtx-3060-laptop
	RTX 5050 = rtx-5050
	RTX 5060 = rtx-5060
	RTX 5060 Ti 16GB = rtx-5060-ti-16gb
	RTX 5070 = rtx-5070
	RTX 5070 Ti = rtx-5070-ti
	RTX 5080 = rtx-5080
	NVIDIA GeForce RTX 5090 = rtx-5090
	RTX 5090 32GB = rtx-5090
	5090D = rtx-5090-d
	RTX 5090 D V2 = rtx-5090-d-v2
	NVIDIA GeForce RTX 5090 Laptop GPU = rtx-5090-laptop
	NVIDIA TITAN RTX = titan-rtx
	TITAN V = titan-v
	NVIDIA TITAN Xp = titan-xp
	NVIDIA GB10 = gb10
	DGX Spark = gb10
	NVIDIA DGX Spark (GB10) = gb10
	DGX Spark NVIDIA GB10 128GB unified = gb10
	ASUS Ascent GX10 = gb10
	GB10 Grace Blackwell Superchip = gb10
	Jetson Nano = jetson-nano
	NVIDIA Jetson Nano Developer Kit = jetson-nano
	Jetson TX2 = jetson-tx2
	Jetson Xavier NX = jetson-xavier-nx-16gb
	Jetson AGX Xavier = jetson-agx-xavier-64gb
	Jetson AGX Xavier 32GB = jetson-agx-xavier-32gb
	Jetson Orin Nano 4GB = jetson-orin-nano-4gb
	Jetson Orin Nano 8GB = jetson-orin-nano-8gb
	Jetson Orin Nano = jetson-orin-nano-8gb-super
	Jetson Orin Nano Super = jetson-orin-nano-8gb-super
	NVIDIA Jetson Orin Nano Developer Kit Super = jetson-orin-nano-8gb-super
	Orin Nano Super 8GB = jetson-orin-nano-8gb-super
	Jetson Orin NX 16GB = jetson-orin-nx-16gb
	Orin NX 8GB = jetson-orin-nx-8gb
	Jetson Orin NX = jetson-orin-nx-16gb
	Jetson AGX Orin = jetson-agx-orin-64gb
	Jetson AGX Orin Developer Kit = jetson-agx-orin-64gb
	NVIDIA Jetson AGX Orin (64GB) = jetson-agx-orin-64gb
	Jetson AGX Orin 32GB = jetson-agx-orin-32gb
	Orin AGX 64GB = jetson-agx-orin-64gb
	Orin = jetson-agx-orin-64gb
	Jetson AGX Thor = jetson-agx-thor
	jetson-agx-thor = jetson-agx-thor
	NVIDIA Jetson AGX Thor Developer Kit = jetson-agx-thor
	Jetson AGX Thor 128 GB = jetson-agx-thor
	Jetson AGX Thor T5000 = jetson-agx-thor
	Jetson T5000 = jetson-agx-thor
	NVIDIA Thor = jetson-agx-thor
	Jetson T4000 = jetson-t4000
	Jetson Thor T4000 = jetson-t4000
	AMD Instinct MI50 = mi50
	MI60 = mi60
	AMD Instinct MI100 = mi100
	AMD Instinct MI210 = mi210
	MI250 = mi250
	AMD Instinct MI250X = mi250x
	AMD Instinct MI300A = mi300a
	AMD Instinct MI300X OAM = mi300x
	MI300X 192GB = mi300x
	MI308X = mi308x
	AMD Instinct MI325X = mi325x
	MI350X = mi350x
	AMD Instinct MI355X = mi355x
	Radeon VII = radeon-vii
	RX 6600 XT = rx-6600-xt
	RX 6700 XT = rx-6700-xt
	AMD Radeon RX 6800 XT = rx-6800-xt
	RX6800 = rx-6800
	RX 6900 XT = rx-6900-xt
	AMD Radeon RX 7600 = rx-7600
	RX 7800 XT = rx-7800-xt
	RX 7900 GRE = rx-7900-gre
	RX 7900 XT = rx-7900-xt
	AMD Radeon RX 7900 XTX = rx-7900-xtx
	7900XTX = rx-7900-xtx
	RX 7900 XTX (RADV NAVI31) = rx-7900-xtx
	RX 9070 = rx-9070
	AMD Radeon RX 9070 XT = rx-9070-xt
	RX 9060 XT 16GB = rx-9060-xt-16gb
	AMD Radeon PRO W6800 = radeon-pro-w6800
	Radeon Pro W7900 = radeon-pro-w7900
	AMD Radeon AI PRO R9700 = radeon-ai-pro-r9700
	R9700 = radeon-ai-pro-r9700
	AMD Ryzen AI Max+ 395 = ryzen-ai-max-395
	Ryzen AI MAX+ 395 w/ Radeon 8060S = ryzen-ai-max-395
	AMD RYZEN AI MAX+ PRO 395 = ryzen-ai-max-395
	Strix Halo = ryzen-ai-max-395
	AMD Strix Halo 128GB = ryzen-ai-max-395
	Framework Desktop (Ryzen AI Max+ 395, 128GB) = ryzen-ai-max-395
	GMKtec EVO-X2 (Ryzen AI Max+ 395) = ryzen-ai-max-395
	AMD Radeon Graphics (RADV GFX1151) = ryzen-ai-max-395
	AMD Radeon 8060S Graphics (RADV STRIX_HALO) = ryzen-ai-max-395
	AMD Radeon 8060S Graphics (AMD open-source driver) = ryzen-ai-max-395
	AMD Radeon 8060S Graphics (RADV GFX1151) (radv) = ryzen-ai-max-395
	AMD Radeon RX 6800 XT (RADV NAVI21) = rx-6800-xt
	AMD Radeon Graphics =
	Radeon 780M = radeon-780m
	Radeon 890M = ryzen-ai-9-hx-370
	AMD EPYC 9654 96-Core Processor = epyc-9654
	Intel Arc A770 = arc-a770-16gb
	Intel(R) Arc(TM) A770 Graphics = arc-a770-16gb
	Intel Arc A770 8GB = arc-a770-8gb
	Arc A750 = arc-a750
	Intel Arc B580 = arc-b580
	Arc B570 = arc-b570
	Intel Arc Pro B60 24GB = arc-pro-b60
	Intel(R) Data Center GPU Max 1550 = max-1550
	Gaudi 2 = gaudi-2
	Gaudi2 = gaudi-2
	HL-225 = gaudi-2
	Intel(R) Gaudi(R) 3 = gaudi-3
	HL-325L = gaudi-3
	Apple M1 = m1
	M1 Pro = m1-pro
	Apple M1 Max = m1-max
	M1 Ultra = m1-ultra
	M2 = m2
	MacBook Air M2 = m2
	M2 Max = m2-max
	Mac Studio M2 Ultra = m2-ultra
	M2 Ultra (76-core GPU, 192GB) = m2-ultra
	Mac Studio (M2 Ultra, 192 GB) = m2-ultra
	M3 Pro = m3-pro
	M3 Max = m3-max-40-core-gpu
	MacBook Pro M3 Max = m3-max-40-core-gpu
	M3 Max 30-core GPU = m3-max-30-core-gpu
	Apple M3 Ultra = m3-ultra
	M3 Ultra 512GB = m3-ultra
	Apple M4 = m4
	Mac mini M4 Pro = m4-pro
	Mac mini M4 Pro 64GB = m4-pro
	Apple M4 Max = m4-max-40-core-gpu
	M4Max = m4-max-40-core-gpu
	M4 Max (16-core CPU, 40-core GPU, 128GB) = m4-max-40-core-gpu
	Apple M4 Max (32-core GPU) = m4-max-32-core-gpu
	MacBook Pro 16" M4 Max 128GB = m4-max-40-core-gpu
	MacBook Pro 14-inch M4 Pro = m4-pro
	MacBook Pro (14-inch, 2023) M3 Pro = m3-pro
	Apple M2 Pro (12-core CPU, 19-core GPU) = m2-pro
	Apple M5 = m5
	Ascend 910B = ascend-910b
	昇腾 910B = ascend-910b
	Huawei Ascend 910B3 = ascend-910b
	Ascend 910B4 = ascend-910b-32gb
	Atlas 800I A2 = ascend-910b
	Ascend 910C = ascend-910c
	Atlas 300I Duo = atlas-300i-duo-96gb
	Ascend 310P = atlas-300i-pro
	Cambricon MLU370-X8 = mlu370-x8
	寒武纪 MLU370-X4 = mlu370-x4
	Kunlun R200 = kunlun-r200
	Moore Threads MTT S80 = mtt-s80
	摩尔线程 MTT S4000 = mtt-s4000
	Biren BR100 = br100
	Hygon DCU Z100 = dcu-z100
	TPU v4 = tpu-v4
	TPU v5e = tpu-v5e
	Cloud TPU v5p = tpu-v5p
	Google TPU v6e = tpu-v6e
	Trillium = tpu-v6e
	TPU v7 = tpu-v7
	Ironwood = tpu-v7
	AWS Trainium2 = trainium2
	Trainium 2 = trainium2
	Inferentia2 = inferentia2
	Groq LPU = groq-lpu
	Tenstorrent Wormhole n300 = wormhole-n300

	NVIDIA =
	GPU =
	CPU =
	6000 =
	NVIDIA H100 80GB HBM3 MIG 1g.10gb =
	GeForce RTX 4090 48GB =
	RTX 3090 Foo =
	H100 and RTX 4090 =
	my workstation =
	local =
	Raspberry Pi 5 =
	Radeon RX 4090 XT =
	M9 Max =
	Quadro P2000 =`

// countedSpellings lists names with a number of accelerators.
const countedSpellings = `
	8x H100 SXM = 8 h100-sxm
	8×H100 = 8 h100-sxm
	8xH100 = 8 h100-sxm
	8 x NVIDIA H100 80GB HBM3 = 8 h100-sxm
	8 H100 GPUs = 8 h100-sxm
	H100x8 = 8 h100-sxm
	H100 x8 = 8 h100-sxm
	H100 x 8 = 8 h100-sxm
	H100 (x8) = 8 h100-sxm
	H100*8 = 8 h100-sxm
	H100 SXM (8 GPUs) = 8 h100-sxm
	H100, 8 GPUs = 8 h100-sxm
	H100 8卡 = 8 h100-sxm
	8卡 H100 = 8 h100-sxm
	H20×8 = 8 h20
	昇腾910B*8 = 8 ascend-910b
	L40Sx2 = 2 l40s
	A10Gx4 = 4 a10g
	HGX H200 8-GPU = 8 h200-sxm
	8×H20 (96GB) = 8 h20
	RX 7900 XTX 24GB = 0 rx-7900-xtx
	2x RTX 3090 = 2 rtx-3090
	2 × RTX 3090 = 2 rtx-3090
	dual RTX 3090 = 2 rtx-3090
	Dual 3090 = 2 rtx-3090
	RTX 3090 x2 = 2 rtx-3090
	2*4090 = 2 rtx-4090
	双卡 RTX 4090 = 2 rtx-4090
	4 × A100 = 4 a100-sxm-80gb
	4x A100 80GB PCIe = 4 a100-pcie-80gb
	A100-SXM4-80GB x 4 = 4 a100-sxm-80gb
	four L40S = 4 l40s
	MI300Xx8 = 8 mi300x
	MI300X x8 = 8 mi300x
	8x MI355X = 8 mi355x
	TPU v5e-8 = 8 tpu-v5e
	v6e-4 = 4 tpu-v6e
	NVIDIA H100 PCIe, NVIDIA H100 PCIe = 2 h100-pcie
	RTX 3090 + RTX 3090 = 2 rtx-3090
	1x NVIDIA L4 = 1 l4
	RX 580 = 0 rx-580
	RX6800 = 0 rx-6800
	Gaudi 3 = 0 gaudi-3
	RTX 5090 = 0 rtx-5090`

func lines(table string, check func(name, want string)) {
	for line := range strings.Lines(table) {
		if name, want, ok := strings.Cut(line, "="); ok {
			check(strings.TrimSpace(name), strings.TrimSpace(want))
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	n := 0
	lines(spellings, func(name, want string) {
		n++
		if m, ok := Find(name); m.ID != want || ok != (want != "") || m.Count != 0 {
			t.Errorf("%q is %d %q, not %q", name, m.Count, m.ID, want)
		}
	})
	if n < 200 {
		t.Errorf("%d spellings", n)
	}
	lines(countedSpellings, func(name, want string) {
		if m, _ := Find(name); fmt.Sprint(m.Count, " ", m.ID) != want {
			t.Errorf("%q is %d %s, not %s", name, m.Count, m.ID, want)
		}
	})
}

// TestEverySpellingFindsItsEntry: many variants of each entry's names find that entry and no other.
func TestEverySpellingFindsItsEntry(t *testing.T) {
	t.Parallel()
	for _, r := range table() {
		for _, name := range []string{r.id, r.name} {
			for _, form := range forms(name) {
				if m, ok := Find(form); !ok || m.ID != r.id || m.Variants != nil {
					t.Errorf("%q of %s finds %q %v", form, r.id, m.ID, m.Variants)
				}
			}
		}
	}
}

// forms returns variants of a name that do not distinguish products.
func forms(name string) []string {
	vendor, rest, _ := strings.Cut(name, " ")
	all := []string{name, strings.ToLower(name), strings.ToUpper(name), strings.ReplaceAll(name, " ", "-"), strings.ReplaceAll(name, " ", "_"),
		strings.ReplaceAll(name, "-", " "), name + " GPU", "  " + name + "  ", name + " (accelerator)", vendor + "(R) " + rest, name + "™"}
	if rest != "" && vendor != "Radeon" {
		all = append(all, rest)
	}
	return all
}

// TestEveryEntryIsCounted: a count before or after any name is recognised.
func TestEveryEntryIsCounted(t *testing.T) {
	t.Parallel()
	for _, r := range table() {
		for _, form := range []string{"8x " + r.name, "8x" + r.name, "8 × " + r.name, "8 " + r.name, r.name + " x8", r.name + " x 8", r.name + " (8 GPUs)", r.name + " ×8", r.name + " 8卡"} {
			if m, ok := Find(form); !ok || m.ID != r.id || m.Count != 8 {
				t.Errorf("%q finds %d %q", form, m.Count, m.ID)
			}
		}
		if m, _ := Find(r.name); m.Count != 0 {
			t.Errorf("%q counts %d", r.name, m.Count)
		}
	}
}

// TestAmbiguousNamesMeanTheFastest: a name that several products share means the fastest, and Variants lists
// all.
func TestAmbiguousNamesMeanTheFastest(t *testing.T) {
	t.Parallel()
	ambiguous := 0
	lines(spellings, func(name, _ string) {
		m, _ := Find(name)
		for _, variant := range m.Variants {
			other, ok := Find(variant)
			if !ok || other.Bandwidth > m.Bandwidth {
				t.Errorf("%q is %s with %g GB/s, but may be %s with %g", name, m.Name, m.Bandwidth/1e9, variant, other.Bandwidth/1e9)
			}
		}
		if m.Variants != nil {
			ambiguous++
			if len(m.Variants) < 2 || m.Variants[0] != m.Name {
				t.Errorf("%q: %v", name, m.Variants)
			}
		}
	})
	if ambiguous < 15 {
		t.Errorf("%d names are ambiguous", ambiguous)
	}
	if m, _ := Find("Jetson AGX Orin"); len(m.Variants) != 2 {
		t.Errorf("%v", m.Variants)
	}
}

// TestTable: each figure has a source and a plausible size. A wrong power of ten, or a sparse peak beside dense
// ones, would fail.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range table() {
		s := r.spec()
		if seen[s.ID] {
			t.Errorf("%s is there twice", s.ID)
		}
		seen[s.ID] = true
		if s.ID != strings.ToLower(s.ID) || s.Name == "" || len(s.Source) < 15 {
			t.Errorf("%+v lacks a name or source", s)
		}
		if s.ID != "groq-lpu" && (s.Memory != 0 && (s.Memory < 2e9 || s.Memory > 300e9) || s.Bandwidth < 25e9 || s.Bandwidth > 10e12) {
			t.Errorf("%s: %d bytes at %g B/s", s.ID, s.Memory, s.Bandwidth)
		}
		for dtype, flops := range s.Peak {
			if flops < 15e12 || flops > 16e15 {
				t.Errorf("%s: %s %g FLOP/s", s.ID, dtype, flops)
			}
		}
		// Half the bits give twice the rate, with the exceptions in unlike. The first pair uses FP16 if
		// accumulation in FP32 makes BF16 slower.
		wider := max(s.Peak["BF16"], s.Peak["FP16"])
		for _, pair := range [][2]float64{{wider, s.Peak["INT8"]}, {wider, s.Peak["FP8"]}, {s.Peak["FP8"], s.Peak["FP4"]}} {
			ratio := pair[1] / pair[0]
			if pair[0] != 0 && pair[1] != 0 && (ratio < 1.98 || ratio > 2.03) && !slices.Contains(unlike, s.ID) {
				t.Errorf("%s: %g to %g FLOP/s", s.ID, pair[0], pair[1])
			}
		}
	}
}

// unlike lists the hardware for which vendors publish other ratios.
var unlike = []string{"b300", "gb300", "mi50", "mi60", "mi100", "mi210", "mi250", "mi250x", "gaudi-3", "mlu370-s4", "mlu370-x4", "mlu370-x8", "tpu-v4",
	"trainium", "trainium2", "trainium3", "groq-lpu"}

func TestThor(t *testing.T) {
	s, _ := Find("AGX Thor")
	if s.Bandwidth != 273e9 || s.Memory != 128e9 || len(s.Peak) != 3 || s.Peak["BF16"] != 257e12 || s.Peak["FP8"] != 515e12 || s.Peak["FP4"] != 1030e12 {
		t.Errorf("%+v", s)
	}
}

// TestPeaksAreDense: figures published "with sparsity" are halved.
func TestPeaksAreDense(t *testing.T) {
	for _, test := range []struct {
		hardware, dtype string
		tflops          float64
	}{
		{"h100-sxm", "BF16", 989.5},                    // 1,979 / 2
		{"h100-sxm", "FP8", 1979},                      // 3,958 / 2
		{"l40s", "BF16", 366.5},                        // 733 / 2, not the 362.05 beside it
		{"rtx-5090", "FP4", 1676},                      // of 1676/3352: "3352 AI TOPS" is with sparsity
		{"b200", "FP4", 9000},                          // 18,000 / 2
		{"rtx-pro-6000-blackwell-server", "FP4", 2000}, // 4,000 / 2
		{"jetson-orin-nano-8gb-super", "INT8", 33.5},   // 67 / 2
		{"mi355x", "FP8", 5033.2},                      // AMD publishes 5.03 PFLOPS dense and 10.1 with sparsity
	} {
		s, _ := Find(test.hardware)
		if s.Peak[test.dtype] != test.tflops*1e12 {
			t.Errorf("%s of %s: %g, not %g TFLOPS", test.dtype, test.hardware, s.Peak[test.dtype]/1e12, test.tflops)
		}
	}
}

// TestBandwidthIsNotRoundedDown: if documents of a vendor differ, the larger bandwidth is used.
func TestBandwidthIsNotRoundedDown(t *testing.T) {
	for id, gbps := range map[string]float64{
		"t4":                         320,   // 256 bits · 10 Gbit/s; the sheet says 300
		"h100-pcie":                  2039,  // elsewhere 2 TB/s
		"h100-nvl":                   3938,  // elsewhere 3.9 TB/s
		"b200":                       8000,  // 64 TB/s for eight; elsewhere 7.7
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
		tflops                 float64 // 0 if there is none
		dtype                  string
	}{
		{"jetson-agx-thor", "BF16", 257, "BF16"},
		{"jetson-agx-thor", "FP8", 515, "FP8"},
		{"jetson-agx-thor", "NVFP4", 1030, "FP4"},
		{"jetson-agx-thor", "MXFP4", 1030, "FP4"},
		{"jetson-agx-thor", "W4A16", 257, "BF16"},
		{"jetson-agx-thor", "Q5_K_M", 257, "BF16"}, // no INT8 figure
		{"jetson-agx-thor", "W8A8", 0, ""},         // no INT8 figure
		{"h100-sxm", "NVFP4", 989.5, "BF16"},       // weights are unpacked
		{"h100-sxm", "MXFP4", 989.5, "BF16"},
		{"h100-sxm", "W8A8", 1979, "INT8"},
		{"a100-sxm-80gb", "FP8", 0, ""}, // no FP8
		{"rtx-4090", "BF16", 165.2, "BF16"},
		{"rtx-4090", "AWQ", 330.3, "FP16"}, // accumulates in FP16, if the engine allows it
		{"rtx-4090", "FP16", 330.3, "FP16"},
		{"rtx-4090", "Q4_K_M", 660.6, "INT8"},
		{"v100-sxm2-32gb", "Q4_K_M", 125, "FP16"},
		{"v100-sxm2-32gb", "BF16", 0, ""}, // Volta has no BF16
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

// TestPeakForOwnFigures: PeakFor works with a site's own peaks.
func TestPeakForOwnFigures(t *testing.T) {
	s := Spec{Peak: map[string]float64{"BF16": 257e12}}
	if flops, dtype, ok := s.PeakFor("GPTQ-Int4"); !ok || flops != 257e12 || dtype != "BF16" {
		t.Errorf("%g %s %v", flops, dtype, ok)
	}
}

// TestLongNamesEnd: names with very many possible divisions take no longer.
func TestLongNamesEnd(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("xtx", 300) + "é", strings.Repeat("d2v2", 240) + "é", strings.Repeat("rtx ", 100_000), strings.Repeat("ab,", 330)} {
		if m, ok := Find(name); ok {
			t.Errorf("%.20q… finds %s", name, m.ID)
		}
	}
}
