package hardware

const (
	appleNews     = "Apple newsroom and tech specs of the chip, www.apple.com/newsroom/"
	macStudio2025 = "Apple Mac Studio (2025) Tech Specs, support.apple.com/en-us/122211"
)

// Apple publishes no peaks of its GPUs, and sells each chip with several memory sizes.
var apple = []row{
	{"m1", "Apple M1", 0, 68.25, peak{}, appleNews, "", "7core 8core"},
	{"m1-pro", "Apple M1 Pro", 0, 200, peak{}, appleNews, "", "14core 16core"},
	{"m1-max", "Apple M1 Max", 0, 400, peak{}, appleNews, "", "24core 32core"},
	{"m1-ultra", "Apple M1 Ultra", 0, 800, peak{}, appleNews, "", "48core 64core"},
	{"m2", "Apple M2", 0, 100, peak{}, appleNews, "", "8core 10core"},
	{"m2-pro", "Apple M2 Pro", 0, 200, peak{}, appleNews, "", "16core 19core"},
	{"m2-max", "Apple M2 Max", 0, 400, peak{}, appleNews, "", "30core 38core"},
	{"m2-ultra", "Apple M2 Ultra", 0, 800, peak{}, "Apple Mac Studio (2023) Tech Specs, support.apple.com/en-us/111835", "", "60core 76core"},
	{"m3", "Apple M3", 0, 100, peak{}, appleNews, "", "8core 10core"},
	{"m3-pro", "Apple M3 Pro", 0, 150, peak{}, appleNews, "", "14core 18core"},
	{"m3-max-30-core-gpu", "Apple M3 Max 30-core GPU", 0, 300, peak{}, appleNews, "m3 max", ""},
	{"m3-max-40-core-gpu", "Apple M3 Max 40-core GPU", 0, 400, peak{}, appleNews, "m3 max", ""},
	{"m3-ultra", "Apple M3 Ultra", 0, 819, peak{}, macStudio2025, "", "60core 80core"},
	{"m4", "Apple M4", 0, 120, peak{}, appleNews, "", "8core 10core"},
	{"m4-pro", "Apple M4 Pro", 0, 273, peak{}, appleNews, "", "16core 20core"},
	{"m4-max-32-core-gpu", "Apple M4 Max 32-core GPU", 0, 410, peak{}, macStudio2025, "m4 max", ""},
	{"m4-max-40-core-gpu", "Apple M4 Max 40-core GPU", 0, 546, peak{}, macStudio2025, "m4 max", ""},
	{"m5", "Apple M5", 0, 153, peak{}, appleNews, "", "8core 10core"},
	{"m5-pro", "Apple M5 Pro", 0, 307, peak{}, appleNews, "", "16core 20core"},
	{"m5-max-32-core-gpu", "Apple M5 Max 32-core GPU", 0, 460, peak{}, appleNews, "m5 max", ""},
	{"m5-max-40-core-gpu", "Apple M5 Max 40-core GPU", 0, 614, peak{}, appleNews, "m5 max", ""},
}
