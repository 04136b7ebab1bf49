package hardware

const (
	arc       = "Intel Arc product pages, www.intel.com/content/www/us/en/products/details/discrete-gpus/arc.html"
	arcPro    = "Intel Arc Pro B-series product pages, www.intel.com/content/www/us/en/products/details/discrete-gpus/arc/workstations.html"
	maxSeries = "Intel Data Center GPU Max Series product pages, www.intel.com/content/www/us/en/products/details/discrete-gpus/data-center-gpu/max-series.html"
	atlas     = "Huawei Atlas product pages, e.huawei.com/en/products/computing/ascend/"
	matrix    = "Huawei, Serving Large Language Models on Huawei CloudMatrix384, arXiv:2506.12708"
	mlu       = "Cambricon MLU370 product pages, www.cambricon.com"
	biren     = "Biren BR100 at Hot Chips 34 (2022)"
	mooreWeb  = "Moore Threads product pages, www.mthreads.com/product"
	tpu       = "Google Cloud TPU documentation, cloud.google.com/tpu/docs/"
	neuron    = "AWS Neuron documentation, awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-hardware/"
	wormhole  = "Tenstorrent product pages, tenstorrent.com/hardware/"
)

var intel = []row{
	{"arc-a380", "Intel Arc A380", 6, 186, peak{}, arc, "a380", ""},
	{"arc-a580", "Intel Arc A580", 8, 512, peak{}, arc, "a580", ""},
	{"arc-a750", "Intel Arc A750", 8, 512, peak{int8: 229}, arc, "a750", ""},
	{"arc-a770-16gb", "Intel Arc A770 16GB", 16, 560, peak{int8: 262}, arc, "a770", ""},
	{"arc-a770-8gb", "Intel Arc A770 8GB", 8, 512, peak{int8: 262}, arc, "a770", ""},
	{"arc-b570", "Intel Arc B570", 10, 380, peak{int8: 203}, arc, "b570", ""},
	{"arc-b580", "Intel Arc B580", 12, 456, peak{int8: 233}, arc, "b580", ""},
	{"arc-pro-b50", "Intel Arc Pro B50", 16, 224, peak{int8: 170}, arcPro, "b50", ""},
	{"arc-pro-b60", "Intel Arc Pro B60", 24, 456, peak{int8: 197}, arcPro, "b60", ""},
	{"core-ultra-258v", "Intel Core Ultra 7 258V", 32, 136.5, peak{}, "Intel Core Ultra 200V product brief (LPDDR5X-8533, 128 bits)", "258v|lunar lake|arc 140v", "arc 140v lunar lake 16gb igpu"},
	{"max-1100", "Intel Data Center GPU Max 1100", 48, 1228.8, peak{}, maxSeries, "max 1100", "pvc ponte vecchio series"},
	{"max-1550", "Intel Data Center GPU Max 1550", 128, 3276.8, peak{}, maxSeries, "max 1550", "pvc ponte vecchio series"},
	{"gaudi", "Intel Gaudi", 32, 1000, peak{}, "Habana Gaudi HL-205 datasheet", "gaudi|hl 205", "hpu"},
	{"gaudi-2", "Intel Gaudi 2", 96, 2460, peak{bf16: 432, fp8: 865}, "Intel Gaudi 2 AI accelerator white paper, www.intel.com/content/www/us/en/content-details/839363/, as cited in github.com/stas00/ml-engineering/tree/master/compute/accelerator", "gaudi 2|hl 225|hl 225h", "hpu"},
	// The peak is the announced one at 1.75 GHz. Cards run at 1.6 GHz, which gives 1678 TFLOPS.
	{"gaudi-3", "Intel Gaudi 3", 128, 3700, peak{bf16: 1835, fp8: 1835}, "Intel Gaudi 3 AI Accelerator White Paper, cdrdv2-public.intel.com/817486/gaudi-3-ai-accelerator-white-paper.pdf", "gaudi 3|hl 325l|hl 338", "hpu pcie"},
}

var china = []row{
	// One NPU of an Atlas 800I A2 or 800T A2. It has one of the two dies of a 910C.
	{"ascend-910b", "Huawei Ascend 910B 64GB", 64, 1600, peak{}, atlas + " (Atlas 800I A2, 64 GB)", "910b|910b1|910b2|910b3|800i a2|800t a2", "atlas 800i 800t a2 910b1 910b2 910b3 npu hbm"},
	{"ascend-910b-32gb", "Huawei Ascend 910B 32GB", 32, 800, peak{}, atlas + " (Atlas 800I A2, 32 GB)", "910b 32gb|910b4|800i a2 32gb", "atlas 800i a2 910b4 npu hbm"},
	{"ascend-910c", "Huawei Ascend 910C", 128, 3200, peak{bf16: 752, int8: 1504}, matrix + " (both dies)", "910c|910 93|800i a3|800t a3", "910 93 atlas 800i 800t a3 npu hbm"},
	{"atlas-300i-pro", "Huawei Atlas 300I Pro", 24, 204.8, peak{fp16: 70, int8: 140}, atlas + " (Ascend 310P)", "310p|310p3|300i pro|300v pro", "ascend 310p 310p3 300v npu"},
	{"atlas-300i-duo-96gb", "Huawei Atlas 300I Duo 96GB", 96, 408, peak{fp16: 140, int8: 280}, atlas + " (both Ascend 310P)", "300i duo", "ascend 310p npu"},
	{"atlas-300i-duo-48gb", "Huawei Atlas 300I Duo 48GB", 48, 408, peak{fp16: 140, int8: 280}, atlas + " (both Ascend 310P)", "300i duo", "ascend 310p npu"},
	{"mlu370-s4", "Cambricon MLU370-S4", 24, 307.2, peak{fp16: 72, int8: 192}, mlu, "mlu370 s4", ""},
	{"mlu370-x4", "Cambricon MLU370-X4", 24, 307.2, peak{fp16: 96, int8: 256}, mlu, "mlu370 x4", ""},
	{"mlu370-x8", "Cambricon MLU370-X8", 48, 614.4, peak{fp16: 96, int8: 256}, mlu, "mlu370", ""},
	{"kunlun-r200", "Kunlunxin R200", 32, 512, peak{fp16: 128, int8: 256}, "Kunlunxin R200 product page, www.kunlunxin.com", "r200", "kunlun xpu"},
	{"mtt-s80", "Moore Threads MTT S80", 16, 448, peak{}, mooreWeb, "s80", "moore threads mtt musa"},
	{"mtt-s3000", "Moore Threads MTT S3000", 32, 448, peak{}, mooreWeb, "s3000", "moore threads mtt musa"},
	{"mtt-s4000", "Moore Threads MTT S4000", 48, 768, peak{bf16: 100, int8: 200}, mooreWeb, "s4000", "moore threads mtt musa"},
	{"br100", "Biren BR100", 64, 2300, peak{bf16: 1024, int8: 2048}, biren, "br100", ""},
	{"br104", "Biren BR104", 32, 819, peak{bf16: 512, int8: 1024}, biren, "br104", ""},
	{"dcu-z100", "Hygon DCU Z100", 32, 1024, peak{}, "Hygon prospectus (2022): DCU 8100", "z100|z100l|dcu 8100", "z100l dcu 8100"},
}

var clouds = []row{
	{"tpu-v3", "Google TPU v3", 32, 900, peak{bf16: 123}, tpu + "v3", "tpu v3", ""},
	{"tpu-v4", "Google TPU v4", 32, 1228, peak{bf16: 275, int8: 275}, tpu + "v4", "tpu v4", ""},
	{"tpu-v5e", "Google TPU v5e", 16, 819, peak{bf16: 197, int8: 394}, tpu + "v5e", "v5e|v5litepod|v5 lite", ""},
	{"tpu-v5p", "Google TPU v5p", 95, 2765, peak{bf16: 459, int8: 918}, tpu + "v5p", "", ""},
	{"tpu-v6e", "Google TPU v6e", 32, 1640, peak{bf16: 918, int8: 1836}, tpu + "v6e", "v6e|trillium", ""},
	{"tpu-v7", "Google TPU v7", 192, 7370, peak{bf16: 2307, fp8: 4614}, tpu + "tpu7x", "tpu v7|ironwood|tpu7x|v7x", ""},
	{"inferentia2", "AWS Inferentia2", 32, 820, peak{bf16: 190, int8: 380}, neuron + "inferentia2.html", "inferentia2|inferentia 2|inf2", ""},
	{"trainium", "AWS Trainium", 32, 820, peak{bf16: 190, fp8: 190}, neuron + "trainium.html", "trainium|trainium1|trn1", ""},
	{"trainium2", "AWS Trainium2", 96, 2900, peak{bf16: 667, fp8: 1299}, neuron + "trainium2.html", "trainium2|trainium 2|trn2", ""},
	{"trainium3", "AWS Trainium3", 144, 4900, peak{bf16: 671, fp8: 2517}, neuron + "trainium3.html", "trainium3|trainium 3|trn3", ""},
	{"groq-lpu", "Groq LPU", 0.23, 80_000, peak{fp16: 188, int8: 750}, "GroqCard accelerator product brief, groq.com", "groq|lpu|groqcard", ""},
	{"wormhole-n150", "Tenstorrent Wormhole n150", 12, 288, peak{}, wormhole, "n150|n150d|n150s", ""},
	{"wormhole-n300", "Tenstorrent Wormhole n300", 24, 576, peak{}, wormhole, "n300|n300d|n300s", ""},
	{"blackhole-p150", "Tenstorrent Blackhole p150", 32, 512, peak{}, wormhole, "p150|p150a|p150b", ""},
}
