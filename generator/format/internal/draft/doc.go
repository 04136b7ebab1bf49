// Package draft turns what a tool wrote into results under the names of benchpost.
//
// A reader is given a [File] and asks it for a [Draft], the working copy of one
// result. What it puts in is renamed, converted to the unit of the vocabulary and
// given its position; what it does not name is kept under the tool's own key with
// "x_" before it. Emit hands the result to the file:
//
//	func readOllama(in *draft.File, v *scan.Value) {
//		d := in.Begin("ollama", "ollama-json", v.Line)
//		d.TakeAll(v, []draft.Member{
//			{Key: "total_duration", Name: "duration", Unit: "ns"},
//			{Key: "eval_count", Name: "output_tokens", Unit: "tok"},
//			{Key: "model", Name: "model_raw"}, // no unit: a label
//		})
//		d.Rest(v, 1)
//		d.EmitObject(v)
//	}
//
// A label is set by how much it is known: SetLabel and Set for what the file says,
// Imply for what follows from the tool, Guess for what is only likely. Derive adds a
// figure that is computed from others, with its formula.
//
// [Settings] collects the arguments that the lines above a result show, from a
// command, from Python's Namespace(…) or from lines of their own. [Requests] and
// [RequestLog] take the single requests of a run.
//
// A family of tools hands its readers to the core as a table of [Formats].
package draft
