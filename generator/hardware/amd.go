package hardware

const (
	instinct  = "AMD Instinct product pages, www.amd.com/en/products/accelerators/instinct.html"
	mi200     = "AMD Instinct MI200 series data sheet, www.amd.com/system/files/documents/amd-instinct-mi200-datasheet.pdf"
	mi350     = "AMD Instinct MI350 series data sheets, www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/product-briefs/"
	radeonPro = "AMD Radeon PRO product pages, www.amd.com/en/products/graphics/workstations.html"
	radeonRX  = "AMD Radeon RX product pages, www.amd.com/en/products/graphics/desktops/radeon.html"
	ryzen     = "AMD Ryzen AI product pages, www.amd.com/en/products/processors/ (bandwidth of width and fastest speed of the memory)"
	epyc      = "AMD EPYC product pages, www.amd.com/en/products/processors/server/epyc.html (of one socket)"
)

var amd = []row{
	{"mi50", "AMD Instinct MI50", 16, 1024, peak{fp16: 26.5, int8: 53}, instinct, "", "32gb"},
	{"mi60", "AMD Instinct MI60", 32, 1024, peak{fp16: 29.5, int8: 59}, instinct, "", ""},
	{"mi100", "AMD Instinct MI100", 32, 1228.8, peak{bf16: 92.3, fp16: 184.6, int8: 184.6}, instinct, "", ""},
	{"mi210", "AMD Instinct MI210", 64, 1638.4, peak{bf16: 181, int8: 181}, mi200, "", "pcie"},
	{"mi250", "AMD Instinct MI250", 128, 3276.8, peak{bf16: 362.1, int8: 362.1}, mi200 + " (both dies)", "", ""},
	{"mi250x", "AMD Instinct MI250X", 128, 3276.8, peak{bf16: 383, int8: 383}, mi200 + " (both dies)", "", ""},
	{"mi300a", "AMD Instinct MI300A", 128, 5300, peak{bf16: 980.6, fp8: 1961.2, int8: 1961.2}, "AMD Instinct MI300A APU data sheet, www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/data-sheets/amd-instinct-mi300a-data-sheet.pdf", "", ""},
	{"mi300x", "AMD Instinct MI300X", 192, 5300, peak{bf16: 1307.4, fp8: 2614.9, int8: 2614.9}, "AMD Instinct MI300X Accelerator data sheet, www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/data-sheets/amd-instinct-mi300x-data-sheet.pdf", "", ""},
	{"mi308x", "AMD Instinct MI308X", 192, 5300, peak{}, instinct, "mi308x|mi308", "mi308"},
	{"mi325x", "AMD Instinct MI325X", 256, 6000, peak{bf16: 1307.4, fp8: 2614.9, int8: 2614.9}, "AMD Instinct MI325X product page, www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html", "", ""},
	{"mi350x", "AMD Instinct MI350X", 288, 8000, peak{bf16: 2306.9, fp8: 4613.7, int8: 4613.7, fp4: 9227.5}, mi350 + "amd-instinct-mi350x-gpu-brochure.pdf", "", ""},
	{"mi355x", "AMD Instinct MI355X", 288, 8000, peak{bf16: 2516.6, fp8: 5033.2, int8: 5033.2, fp4: 10_066.3}, mi350 + "amd-instinct-mi355x-gpu-brochure.pdf", "", ""},
}

var radeon = []row{
	{"radeon-vii", "AMD Radeon VII", 16, 1024, peak{}, radeonRX, "radeon vii|vii", ""},
	{"rx-580", "AMD Radeon RX 580", 8, 256, peak{}, radeonRX, "rx 580", ""},
	{"rx-5700-xt", "AMD Radeon RX 5700 XT", 8, 448, peak{}, radeonRX, "5700 xt", ""},
	{"rx-6600", "AMD Radeon RX 6600", 8, 224, peak{}, radeonRX, "rx 6600", ""},
	{"rx-6600-xt", "AMD Radeon RX 6600 XT", 8, 256, peak{}, radeonRX, "6600 xt", ""},
	{"rx-6650-xt", "AMD Radeon RX 6650 XT", 8, 280, peak{}, radeonRX, "6650 xt", ""},
	{"rx-6700-xt", "AMD Radeon RX 6700 XT", 12, 384, peak{}, radeonRX, "6700 xt", ""},
	{"rx-6750-xt", "AMD Radeon RX 6750 XT", 12, 432, peak{}, radeonRX, "6750 xt", ""},
	{"rx-6800", "AMD Radeon RX 6800", 16, 512, peak{}, radeonRX, "rx 6800", ""},
	{"rx-6800-xt", "AMD Radeon RX 6800 XT", 16, 512, peak{}, radeonRX, "6800 xt", ""},
	{"rx-6900-xt", "AMD Radeon RX 6900 XT", 16, 512, peak{}, radeonRX, "6900 xt", ""},
	{"rx-6950-xt", "AMD Radeon RX 6950 XT", 16, 576, peak{}, radeonRX, "6950 xt", ""},
	{"rx-7600", "AMD Radeon RX 7600", 8, 288, peak{}, radeonRX, "rx 7600", ""},
	{"rx-7600-xt", "AMD Radeon RX 7600 XT", 16, 288, peak{}, radeonRX, "7600 xt", ""},
	{"rx-7700-xt", "AMD Radeon RX 7700 XT", 12, 432, peak{}, radeonRX, "7700 xt", ""},
	{"rx-7800-xt", "AMD Radeon RX 7800 XT", 16, 624.1, peak{fp16: 74.6}, radeonRX, "7800 xt", ""},
	{"rx-7900-gre", "AMD Radeon RX 7900 GRE", 16, 576, peak{}, radeonRX, "7900 gre", ""},
	{"rx-7900-xt", "AMD Radeon RX 7900 XT", 20, 800, peak{fp16: 103}, radeonRX, "7900 xt", ""},
	{"rx-7900-xtx", "AMD Radeon RX 7900 XTX", 24, 960, peak{fp16: 123}, radeonRX, "7900 xtx", ""},
	{"rx-9060-xt-8gb", "AMD Radeon RX 9060 XT 8GB", 8, 322.3, peak{fp16: 103, fp8: 205, int8: 205}, radeonRX, "9060 xt", ""},
	{"rx-9060-xt-16gb", "AMD Radeon RX 9060 XT 16GB", 16, 322.3, peak{fp16: 103, fp8: 205, int8: 205}, radeonRX, "9060 xt", ""},
	{"rx-9070", "AMD Radeon RX 9070", 16, 644.6, peak{fp16: 145, fp8: 289, int8: 289}, radeonRX, "rx 9070", ""},
	{"rx-9070-xt", "AMD Radeon RX 9070 XT", 16, 644.6, peak{fp16: 195, fp8: 389, int8: 389}, radeonRX, "9070 xt", ""},
	{"radeon-pro-w6800", "AMD Radeon PRO W6800", 32, 512, peak{}, radeonPro, "w6800", ""},
	{"radeon-pro-w7800", "AMD Radeon PRO W7800", 32, 576, peak{}, radeonPro, "w7800", ""},
	{"radeon-pro-w7800-48gb", "AMD Radeon PRO W7800 48GB", 48, 864, peak{}, radeonPro, "w7800", ""},
	{"radeon-pro-w7900", "AMD Radeon PRO W7900", 48, 864, peak{fp16: 122.6}, radeonPro, "w7900", ""},
	{"radeon-ai-pro-r9700", "AMD Radeon AI PRO R9700", 32, 644.6, peak{fp16: 191, fp8: 383, int8: 383}, radeonPro, "r9700", ""},

	{"ryzen-ai-max-395", "AMD Ryzen AI Max+ 395", 0, 256, peak{}, ryzen, "395|strix halo|8060s|gfx1151", "pro 8060s gfx1151 strix halo framework igpu apu"},
	{"ryzen-ai-max-385", "AMD Ryzen AI Max 385", 0, 256, peak{}, ryzen, "max 385|max 390|8050s", "pro 390 8050s"},
	{"ryzen-ai-9-hx-370", "AMD Ryzen AI 9 HX 370", 0, 128, peak{}, ryzen, "hx 370|890m|strix point", "strix point igpu"},
	{"radeon-780m", "AMD Radeon 780M", 0, 120, peak{}, ryzen, "780m|7840hs|7840u|8845hs", "ryzen 7 7840hs 7840u 8845hs igpu"},
	{"radeon-680m", "AMD Radeon 680M", 0, 102.4, peak{}, ryzen, "680m|6800h|6800u|6800hs", "ryzen 7 6800h 6800u 6800hs igpu"},

	{"epyc-9755", "AMD EPYC 9755", 0, 614, peak{}, epyc, "", "processor cpu 128core"},
	{"epyc-9965", "AMD EPYC 9965", 0, 614, peak{}, epyc, "", "processor cpu 192core"},
	{"epyc-9654", "AMD EPYC 9654", 0, 460.8, peak{}, epyc, "", "processor cpu 96core"},
	{"epyc-9554", "AMD EPYC 9554", 0, 460.8, peak{}, epyc, "", "processor cpu 64core"},
	{"epyc-7763", "AMD EPYC 7763", 0, 204.8, peak{}, epyc, "", "processor cpu 64core"},
	{"epyc-7742", "AMD EPYC 7742", 0, 204.8, peak{}, epyc, "", "processor cpu 64core"},
}
