package format

// llama-server tells of each reply how long its parts took, in "timings" beside
// the answer (/completion, the OpenAI endpoints), or in that object alone as
// scripts save it. A reply is a result.
//
// prompt_n counts the prompt tokens that were evaluated, cache_n (2025-10 on) those
// that were cached. predicted_n counts all tokens, predicted_ms runs from the first
// to the last, so that predicted_per_token_ms is low by the first's share and the
// speed of one token is none. Times are the server's side: TTFT is prompt_ms,
// without network and queue.
//
// Source: tools/server/server-task.cpp, result_timings.
func llamaTimingsOf(v *value) *value {
	if t := v.get("timings"); t.has("predicted_per_second", "predicted_n") {
		return t
	}
	return v
}

func isLlamaServer(v *value) bool {
	return llamaTimingsOf(v).has("predicted_per_second", "predicted_n", "predicted_ms")
}

func readLlamaServer(in *input, v *value) {
	s := in.begin("llama-server", "llama-server-json", v.line)
	t := llamaTimingsOf(v)
	number := func(key string) float64 { n, _ := t.get(key).float(); return n }
	prompt, cached, promptTime := number("prompt_n"), number("cache_n"), number("prompt_ms")
	if prompt > 0 && promptTime > 0 {
		s.takeAll(t, []member{{"prompt_per_second", "prefill_throughput", "t/s"}, {"prompt_ms", "ttft_mean", "ms"}})
	}
	switch {
	case cached > 0:
		s.takeAll(t, []member{{"prompt_n", "x_prompt_n", "tok"}, {"cache_n", "x_cache_n", "tok"}})
		s.derive("input_tokens", prompt+cached, "prompt_n + cache_n", t.line)
	case prompt > 0:
		s.take("input_tokens", "tok", t.get("prompt_n"))
	}
	if predicted := number("predicted_n"); predicted > 0 {
		s.take("output_tokens", "tok", t.get("predicted_n"))
		if ms := number("predicted_ms"); predicted > 1 && ms > 0 {
			s.takeAll(t, []member{{"predicted_per_second", "decode_throughput", "t/s"}, {"predicted_per_token_ms", "tpot_mean", "ms"},
				{"predicted_ms", "x_predicted_ms", "ms"}})
			if promptTime > 0 {
				s.derive("e2el_mean", promptTime+ms, "prompt_ms + predicted_ms", t.line)
			}
		}
	}
	if drafted := number("draft_n"); drafted > 0 {
		s.takeAll(t, []member{{"draft_n", "x_draft_n", "tok"}, {"draft_n_accepted", "x_draft_n_accepted", "tok"}})
		if accepted, ok := t.get("draft_n_accepted").float(); ok {
			s.derive("acceptance_rate", 100*accepted/drafted, "draft_n_accepted / draft_n", t.line)
		}
	}
	if !s.hasKnown() {
		in.noResult(v.line, "timings of llama-server in which nothing was evaluated")
		return
	}
	s.takeAll(v, []member{
		{"model", "model_raw", ""},
		{"system_fingerprint", "engine_version", ""},
		{"generation_settings.temperature", "x_temperature", ""},
		{"stop_type", "x_stop_type", ""},
	})
	s.created(v)
	s.imply("engine", "llama.cpp", v.line)
	s.guess("max_concurrency", "1", v.line) // others may have run beside it
	s.finish(v)
}
