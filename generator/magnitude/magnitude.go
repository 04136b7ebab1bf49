// Package magnitude chooses the units in which figures are displayed: gigabytes for bytes. Data keeps the unit
// it was measured in.
package magnitude

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Unit is a unit in which figures are displayed.
type Unit struct {
	Name string
	Per  float64 // its size in the unit of the figures
}

// Of converts a figure into the unit.
func (u Unit) Of(v float64) float64 { return v / u.Per }

// Digits formats a converted figure: with one decimal place, or with three significant digits if it is below
// ten in size.
func Digits(v float64) string {
	if math.Abs(v) < 10 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return locale.Group(strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0"))
}

// ladder lists units of one quantity from the smallest, each as a multiple of the same unit. Figures keep their
// unit if the greatest of them is at least least and less than most. The last unit is used only for figures of
// at least last in it.
type ladder struct {
	least, most, last float64
	steps             []Unit
}

// ladders end with the unit that data sheets use. Bytes and operations are always converted by their size.
var ladders = []ladder{
	{0, 0, 1, []Unit{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}},
	{0, 0, 1, []Unit{{"FLOP", 1}, {"kFLOP", 1e3}, {"MFLOP", 1e6}, {"GFLOP", 1e9}, {"TFLOP", 1e12}}},
	{0.1, 1e5, 1, []Unit{{"KiB", 1}, {"MiB", 1 << 10}, {"GiB", 1 << 20}}},
	{0.1, plainMost, 10, []Unit{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"h", 3600e9}}},
	{0.1, 1e5, 1, []Unit{{"µJ", 1}, {"mJ", 1e3}, {"J", 1e6}, {"kJ", 1e9}, {"MJ", 1e12}}},
	{0.1, 1e5, 1, []Unit{{"Wh", 1}, {"kWh", 1e3}, {"MWh", 1e6}}},
	{0.1, 1e5, 1, []Unit{{"mW", 1}, {"W", 1e3}, {"kW", 1e6}, {"MW", 1e9}}},
	{0.1, 1e5, 1, []Unit{{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}}},
	{0, plainMost, 1, []Unit{{"tok", 1}, {"M tok", 1e6}, {"G tok", 1e9}}},
}

// Figures from plainLeast up to plainMost are easy to read. Figures from tiniest up to longest are written
// without an exponent if other figures of the set need that.
const (
	plainLeast = 1e-3
	plainMost  = 1e6
	tiniest    = 1e-4
	longest    = 1e7
)

// For returns the unit in which figures of a unit are displayed together. least and greatest are the smallest
// and greatest size among the figures that are not zero. In the returned unit the figures need no exponent; if
// that is impossible for all, it suits the greatest. On a linear axis pass greatest as least, because small
// figures are next to zero there.
func For(unit string, least, greatest float64) Unit {
	own := Unit{unit, 1}
	if !(0 < least && least <= greatest && greatest <= math.MaxFloat64) {
		return own
	}
	amount, per := parted(unit)
	for _, l := range ladders {
		at := slices.IndexFunc(l.steps, func(u Unit) bool { return u.Name == amount })
		if at < 0 {
			continue
		}
		in := func(i int) Unit { return Unit{l.steps[i].Name + per, l.steps[i].Per / l.steps[at].Per} }
		i := at
		if greatest < l.least || greatest >= l.most {
			for i = len(l.steps) - 1; i > 0 && in(i).Of(greatest) < 1; i-- {
			}
			if i == len(l.steps)-1 && in(i).Of(greatest) < l.last {
				i--
			}
		}
		most := plainMost
		for i > 0 && in(i).Of(least) < plainLeast && in(i-1).Of(greatest) < longest {
			i, most = i-1, longest
		}
		return in(i).plain(least, greatest, most)
	}
	return own.plain(least, greatest, plainMost)
}

// plain returns the unit times a power of a thousand if figures in the unit would need an exponent or reach
// most.
func (u Unit) plain(least, greatest, most float64) Unit {
	least, greatest = u.Of(least), u.Of(greatest)
	power := 0
	if greatest < plainLeast || greatest >= most {
		power = 3 * int(math.Floor(math.Log10(greatest)/3))
	}
	for least < tiniest*math.Pow10(power) && greatest < longest*math.Pow10(power-3) {
		power -= 3
	}
	if power == 0 {
		return u
	}
	name := "×10^" + strconv.Itoa(power)
	if u.Name != "" && u.Name != "1" {
		name += " " + u.Name
	}
	return Unit{name, u.Per * math.Pow10(power)}
}

// Read returns the unit in which figures in bytes, operations or rates of them are displayed. greatest is the
// greatest size among them. It returns false for other units, and if the figures keep their unit.
func Read(unit string, greatest float64) (Unit, bool) {
	if _, never := Sheet(unit); !never {
		return Unit{unit, 1}, false
	}
	read := For(unit, greatest, greatest)
	return read, read.Per != 1
}

// Sheet returns the unit that data sheets use for bytes, operations and rates of them: GB/s for B/s. It returns
// false for other units.
func Sheet(unit string) (Unit, bool) {
	amount, per := parted(unit)
	for _, l := range ladders {
		if l.most == 0 && l.steps[0].Name == amount {
			last := l.steps[len(l.steps)-1]
			return Unit{last.Name + per, last.Per}, true
		}
	}
	return Unit{}, false
}

// parted splits the unit of a rate: GB/s into GB and /s.
func parted(unit string) (amount, per string) {
	if i := strings.IndexByte(unit, '/'); i > 0 {
		return unit[:i], unit[i:]
	}
	return unit, ""
}
