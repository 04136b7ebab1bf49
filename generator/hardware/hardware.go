// Package hardware contains common accelerators and boards under the names that people and tools use: memory
// size, memory bandwidth, and peak rates of matrix multiplication. The figures are those of the vendors. A
// figure without a vendor's document is left out.
// vendor's document is left out.
//
//	m, ok := hardware.Find("8x H100 SXM")
//	m.Name       // "NVIDIA H100 SXM"
//	m.Count      // 8
//	m.Bandwidth  // 3.35e12 bytes per second, of one of them
//	m.Peak["FP8"]// 1.979e15 FLOP/s, dense
//
//	m, ok = hardware.Find("A100")
//	m.Variants   // [NVIDIA A100 SXM 80GB, NVIDIA A100 PCIe 80GB, …]; m describes the fastest
//
// To add an accelerator, add a row to the table of its kind and run the tests.
package hardware

// Spec contains the vendor's figures for one accelerator. For a package of several, such as GB200, they are
// those of one of them.
type Spec struct {
	ID   string // "h100-sxm"
	Name string // "NVIDIA H100 SXM"

	// Memory is the size in bytes. 1 GB of the vendor counts as 10⁹ bytes. The chips have as many GiB, part of
	// which is reserved for error correction and firmware, so tools may report up to 7 % more. It is 0 if the
	// product is sold with several sizes.
	Memory int64

	// Bandwidth is the peak bandwidth of the memory in bytes per second.
	Bandwidth float64

	// Peak is the dense peak of the matrix units in FLOP/s by data type: BF16, FP8, INT8 and FP4, and FP16 if
	// it differs from BF16. A type is absent if the hardware does not support it or the vendor publishes no
	// figure. The map is shared and must not be changed.
	Peak map[string]float64

	// Source names the vendor's documents that contain the figures, and where to find them.
	Source string
}

// Match is the accelerator that a name refers to.
type Match struct {
	Spec

	// Count is the number of accelerators in the name, such as "8x H100" and "2 × RTX 3090"; 0 if the name
	// contains none.
	Count int

	// Variants lists the names of all products that the name may mean, the fastest first. Spec describes the
	// fastest, so that no run on another variant is called impossible. It is nil if the name means one product.
	Variants []string
}

// Find returns the accelerator with a name: an id, a product's name as people write it, or the output of a
// tool, such as "NVIDIA A100-SXM4-80GB" from nvidia-smi or "Apple M4 Max" from Metal. It ignores case,
// punctuation, trademark signs and words that name only the vendor or the kind. If a name contains any other
// unknown word, Find returns false, because it may be another product.
func Find(name string) (Match, bool) {
	if len(name) > longest {
		return Match{}, false
	}
	if m, ok := findList(name); ok {
		return m, true
	}
	return findOne(name)
}

// longest is the maximum length of a name in bytes.
const longest = 1000
