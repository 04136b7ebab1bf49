// Package draft converts the output of a tool into results with the names of benchpost's vocabulary.
//
// A reader receives a [File] and gets a [Draft] from it, the working copy of one result. Values added to the draft are
// renamed, converted to the unit of the vocabulary and given a position. Values without a name of the vocabulary are
// kept under the tool's own key with the prefix "x_". Emit adds the result to the file:
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
// The method that sets a label depends on its source: SetLabel and Set are for values in the file, Imply for what
// follows from the tool, Guess for what is only likely. Derive adds a figure that is computed from others, with its
// formula.
//
// [Settings] collects the arguments shown in the lines above a result: from a command, from Python's Namespace(…) or
// from lines of their own. [Requests] and [RequestLog] hold the single requests of a run.
//
// A family of tools passes its readers to the core as a table of [Formats].
package draft
