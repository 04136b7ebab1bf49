package catalogue

// Gemma 3 caches the whole context in one of six layers, Gemma 2 in every second layer.
var gemma = []row{
	{"Gemma-2B", 2.506, 0, shape{18, 2048, 8, 1, 256, 16384, 256000, tied}, more{}, "google/gemma-2b", "gemma-1.1-2b, gemma-2b-it"},
	{"Gemma-7B", 8.538, 0, shape{28, 3072, 16, 16, 256, 24576, 256000, tied}, more{}, "google/gemma-7b", "gemma-1.1-7b"},
	{"Gemma-2-2B", 2.614, 0, shape{26, 2304, 8, 4, 256, 9216, 256000, tied}, more{caches: 13}, "google/gemma-2-2b", ""},
	{"Gemma-2-9B", 9.242, 0, shape{42, 3584, 16, 8, 256, 14336, 256000, tied}, more{caches: 21}, "google/gemma-2-9b", ""},
	{"Gemma-2-27B", 27.227, 0, shape{46, 4608, 32, 16, 128, 36864, 256000, tied}, more{caches: 23}, "google/gemma-2-27b", ""},
	{"Gemma-3-270M", 0.268, 0, shape{18, 640, 4, 1, 256, 2048, 262144, tied}, more{caches: 3}, "google/gemma-3-270m", ""},
	{"Gemma-3-1B", 1.0, 0, shape{26, 1152, 4, 1, 256, 6912, 262144, tied}, more{caches: 4}, "google/gemma-3-1b-it", ""},
	{"Gemma-3-4B", 4.30, 0, shape{34, 2560, 8, 4, 256, 10240, 262208, tied}, more{caches: 5, unread: 0.42, traits: Vision}, "google/gemma-3-4b-it", ""},
	{"Gemma-3-12B", 12.19, 0, shape{48, 3840, 16, 8, 256, 15360, 262208, tied}, more{caches: 8, unread: 0.42, traits: Vision}, "google/gemma-3-12b-it", ""},
	{"Gemma-3-27B", 27.43, 0, shape{62, 5376, 32, 16, 128, 21504, 262208, tied}, more{caches: 10, unread: 0.42, traits: Vision}, "google/gemma-3-27b-it", ""},
	{"Gemma-3n-E2B", 5.44, 0, shape{layers: 30, hidden: 2048, heads: 8, kv: 2, headDim: 256, vocab: 262400, embeddings: tied}, more{caches: 4, unread: 3.53, traits: PerLayerEmbeddings | Vision | Audio}, "google/gemma-3n-E2B-it", ""},
	{"Gemma-3n-E4B", 7.85, 0, shape{layers: 35, hidden: 2048, heads: 8, kv: 2, headDim: 256, vocab: 262400, embeddings: tied}, more{caches: 4, unread: 3.87, traits: PerLayerEmbeddings | Vision | Audio}, "google/gemma-3n-E4B-it", ""},
	{"Gemma-4-E2B", 5.1, 0, shape{layers: 35, hidden: 1536, vocab: 262144, embeddings: tied}, more{unread: 2.8, traits: PerLayerEmbeddings | Vision | Audio}, "google/gemma-4-E2B-it", ""},
	{"Gemma-4-E4B", 8.0, 0, shape{layers: 42, hidden: 2560, vocab: 262144, embeddings: tied}, more{unread: 3.5, traits: PerLayerEmbeddings | Vision | Audio}, "google/gemma-4-E4B-it", ""},
	{"Gemma-4-26B-A4B", 25.2, 3.8, shape{hidden: 2816, vocab: 262144, embeddings: tied}, more{traits: Vision}, "google/gemma-4-26B-A4B-it", "gemma4-26B-A4B"},
	{"Gemma-4-31B", 30.7, 0, shape{embeddings: tied}, more{unread: 0.55, traits: Vision}, "google/gemma-4-31B-it", ""},
}
