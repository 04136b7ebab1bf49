// Package magnitude chooses the units in which figures are read: gigabytes for bytes. Data stays in the unit it
// was measured in.
package magnitude

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Unit is a unit in which figures are read.
type Unit struct {
	Name string
	Per  float64 // how many it is of the unit that the figures are in
}

// Of returns a figure in the unit.
func (u Unit) Of(v float64) float64 { return v / u.Per }

// Digits writes a figure that was brought to another unit: a decimal place, or three digits of a small one.
func Digits(v float64) string {
	if math.Abs(v) < 10 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return locale.Group(strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0"))
}

// ladder is units of one quantity from the smallest, each as a multiple of one of them. Figures whose greatest lies
// from least up to most stay in their own; one of the last unit is at least last.
type ladder struct {
	least, most, last float64
	steps             []Unit
}

// ladders end with the unit that data sheets use. Bytes and operations are never read as such.
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

// Between which sizes figures are easily read, and without an exponent at all, as far as others need it.
const (
	plainLeast = 1e-3
	plainMost  = 1e6
	tiniest    = 1e-4
	longest    = 1e7
)

// For returns the unit in which figures of a unit are read together, of which these are the least and the greatest
// that are not zero, in size: one in which they need no exponent, the greatest first. On a linear axis the least is
// of no account: it is next to zero.
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

// plain returns the unit times a power of a thousand, where figures in it had an exponent, or reached most.
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

// Read returns the unit in which figures of one that nobody reads are read, of which this is the greatest in size;
// false where they are read as they are.
func Read(unit string, greatest float64) (Unit, bool) {
	if _, never := Sheet(unit); !never {
		return Unit{unit, 1}, false
	}
	read := For(unit, greatest, greatest)
	return read, read.Per != 1
}

// Sheet returns the unit that data sheets use for a unit that nobody reads: GB/s for B/s; false for others.
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

// parted parts a rate: GB/s into GB and /s.
func parted(unit string) (amount, per string) {
	if i := strings.IndexByte(unit, '/'); i > 0 {
		return unit[:i], unit[i:]
	}
	return unit, ""
}
