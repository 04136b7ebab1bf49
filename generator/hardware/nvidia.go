package hardware

// Documents used by several rows.
const (
	pascal    = "NVIDIA Tesla P4, P40 and P100 datasheets, images.nvidia.com/content/pdf/tesla/"
	voltaV100 = "NVIDIA V100 Tensor Core GPU datasheet, images.nvidia.com/content/technologies/volta/pdf/volta-v100-datasheet-update-us-1165301-r5.pdf"
	turing    = "NVIDIA Turing GPU Architecture whitepaper, images.nvidia.com/aem-dam/en-zz/Solutions/design-visualization/technologies/turing-architecture/NVIDIA-Turing-Architecture-Whitepaper.pdf"
	a100      = "NVIDIA A100 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf"
	ga102     = "NVIDIA Ampere GA102 GPU Architecture whitepaper v2, www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf"
	ada       = "NVIDIA Ada GPU Architecture whitepaper v2.1, images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf"
	h100      = "NVIDIA H100 product page, www.nvidia.com/en-us/data-center/h100/ (peaks with sparsity, halved)"
	h200      = "NVIDIA H200 product page, www.nvidia.com/en-us/data-center/h200/ (peaks with sparsity, halved)"
	gh200     = "NVIDIA GH200 Grace Hopper Superchip datasheet, resources.nvidia.com/en-us-grace-cpu/grace-hopper-superchip (peaks with sparsity, halved)"
	blackwell = "NVIDIA Blackwell datasheet, www.primeline-solutions.com/media/categories/server/nach-gpu/nvidia-hgx-h200/nvidia-blackwell-b200-datasheet.pdf (peaks with sparsity, halved)"
	ultra     = "NVIDIA Blackwell Ultra datasheet, resources.nvidia.com/en-us-blackwell-architecture/blackwell-ultra-datasheet (FP8 and BF16 with sparsity, halved)"
	rtxPro    = "NVIDIA RTX Blackwell PRO GPU Architecture whitepaper v1.0, www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/quadro-product-literature/NVIDIA-RTX-Blackwell-PRO-GPU-Architecture-v1.0.pdf"
	rtxProWeb = "NVIDIA RTX PRO Blackwell product pages, www.nvidia.com/en-us/products/workstations/professional-desktop-gpus/"
	rtxAmpere = "NVIDIA RTX A-series datasheets, www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/ (tensor peak with sparsity, halved)"
	rtxAda    = "NVIDIA RTX Ada Generation datasheets, www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/rtx-6000/ (FP8 with sparsity, halved; INT8 is as fast)"
	rtx50     = "NVIDIA RTX Blackwell GPU Architecture whitepaper, images.nvidia.com/aem-dam/Solutions/geforce/blackwell/nvidia-rtx-blackwell-gpu-architecture.pdf"
	geforce   = "NVIDIA GeForce graphics cards compared, www.nvidia.com/en-us/geforce/graphics-cards/compare/ (bandwidth of width and speed of the memory)"
	geforceAI = geforce + "; AI TOPS with sparsity, halved"
	laptops   = "NVIDIA GeForce laptops compared, www.nvidia.com/en-us/geforce/laptops/compare/ (bandwidth of width and fastest speed of the memory)"
	orin      = "NVIDIA Jetson AGX Orin Series Modules Data Sheet, DS-10662-001 v1.8, static.generation-robots.com/media/Jetson-AGX-Orin-Data-Sheet.pdf (peak of the GPU with sparsity, halved; without the DLA)"
	orinNX    = "NVIDIA Jetson Orin NX Series Data Sheet, DS-10712-001 v1.7, developer.nvidia.com/downloads/jetson-orin-nx-module-series-data-sheet (without a peak of the GPU alone)"
	orinNano  = "NVIDIA Jetson Orin Nano Developer Kit User Guide, docs.nvidia.com/jetson/orin-nano-devkit/user-guide/latest/ (peak with sparsity, halved)"
	modules   = "NVIDIA Jetson modules, developer.nvidia.com/embedded/jetson-modules"
	thor      = "NVIDIA Jetson Thor Series Modules Data Sheet, DS-11945-001"
)

var dataCenter = []row{
	{"m40", "NVIDIA Tesla M40", 24, 288, peak{}, "NVIDIA Tesla M40 datasheet, images.nvidia.com/content/tesla/pdf/", "", "12gb"},
	{"p4", "NVIDIA Tesla P4", 8, 192, peak{int8: 22}, pascal, "", ""},
	{"p40", "NVIDIA Tesla P40", 24, 346, peak{int8: 47}, pascal, "", ""},
	{"p100-sxm2", "NVIDIA Tesla P100 SXM2", 16, 732, peak{fp16: 21.2}, pascal, "p100", "hbm2"},
	{"p100-pcie-16gb", "NVIDIA Tesla P100 PCIe 16GB", 16, 732, peak{fp16: 18.7}, pascal, "p100", "hbm2"},
	{"p100-pcie-12gb", "NVIDIA Tesla P100 PCIe 12GB", 12, 549, peak{fp16: 18.7}, pascal, "p100", "hbm2"},

	{"v100-sxm2-16gb", "NVIDIA V100 SXM2 16GB", 16, 900, peak{fp16: 125}, voltaV100, "v100", "hbm2"},
	{"v100-sxm2-32gb", "NVIDIA V100 SXM2 32GB", 32, 900, peak{fp16: 125}, voltaV100, "v100", "hbm2 sxm3"},
	{"v100-pcie-16gb", "NVIDIA V100 PCIe 16GB", 16, 900, peak{fp16: 112}, voltaV100, "v100", "hbm2"},
	{"v100-pcie-32gb", "NVIDIA V100 PCIe 32GB", 32, 900, peak{fp16: 112}, voltaV100, "v100", "hbm2"},
	{"v100s-pcie-32gb", "NVIDIA V100S PCIe 32GB", 32, 1134, peak{fp16: 130}, voltaV100, "v100s", "hbm2"},

	// The data sheet rounds the bandwidth down to 300 GB/s. It is 320 GB/s: 256 bits at 10 Gbit/s.
	{"t4", "NVIDIA T4", 16, 320, peak{fp16: 65, int8: 130}, "NVIDIA T4 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/tesla-t4/t4-tensor-core-datasheet-951643.pdf (the bandwidth computed)", "", ""},

	{"a100-sxm-40gb", "NVIDIA A100 SXM 40GB", 40, 1555, peak{bf16: 312, int8: 624}, a100, "a100", "sxm4 hbm2"},
	{"a100-sxm-80gb", "NVIDIA A100 SXM 80GB", 80, 2039, peak{bf16: 312, int8: 624}, a100, "a100", "sxm4 hbm2e dgx hgx"},
	{"a100-pcie-40gb", "NVIDIA A100 PCIe 40GB", 40, 1555, peak{bf16: 312, int8: 624}, a100, "a100", "hbm2"},
	{"a100-pcie-80gb", "NVIDIA A100 PCIe 80GB", 80, 1935, peak{bf16: 312, int8: 624}, a100, "a100", "hbm2e"},
	{"a800-sxm-80gb", "NVIDIA A800 SXM 80GB", 80, 2039, peak{bf16: 312, int8: 624}, "NVIDIA A800 datasheet: the A100 with a slower NVLink", "a800", "sxm4 hbm2e"},
	{"a800-pcie-80gb", "NVIDIA A800 PCIe 80GB", 80, 1935, peak{bf16: 312, int8: 624}, "NVIDIA A800 PCIe 80 GB product brief", "a800", "hbm2e"},
	{"a800-pcie-40gb", "NVIDIA A800 40GB Active", 40, 1555, peak{}, "NVIDIA A800 40GB Active datasheet", "a800", "pcie hbm2"},

	{"a2", "NVIDIA A2", 16, 200, peak{bf16: 18, int8: 36}, "NVIDIA A2 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/solutions/data-center/a2/pdf/a2-datasheet.pdf", "", ""},
	{"a10", "NVIDIA A10", 24, 600, peak{bf16: 125, int8: 250}, "NVIDIA A10 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a10/pdf/a10-datasheet.pdf", "", ""},
	{"a10g", "NVIDIA A10G", 24, 600, peak{bf16: 70, int8: 140}, "NVIDIA A10G datasheet, d1.awsstatic.com/product-marketing/ec2/NVIDIA_AWS_A10G_DataSheet_FINAL_02_17_2022.pdf", "", ""},
	{"a16", "NVIDIA A16", 16, 200, peak{bf16: 17.9, int8: 35.9}, "NVIDIA A16 datasheet, images.nvidia.com/content/Solutions/data-center/vgpu-a16-datasheet.pdf (one of its four GPUs)", "", ""},
	{"a30", "NVIDIA A30", 24, 933, peak{bf16: 165, int8: 330}, "NVIDIA A30 Tensor Core GPU datasheet, www.nvidia.com/content/dam/en-zz/Solutions/data-center/products/a30-gpu/pdf/a30-datasheet.pdf", "", "pcie"},
	{"a40", "NVIDIA A40", 48, 696, peak{bf16: 149.7, int8: 299.3}, "NVIDIA A40 datasheet, images.nvidia.com/content/Solutions/data-center/a40/nvidia-a40-datasheet.pdf", "", "pcie"},

	{"l4", "NVIDIA L4", 24, 300, peak{bf16: 121, fp8: 242.5, int8: 242.5}, "NVIDIA L4 product page, www.nvidia.com/en-us/data-center/l4/ (peaks with sparsity, halved)", "", ""},
	{"l20", "NVIDIA L20", 48, 864, peak{bf16: 119.5, fp8: 239, int8: 239}, "NVIDIA L20 product brief, as resellers quote it", "", ""},
	{"l40", "NVIDIA L40", 48, 864, peak{bf16: 181.05, fp8: 362, int8: 362}, "NVIDIA L40 product page, www.nvidia.com/en-us/data-center/l40/", "", ""},
	// The page states 362.05 TFLOPS of BF16 without sparsity, but 733 with it. That is twice 366.5, which
	// matches FP8 and the clock.
	{"l40s", "NVIDIA L40S", 48, 864, peak{bf16: 366.5, fp8: 733, int8: 733}, "NVIDIA L40S product page, www.nvidia.com/en-us/data-center/l40s/ (peaks with sparsity, halved)", "", ""},

	{"h20", "NVIDIA H20", 96, 4000, peak{bf16: 148, fp8: 296, int8: 296}, "NVIDIA H20 product brief, as resellers quote it", "", "hbm3 sxm sxm5"},
	{"h20-141gb", "NVIDIA H20 141GB", 141, 4800, peak{bf16: 148, fp8: 296, int8: 296}, "NVIDIA H20 141GB product brief, as resellers quote it", "h20 141gb", "hbm3e sxm sxm5"},
	{"h100-sxm", "NVIDIA H100 SXM", 80, 3350, peak{bf16: 989.5, fp8: 1979, int8: 1979}, h100, "h100", "sxm5 hbm3 dgx hgx"},
	// The product brief and the datasheet round the bandwidth to 2 TB/s.
	{"h100-pcie", "NVIDIA H100 PCIe", 80, 2039, peak{bf16: 756.5, fp8: 1513, int8: 1513}, "NVIDIA H100 Tensor Core GPU Architecture whitepaper v1.04 (bandwidth); NVIDIA H100 Tensor Core GPU datasheet, resources.nvidia.com/en-us-tensor-core/nvidia-tensor-core-gpu-datasheet (peaks with sparsity, halved)", "h100", "hbm2e"},
	{"h100-nvl", "NVIDIA H100 NVL", 94, 3938, peak{bf16: 835.5, fp8: 1670.5, int8: 1670.5}, "NVIDIA H100 NVL GPU product brief, PB-11773-001, www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/h100/PB-11773-001_v01.pdf (bandwidth); " + h100, "h100 nvl|h100 94gb", "hbm3 pcie"},
	{"h800-sxm", "NVIDIA H800 SXM", 80, 3350, peak{bf16: 989.5, fp8: 1979, int8: 1979}, "NVIDIA H800 datasheet: the H100 with a slower NVLink", "h800", "sxm5 hbm3"},
	{"h800-pcie", "NVIDIA H800 PCIe", 80, 2039, peak{bf16: 756.5, fp8: 1513, int8: 1513}, "NVIDIA H800 PCIe product brief, as in lenovopress.lenovo.com/lp1814 (peaks with sparsity, halved)", "h800", "hbm2e"},
	{"h200-sxm", "NVIDIA H200", 141, 4800, peak{bf16: 989.5, fp8: 1979, int8: 1979}, h200, "h200", "sxm5 hbm3e dgx hgx"},
	{"h200-nvl", "NVIDIA H200 NVL", 141, 4800, peak{bf16: 835.5, fp8: 1670.5, int8: 1670.5}, h200, "h200 nvl", "hbm3e pcie"},
	{"gh200-96gb", "NVIDIA GH200 96GB", 96, 4000, peak{bf16: 989.5, fp8: 1979, int8: 1979}, gh200, "gh200", "hbm3 grace hopper 480gb superchip"},
	{"gh200-144gb", "NVIDIA GH200 144GB", 144, 4900, peak{bf16: 989.5, fp8: 1979, int8: 1979}, gh200, "gh200", "hbm3e grace hopper superchip"},
	// The datasheet states 7.7 TB/s for HGX B200. That of DGX B200 states 64 TB/s for eight.
	{"b200", "NVIDIA B200", 180, 8000, peak{bf16: 2250, fp8: 4500, int8: 4500, fp4: 9000}, blackwell + "; NVIDIA DGX B200 datasheet, resources.nvidia.com/en-us-dgx-systems/dgx-b200-datasheet (bandwidth)", "", "sxm hgx dgx hbm3e 192gb 183gb"},
	// One of the two GPUs of a GB200. GB200 NVL72 has 72 of them. Its figures are 1440 PFLOPS of FP4, 720 of
	// FP8 and 360 of BF16, with sparsity, and 13.4 TB of memory at 576 TB/s.
	{"gb200", "NVIDIA GB200", 186, 8000, peak{bf16: 2500, fp8: 5000, int8: 5000, fp4: 10_000}, blackwell, "", "nvl72 hbm3e 192gb grace superchip"},
	{"b300", "NVIDIA B300", 288, 8000, peak{bf16: 2250, fp8: 4500, fp4: 13_500}, ultra, "", "sxm hgx dgx hbm3e 270gb 275gb ultra"},
	{"gb300", "NVIDIA GB300", 288, 8000, peak{bf16: 2500, fp8: 5000, fp4: 15_000}, ultra, "", "nvl72 hbm3e 279gb grace ultra"},
}

var workstation = []row{
	{"titan-xp", "NVIDIA TITAN Xp", 12, 547.7, peak{}, "NVIDIA TITAN Xp product page, www.nvidia.com/en-us/titan/titan-xp/", "", ""},
	{"titan-v", "NVIDIA TITAN V", 12, 652.8, peak{fp16: 110}, "NVIDIA TITAN V product page, www.nvidia.com/en-us/titan/titan-v/", "", ""},
	{"titan-rtx", "NVIDIA TITAN RTX", 24, 672, peak{fp16: 130.5, int8: 261}, turing, "titan rtx", ""},
	{"quadro-rtx-4000", "NVIDIA Quadro RTX 4000", 8, 416, peak{}, "NVIDIA Quadro RTX 4000 datasheet", "rtx 4000", ""},
	{"quadro-rtx-5000", "NVIDIA Quadro RTX 5000", 16, 448, peak{fp16: 89.2, int8: 178.4}, turing, "rtx 5000", ""},
	{"quadro-rtx-6000", "NVIDIA Quadro RTX 6000", 24, 672, peak{fp16: 130.5, int8: 261}, turing, "rtx 6000", ""},
	{"quadro-rtx-8000", "NVIDIA Quadro RTX 8000", 48, 672, peak{fp16: 130.5, int8: 261}, turing, "rtx 8000", ""},

	{"rtx-a2000-6gb", "NVIDIA RTX A2000 6GB", 6, 288, peak{bf16: 31.95}, rtxAmpere, "a2000", ""},
	{"rtx-a2000-12gb", "NVIDIA RTX A2000 12GB", 12, 288, peak{bf16: 31.95}, rtxAmpere, "a2000", ""},
	{"rtx-a4000", "NVIDIA RTX A4000", 16, 448, peak{bf16: 76.7}, rtxAmpere, "", ""},
	{"rtx-a4500", "NVIDIA RTX A4500", 20, 640, peak{bf16: 94.6}, rtxAmpere, "", ""},
	{"rtx-a5000", "NVIDIA RTX A5000", 24, 768, peak{bf16: 111.1}, rtxAmpere, "", ""},
	{"rtx-a5500", "NVIDIA RTX A5500", 24, 768, peak{bf16: 136.4}, rtxAmpere, "", ""},
	{"rtx-a6000", "NVIDIA RTX A6000", 48, 768, peak{bf16: 154.85}, rtxAmpere, "", ""},

	{"rtx-2000-ada", "NVIDIA RTX 2000 Ada Generation", 16, 224, peak{fp8: 95.95, int8: 95.95}, rtxAda, "", ""},
	{"rtx-4000-sff-ada", "NVIDIA RTX 4000 SFF Ada Generation", 20, 280, peak{fp8: 153.4, int8: 153.4}, rtxAda, "", ""},
	{"rtx-4000-ada", "NVIDIA RTX 4000 Ada Generation", 20, 360, peak{fp8: 163.8, int8: 163.8}, rtxAda, "rtx 4000", ""},
	{"rtx-4500-ada", "NVIDIA RTX 4500 Ada Generation", 24, 432, peak{fp8: 317, int8: 317}, rtxAda, "", ""},
	{"rtx-5000-ada", "NVIDIA RTX 5000 Ada Generation", 32, 576, peak{fp8: 522.2, int8: 522.2}, rtxAda, "rtx 5000", ""},
	{"rtx-5880-ada", "NVIDIA RTX 5880 Ada Generation", 48, 960, peak{fp8: 554.2, int8: 554.2}, rtxAda, "5880", ""},
	{"rtx-6000-ada", "NVIDIA RTX 6000 Ada Generation", 48, 960, peak{bf16: 364, fp8: 728.5, int8: 728.5}, rtxAda + "; BF16 of " + rtxPro, "rtx 6000|6000 ada|a6000 ada", ""},

	{"rtx-pro-2000-blackwell", "NVIDIA RTX PRO 2000 Blackwell", 16, 288, peak{}, rtxProWeb, "pro 2000", ""},
	{"rtx-pro-4000-blackwell", "NVIDIA RTX PRO 4000 Blackwell", 24, 672, peak{}, rtxProWeb, "pro 4000", ""},
	{"rtx-pro-4000-blackwell-sff", "NVIDIA RTX PRO 4000 Blackwell SFF Edition", 24, 432, peak{}, rtxProWeb, "pro 4000 sff", ""},
	{"rtx-pro-4500-blackwell", "NVIDIA RTX PRO 4500 Blackwell", 32, 896, peak{}, rtxProWeb, "pro 4500", ""},
	{"rtx-pro-5000-blackwell", "NVIDIA RTX PRO 5000 Blackwell", 48, 1344, peak{}, rtxProWeb, "pro 5000", ""},
	{"rtx-pro-5000-blackwell-72gb", "NVIDIA RTX PRO 5000 Blackwell 72GB", 72, 1344, peak{}, rtxProWeb, "pro 5000", ""},
	{"rtx-pro-6000-blackwell-workstation", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 96, 1792, peak{bf16: 503.8, fp8: 1007.6, int8: 1007.6, fp4: 2015.2}, rtxPro, "pro 6000|rtx 6000 blackwell", "ws"},
	{"rtx-pro-6000-blackwell-max-q", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", 96, 1792, peak{bf16: 438.9, fp8: 877.9, int8: 877.9, fp4: 1755.7}, rtxPro, "6000 maxq", ""},
	// The page states 1, 2 and 4 PFLOPS without saying that they are with sparsity. But the Workstation Edition
	// has half of that without sparsity at a higher clock.
	{"rtx-pro-6000-blackwell-server", "NVIDIA RTX PRO 6000 Blackwell Server Edition", 96, 1597, peak{bf16: 500, fp8: 1000, fp4: 2000}, "NVIDIA RTX PRO 6000 Blackwell Server Edition product page, www.nvidia.com/en-us/data-center/rtx-pro-6000-blackwell-server-edition/ (peaks with sparsity, halved)", "pro 6000|rtx 6000 blackwell", ""},

	{"gb10", "NVIDIA GB10", 128, 273, peak{fp4: 500}, "NVIDIA DGX Spark User Guide, docs.nvidia.com/dgx/dgx-spark/hardware.html (memory); product page, www.nvidia.com/en-us/products/workstations/dgx-spark/ (peak with sparsity, halved)", "gb10|dgx spark|spark|gx10", "dgx spark grace blackwell asus ascent gx10 superchip"},
}

// GeForce cards accumulate in FP32 at half the rate of FP16. BF16 always accumulates in FP32. The figures of
// FP16 and FP8 are for accumulation in FP16.
var geForce = []row{
	{"gtx-1050-ti", "NVIDIA GeForce GTX 1050 Ti", 4, 112, peak{}, geforce, "", ""},
	{"gtx-1060", "NVIDIA GeForce GTX 1060", 6, 192, peak{}, geforce, "", "3gb"},
	{"gtx-1070", "NVIDIA GeForce GTX 1070", 8, 256, peak{}, geforce, "", ""},
	{"gtx-1070-ti", "NVIDIA GeForce GTX 1070 Ti", 8, 256, peak{}, geforce, "", ""},
	{"gtx-1080", "NVIDIA GeForce GTX 1080", 8, 320, peak{}, geforce, "", ""},
	{"gtx-1080-ti", "NVIDIA GeForce GTX 1080 Ti", 11, 484, peak{}, geforce, "", ""},
	{"gtx-1650", "NVIDIA GeForce GTX 1650", 4, 192, peak{}, geforce, "", ""},
	{"gtx-1660", "NVIDIA GeForce GTX 1660", 6, 192, peak{}, geforce, "", ""},
	{"gtx-1660-super", "NVIDIA GeForce GTX 1660 SUPER", 6, 336, peak{}, geforce, "", ""},
	{"gtx-1660-ti", "NVIDIA GeForce GTX 1660 Ti", 6, 288, peak{}, geforce, "", ""},
	{"rtx-2060", "NVIDIA GeForce RTX 2060", 6, 336, peak{}, geforce, "", "12gb"},
	{"rtx-2060-super", "NVIDIA GeForce RTX 2060 SUPER", 8, 448, peak{}, geforce, "", ""},
	{"rtx-2070", "NVIDIA GeForce RTX 2070", 8, 448, peak{fp16: 63, int8: 126}, turing, "", ""},
	{"rtx-2070-super", "NVIDIA GeForce RTX 2070 SUPER", 8, 448, peak{}, geforce, "", ""},
	{"rtx-2080", "NVIDIA GeForce RTX 2080", 8, 448, peak{fp16: 84.8, int8: 169.6}, turing, "", ""},
	{"rtx-2080-super", "NVIDIA GeForce RTX 2080 SUPER", 8, 496, peak{}, geforce, "", ""},
	{"rtx-2080-ti", "NVIDIA GeForce RTX 2080 Ti", 11, 616, peak{fp16: 113.8, int8: 227.7}, turing, "", ""},

	{"rtx-3050", "NVIDIA GeForce RTX 3050", 8, 224, peak{}, geforce, "", ""},
	{"rtx-3060-12gb", "NVIDIA GeForce RTX 3060 12GB", 12, 360, peak{}, geforce, "", ""},
	{"rtx-3060-8gb", "NVIDIA GeForce RTX 3060 8GB", 8, 240, peak{}, geforce, "", ""},
	// Sold with GDDR6 at 14 Gbit/s and later with GDDR6X at 19.
	{"rtx-3060-ti", "NVIDIA GeForce RTX 3060 Ti", 8, 608, peak{}, geforce, "", "gddr6x"},
	{"rtx-3070", "NVIDIA GeForce RTX 3070", 8, 448, peak{bf16: 40.6, fp16: 81.3, int8: 162.6}, ga102, "", ""},
	{"rtx-3070-ti", "NVIDIA GeForce RTX 3070 Ti", 8, 608, peak{}, geforce, "", ""},
	{"rtx-3080-10gb", "NVIDIA GeForce RTX 3080 10GB", 10, 760, peak{bf16: 59.5, fp16: 119, int8: 238}, ga102, "", ""},
	{"rtx-3080-12gb", "NVIDIA GeForce RTX 3080 12GB", 12, 912, peak{}, geforce, "", ""},
	{"rtx-3080-ti", "NVIDIA GeForce RTX 3080 Ti", 12, 912, peak{}, geforce, "", ""},
	{"rtx-3090", "NVIDIA GeForce RTX 3090", 24, 936, peak{bf16: 71.2, fp16: 142, int8: 284}, ga102 + "; BF16 of " + rtx50, "", ""},
	{"rtx-3090-ti", "NVIDIA GeForce RTX 3090 Ti", 24, 1008, peak{}, geforce, "", ""},

	{"rtx-4060", "NVIDIA GeForce RTX 4060", 8, 272, peak{fp8: 121, int8: 121}, geforceAI, "", ""},
	{"rtx-4060-ti-8gb", "NVIDIA GeForce RTX 4060 Ti 8GB", 8, 288, peak{fp8: 176.5, int8: 176.5}, geforceAI, "", ""},
	{"rtx-4060-ti-16gb", "NVIDIA GeForce RTX 4060 Ti 16GB", 16, 288, peak{fp8: 176.5, int8: 176.5}, geforceAI, "", ""},
	{"rtx-4070", "NVIDIA GeForce RTX 4070", 12, 504, peak{fp8: 233, int8: 233}, geforceAI, "", ""},
	{"rtx-4070-super", "NVIDIA GeForce RTX 4070 SUPER", 12, 504, peak{fp8: 284, int8: 284}, geforceAI, "", ""},
	{"rtx-4070-ti", "NVIDIA GeForce RTX 4070 Ti", 12, 504, peak{fp8: 320.5, int8: 320.5}, geforceAI, "", ""},
	{"rtx-4070-ti-super", "NVIDIA GeForce RTX 4070 Ti SUPER", 16, 672, peak{fp8: 353, int8: 353}, geforceAI, "", ""},
	{"rtx-4080", "NVIDIA GeForce RTX 4080", 16, 716.8, peak{bf16: 97.5, fp16: 194.9, fp8: 389.9, int8: 389.9}, ada, "", ""},
	{"rtx-4080-super", "NVIDIA GeForce RTX 4080 SUPER", 16, 736, peak{fp8: 418, int8: 418}, geforceAI, "", ""},
	{"rtx-4090", "NVIDIA GeForce RTX 4090", 24, 1008, peak{bf16: 165.2, fp16: 330.3, fp8: 660.6, int8: 660.6}, ada, "", ""},
	{"rtx-4090-d", "NVIDIA GeForce RTX 4090 D", 24, 1008, peak{fp8: 588.5, int8: 588.5}, geforceAI, "", ""},

	{"rtx-5050", "NVIDIA GeForce RTX 5050", 8, 320, peak{fp4: 210.5}, geforceAI, "", ""},
	{"rtx-5060", "NVIDIA GeForce RTX 5060", 8, 448, peak{fp4: 307}, geforceAI, "", ""},
	{"rtx-5060-ti-8gb", "NVIDIA GeForce RTX 5060 Ti 8GB", 8, 448, peak{fp4: 379.5}, geforceAI, "", ""},
	{"rtx-5060-ti-16gb", "NVIDIA GeForce RTX 5060 Ti 16GB", 16, 448, peak{fp4: 379.5}, geforceAI, "", ""},
	{"rtx-5070", "NVIDIA GeForce RTX 5070", 12, 672, peak{bf16: 61.7, fp16: 123.5, fp8: 246.9, int8: 246.9, fp4: 493.9}, rtx50, "", ""},
	{"rtx-5070-ti", "NVIDIA GeForce RTX 5070 Ti", 16, 896, peak{bf16: 87.9, fp16: 175.8, fp8: 351.5, int8: 351.5, fp4: 703}, rtx50, "", ""},
	{"rtx-5080", "NVIDIA GeForce RTX 5080", 16, 960, peak{bf16: 112.6, fp16: 225.1, fp8: 450.2, int8: 450.2, fp4: 900.4}, rtx50, "", ""},
	{"rtx-5090", "NVIDIA GeForce RTX 5090", 32, 1792, peak{bf16: 209.5, fp16: 419, fp8: 838, int8: 838, fp4: 1676}, rtx50, "", ""},
	{"rtx-5090-d", "NVIDIA GeForce RTX 5090 D", 32, 1792, peak{fp4: 1187.5}, geforceAI, "", ""},
	{"rtx-5090-d-v2", "NVIDIA GeForce RTX 5090 D V2", 24, 1344, peak{fp4: 1187.5}, geforceAI, "5090 d v2|5090 d 24gb", ""},

	{"rtx-3060-laptop", "NVIDIA GeForce RTX 3060 Laptop GPU", 6, 336, peak{}, laptops, "", ""},
	{"rtx-3070-laptop", "NVIDIA GeForce RTX 3070 Laptop GPU", 8, 448, peak{}, laptops, "", ""},
	{"rtx-3080-laptop", "NVIDIA GeForce RTX 3080 Laptop GPU", 16, 448, peak{}, laptops, "", "8gb"},
	{"rtx-3080-ti-laptop", "NVIDIA GeForce RTX 3080 Ti Laptop GPU", 16, 512, peak{}, laptops, "", ""},
	{"rtx-4060-laptop", "NVIDIA GeForce RTX 4060 Laptop GPU", 8, 256, peak{}, laptops, "", ""},
	{"rtx-4070-laptop", "NVIDIA GeForce RTX 4070 Laptop GPU", 8, 256, peak{}, laptops, "", ""},
	{"rtx-4080-laptop", "NVIDIA GeForce RTX 4080 Laptop GPU", 12, 432, peak{}, laptops, "", ""},
	{"rtx-4090-laptop", "NVIDIA GeForce RTX 4090 Laptop GPU", 16, 576, peak{}, laptops, "", ""},
	{"rtx-5070-ti-laptop", "NVIDIA GeForce RTX 5070 Ti Laptop GPU", 12, 672, peak{}, laptops, "", ""},
	{"rtx-5080-laptop", "NVIDIA GeForce RTX 5080 Laptop GPU", 16, 896, peak{}, laptops, "", ""},
	{"rtx-5090-laptop", "NVIDIA GeForce RTX 5090 Laptop GPU", 24, 896, peak{}, laptops, "", ""},
}

var jetson = []row{
	{"jetson-nano", "NVIDIA Jetson Nano", 4, 25.6, peak{}, modules, "jetson nano", "2gb"},
	{"jetson-tx2", "NVIDIA Jetson TX2", 8, 59.7, peak{}, modules, "tx2", ""},
	{"jetson-xavier-nx-8gb", "NVIDIA Jetson Xavier NX 8GB", 8, 59.7, peak{}, modules, "xavier nx", ""},
	{"jetson-xavier-nx-16gb", "NVIDIA Jetson Xavier NX 16GB", 16, 59.7, peak{}, modules, "xavier nx", ""},
	{"jetson-agx-xavier-32gb", "NVIDIA Jetson AGX Xavier 32GB", 32, 136.5, peak{}, modules, "xavier", "16gb"},
	{"jetson-agx-xavier-64gb", "NVIDIA Jetson AGX Xavier 64GB", 64, 136.5, peak{}, modules, "xavier", ""},
	{"jetson-orin-nano-4gb", "NVIDIA Jetson Orin Nano 4GB", 4, 34, peak{}, modules, "orin nano", ""},
	{"jetson-orin-nano-4gb-super", "NVIDIA Jetson Orin Nano 4GB Super", 4, 51, peak{}, modules, "orin nano", ""},
	{"jetson-orin-nano-8gb", "NVIDIA Jetson Orin Nano 8GB", 8, 68, peak{}, modules, "orin nano", ""},
	// The Nano has no DLA, so the peak is that of the GPU. The bandwidth is stated as 102 GB/s, like that of
	// the Orin NX: 128 bits at 6.4 Gbit/s are 102.4.
	{"jetson-orin-nano-8gb-super", "NVIDIA Jetson Orin Nano 8GB Super", 8, 102.4, peak{int8: 33.5}, orinNano, "orin nano", ""},
	{"jetson-orin-nx-8gb", "NVIDIA Jetson Orin NX 8GB", 8, 102.4, peak{}, orinNX, "orin nx", "super"},
	{"jetson-orin-nx-16gb", "NVIDIA Jetson Orin NX 16GB", 16, 102.4, peak{}, orinNX, "orin nx", "super"},
	{"jetson-agx-orin-64gb", "NVIDIA Jetson AGX Orin 64GB", 64, 204.8, peak{int8: 85}, orin, "orin", "industrial"},
	{"jetson-agx-orin-32gb", "NVIDIA Jetson AGX Orin 32GB", 32, 204.8, peak{int8: 54}, orin, "orin", ""},
	// The data sheet states 2070 TFLOPS of sparse FP4. 20 SMs with 8192 BF16 FLOP per cycle at 1.57 GHz are 257
	// TFLOPS. FP8 has twice and FP4 four times that: 1030, or 2060 with sparsity.
	{"jetson-agx-thor", "NVIDIA Jetson AGX Thor", 128, 273, peak{bf16: 257, fp8: 515, fp4: 1030}, thor + " (memory, 20 SM, 1.57 GHz; peaks computed from the clock)", "thor|t5000", "t5000"},
	{"jetson-t4000", "NVIDIA Jetson T4000", 64, 273, peak{fp4: 600}, thor + " (peak with sparsity, halved)", "t4000|thor", "thor"},
}
