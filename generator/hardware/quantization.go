package hardware

import (
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// PeakFor returns the dense peak in FLOP/s that limits the matrix multiplications of a model with this
// quantisation on the hardware, and the data type of the peak. ok is false if the quantisation or the peak is
// unknown.
//
// If the hardware does not support a format's own type, it computes in a wider one: FP4 weights and the integer
// blocks of GGUF are then multiplied in 16 bits. FP16 is used instead of BF16 if a figure for it exists, unless
// the model is BF16. For a site with its own peaks, put them into a Spec first.
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

// ComputeType returns the data type in which matrices of a model with this quantisation are multiplied if the
// hardware supports it: BF16, FP8, INT8 or FP4. BF16 includes FP16. It returns "" for an unknown quantisation.
//
// Formats that compress only the weights (AWQ, GPTQ, W4A16) are unpacked and multiplied in 16 bits. llama.cpp
// multiplies quantised GGUF types as INT8 on GPUs that support it: it converts the activations into blocks of 8
// bits (ggml's MMQ kernels). So only the INT8 peak is a limit.
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

// Kinds of quantisation, matched against the output of normal.
var (
	isBF16       = lazy.Regexp(`^(BF16|BFLOAT16)$`)
	isFP16       = lazy.Regexp(`^(FP16|F16|FLOAT16|HALF|NONE)$`)
	isWeightOnly = lazy.Regexp(`^(AWQ|GPTQ|BITSANDBYTES|BNB|HQQ|EXL[23])|^(INT4|NF4)$|W[2-8]A16|^(NV|MX)?FP[48]-?A16$`)
	isGGUF       = lazy.Regexp(`^(UD-)?(I?Q[1-8]-[0-9A-Z-]+|TQ[12]-0)$`)
	isINT8       = lazy.Regexp(`^(INT8|W8A8|INT8-W8A8|W8A8-INT8|SMOOTHQUANT)$`)
	isFP8        = lazy.Regexp(`^(W8A8-)?(MX)?FP8(-[0-9A-Z-]+)?$`)
	isFP4        = lazy.Regexp(`^((NV|MX)?FP4|W4A4)(-[0-9A-Z-]+)?$`)
)

// normal writes a quantisation in capitals with hyphens: Q4-K-M for q4_K_M.
func normal(quantization string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToUpper(strings.TrimSpace(quantization)))
}
