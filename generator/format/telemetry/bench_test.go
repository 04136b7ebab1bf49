package telemetry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/need"
)

// longFiles lists minutes of telemetry of each kind, as a long run produces it.
var longFiles = []struct {
	name, head string
	row        func(i int) string
}{
	{"nvidia-smi-csv", "timestamp, index, power.draw [W], utilization.gpu [%], memory.used [MiB], temperature.gpu, clocks.current.sm [MHz], clocks_throttle_reasons.active\n",
		func(i int) string {
			s := i / 8
			return fmt.Sprintf("2026/07/24 %02d:%02d:%02d.%03d, %d, %d.%02d W, %d %%, %d MiB, %d, %d MHz, 0x0000000000000004\n",
				s/36000%24, s/600%60, s/10%60, s%10*100+i%8, i%8, 300+i%97, i%100, i%101, 60000+i%71, 40+i%37, 1700+i%90)
		}},
	{"nvidia-smi-nounits", "timestamp, name, power.draw [W], utilization.gpu [%], memory.used [MiB]\n",
		func(i int) string {
			return fmt.Sprintf("2026/07/24 %02d:%02d:%02d.%03d, NVIDIA GeForce RTX 3090, %d.%02d, %d, %d\n",
				i/36000%24, i/600%60, i/10%60, i%10*100, 300+i%97, i%100, i%101, 20000+i%71)
		}},
	{"telemetry-csv", "timestamp,gpu_index,gpu_util_pct,gpu_mem_used_mib,gpu_temp_c,gpu_power_w\n",
		func(i int) string {
			s := i / 8
			return fmt.Sprintf("2026-07-24T%02d:%02d:%02d.%03d000+00:00,%d,%d,%d,%d,%d.%d\n",
				s/36000%24, s/600%60, s/10%60, s%10*100, i%8, i%101, 60000+i%71, 40+i%37, 300+i%97, i%10)
		}},
	{"telemetry-elapsed", "elapsed_s,power_w,temp_c,sm_mhz,gpu_util,mem_used_mb\n",
		func(i int) string {
			return fmt.Sprintf("%d.%d,%d.%02d,%d,%d,%d,%d\n", i/10, i%10, 300+i%97, i%100, 40+i%37, 1700+i%90, i%101, 60000+i%71)
		}},
	{"nvidia-smi-dmon", "# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb\n# Idx      W      C      C      %      %    MHz    MHz     MB\n",
		func(i int) string {
			return fmt.Sprintf("%5d %6d %6d      - %6d %6d %6d %6d %6d\n", i%8, 300+i%97, 40+i%37, i%101, i%33, 12481, 1700+i%90, 700+i%50)
		}},
	{"dcgmi-dmon", "#Entity   POWER    TMPTR    GPUTL    SMCLK\nID        W        C                 \n",
		func(i int) string {
			return fmt.Sprintf("GPU %d     %d.%d    %d      %d        %d\n", i%8, 300+i%97, i%10, 40+i%37, i%101, 1700+i%90)
		}},
	{"dcgm-exporter", "# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).\n",
		func(i int) string {
			metric := []string{"DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_UTIL"}[i/8%3]
			return fmt.Sprintf("%s{gpu=\"%d\",UUID=\"GPU-0d5a\",device=\"nvidia%d\",modelName=\"NVIDIA H100 80GB HBM3\",Hostname=\"n1\"} %d.%03d\n", metric, i%8, i%8, 30+i%97, i%1000)
		}},
	{"tegrastats", "", func(i int) string {
		return fmt.Sprintf("07-24-2026 %02d:%02d:%02d RAM %d/7607MB (lfb 61x4MB) SWAP 0/3804MB (cached 0MB) CPU [%d%%@1728,0%%@1728,off,off] EMC_FREQ 0%%@3199 GR3D_FREQ %d%%@[1018] "+
			"cpu@48.9C soc2@48.1C soc0@47.3C gpu@49.6C tj@49.6C soc1@48.4C VDD_IN %dmW/5971mW VDD_CPU_GPU_CV 1669mW/1669mW VDD_SOC 2308mW/2308mW\n",
			i/36000%24, i/600%60, i/10%60, 2000+i%71, i%101, i%101, 5000+i%97)
	}},
	{"jtop-csv", "time,uptime,CPU1,CPU2,RAM,SWAP,EMC,GPU,APE,Fan pwmfan0,Temp CPU,Temp GPU,Power VDD_IN,Power TOT,jetson_clocks,nvp model\n",
		func(i int) string {
			return fmt.Sprintf("2026-07-24 %02d:%02d:%02d.%06d,1 day,%d,3,0.4%d,0.0,12,%d,OFF,30.0,48.9,49.%d,%d,5971,ON,MAXN\n",
				i/36000%24, i/600%60, i/10%60, i%10*100000, i%101, i%10, i%101, i%10, 5000+i%97)
		}},
}

// BenchmarkLongTelemetry reads a megabyte of each kind of telemetry. The goal is 80 MB/s for CSV and 100 MB/s for text.
func BenchmarkLongTelemetry(b *testing.B) {
	for _, file := range longFiles {
		b.Run(file.name, func(b *testing.B) {
			text := long(1<<20, file.head, file.row)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				out, err := format.Read("f", strings.NewReader(text))
				if err != nil || len(out.Traces) != 1 {
					b.Fatalf("%d traces, error %v, reason %q", len(out.Traces), err, out.Reason)
				}
			}
		})
	}
}

// long returns a head followed by rows, of at least size bytes.
func long(size int, head string, row func(i int) string) string {
	var text strings.Builder
	text.WriteString(head)
	for i := 0; text.Len() < size; i++ {
		text.WriteString(row(i))
	}
	return text.String()
}

// TestAllocationsOfTelemetry checks that reading a row allocates nothing. A quarter of a megabyte, about five thousand
// rows, allocates only for its channels, and in the format of the DCGM exporter for the labels of a metric's sample.
func TestAllocationsOfTelemetry(t *testing.T) {
	need.Allocations(t)
	for _, file := range longFiles {
		text, most := long(256<<10, file.head, file.row), 300.0
		if file.name == "dcgm-exporter" {
			most = 5000
		}
		allocations := testing.AllocsPerRun(2, func() {
			if out, err := format.Read("f", strings.NewReader(text)); err != nil || len(out.Traces) != 1 {
				t.Fatalf("%s: %d traces, error %v", file.name, len(out.Traces), err)
			}
		})
		if t.Logf("%s: %.0f allocations", file.name, allocations); allocations > most {
			t.Errorf("%s: %.0f allocations, at most %.0f are expected", file.name, allocations, most)
		}
	}
}
