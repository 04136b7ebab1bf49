package machine

import (
	"math"
	"strconv"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/result"
)

// reading is what the accelerators of a machine reported at one moment: the sums of their power and memory, and the
// maxima of their temperatures and use. A sum without the value of every device is not used.
type reading struct {
	power, memory      float64 // W, bytes
	temperature, use   float64 // °C, %
	powers, memories   int     // numbers of values in the sums
	temperatures, uses int
	line               int
}

func (r *reading) addPower(watts float64)  { r.power, r.powers = r.power+watts, r.powers+1 }
func (r *reading) addMemory(bytes float64) { r.memory, r.memories = r.memory+bytes, r.memories+1 }
func (r *reading) heat(celsius float64) {
	r.temperature, r.temperatures = max(r.temperature, celsius), r.temperatures+1
}
func (r *reading) busy(share float64) { r.use, r.uses = max(r.use, share), r.uses+1 }

// capture captures the reading of a number of devices.
func (r *reading) capture(in *draft.File, format string, devices int) {
	note := func(name string, v float64, unit string) {
		if _, known := in.Out.Captured.Lookup(result.ReadingPrefix + name); !known {
			in.Capture(format, result.ReadingPrefix+name, strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)+" "+unit, r.line)
		}
	}
	if r.powers == devices {
		note("power", r.power, "W")
		in.Capture(format, result.ReadingPrefix+"power_scope", "gpu", r.line)
	}
	if r.memories == devices {
		note("memory_used", r.memory, "B")
	}
	if r.temperatures > 0 {
		note("temperature", r.temperature, "°C")
	}
	if r.uses > 0 {
		note("gpu_utilization", r.use, "%")
	}
}
