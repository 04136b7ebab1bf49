// Package hardware knows common accelerators and boards by the names that people
// and tools give them: how much memory they have, how fast it is read, and how
// fast they multiply matrices. The figures are the vendors' own; one that has no
// vendor's document is left out.
//
//	m, ok := hardware.Find("8x H100 SXM")
//	m.Name       // "NVIDIA H100 SXM"
//	m.Count      // 8
//	m.Bandwidth  // 3.35e12 bytes per second, of one of them
//	m.Peak["FP8"]// 1.979e15 FLOP/s, dense
//
//	m, ok = hardware.Find("A100")
//	m.Variants   // [NVIDIA A100 SXM 80GB, NVIDIA A100 PCIe 80GB, …], of which it is the fastest
//
// To add an accelerator, add a row to the table of its kind and run the tests.
package hardware

// Spec is what a vendor states of one accelerator. Of a package that joins
// several, as GB200, it is one of them.
type Spec struct {
	ID   string // "h100-sxm"
	Name string // "NVIDIA H100 SXM"

	// Memory is in bytes, the vendor's GB taken as 10⁹ of them. The chips hold
	// as many GiB, of which some are kept for error correction and firmware,
	// so that a tool may count up to 7 % more. It is 0 where the product is
	// sold with various sizes.
	Memory int64

	// Bandwidth is the peak of the memory in bytes per second.
	Bandwidth float64

	// Peak holds the dense peak of the matrix units in FLOP/s by data type:
	// BF16, FP8, INT8 and FP4, and FP16 where that is not the figure of BF16.
	// A type is absent when the hardware lacks it or the vendor states no
	// figure. The map is shared and not to be changed.
	Peak map[string]float64

	// Source names the vendor's documents that print the figures and where to
	// find them.
	Source string
}

// Match is the accelerator that a name means.
type Match struct {
	Spec

	// Count is how many accelerators the name speaks of, as "8x H100" and
	// "2 × RTX 3090" do; 0 when it does not say.
	Count int

	// Variants are the names of all products that the name may mean, the
	// fastest first, which is the one of Spec: no run on another is called
	// impossible then. It is nil when the name means one product.
	Variants []string
}

// Find returns the accelerator of a name: an id, a product's name as people
// write it, or what tools print, as "NVIDIA A100-SXM4-80GB" of nvidia-smi or
// "Apple M4 Max" of Metal. Case, punctuation, trademark signs and the words that
// name only the vendor or the kind are ignored. A name with any other word that
// is not known finds nothing, for it may be another product.
func Find(name string) (Match, bool) {
	if len(name) > longest {
		return Match{}, false
	}
	if m, ok := findList(name); ok {
		return m, true
	}
	return findOne(name)
}

// longest is how many bytes a name has at the most; what is longer is a text.
const longest = 1000
