// Package format reads the raw output of benchmark tools. Each file beside
// this one reads one format, or the several forms of one tool's; this one tells
// them apart by content, never by name, and hands out what they found.
//
// There are two kinds of format. An object is JSON and is told by its keys. A
// block stands anywhere in a text, between whatever else a console or a page
// holds; it is told by a mark that one of its lines has. A new format is one
// file and one line in the table of its kind. Where a tool saves the same as YAML,
// that is told by its head and read as the JSON it could be.
package format

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"os"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"benchpost/generator/bench"
	"benchpost/generator/rawfile"
)

// objectFormats are tried in order on a JSON object that has one of their keys.
var objectFormats = []objectFormat{
	{name: "vllm-serve-json", keys: []string{"model_id", "tokenizer_id"}, is: isServeObject, read: readServeObject},
	{name: "aiperf-json", keys: []string{"aiperf_version", "input_config"}, is: isAIPerf, read: readAIPerf},
	{name: "aiperf-jsonl", keys: []string{"metadata"}, is: isAIPerfRecord, open: openAIPerfRecords},
	{name: "genai-perf-json", keys: []string{"input_config"}, is: isGenAIPerf, read: readGenAIPerf},
	{name: "trtllm-bench-json", keys: []string{"world_info"}, is: isTRTLLMReport, read: readTRTLLMReport},
	{name: "tensorrt-edge-llm-json", keys: []string{"prefill"}, is: isEdgeProfile, read: readEdgeProfile},
	{name: "vllm-latency-json", keys: []string{"avg_latency"}, is: isVLLMLatency, read: readVLLMLatency},
	{name: "vllm-throughput-json", keys: []string{"elapsed_time"}, is: isVLLMThroughput, read: readVLLMThroughput},
	{name: "vllm-startup-json", keys: []string{"avg_cold_startup_time", "avg_warm_startup_time"}, read: readVLLMStartup},
	{name: "vllm-pytorch-json", keys: []string{"metric"}, is: isPyTorchRecord, open: newPyTorchRecords},
	{name: "vllm-ci-json", keys: []string{"serving", "latency"}, is: isVLLMSummary, read: readVLLMSummary},
	{name: "vllm-mm-processor-json", keys: []string{"mm_processor_stats"}, read: readVLLMMultimodal},
	{name: "mlc-llm-bench-json", keys: []string{"num_completed_requests"}, is: isMLCBench, read: readMLCBench},
	{name: "sglang-serving-jsonl", keys: []string{"total_output_tokens_retokenized", "total_output_retokenized"}, is: isSGLangObject, read: readSGLangObject},
	{name: "sglang-offline-throughput-jsonl", keys: []string{"successful_requests"}, is: isSGLangOffline, read: readSGLangOffline},
	{name: "sglang-one-batch-jsonl", keys: []string{"total_latency"}, is: isOneBatch, read: readOneBatch},
	{name: "sglang-one-batch-server-jsonl", keys: []string{"overall_throughput"}, is: isOneBatchServer, read: readOneBatchServer},
	{name: "genai-bench-json", keys: []string{"aggregated_metrics"}, is: isGenAIBench, read: readGenAIBench},
	{name: "genai-bench-metadata-json", keys: []string{"server_gpu_type", "experiment_folder_name"}, is: isGenAIBenchMetadata, read: readGenAIBenchMetadata},
	{name: "ollama-json", keys: []string{"done", "eval_count", "prompt_eval_count"}, is: isOllama, read: readOllama},
	{name: "nvidia-smi-summary-json", keys: []string{"sample_count"}, is: isSMISummary, read: readSMISummary},
	{name: "system-info-json", keys: []string{"gpu", "vllm_version_reported"}, is: isSystemInfo, read: readSystemInfo},
	{name: "lm-eval-json", keys: []string{"results"}, is: isLMEval, read: readLMEval},
	{name: "hyperfine-json", keys: []string{"results"}, is: isHyperfine, read: readHyperfine},
	{name: "optimum-benchmark-json", keys: optimumKeys, is: isOptimum, read: readOptimum},
	{name: "evalscope-json", keys: []string{"Succeed requests", "Success Requests"}, is: isEvalScopeSummary, read: readEvalScopeSummary},
	{name: "evalscope-percentile-json", keys: []string{"Percentiles", "Percentile"}, is: isEvalScopePercentile, open: newEvalScopePercentiles},
	{name: "evalscope-args-json", keys: []string{"log_every_n_query"}, is: isEvalScopeArgs, read: readEvalScopeArgs},
	{name: "llama-bench-json", keys: []string{"build_commit"}, is: isLlamaBench, read: readLlamaBench},
	{name: "llama-batched-bench-jsonl", keys: []string{"n_kv"}, is: isBatched, read: readBatched},
	{name: "llama-sweep-bench-jsonl", keys: []string{"n_kv"}, is: isSweep, read: readSweep},
	{name: "llama-benchy-json", keys: []string{"latency_mode"}, is: isLlamaBenchy, read: readLlamaBenchy},
	{name: "llama-server-json", keys: []string{"timings", "predicted_per_second"}, is: isLlamaServer, read: readLlamaServer},
	{name: "lm-studio-json", keys: []string{"stats"}, is: isLMStudio, read: readLMStudio},
	{name: "guidellm-json", keys: []string{"benchmarks"}, is: isGuideLLM, read: readGuideLLM},
	{name: "inference-perf-json", keys: []string{"successes"}, is: isInferencePerf, read: readInferencePerf},
	{name: "inference-perf-json", keys: []string{"start_time"}, is: isInferencePerfRequest, open: openInferencePerfRequests},
	{name: "llmperf-json", keys: []string{"results_ttft_s_mean", "results_mean_output_throughput_token_per_s"}, read: readLLMPerf},
	{name: "llmperf-json", keys: []string{"end_to_end_latency_s"}, is: isLLMPerfRequest, open: openLLMPerfRequests},
	{name: "llmperf-json", keys: []string{"throughput_token_per_s"}, is: isLLMPerfBench, read: readLLMPerfBench},
	{name: "llmperf-json", keys: []string{"1", "2", "4", "8", "16", "32", "64", "128"}, is: isLLMPerfSweep, read: readLLMPerfBench},
	{name: "inferencex-json", keys: []string{"output_tput_per_gpu"}, is: isInferenceX, read: readInferenceX},
	{name: "inferencex-json", keys: []string{"request_metrics"}, is: isInferenceXAgentic, read: readInferenceXAgentic},
}

// blockFormats are given the lines of a text from the first that has one of
// their marks on. A mark has at least six bytes.
var blockFormats = []blockFormat{
	{name: "vllm-serve-text", marks: serveMarks, new: newServeText},
	{name: "genai-perf-csv", marks: genAIPerfCSVMarks, new: newGenAIPerfCSV},
	{name: "genai-perf-text", marks: genAIPerfTextMarks, new: newGenAIPerfText},
	{name: "aiperf-csv", marks: aiperfCSVMarks, new: newAIPerfCSV},
	{name: "aiperf-text", marks: aiperfTextMarks, new: newAIPerfText},
	{name: "perf-analyzer-csv", marks: perfAnalyzerCSVMarks, new: newPerfAnalyzerCSV},
	{name: "perf-analyzer-text", marks: perfAnalyzerTextMarks, new: newPerfAnalyzerText},
	{name: "trtllm-bench-text", marks: trtllmMarks, new: newTRTLLMText},
	{name: "gptmanagerbenchmark-text", marks: gptManagerMarks, new: newGPTManager},
	{name: "tensorrt-edge-llm-text", marks: edgeMarks, new: newEdgeText},
	{name: "jetson-containers-csv", marks: jetsonCSVMarks, new: newJetsonCSV},
	{name: "jetson-containers-text", marks: jetsonTextMarks, new: newJetsonAverages},
	{name: "vllm-latency-text", marks: latencyMarks, new: newLatencyText},
	{name: "vllm-throughput-text", marks: throughputMarks, new: newThroughputText},
	{name: "vllm-startup-text", marks: startupMarks, new: newStartupText},
	{name: "vllm-ci-md", marks: summaryMarks, new: newSummaryText},
	{name: "lmdeploy-text", marks: lmdeployMarks, new: newLMDeployText},
	{name: "lmdeploy-md", marks: lmdeployTableMarks, new: newLMDeployMarkdown},
	{name: "lmdeploy-csv", marks: lmdeployServingMarks, new: newLMDeployCSV},
	{name: "mlc-llm-bench-text", marks: mlcMarks, new: newMLCText},
	{name: "mlc-llm-bench-csv", marks: mlcColumnMarks, new: newMLCTable},
	{name: "inference-benchmark-text", marks: inferenceBenchmarkMarks, new: newInferenceBenchmarkText},
	{name: "sglang-one-batch-text", marks: oneBatchMarks, new: newOneBatchText},
	{name: "sglang-one-batch-server-text", marks: oneBatchServerMarks, new: newOneBatchServerText},
	{name: "ollama-text", marks: ollamaMarks, new: newOllamaText},
	{name: "tegrastats-text", marks: tegrastatsMarks, new: newTegrastats},
	{name: "jtop-csv", marks: jtopMarks, new: newJtopCSV},
	{name: "nvidia-smi-csv", marks: smiMarks, new: newSMICSV},
	{name: "nvidia-smi-dmon-text", marks: dmonMarks, new: newDmon},
	{name: "dcgm-dmon-text", marks: dcgmMarks, new: newDCGMDmon},
	{name: "dcgm-prometheus-text", marks: dcgmExporterMarks, new: newDCGMExporter},
	{name: "telemetry-csv", marks: telemetryMarks, new: newTelemetryCSV},
	{name: "lscpu-text", marks: lscpuMarks, new: newLscpuText},
	{name: "uname-text", marks: unameMarks, new: newUnameText},
	{name: "device-query-text", marks: deviceQueryMarks, new: newDeviceQuery},
	{name: "nvidia-smi-text", marks: smiTableMarks, new: newSMITable},
	{name: "jetson-text", marks: jetsonMarks, new: newJetsonText},
	{name: "collect-env-text", marks: collectEnvMarks, new: newCollectEnv},
	{name: "lm-eval-md", marks: lmEvalMarks, new: newLMEvalTable},
	{name: "go-bench-text", marks: goBenchMarks, new: newGoBench},
	{name: "fw-ai-benchmark-text", marks: fwAIMarks, new: newFwAI},
	{name: "fw-ai-benchmark-csv", marks: fwAICSVMarks, new: newFwAI},
	{name: "text-generation-benchmark-md", marks: tgiMarks, new: newTGITable},
	{name: "optimum-benchmark-text", marks: optimumMarks, new: newOptimumText},
	{name: "optimum-benchmark-csv", marks: optimumCSVMarks, new: newOptimumCSV},
	{name: "mlperf-text", marks: mlperfMarks, new: newMLPerf},
	{name: "evalscope-text", marks: evalScopeMarks, new: newEvalScopeText},
	{name: "llama-bench-md", marks: llamaTableMarks, new: newLlamaTable},
	{name: "llama-bench-csv", marks: llamaCSVMarks, new: newLlamaCSV},
	{name: "llama-bench-sql", marks: llamaSQLMarks, new: newLlamaSQL},
	{name: "llama-batched-bench-text", marks: kvTableMarks, new: newBatchedTable},
	{name: "llama-sweep-bench-text", marks: kvTableMarks, new: newSweepTable},
	{name: "llama-timings-text", marks: llamaTimingsMarks, new: newLlamaTimings},
	{name: "llama-benchy-md", marks: benchyMarks, new: newBenchyTable},
	{name: "mlx-lm-text", marks: mlxMarks, new: newMLXText},
	{name: "lm-studio-text", marks: lmStudioMarks, new: newLMStudioText},
	{name: "openvino-genai-text", marks: openVINOMarks, new: newOpenVINOText},
	{name: "guidellm-csv", marks: guideCSVMarks, new: newGuideCSV},
	{name: "guidellm-text", marks: guideTextMarks, new: newGuideText},
	{name: "llmperf-csv", marks: llmperfCSVMarks, new: newLLMPerfCSV},
	{name: "inferencex-text", marks: replayMarks, new: newReplayText},
	{name: "generic-csv", marks: genericMarks, new: newGenericCSV}, // last: it leaves what another has read
}

// yamlFormats are told by the head of a file.
var yamlFormats = []yamlFormat{
	{name: "guidellm-yaml", head: isGuideYAML, passOver: guideYAMLRest},
}

// blockFormat is a format whose results are lines of a text.
type blockFormat struct {
	name  string
	marks []string
	new   func() lineReader
}

// lineReader finds the blocks of one format in a text. It is used for one file
// after the other.
type lineReader interface {
	// begin is called once for a file, before the first line.
	begin(*input)
	// line is called with each line that has a mark. As long as it gives true,
	// all lines that follow are handed to it too.
	line(line) bool
	// end is called after the last line.
	end()
}

var blockMarks = func() *marks {
	m := newMarks()
	for i, f := range blockFormats {
		for _, text := range f.marks {
			m.add(text, i)
		}
	}
	m.prepare()
	return m
}()

// Output is what one file held.
type Output struct {
	Results  []bench.Result  // ID is empty, Source.File is the name given; sorted by line
	Traces   []bench.Trace   // telemetry
	Captured bench.Labels    // what the file says of the machine or the software
	Capture  string          // the format of that
	Messages []bench.Message // what reading found odd or broken, with positions
	Archive  bool            // the file holds others, of which nothing is read here
	Reason   string          // why there is no result: "no known format", "placeholders, not figures"
}

// input is one file being read and what was found in it so far.
type input struct {
	name string
	*session
	window window
	open   []openReader // of JSON objects
	begun  uint64       // readers of lines that were given one, a bit for each
	cut    bool         // its JSON broke off, or was broken

	mapping  *Mapping // how objects are to be read; nil for by their keys
	disputed []string // names of what the file says of the machine in two ways
	out      Output
}

// session is working memory that outlives one file: buffers, and strings that
// the files of a dataset repeat. Nothing that is handed out refers to its
// buffers.
type session struct {
	buf     []byte
	strings map[string]string
	sheet   sheet
	arena   arena
	samples []*sample // to be used again
	lent    []*sample // in use by the document that is read
	path    []byte
	keys    map[string]*meaning // of JSON, as understood before
	rows    map[string]*meaning // of tables
	key     []byte
	plain   []byte
	ascii   []byte
	readers [maxBlockFormats]lineReader
}

const maxBlockFormats = 64

var sessions = sync.Pool{New: func() any {
	return &session{buf: make([]byte, windowSize), strings: map[string]string{}, path: make([]byte, 0, 256),
		keys: map[string]*meaning{}, rows: map[string]*meaning{}}
}}

// sample gives an empty one.
func (s *session) sample() *sample {
	if n := len(s.samples); n > 0 {
		used := s.samples[n-1]
		s.samples = s.samples[:n-1]
		return used
	}
	return &sample{}
}

// forget takes back the memory of the document that was read.
func (s *session) forget() {
	s.arena.reset()
	s.takeBack(0)
}

// takeBack takes back the samples lent from the n-th on.
func (s *session) takeBack(n int) {
	for _, sample := range s.lent[n:] {
		s.giveBack(sample)
	}
	s.lent = s.lent[:n]
}

// giveBack takes a sample that is not needed any more.
func (s *session) giveBack(used *sample) {
	used.reset()
	s.samples = append(s.samples, used)
}

// intern gives the bytes as a string, the same one for the same bytes.
func (s *session) intern(b []byte) string {
	if v, ok := s.strings[string(b)]; ok {
		return v
	}
	if len(s.strings) >= maxInterned {
		clear(s.strings)
	}
	v := string(b)
	s.strings[v] = v
	return v
}

// release gives the session back for the next file. It keeps no hold of this
// one, and does not grow with the number of files.
func (s *session) release() {
	s.sheet.in = nil
	if len(s.keys)+len(s.rows) > maxInterned {
		clear(s.keys)
		clear(s.rows)
	}
	sessions.Put(s)
}

const (
	windowSize  = 64 << 10 // a longer line or token is cut
	headSize    = 4 << 10  // what is looked at to tell texts from other files
	jsonHead    = 64       // and to tell JSON from text
	maxInterned = 4096
)

// Read recognises and reads one file, also one compressed with gzip or zstd;
// lines are then those of what it holds. It never fails on content: what is
// wrong with that is a Message. The error is the reader's own. However large
// the file, Read holds 64 KB of it and what it found; of YAML what is not passed
// over, up to a limit.
func Read(name string, r io.Reader) (Output, error) {
	return readAs(name, r, (*input).read)
}

// readAs reads one file with a way of reading it.
func readAs(name string, r io.Reader, read func(*input)) (Output, error) {
	s := sessions.Get().(*session)
	defer s.release()
	in := &input{name: name, session: s, window: window{r: r, buf: s.buf}}
	switch kind := rawfile.KindOf(in.window.peek(rawfile.HeadSize)); kind {
	case rawfile.Zip:
		return Output{Archive: true, Reason: "a zip archive"}, nil
	case rawfile.Gzip, rawfile.Zstd:
		plain, err := rawfile.Decompress(kind, io.MultiReader(bytes.NewReader(bytes.Clone(in.window.peek(1))), r))
		if err != nil {
			return Output{Reason: "cannot be decompressed"}, err
		}
		defer plain.Close()
		in.window = window{r: plain, buf: s.buf}
	}
	if in.hasText() {
		read(in)
	}
	for _, open := range in.open {
		open.reader.end()
	}
	if len(in.out.Results)+len(in.out.Traces)+len(in.out.Captured) > 0 {
		in.out.Reason = ""
	} else {
		in.out.Messages = slices.DeleteFunc(in.out.Messages, func(m bench.Message) bool { return m.ID == noResultID })
		if in.out.Reason == "" {
			in.out.Reason = "no known format"
		}
	}
	slices.SortStableFunc(in.out.Results, func(a, b bench.Result) int { return a.Source.Line - b.Source.Line })
	if err := in.window.err; err != nil && err != io.EOF {
		return in.out, err
	}
	return in.out, nil
}

// ReadFile reads the file at path; positions name it as name.
func ReadFile(path, name string) (Output, error) {
	f, err := os.Open(path)
	if err != nil {
		return Output{}, err
	}
	defer f.Close()
	return Read(name, f)
}

// Raw cuts the lines of a result out of the file it was read from.
func Raw(data []byte, r *bench.Result) []byte {
	start := 0
	for n := 1; n < r.Source.Line; n++ {
		i := bytes.IndexByte(data[start:], '\n')
		if i < 0 {
			return nil
		}
		start += i + 1
	}
	end := start
	for n := r.Source.Line; n <= r.EndLine; n++ {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			return data[start:]
		}
		end += i + 1
	}
	return data[start:end]
}

// hasText tells whether there is text to be read, and else why not.
func (in *input) hasText() bool {
	head := in.window.peek(headSize)
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		in.out.Reason = "empty file"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		in.out.Reason = "UTF-16 text; save it as UTF-8"
	case bytes.IndexByte(head, 0) >= 0:
		in.out.Reason = "binary file"
	default:
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			in.window.pos += len("\ufeff")
		}
		return true
	}
	return false
}

func (in *input) read() {
	head := in.window.peek(headSize)
	if isJSON(head) {
		in.document()
		return
	}
	for i := range yamlFormats {
		if yamlFormats[i].head(head) {
			in.yaml(&yamlFormats[i])
			return
		}
	}
	in.readLines(1)
}

// readLines gives the lines, the first of the given number, to the readers of
// the blocks they are of.
func (in *input) readLines(first int) {
	var awake uint64
	lines := lines{w: &in.window, number: first}
	for {
		if head := in.window.peek(1); len(head) > 0 && (head[0] == '{' || head[0] == '[') && isJSON(in.window.peek(jsonHead)) {
			lines.number = in.embedded(lines.number)
		}
		l, ok := lines.next()
		if !ok {
			break
		}
		if bytes.IndexByte(l.text, 0x1b) >= 0 {
			l.text = in.withoutColours(l.text)
		}
		if hasOtherForms(l.text) {
			l.text = in.withASCIIForms(l.text)
		}
		for readers := blockMarks.find(l.text) | awake; readers != 0; readers &= readers - 1 {
			i := bits.TrailingZeros64(readers)
			if in.lineReader(i).line(l) {
				awake |= 1 << i
			} else {
				awake &^= 1 << i
			}
		}
	}
	for readers := in.begun; readers != 0; readers &= readers - 1 {
		in.readers[bits.TrailingZeros64(readers)].end()
	}
}

// lineReader gives the reader of a block format.
func (in *input) lineReader(i int) lineReader {
	if in.readers[i] == nil {
		in.readers[i] = blockFormats[i].new()
	}
	if in.begun&(1<<i) == 0 {
		in.begun |= 1 << i
		in.readers[i].begin(in)
	}
	return in.readers[i]
}

// withoutColours takes the terminal's escape sequences out of a line.
func (in *input) withoutColours(text []byte) []byte {
	plain := in.plain[:0]
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			plain = append(plain, text[i])
			continue
		}
		i++
		switch {
		case i == len(text):
		case text[i] == '[':
			for i++; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
			}
		case text[i] == ']': // a window's title, up to BEL or ESC \
			for i++; i < len(text) && text[i] != 0x07 && text[i] != 0x1b; i++ {
			}
			if i+1 < len(text) && text[i] == 0x1b {
				i++
			}
		}
	}
	in.plain = plain
	return plain
}

// isASCII looks at eight bytes at a time.
func isASCII(text []byte) bool {
	for len(text) >= 8 {
		if binary.LittleEndian.Uint64(text)&0x8080808080808080 != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hasOtherForms tells whether a line may hold what withASCIIForms changes: the
// marks of a progress bar, in most lines that are not ASCII, are none of it.
func hasOtherForms(text []byte) bool {
	if isASCII(text) {
		return false
	}
	for i, c := range text {
		switch {
		case c < utf8.RuneSelf || c == 0xe2 && i+1 < len(text) && text[i+1] > 0x81:
		case c == 0xc2 || c >= 0xe1 && c <= 0xe3 || c == 0xef:
			return true
		}
	}
	return false
}

// withASCIIForms writes what pages and editors put for the tool's own
// characters as the tool does: spaces of any width, and full-width signs.
func (in *input) withASCIIForms(text []byte) []byte {
	ascii := in.ascii[:0]
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '：': // its space is part of it
			ascii = append(ascii, ": "...)
		case r >= '！' && r <= '～':
			ascii = append(ascii, byte(r-'！'+'!'))
		case r == '\u200b' || r == '\ufeff': // of no width
		case r >= utf8.RuneSelf && unicode.IsSpace(r):
			ascii = append(ascii, ' ')
		default:
			ascii = append(ascii, text[:n]...)
		}
		text = text[n:]
	}
	in.ascii = ascii
	return ascii
}

// noResultID marks a message that tells of a part of the file without result.
const noResultID = "format.no-result"

// noResult tells why a part of the file gives no result. With other results in
// the file that is a message, without any it is the reason of the file.
func (in *input) noResult(line int, reason string) {
	in.out.Reason = reason
	in.message(line, bench.Info, noResultID, reason, "")
}

// message notes something about the file.
func (in *input) message(line int, severity bench.Severity, id, text, hint string) {
	in.out.Messages = append(in.out.Messages, bench.Message{
		Pos:      bench.Position{File: in.name, Line: line},
		Severity: severity, ID: id, Text: text, Hint: hint,
	})
}
