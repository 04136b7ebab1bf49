package hardware

const (
	gb     = 1_000_000_000 // bytes
	gbps   = 1e9           // bytes per second
	tbps   = 1e12
	tflops = 1e12 // FLOP per second, for INT8 operations per second

	// sparse turns a figure that NVIDIA prints "with sparsity" into the dense
	// one: of each four weights two are taken as zero, which no served model
	// is prepared for.
	sparse = tflops / 2
)

// Documents that several entries share.
const (
	voltaV100     = "NVIDIA V100 Tensor Core GPU datasheet, images.nvidia.com/content/technologies/volta/pdf/volta-v100-datasheet-update-us-1165301-r5.pdf"
	ampereA100    = "NVIDIA A100 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf"
	hopperH100    = "NVIDIA H100 product page, www.nvidia.com/en-us/data-center/h100/ (peaks with sparsity, halved)"
	hopperH200    = "NVIDIA H200 product page, www.nvidia.com/en-us/data-center/h200/ (peaks with sparsity, halved)"
	blackwell     = "NVIDIA Blackwell datasheet, www.primeline-solutions.com/media/categories/server/nach-gpu/nvidia-hgx-h200/nvidia-blackwell-b200-datasheet.pdf (peaks with sparsity, halved)"
	rtxPro        = "NVIDIA RTX Blackwell PRO GPU Architecture whitepaper v1.0, www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/quadro-product-literature/NVIDIA-RTX-Blackwell-PRO-GPU-Architecture-v1.0.pdf"
	orin          = "NVIDIA Jetson AGX Orin Series Modules Data Sheet, DS-10662-001 v1.8, static.generation-robots.com/media/Jetson-AGX-Orin-Data-Sheet.pdf (peak of the GPU with sparsity, halved; without the DLA)"
	macStudio2025 = "Apple Mac Studio (2025) Tech Specs, support.apple.com/en-us/122211"
	rtxBlackwell  = "NVIDIA RTX Blackwell GPU Architecture whitepaper, images.nvidia.com/aem-dam/Solutions/geforce/blackwell/nvidia-rtx-blackwell-gpu-architecture.pdf"
)

// table holds the hardware in the order of vendors and generations. Most of the
// documents were read as others quote them, not themselves. Where a vendor's
// own documents differ the larger figure stands, so that no run is called
// impossible for one that was rounded down.
var table = []Spec{
	{
		ID: "v100-sxm2-16gb", Name: "NVIDIA V100 SXM2 16GB", Memory: 16 * gb, Bandwidth: 900 * gbps,
		Peak:   map[string]float64{"FP16": 125 * tflops},
		Source: voltaV100,
	},
	{
		ID: "v100-sxm2-32gb", Name: "NVIDIA V100 SXM2 32GB", Memory: 32 * gb, Bandwidth: 900 * gbps,
		Peak:   map[string]float64{"FP16": 125 * tflops},
		Source: voltaV100,
	},
	{
		ID: "v100-pcie-16gb", Name: "NVIDIA V100 PCIe 16GB", Memory: 16 * gb, Bandwidth: 900 * gbps,
		Peak:   map[string]float64{"FP16": 112 * tflops},
		Source: voltaV100,
	},
	{
		ID: "v100-pcie-32gb", Name: "NVIDIA V100 PCIe 32GB", Memory: 32 * gb, Bandwidth: 900 * gbps,
		Peak:   map[string]float64{"FP16": 112 * tflops},
		Source: voltaV100,
	},
	{
		// The sheet rounds the bandwidth down to 300 GB/s: 256 bits at 10 Gbit/s
		// are 320.
		ID: "t4", Name: "NVIDIA T4", Memory: 16 * gb, Bandwidth: 320 * gbps,
		Peak:   map[string]float64{"FP16": 65 * tflops, "INT8": 130 * tflops},
		Source: "NVIDIA T4 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/tesla-t4/t4-tensor-core-datasheet-951643.pdf (the bandwidth computed)",
	},
	{
		ID: "a100-sxm-40gb", Name: "NVIDIA A100 SXM 40GB", Memory: 40 * gb, Bandwidth: 1555 * gbps,
		Peak:   map[string]float64{"BF16": 312 * tflops, "INT8": 624 * tflops},
		Source: ampereA100,
		also:   []string{"NVIDIA A100-SXM4-40GB"},
	},
	{
		ID: "a100-sxm-80gb", Name: "NVIDIA A100 SXM 80GB", Memory: 80 * gb, Bandwidth: 2039 * gbps,
		Peak:   map[string]float64{"BF16": 312 * tflops, "INT8": 624 * tflops},
		Source: ampereA100,
		also:   []string{"NVIDIA A100-SXM4-80GB"},
	},
	{
		ID: "a100-pcie-40gb", Name: "NVIDIA A100 PCIe 40GB", Memory: 40 * gb, Bandwidth: 1555 * gbps,
		Peak:   map[string]float64{"BF16": 312 * tflops, "INT8": 624 * tflops},
		Source: ampereA100,
		also:   []string{"NVIDIA A100-PCIE-40GB"},
	},
	{
		ID: "a100-pcie-80gb", Name: "NVIDIA A100 PCIe 80GB", Memory: 80 * gb, Bandwidth: 1935 * gbps,
		Peak:   map[string]float64{"BF16": 312 * tflops, "INT8": 624 * tflops},
		Source: ampereA100,
		also:   []string{"NVIDIA A100 80GB PCIe"},
	},
	{
		ID: "a10", Name: "NVIDIA A10", Memory: 24 * gb, Bandwidth: 600 * gbps,
		Peak:   map[string]float64{"BF16": 125 * tflops, "INT8": 250 * tflops},
		Source: "NVIDIA A10 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a10/pdf/a10-datasheet.pdf",
	},
	{
		// GeForce cards add in FP32 at half the rate of FP16. BF16 always adds
		// in FP32; FP16 and FP8 stand with FP16.
		ID: "rtx-3090", Name: "NVIDIA GeForce RTX 3090", Memory: 24 * gb, Bandwidth: 936 * gbps,
		Peak:   map[string]float64{"BF16": 71.2 * tflops, "FP16": 142 * tflops, "INT8": 284 * tflops},
		Source: "NVIDIA Ampere GA102 GPU Architecture whitepaper v2, www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf; BF16 of " + rtxBlackwell,
		also:   []string{"3090"},
	},
	{
		ID: "rtx-4090", Name: "NVIDIA GeForce RTX 4090", Memory: 24 * gb, Bandwidth: 1008 * gbps,
		Peak:   map[string]float64{"BF16": 165.2 * tflops, "FP16": 330.3 * tflops, "FP8": 660.6 * tflops, "INT8": 660.6 * tflops},
		Source: "NVIDIA Ada GPU Architecture whitepaper v2.1, images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf",
		also:   []string{"4090"},
	},
	{
		ID: "rtx-5090", Name: "NVIDIA GeForce RTX 5090", Memory: 32 * gb, Bandwidth: 1792 * gbps,
		Peak:   map[string]float64{"BF16": 209.5 * tflops, "FP16": 419 * tflops, "FP8": 838 * tflops, "INT8": 838 * tflops, "FP4": 1676 * tflops},
		Source: rtxBlackwell,
		also:   []string{"5090"},
	},
	{
		ID: "rtx-6000-ada", Name: "NVIDIA RTX 6000 Ada Generation", Memory: 48 * gb, Bandwidth: 960 * gbps,
		Peak:   map[string]float64{"BF16": 364 * tflops, "FP8": 1457 * sparse, "INT8": 1457 * sparse},
		Source: "NVIDIA RTX 6000 Ada Generation datasheet (FP8 with sparsity, halved; INT8 is as fast); BF16 of " + rtxPro,
	},
	{
		ID: "l4", Name: "NVIDIA L4", Memory: 24 * gb, Bandwidth: 300 * gbps,
		Peak:   map[string]float64{"BF16": 242 * sparse, "FP8": 485 * sparse, "INT8": 485 * sparse},
		Source: "NVIDIA L4 product page, www.nvidia.com/en-us/data-center/l4/ (peaks with sparsity, halved)",
	},
	{
		// The page prints 362.05 TFLOPS of BF16 without sparsity, but 733 with it,
		// which is twice 366.5 and fits FP8 and the clock.
		ID: "l40s", Name: "NVIDIA L40S", Memory: 48 * gb, Bandwidth: 864 * gbps,
		Peak:   map[string]float64{"BF16": 733 * sparse, "FP8": 1466 * sparse, "INT8": 1466 * sparse},
		Source: "NVIDIA L40S product page, www.nvidia.com/en-us/data-center/l40s/ (peaks with sparsity, halved)",
	},
	{
		ID: "h100-sxm", Name: "NVIDIA H100 SXM", Memory: 80 * gb, Bandwidth: 3.35 * tbps,
		Peak:   map[string]float64{"BF16": 1979 * sparse, "FP8": 3958 * sparse, "INT8": 3958 * sparse},
		Source: hopperH100,
		also:   []string{"NVIDIA H100 80GB HBM3", "H100 SXM5", "H100 SXM 80GB", "H100 SXM5 80GB"},
	},
	{
		// The product brief and the datasheet round the bandwidth to 2 TB/s.
		ID: "h100-pcie", Name: "NVIDIA H100 PCIe", Memory: 80 * gb, Bandwidth: 2039 * gbps,
		Peak:   map[string]float64{"BF16": 1513 * sparse, "FP8": 3026 * sparse, "INT8": 3026 * sparse},
		Source: "NVIDIA H100 Tensor Core GPU Architecture whitepaper v1.04 (bandwidth); NVIDIA H100 Tensor Core GPU datasheet, resources.nvidia.com/en-us-tensor-core/nvidia-tensor-core-gpu-datasheet (peaks with sparsity, halved)",
		also:   []string{"H100 PCIe 80GB", "H100 80GB PCIe"},
	},
	{
		ID: "h100-nvl", Name: "NVIDIA H100 NVL", Memory: 94 * gb, Bandwidth: 3938 * gbps,
		Peak:   map[string]float64{"BF16": 1671 * sparse, "FP8": 3341 * sparse, "INT8": 3341 * sparse},
		Source: "NVIDIA H100 NVL GPU product brief, PB-11773-001, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/h100/PB-11773-001_v01.pdf (bandwidth); " + hopperH100,
		also:   []string{"H100 NVL 94GB"},
	},
	{
		ID: "h200-sxm", Name: "NVIDIA H200", Memory: 141 * gb, Bandwidth: 4.8 * tbps,
		Peak:   map[string]float64{"BF16": 1979 * sparse, "FP8": 3958 * sparse, "INT8": 3958 * sparse},
		Source: hopperH200,
		also:   []string{"H200 SXM5", "H200 SXM 141GB"},
	},
	{
		ID: "h200-nvl", Name: "NVIDIA H200 NVL", Memory: 141 * gb, Bandwidth: 4.8 * tbps,
		Peak:   map[string]float64{"BF16": 1671 * sparse, "FP8": 3341 * sparse, "INT8": 3341 * sparse},
		Source: hopperH200,
	},
	{
		// The datasheet gives 7.7 TB/s on HGX B200, that of DGX B200 64 TB/s
		// for eight.
		ID: "b200", Name: "NVIDIA B200", Memory: 180 * gb, Bandwidth: 8 * tbps,
		Peak:   map[string]float64{"BF16": 4500 * sparse, "FP8": 9000 * sparse, "INT8": 9000 * sparse, "FP4": 18_000 * sparse},
		Source: blackwell + "; NVIDIA DGX B200 datasheet, resources.nvidia.com/en-us-dgx-systems/dgx-b200-datasheet (bandwidth)",
		also:   []string{"B200 SXM", "HGX B200"},
	},
	{
		// One of the two GPUs of a GB200: GB200 NVL72 is 72 of them, FP4 1440,
		// FP8 720 and BF16 360 PFLOPS with sparsity, 13.4 TB at 576 TB/s.
		ID: "gb200", Name: "NVIDIA GB200", Memory: 186 * gb, Bandwidth: 8 * tbps,
		Peak:   map[string]float64{"BF16": 5000 * sparse, "FP8": 10_000 * sparse, "INT8": 10_000 * sparse, "FP4": 20_000 * sparse},
		Source: blackwell,
		also:   []string{"GB200 NVL72"},
	},
	{
		ID: "rtx-pro-6000-blackwell-workstation", Name: "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", Memory: 96 * gb, Bandwidth: 1792 * gbps,
		Peak:   map[string]float64{"BF16": 503.8 * tflops, "FP8": 1007.6 * tflops, "INT8": 1007.6 * tflops, "FP4": 2015.2 * tflops},
		Source: rtxPro,
	},
	{
		ID: "rtx-pro-6000-blackwell-max-q", Name: "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", Memory: 96 * gb, Bandwidth: 1792 * gbps,
		Peak:   map[string]float64{"BF16": 438.9 * tflops, "FP8": 877.9 * tflops, "INT8": 877.9 * tflops, "FP4": 1755.7 * tflops},
		Source: rtxPro,
	},
	{
		// The page prints 1, 2 and 4 PFLOPS and does not say that they are with
		// sparsity, but the Workstation Edition has half of that without it at a
		// higher clock.
		ID: "rtx-pro-6000-blackwell-server", Name: "NVIDIA RTX PRO 6000 Blackwell Server Edition", Memory: 96 * gb, Bandwidth: 1597 * gbps,
		Peak:   map[string]float64{"BF16": 1000 * sparse, "FP8": 2000 * sparse, "FP4": 4000 * sparse},
		Source: "NVIDIA RTX PRO 6000 Blackwell Server Edition product page, www.nvidia.com/en-us/data-center/rtx-pro-6000-blackwell-server-edition/ (peaks with sparsity, halved)",
	},
	{
		ID: "gb10", Name: "NVIDIA GB10", Memory: 128 * gb, Bandwidth: 273 * gbps,
		Peak:   map[string]float64{"FP4": 1000 * sparse},
		Source: "NVIDIA DGX Spark User Guide, docs.nvidia.com/dgx/dgx-spark/hardware.html (memory); product page, www.nvidia.com/en-us/products/workstations/dgx-spark/ (peak with sparsity, halved)",
		also:   []string{"DGX Spark", "DGX Spark GB10", "GB10 Grace Blackwell"},
	},
	{
		// The data sheet prints 2070 TFLOPS of sparse FP4. 20 SM of 8192 BF16
		// FLOP a cycle at 1.57 GHz are 257 TFLOPS, FP8 twice and FP4 four
		// times that: 1030, and 2060 with sparsity.
		ID: "jetson-agx-thor", Name: "NVIDIA Jetson AGX Thor", Memory: 128 * gb, Bandwidth: 273 * gbps,
		Peak:   map[string]float64{"BF16": 257 * tflops, "FP8": 515 * tflops, "FP4": 1030 * tflops},
		Source: "NVIDIA Jetson Thor Series Modules Data Sheet, DS-11945-001 (memory, 20 SM, 1.57 GHz; peaks computed from the clock)",
		also: []string{"AGX Thor", "AGX Thor 128GB", "Jetson AGX Thor 128GB", "Jetson AGX Thor Developer Kit", "Jetson AGX Thor T5000",
			"Jetson Thor T5000", "Jetson T5000"},
	},
	{
		ID: "jetson-agx-orin-64gb", Name: "NVIDIA Jetson AGX Orin 64GB", Memory: 64 * gb, Bandwidth: 204.8 * gbps,
		Peak:   map[string]float64{"INT8": 170 * sparse},
		Source: orin,
		also:   []string{"AGX Orin 64GB", "Orin AGX 64GB", "Jetson Orin AGX 64GB", "Jetson AGX Orin 64GB Developer Kit"},
	},
	{
		ID: "jetson-agx-orin-32gb", Name: "NVIDIA Jetson AGX Orin 32GB", Memory: 32 * gb, Bandwidth: 204.8 * gbps,
		Peak:   map[string]float64{"INT8": 108 * sparse},
		Source: orin,
		also:   []string{"AGX Orin 32GB", "Orin AGX 32GB", "Jetson Orin AGX 32GB"},
	},
	{
		// 128 bits at 6.4 Gbit/s are 102.4 GB/s; the sheet prints 102.
		ID: "jetson-orin-nx-16gb", Name: "NVIDIA Jetson Orin NX 16GB", Memory: 16 * gb, Bandwidth: 102.4 * gbps,
		Source: "NVIDIA Jetson Orin NX Series Data Sheet, DS-10712-001 v1.7, developer.nvidia.com/downloads/jetson-orin-nx-module-series-data-sheet (without a peak of the GPU alone)",
		also:   []string{"Orin NX 16GB"},
	},
	{
		// The Nano has no DLA: the peak is that of the GPU. The bandwidth is
		// printed as 102 GB/s, as that of the Orin NX.
		ID: "jetson-orin-nano-8gb-super", Name: "NVIDIA Jetson Orin Nano 8GB Super", Memory: 8 * gb, Bandwidth: 102.4 * gbps,
		Peak:   map[string]float64{"INT8": 67 * sparse},
		Source: "NVIDIA Jetson Orin Nano Developer Kit User Guide, docs.nvidia.com/jetson/orin-nano-devkit/user-guide/latest/ (peak with sparsity, halved)",
		also:   []string{"Jetson Orin Nano Super", "Jetson Orin Nano Super 8GB", "Orin Nano Super", "Jetson Orin Nano Super Developer Kit", "Jetson Orin Nano Developer Kit Super"},
	},
	{
		ID: "mi300x", Name: "AMD Instinct MI300X", Memory: 192 * gb, Bandwidth: 5.3 * tbps,
		Peak:   map[string]float64{"BF16": 1307.4 * tflops, "FP8": 2614.9 * tflops, "INT8": 2614.9 * tflops},
		Source: "AMD Instinct MI300X Accelerator data sheet, www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/data-sheets/amd-instinct-mi300x-data-sheet.pdf",
		also:   []string{"AMD Instinct MI300X OAM", "MI300X 192GB"},
	},
	{
		ID: "mi325x", Name: "AMD Instinct MI325X", Memory: 256 * gb, Bandwidth: 6 * tbps,
		Peak:   map[string]float64{"BF16": 1307.4 * tflops, "FP8": 2614.9 * tflops, "INT8": 2614.9 * tflops},
		Source: "AMD Instinct MI325X product page, www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html",
		also:   []string{"AMD Instinct MI325X OAM", "MI325X 256GB"},
	},
	{
		ID: "mi355x", Name: "AMD Instinct MI355X", Memory: 288 * gb, Bandwidth: 8 * tbps,
		Peak:   map[string]float64{"BF16": 2516.6 * tflops, "FP8": 5033.2 * tflops, "INT8": 5033.2 * tflops, "FP4": 10_066.3 * tflops},
		Source: "AMD Instinct MI355X GPU datasheet, www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/product-briefs/amd-instinct-mi355x-gpu-brochure.pdf",
		also:   []string{"AMD Instinct MI355X OAM", "MI355X 288GB"},
	},
	{
		ID: "gaudi-2", Name: "Intel Gaudi 2", Memory: 96 * gb, Bandwidth: 2.46 * tbps,
		Peak:   map[string]float64{"BF16": 432 * tflops, "FP8": 865 * tflops},
		Source: "Intel Gaudi 2 AI accelerator white paper, www.intel.com/content/www/us/en/content-details/839363/, as cited in github.com/stas00/ml-engineering/tree/master/compute/accelerator",
		also:   []string{"HL-225", "HL-225H"},
	},
	{
		// The peak is that of 1.75 GHz, as announced; cards run at 1.6 GHz, with
		// which they reach 1678 TFLOPS.
		ID: "gaudi-3", Name: "Intel Gaudi 3", Memory: 128 * gb, Bandwidth: 3.7 * tbps,
		Peak:   map[string]float64{"BF16": 1835 * tflops, "FP8": 1835 * tflops},
		Source: "Intel Gaudi 3 AI Accelerator White Paper, cdrdv2-public.intel.com/817486/gaudi-3-ai-accelerator-white-paper.pdf",
		also:   []string{"HL-325L"},
	},
	{
		// Apple gives no peak of its GPUs, and sells them with various memory.
		ID: "m2-ultra", Name: "Apple M2 Ultra", Bandwidth: 800 * gbps,
		Source: "Apple Mac Studio (2023) Tech Specs, support.apple.com/en-us/111835",
	},
	{
		ID: "m3-ultra", Name: "Apple M3 Ultra", Bandwidth: 819 * gbps,
		Source: macStudio2025,
	},
	{
		ID: "m4-max-32-core-gpu", Name: "Apple M4 Max 32-core GPU", Bandwidth: 410 * gbps,
		Source: macStudio2025,
	},
	{
		ID: "m4-max-40-core-gpu", Name: "Apple M4 Max 40-core GPU", Bandwidth: 546 * gbps,
		Source: macStudio2025,
	},
}
