package telemetry_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// checkTrace compares the channels of the only trace of a text with those wanted: "name n mean max unit scope". Figures
// are compared in as many digits as are given.
func checkTrace(t *testing.T, name string, out format.Output, want ...string) *result.Trace {
	t.Helper()
	if len(out.Traces) != 1 || len(out.Results) != 0 {
		t.Fatalf("%s: %d traces, %d results, reason %q", name, len(out.Traces), len(out.Results), out.Reason)
	}
	trace := &out.Traces[0]
	for _, w := range want {
		f := append(strings.Fields(w), "")
		c := trace.Channel(f[0])
		if c == nil {
			t.Errorf("%s: no channel %s", name, f[0])
			continue
		}
		s := trace.Summarize(c, 0, len(trace.Times))
		got := fmt.Sprintf("%s %d %.*f %.*f %s %s", c.Name, s.N, places(f[2]), s.Mean, places(f[3]), s.Max, c.Unit, c.Scope)
		if strings.TrimSpace(got) != w {
			t.Errorf("%s: %s, not %s", name, got, w)
		}
	}
	return trace
}

// places returns the number of digits after the point.
func places(number string) int {
	_, behind, _ := strings.Cut(number, ".")
	return len(behind)
}

// TestCorpusTelemetry reads every telemetry file of the corpus. The power is from the manifest, or was summed from the
// file by other means. The other figures guard against change.
func TestCorpusTelemetry(t *testing.T) {
	for file, want := range map[string][]string{
		"tegrastats/orin-nano-jp6-trt-llm.raw": {
			"power 661 12.12824 21.663 W module", "x_vdd_in 661 12.12824 21.663 W", "gpu_utilization 661 37.9 99 %",
			"x_emc_clock 661 3199 3199 MHz", "gpu_clock 661 1013.9 1019 MHz"},
		"tegrastats/orin-nano-jp6-trt-llm-converted.csv": {
			"power 661 12.12824 21.663 W module", "gpu_utilization 661 37.9 99 %", "x_ram_mb_total 661 7607 7607 MB"},
		"generic/csv-telemetry-gb10-03.csv": {"power 124 44.456 51.83 W", "x_gpu_util 124 96 96 1"},
		"generic/csv-telemetry-gb10-05.csv": {"power 97 77.164 101.02 W", "temperature 97 77.9 84 °C"},
		"dirs/mystous-eval-rtx3090/20260424_074514_12th_Gen_Intel_Core_i9-12900KFx1_GeForce_RTX_3090x1_Qwen2.5-7B-Instruct/monitor_gpu.csv": {
			"power 87 276.650 389.81 W gpu", "gpu_utilization 87 61.26 100 %", "memory_used 87 20048495910.25 23704109056 B"},
		"dirs/mystous-eval-rtx3090/20260424_074514_12th_Gen_Intel_Core_i9-12900KFx1_GeForce_RTX_3090x1_Qwen2.5-7B-Instruct/monitor_cpu.csv": {
			"x_cpu_util_pct 87 4.81 13.1 %", "x_mem_total_gb 87 62.66 62.66 GB"},
	} {
		checkTrace(t, file, fixture.ReadSample(t, fixture.Shared(t, "corpus", file)), want...)
	}
}

// TestCorpusCards reads files of eight cards, of which the run used the first. The sum covers all cards, and each card
// is kept too. A script leaves out the last column, and the device of a last row.
func TestCorpusCards(t *testing.T) {
	folder := fixture.Shared(t, "corpus", "dirs", "cmontemuino-mi300x", "sample-results", "monitoring")
	for suffix, want := range map[string][]string{
		"gpu_power_*_bs8_*mem0.9*.csv": {"power 361 1353.25 1781 W gpu", "x_power_card0 361 328.47 751 W gpu", "x_power_card7 361 144.34 172 W gpu"},
		"gpu_usage_*_bs8_*mem0.9*.csv": {"gpu_utilization 361 27.91 100 %", "x_vram_total_bytes 361 1649133223936 1649133223936 B"},
		"gpu_temp_*_bs8_*mem0.9*.csv":  {"temperature 359 57.3 71 °C"},
		"cpu_*_bs8_*mem0.9*.csv":       {"x_cpu_user_percent 354 1.219 19.7 %"},
		"memory_*_bs8_*mem0.9*.csv":    {"x_total_gb 369 2014 2014 GB", "x_used_gb 369 50.96 58 GB"},
	} {
		files, err := filepath.Glob(filepath.Join(folder, suffix))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		trace := checkTrace(t, suffix, fixture.ReadSample(t, files[0]), want...)
		if !trace.Zoned || trace.Stepped || trace.Start.Unix() != 1754586812 {
			t.Errorf("%s: from %v, zoned %v", suffix, trace.Start, trace.Zoned)
		}
		// With a sample every five seconds, the energy in between is unknown.
		for i := range trace.Channels {
			if sum, _ := trace.Integrate(&trace.Channels[i], 0, trace.Times[len(trace.Times)-1]); !math.IsNaN(sum) {
				t.Errorf("%s: an integral over gaps of five seconds", suffix)
			}
		}
	}
	all, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		checkTrace(t, filepath.Base(file), fixture.ReadSample(t, file))
	}
}

// TestEnergyOfTegrastats checks the energy of the raw file of tegrastats, whose samples are 110 ms apart: it must agree
// with the mean power and the duration.
func TestEnergyOfTegrastats(t *testing.T) {
	raw := fixture.ReadSample(t, fixture.Shared(t, "corpus", "tegrastats", "orin-nano-jp6-trt-llm.raw")).Traces[0]
	s := raw.Summarize(raw.Channel("power"), 0, len(raw.Times))
	joules, seconds := raw.Integrate(raw.Channel("power"), 0, raw.Times[len(raw.Times)-1])
	if mean := joules / seconds; math.Abs(mean/s.Mean-1) > 0.005 {
		t.Errorf("%v J in %v s are %v W, but the mean is %v W", joules, seconds, mean, s.Mean)
	}
	if seconds < 71 || seconds > 73 {
		t.Errorf("%v s, not the 72 between the first time and the last", seconds)
	}
}

// TestBoardPower checks that a Jetson's power is that of its input, or of the rails that add up to it. Rails that these
// feed are not added.
func TestBoardPower(t *testing.T) {
	for rails, want := range map[string]string{
		"VDD_IN 5971mW/5971mW VDD_CPU_GPU_CV 1669mW/1669mW VDD_SOC 2308mW/2308mW":                                           "5.971 module",
		"VDD_GPU_SOC 3000mW/1mW VDD_CPU_CV 400mW/1mW VIN_SYS_5V0 3600mW/1mW NC 0mW/0mW VDDQ_VDD2_1V8AO 403mW/1mW":           "7.000 module",
		"VDD_GPU 6000mW/1mW/1mW VDD_CPU_SOC_MSS 9000mW/1mW/1mW VIN_SYS_5V0 4000mW/1mW/1mW VIN 28000mW/1mW/1mW":              "28.000 board",
		"GPU 1000/1 CPU 2000/1 SOC 3000/1 CV 0/1 VDDRQ 500/1 SYS5V 2500/1":                                                  "9.000 module",
		"VDD_SYS_GPU 152/152 VDD_SYS_SOC 686/686 VDD_4V0_WIFI 0/0 VDD_IN 3056/3056 VDD_SYS_CPU 152/152 VDD_SYS_DDR 883/883": "3.056 module",
		"POM_5V_IN 1532/1452 POM_5V_GPU 0/20 POM_5V_CPU 122/102":                                                            "1.532 module",
		"VDD_GPU_SOC 3000mW/1mW VDD_CPU_CV 400mW/1mW":                                                                       "", // a rail is missing
		"VIN 0mW/1mW/1mW VDD_GPU 6000mW/1mW/1mW":                                                                            "", // a sensor that reports nothing
		"VDD_IN -24mW/1mW":                                                                                                  "",
	} {
		line := "RAM 519/7607MB (lfb 61x4MB) CPU [0%@1728] EMC_FREQ 0%@3199 GR3D_FREQ 5%@1018 " + rails + "\n"
		out := fixture.ReadText(t, line+line)
		got := ""
		if c := out.Traces[0].Channel("power"); c != nil {
			got = fmt.Sprintf("%.3f %s", c.Values[0], c.Scope)
		}
		if got != want {
			t.Errorf("%s: power %q, not %q", rails, got, want)
		}
	}
}

// TestTegrastatsWithoutLoad checks that a clock without a load is not a load of 0, and that PMIC, a constant, and -256
// are not read as temperatures.
func TestTegrastatsWithoutLoad(t *testing.T) {
	line := "RAM 1024/7607MB (lfb 61x4MB) CPU [0%@1728] GR3D_FREQ @[314,628] PMIC@100C cv0@-256C cpu@48C gpu@49.5C\n"
	out := fixture.ReadText(t, line+line)
	trace := checkTrace(t, "load", out, "memory_used 2 1073741824 1073741824 B", "gpu_clock 2 628 628 MHz", "temperature 2 49.5 49.5 °C")
	if trace.Channel("gpu_utilization") != nil || trace.Channel("power") != nil {
		t.Error("a load or a power that the line does not tell")
	}
	if !trace.Stepped || !trace.Start.IsZero() || trace.Times[1] != 1 {
		t.Errorf("stepped %v, times %v", trace.Stepped, trace.Times)
	}
}

// TestSumOverGPUs checks that the power and memory of several GPUs are summed, and that there is no sum if one GPU is
// missing or did not report.
func TestSumOverGPUs(t *testing.T) {
	header := "timestamp, index, power.draw [W], memory.used [MiB]\n"
	row := func(second, gpu int, watts, memory string) string {
		return fmt.Sprintf("2026/07/24 16:22:%02d.%03d, %d, %s, %s\n", second, 500+4*gpu, gpu, watts, memory)
	}
	out := fixture.ReadText(t, header+
		row(1, 0, "90.00 W", "1 MiB")+ // one GPU, before there is another
		row(2, 0, "100.00 W", "1 MiB")+row(2, 1, "50.00 W", "1 MiB")+
		row(3, 0, "[N/A]", "1 MiB")+row(3, 1, "50.00 W", "1 MiB")+
		row(4, 0, "120.00 W", "1 MiB")+row(4, 1, "60.00 W", "[N/A]")+
		row(5, 0, "120.00 W", "1 MiB"))
	trace := checkTrace(t, "sum", out, "power 2 165.0 180.0 W gpu", "memory_used 2 2097152 2097152 B", "x_power_gpu0 4 107.5 120.0 W gpu", "x_power_gpu1 3 53.3 60.0 W gpu")
	if got := trace.Labels.Get("device_count"); got != "2" {
		t.Errorf("device_count %q", got)
	}
}

// TestNoTelemetry checks text that looks like telemetry but is not, or that cannot be reported.
func TestNoTelemetry(t *testing.T) {
	for name, text := range map[string]string{
		"words about it":                "GR3D_FREQ is the load, EMC_FREQ that of the memory\nGR3D_FREQ again\n",
		"a command":                     "nvidia-smi --query-gpu=timestamp,power.draw --format=csv -l 1\nPower, it says\n",
		"a header alone":                "timestamp, power.draw [W]\n",
		"processes":                     "# gpu        pid  type    sm   mem\n# Idx          #   C/G     %     %\n    0       1234     C    97    40\n    0       1234     C    97    40\n",
		"queries of Prometheus":         "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"}\nsum(DCGM_FI_DEV_POWER_USAGE)\nDCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-x\",...} 38000\n",
		"a benchmark's table":           "timestamp,model,power_w,tps\n1754586812,a,50,20\n1754586813,a,50,20\n",
		"times without a unit":          "time,power_w\n1,50\n2,51\n",
		"a column's name in a sentence": "the column power_w, in W\n1,2\n",
	} {
		if out := fixture.ReadText(t, text); len(out.Traces) != 0 || out.Reason.IsZero() {
			t.Errorf("%s: %d traces, reason %q", name, len(out.Traces), out.Reason)
		}
	}
}

// TestCorpusSummary checks a harness's summary. It states the mean power of one GPU; the machine's power is the sum.
// The greatest power of the machine is unknown.
func TestCorpusSummary(t *testing.T) {
	const file = "nvidia-smi/gpu_stats_summary-rtxpro6000.json"
	fixture.CheckFigures(t, file, 0, "power_mean=1070.71 W", "x_gpu_power_mean=535.35 W", "x_gpu_power_max=596.22 W", "temperature_max=90 °C",
		"gpu_utilization=95.24 %", "x_sample_count=42 1", "device_count:2", "power_scope:gpu",
		"gpu:NVIDIA RTX PRO 6000 Blackwell Workstation Edition")
	if _, ok := fixture.ReadSample(t, fixture.Shared(t, "corpus", file)).Results[0].Metric("power_max"); ok {
		t.Error("a greatest power of the machine, which the file does not tell")
	}
}

// TestThrottledColumns checks that a clock limited by heat is throttled, and that one of an idle GPU is not.
func TestThrottledColumns(t *testing.T) {
	for _, name := range []string{"sw_thermal_slowdown", "gpu_idle"} {
		out := fixture.ReadText(t, "timestamp, index, clocks_throttle_reasons."+name+", temperature.gpu\n"+
			"2026/07/24 16:22:01.500, 0, Active, 40\n2026/07/24 16:22:02.500, 0, Not Active, 41\n")
		if c := out.Traces[0].Channel("x_throttled"); (c != nil) != (name == "sw_thermal_slowdown") || c != nil && (c.Values[0] != 1 || c.Values[1] != 0) {
			t.Errorf("%s: %v", name, c)
		}
	}
}

// TestOneSampleIsAReading checks that one sample is a reading of the machine and never a series, of which energy could
// be computed.
func TestOneSampleIsAReading(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"tegrastats": {"RAM 519/7607MB (lfb 61x4MB) CPU [0%@1728] GR3D_FREQ 5%@1018 tj@49.6C VDD_IN 5971mW/5971mW\n",
			"gpu_clock=1018 MHz gpu_utilization=5 % memory_used=544210944 B power=5.971 W power_scope=module temperature=49.6 °C"},
		"dmon": {"# gpu    pwr  gtemp     sm\n# Idx      W      C      %\n    0    218     43     95\n    1    200     45     90\n",
			"gpu_utilization=95 % power=418 W power_scope=gpu temperature=45 °C"},
		"nvidia-smi": {"index, power.draw [W], temperature.gpu\n0, 62.87 W, 45\n", "power=62.87 W power_scope=gpu temperature=45 °C"},
		"a script's": {"elapsed_s,power_w\n10,43.5\n", "power=43.5 W"},
	} {
		out := fixture.ReadText(t, c.text)
		var got []string
		for _, l := range out.Captured {
			if name, ok := strings.CutPrefix(l.Name, result.ReadingPrefix); ok {
				got = append(got, name+"="+l.Value)
			}
		}
		if s := strings.Join(got, " "); s != c.want || len(out.Traces)+len(out.Results) != 0 {
			t.Errorf("%s: %s with %d traces, not %s", name, s, len(out.Traces), c.want)
		}
	}
}

// TestTimeOfDay checks that times of day without a date continue over midnight.
func TestTimeOfDay(t *testing.T) {
	t.Parallel()
	line := func(clock string) string {
		return clock + " RAM 519/7607MB (lfb 61x4MB) GR3D_FREQ 5%@1018 VDD_IN 5000mW/5971mW\n"
	}
	trace := checkTrace(t, "tegrastats", fixture.ReadText(t, line("23:59:58")+line("23:59:59")+line("[00:00:01]")+line("00:00:00")), "power 4 5.0 5.0 W module")
	if !trace.Undated || trace.SinceMidnight.String() != "23h59m58s" || trace.Stepped || !trace.Start.IsZero() || fmt.Sprint(trace.Times) != "[0 1 3 3.5]" {
		t.Errorf("from %v, undated %v, stepped %v, times %v", trace.SinceMidnight, trace.Undated, trace.Stepped, trace.Times)
	}
}

// TestUntitledRows checks rows of nvidia-smi without names. The command above them names the columns, else their units
// do if they are unambiguous. Ambiguous columns get no name.
func TestUntitledRows(t *testing.T) {
	t.Parallel()
	rows := func(format string) string {
		return fmt.Sprintf(format, 1, 60) + fmt.Sprintf(format, 2, 62) + fmt.Sprintf(format, 3, 61)
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"by the command": {"$ nvidia-smi --query-gpu=timestamp,clocks.sm,temperature.gpu,power.draw --format=csv,noheader,nounits -l 1\n" +
			rows("2026/07/24 16:22:%02d.572, 1695, %d, 300.5\n"), []string{"power 3 300.5 300.5 W gpu", "temperature 3 61.0 62.0 °C", "gpu_clock 3 1695 1695 MHz"}},
		"in quotes": {"nvidia-smi --query-gpu 'timestamp,power.draw,utilization.gpu' --format csv,noheader -lms 100 > gpu.csv &\n" +
			rows("2026/07/24 16:22:%02d.572, 300.5 W, %d %%\n"), []string{"power 3 300.5 300.5 W gpu", "gpu_utilization 3 61.0 62.0 %"}},
		"by units, with a limit behind": {rows("2026/07/24 16:22:%02d.572, %d.5 W, 350.00 W, 725 MiB, 24576 MiB\n"),
			[]string{"power 3 61.5 62.5 W gpu", "memory_used 3 760217600 760217600 B"}},
	} {
		out := fixture.ReadText(t, c.text)
		trace := checkTrace(t, name, out, c.want...)
		if trace.Start.Second() != 1 {
			t.Errorf("%s: from %v", name, trace.Start)
		}
	}
	for name, text := range map[string]string{
		"two shares":           rows("2026/07/24 16:22:%02d.572, %d %%, 30 %%\n"),
		"numbers alone":        rows("2026/07/24 16:22:%02d.572, %d, 30\n"),
		"a limit before":       rows("2026/07/24 16:22:%02d.572, 350.00 W, %d.00 W\n"),
		"a log of a program":   rows("2026/07/24 16:22:%02d loaded %d layers, 725 MiB, 12 %%\n"),
		"sentences with sizes": rows("2026/07/24 16:22:%02d, it took %d MiB, and more\n"),
	} {
		if out := fixture.ReadText(t, text); len(out.Traces) != 0 || len(out.Captured) != 0 || out.Reason.IsZero() {
			t.Errorf("%s: %d traces, %v, reason %q", name, len(out.Traces), out.Captured, out.Reason)
		}
	}
}

// TestTegrastatsParser checks that the output of tegrastats_parser gives the same power as the lines of tegrastats.
func TestTegrastatsParser(t *testing.T) {
	t.Parallel()
	out := fixture.ReadText(t, "Index,Time (mS),Used RAM (MB),Total RAM (MB),Used GR3D (%),GR3D Frequency (MHz),PMIC Temperature (C),tj Temperature (C),"+
		"Current VDD_IN Power Consumption (mW),Average VDD_IN Power Consumption (mW),Current VDD_SOC Power Consumption (mW)\n"+
		"0,0,2048,7607,40,1018,100,49.5,6000,5000,2308\n1,1000,2048,7607,60,1018,100,50.5,8000,5000,2308\n")
	checkTrace(t, "parsed", out, "power 2 7.0 8.0 W module", "x_vdd_soc 2 2.308 2.308 W", "gpu_utilization 2 50.0 60.0 %", "temperature 2 50.0 50.5 °C", "memory_used 2 2147483648 2147483648 B")
}

// TestSmartPlug reads the table of a smart plug, with a time and a power.
func TestSmartPlug(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"timestamp,watts":                   "power 2 451.0 452.0 W",
		"timestamp,wall_power_w":            "power 2 451.0 452.0 W wall",
		"time,active_power (W),v":           "power 2 451.0 452.0 W wall",
		"timestamp,power_consumption_watts": "power 2 451.0 452.0 W",
	} {
		more := strings.Repeat(",230", strings.Count(head, ",")-1)
		checkTrace(t, head, fixture.ReadText(t, head+"\n2026-07-24T16:22:25+02:00,450"+more+"\n2026-07-24T16:22:26+02:00,452"+more+"\n"), want)
	}
}

// TestTextBehindACommand checks that lines of a page below a command are not read as its rows, however many commas they
// have. The rows themselves are read, also below a second command.
func TestTextBehindACommand(t *testing.T) {
	t.Parallel()
	const prose = "vllm serve m\n```\nFirst, wait\nThen go on, please, and wait\nDone.\n\n"
	for _, asked := range []string{"name", "compute_cap", "name,driver_version", "index,power.draw", "uuid,temperature.gpu", "power.draw"} {
		command := "    CAP=$(nvidia-smi -i 0 --query-gpu=" + asked + " --format=csv,noheader)\n"
		out := fixture.ReadText(t, command+prose+command+strings.Repeat(prose, 3))
		if len(out.Traces) != 0 || len(out.Captured) != 0 || len(out.Results) != 0 {
			t.Errorf("%s: %d traces, %v, %d results", asked, len(out.Traces), out.Captured, len(out.Results))
		}
	}
	out := fixture.ReadText(t, "nvidia-smi --query-gpu=name,driver_version --format=csv,noheader\nNVIDIA L40S, 570.12\n"+strings.Repeat(prose, 3)+
		"nvidia-smi --query-gpu=timestamp,power.draw --format=csv,noheader -l 1\n2026/07/24 16:22:01.5, 300.5 W\n2026/07/24 16:22:02.5, 310.5 W\n"+prose)
	checkTrace(t, "of the second command", out, "power 2 305.5 310.5 W gpu")
	if len(out.Captured) != 2 || out.Captured[0].Value != "NVIDIA L40S" || out.Captured[1].Value != "570.12" {
		t.Errorf("captured %v", out.Captured)
	}
}

// TestHabana reads hl-smi, which prints the same as nvidia-smi, with dates in the form of the command date.
func TestHabana(t *testing.T) {
	t.Parallel()
	row := func(second, watts int) string {
		return fmt.Sprintf("Fri Jul 24 16:22:%02d UTC 2026, 0, HL-225, %d W, 97 %%, 60000 MiB, 51 C\n", second, watts)
	}
	out := fixture.ReadText(t, "timestamp, index, name, power.draw [W], utilization.aip [%], memory.used [MiB], temperature.aip [C]\n"+row(25, 400)+row(26, 410))
	trace := checkTrace(t, "hl-smi", out, "power 2 405.0 410.0 W gpu", "gpu_utilization 2 97.0 97.0 %", "temperature 2 51.0 51.0 °C")
	if trace.Tool != "hl-smi" || trace.Labels.Get("gpu") != "HL-225" || trace.Start.Second() != 25 {
		t.Errorf("%s, %v, from %v", trace.Tool, trace.Labels, trace.Start)
	}
}

// TestTablesOfPrograms checks that a column with the number of each row is ignored, and that a power too large for W is
// not used as power.
func TestTablesOfPrograms(t *testing.T) {
	t.Parallel()
	trace := checkTrace(t, "numbered", fixture.ReadText(t, ",timestamp,power_w,temp_c\n0,2026-07-24 16:22:25,450,60\n1,2026-07-24 16:22:26,452,61\n"),
		"power 2 451.0 452.0 W", "temperature 2 60.5 61.0 °C")
	if len(trace.Channels) != 2 {
		t.Errorf("%d channels", len(trace.Channels))
	}
	out := fixture.ReadText(t, "timestamp,gpu_power_w\n2026-07-24 16:22:25,4939.00\n2026-07-24 16:22:26,6472.00\n")
	if checkTrace(t, "milliwatts", out, "x_gpu_power_w 2 5705.5 6472.0 W").Channel("power") != nil || len(out.Messages) != 1 {
		t.Errorf("a power of kilowatts, %v", out.Messages)
	}
	checkTrace(t, "a header of a script's", fixture.ReadText(t, "timestamp,gpu,index,memory.used,power.draw,temperature.gpu\n"+
		"2026-07-24T16:22:25+08:00,0, 0, 4, 74.01, 33\n2026-07-24T16:22:25+08:00,1, 0, 4, 73.01, 34\n2026-07-24T16:22:26+08:00,0, 0, 4, 74.01, 33\n2026-07-24T16:22:26+08:00,1, 0, 4, 73.01, 34\n"),
		"power 2 147.02 147.02 W gpu", "memory_used 2 8388608 8388608 B", "x_power_gpu1 2 73.01 73.01 W gpu")
}

// TestTablesOnAPage checks that a page that shows a tool's table twice, with prose between, gives readings, of which
// the first counts. A script that prints the table repeatedly gives a series.
func TestTablesOnAPage(t *testing.T) {
	t.Parallel()
	table := func(watts int) string {
		return fmt.Sprintf("GPU  POWER   GPU_T   GFX_CLK   GFX%%\n  0  %d W   49 °C   2106 MHz   97 %%\n", watts)
	}
	prose := strings.Repeat("Some words about it.\n", 9)
	out := fixture.ReadText(t, prose+table(305)+prose+table(200))
	if len(out.Traces) != 0 || out.Captured.Get(result.ReadingPrefix+"power") != "305 W" {
		t.Errorf("%d traces, %v", len(out.Traces), out.Captured)
	}
	checkTrace(t, "a series", fixture.ReadText(t, table(305)+"Sun Nov 22 16:00:01 UTC 2026\n\n"+table(200)+"\n"+table(205)), "power 3 236.7 305.0 W gpu")
}
