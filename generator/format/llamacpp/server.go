package llamacpp

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// llamaTimingsOf returns the timings of a reply.
//
// llama-server reports for each reply how long its parts took, in "timings" beside the answer (/completion, the OpenAI
// endpoints). Scripts may save that object alone. Each reply is a result.
//
// prompt_n counts the prompt tokens that were evaluated, cache_n (since 2025-10) those that were cached. predicted_n
// counts all tokens, but predicted_ms runs from the first token to the last. So predicted_per_token_ms is too low by
// the first token's share, and the speed of a single token is meaningless. Times are measured in the server: TTFT is
// prompt_ms, without network and queue.
//
// Source: tools/server/server-task.cpp, result_timings.
func llamaTimingsOf(v *scan.Value) *scan.Value {
	if t := llamaReplyOf(v).Get("timings"); t != nil {
		return t
	}
	return v
}

// llamaReplyOf returns the part of an object that has the timings, or the object itself.
func llamaReplyOf(v *scan.Value) *scan.Value {
	for _, key := range llamaReplyKeys {
		if of := v.Get(key); of.Get("timings") != nil {
			return of
		}
	}
	return v
}

// llamaReplyKeys lists the keys under which scripts save a whole reply.
var llamaReplyKeys = []string{"response", "result", "reply", "body", "raw"}

func isLlamaServer(v *scan.Value) bool {
	t := llamaTimingsOf(v)
	return t.Has("predicted_per_second", "predicted_n", "predicted_ms") || t != v && t.Has("predicted_per_second", "prompt_per_second")
}

func readLlamaServer(in *draft.File, v *scan.Value) {
	s := in.Begin("llama-server", "llama-server-json", v.Line)
	t := llamaTimingsOf(v)
	number := func(key string) float64 { n, _ := t.Get(key).Float(); return n }
	prompt, cached, promptTime := number("prompt_n"), number("cache_n"), number("prompt_ms")
	if prompt > 0 && promptTime > 0 {
		s.TakeAll(t, []draft.Member{{Key: "prompt_per_second", Name: "prefill_throughput", Unit: "t/s"}, {Key: "prompt_ms", Name: "ttft_mean", Unit: "ms"}})
	}
	switch {
	case cached > 0:
		s.TakeAll(t, []draft.Member{{Key: "prompt_n", Name: "x_prompt_n", Unit: "tok"}, {Key: "cache_n", Name: "x_cache_n", Unit: "tok"}})
		s.Derive("input_tokens", prompt+cached, "prompt_n + cache_n", t.Line)
	case prompt > 0:
		s.Take("input_tokens", "tok", t.Get("prompt_n"))
	}
	if predicted := number("predicted_n"); predicted > 0 {
		s.Take("output_tokens", "tok", t.Get("predicted_n"))
		if ms := number("predicted_ms"); predicted > 1 && ms > 0 {
			s.TakeAll(t, []draft.Member{{Key: "predicted_per_second", Name: "decode_throughput", Unit: "t/s"}, {Key: "predicted_per_token_ms", Name: "tpot_mean", Unit: "ms"},
				{Key: "predicted_ms", Name: "x_predicted_ms", Unit: "ms"}})
			if promptTime > 0 {
				s.Derive("e2el_mean", promptTime+ms, "prompt_ms + predicted_ms", t.Line)
			}
		}
	}
	if t.Get("predicted_n") == nil { // only the speeds are there
		for _, m := range []draft.Member{{Key: "prompt_per_second", Name: "prefill_throughput"}, {Key: "predicted_per_second", Name: "decode_throughput"}} {
			if number(m.Key) > 0 {
				s.Take(m.Name, "t/s", t.Get(m.Key))
			}
		}
	}
	if drafted := number("draft_n"); drafted > 0 {
		s.TakeAll(t, []draft.Member{{Key: "draft_n", Name: "x_draft_n", Unit: "tok"}, {Key: "draft_n_accepted", Name: "x_draft_n_accepted", Unit: "tok"}})
		if accepted, ok := t.Get("draft_n_accepted").Float(); ok {
			s.Derive("acceptance_rate", 100*accepted/drafted, "draft_n_accepted / draft_n", t.Line)
		}
	}
	if !s.HasKnown() {
		in.NoResult(v.Line, locale.Textf("timings of llama-server in which nothing was evaluated"))
		return
	}
	reply := llamaReplyOf(v)
	if reply != v {
		s.TakeAll(v, []draft.Member{{Key: "model", Name: "model_raw"}, {Key: "name", Name: "x_name"}, {Key: "label", Name: "x_label"}})
	}
	s.TakeAll(reply, []draft.Member{
		{Key: "model", Name: "model_raw"},
		{Key: "system_fingerprint", Name: "engine_version"},
		{Key: "generation_settings.temperature", Name: "temperature"},
		{Key: "stop_type", Name: "x_stop_type"},
	})
	s.Created(reply)
	s.Imply("engine", "llama.cpp", v.Line)
	s.Guess("max_concurrency", "1", v.Line) // other requests may have run at the same time
	s.EmitObject(v)
}
