package hardware

import (
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// PeakFor returns the dense peak in FLOP/s that bounds the matrix
// multiplications of a model of that quantisation on the hardware, and the
// data type it is of. It is not ok when the quantisation or the peak is
// unknown.
//
// Hardware that lacks a format's own type computes it in a wider one: FP4
// weights, and the integer blocks of GGUF, then run in 16 bits. FP16 stands in
// for BF16 where it is faster, unless the model says BF16. A site with peaks
// of its own puts them into a Spec and asks that.
func (s Spec) PeakFor(quantization string) (flops float64, dtype string, ok bool) {
	dtype = ComputeType(quantization)
	label := normal(quantization)
	if s.Peak[dtype] == 0 && (dtype == "FP4" || isGGUF().MatchString(label)) {
		dtype = "BF16"
	}
	if dtype == "BF16" && !isBF16().MatchString(label) && s.Peak["FP16"] > 0 {
		dtype = "FP16"
	}
	flops = s.Peak[dtype]
	if flops == 0 {
		return 0, "", false
	}
	return flops, dtype, true
}

// ComputeType returns the data type in which the matrices of a model of that
// quantisation are multiplied, where the hardware has it: BF16, FP8, INT8 or
// FP4. BF16 counts as FP16 too. It is "" for a quantisation it does not know.
//
// Formats that shrink the weights alone (AWQ, GPTQ, W4A16) are unpacked and
// multiplied in 16 bits. llama.cpp multiplies the quantised types of GGUF as
// INT8 on GPUs that can: it brings the activations into blocks of 8 bits
// (ggml's MMQ kernels), so only that peak bounds it.
func ComputeType(quantization string) string {
	label := normal(quantization)
	switch {
	case isBF16().MatchString(label), isFP16().MatchString(label), isWeightOnly().MatchString(label):
		return "BF16"
	case isGGUF().MatchString(label), isINT8().MatchString(label):
		return "INT8"
	case isFP8().MatchString(label):
		return "FP8"
	case isFP4().MatchString(label):
		return "FP4"
	}
	return ""
}

// The kinds of quantisation, of labels as normal writes them.
var (
	isBF16       = lazy.Regexp(`^(BF16|BFLOAT16)$`)
	isFP16       = lazy.Regexp(`^(FP16|F16|FLOAT16|HALF|NONE)$`)
	isWeightOnly = lazy.Regexp(`^(AWQ|GPTQ|BITSANDBYTES|BNB|HQQ|EXL[23])|^(INT4|NF4)$|W[2-8]A16|^(NV|MX)?FP[48]-?A16$`)
	isGGUF       = lazy.Regexp(`^(UD-)?(I?Q[1-8]-[0-9A-Z-]+|TQ[12]-0)$`)
	isINT8       = lazy.Regexp(`^(INT8|W8A8|INT8-W8A8|W8A8-INT8|SMOOTHQUANT)$`)
	isFP8        = lazy.Regexp(`^(W8A8-)?(MX)?FP8(-[0-9A-Z-]+)?$`)
	isFP4        = lazy.Regexp(`^((NV|MX)?FP4|W4A4)(-[0-9A-Z-]+)?$`)
)

// normal writes a quantisation in capitals with hyphens: q4_K_M is Q4-K-M.
func normal(quantization string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToUpper(strings.TrimSpace(quantization)))
}
