package record

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/shell"
)

// sampler samples the machine while the command runs. Its file is beside the log, in a format that package format
// reads.
type sampler struct {
	how  string // the command, or "/proc and /sys"
	stop func() // ends sampling; the file is then complete
	file string
	fail func() string // returns why it ended by itself, "" if it has not
}

// Columns to request from nvidia-smi. A driver that does not know clocks_throttle_reasons rejects the whole request.
const (
	smiColumns = "timestamp,index,power.draw,utilization.gpu,memory.used,temperature.gpu,clocks.sm"
	smiReasons = smiColumns + ",clocks_throttle_reasons.active"
)

// samplingTool is a tool that samples. It is used if its probe succeeds; without a probe, if the program exists.
type samplingTool struct {
	file  string
	probe []string
	words []string // INTERVAL is replaced by milliseconds
}

// samplingTools are the known tools, the best first: for boards, for accelerators, for chips.
var samplingTools = []samplingTool{
	{"tegrastats.log", nil, []string{"tegrastats", "--interval", "INTERVAL"}},
	smiTool(smiReasons),
	smiTool(smiColumns),
	{"amd-smi.csv", []string{"amd-smi", "monitor", "-p", "--csv"}, []string{"amd-smi", "monitor", "-p", "-t", "-u", "-m", "-v", "--csv", "-w", "1"}},
	{"npu-smi.log", []string{"npu-smi", "info"}, []string{"npu-smi", "info", "watch"}},
	{"xpu-smi.csv", []string{"xpu-smi", "discovery"}, []string{"xpu-smi", "dump", "-d", "-1", "-m", "0,1,2,3,18", "-i", "1"}},
	{"macmon.json", []string{"macmon", "--version"}, []string{"macmon", "pipe", "-i", "INTERVAL"}},
}

func smiTool(columns string) samplingTool {
	query := []string{"nvidia-smi", "--query-gpu=" + columns, "--format=csv"}
	return samplingTool{"nvidia-smi.csv", query, append(slices.Clone(query), "-lms", "INTERVAL")}
}

// works reports whether a tool can sample this machine.
func (s samplingTool) works(ctx context.Context) bool {
	if _, err := exec.LookPath(s.words[0]); err != nil || s.probe == nil {
		return err == nil
	}
	_, err := output(ctx, "", s.probe...)
	return err == nil
}

// startTelemetry starts the sampler that telemetry names: "auto" selects the best available, "none" starts none, and
// anything else is a command whose output is kept.
func startTelemetry(ctx context.Context, telemetry string, interval time.Duration, dir string) (*sampler, error) {
	ms := strconv.FormatInt(max(interval, 20*time.Millisecond).Milliseconds(), 10)
	switch telemetry {
	case "none":
		return nil, nil
	case "auto", "":
	default:
		words, err := shell.Split(telemetry)
		if err != nil || len(words) == 0 {
			return nil, fmt.Errorf("--telemetry: %v", err)
		}
		return startHelper(words, filepath.Join(dir, "telemetry.log"))
	}
	for _, tool := range samplingTools {
		if tool.works(ctx) {
			words := slices.Clone(tool.words)
			for i, word := range words {
				words[i] = strings.ReplaceAll(word, "INTERVAL", ms)
			}
			return startHelper(words, filepath.Join(dir, tool.file))
		}
	}
	return startSampling(max(interval, 20*time.Millisecond), filepath.Join(dir, "telemetry.csv"))
}

// startHelper starts a command that samples until it is asked to end.
func startHelper(words []string, file string) (*sampler, error) {
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("%s: not found", words[0])
	}
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, words[1:]...)
	var errs limited
	cmd.Stdout, cmd.Stderr = out, &errs
	cmd.WaitDelay = time.Second
	detach(cmd)
	dieWithUs(cmd)
	begun := make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		runtime.LockOSThread() // the helper would end with the thread that started it
		defer close(ended)
		defer out.Close()
		err := cmd.Start()
		begun <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-begun; err != nil {
		os.Remove(file)
		return nil, err
	}
	s := &sampler{how: shell.Join(masker{}.command(words)), file: filepath.Base(file)}
	stopping := false
	s.stop = func() {
		stopping = true
		end(cmd)
		select {
		case <-ended:
		case <-time.After(2 * time.Second):
			kill(cmd)
			<-ended
		}
	}
	s.fail = func() string {
		select {
		case <-ended:
			if !stopping {
				said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
				return strings.TrimSuffix(fmt.Sprintf("ended by itself (%v): %s", cmd.ProcessState, mask(said)), ": ")
			}
		default:
		}
		return ""
	}
	return s, nil
}

// startSampling starts the built-in sampler.
func startSampling(interval time.Duration, file string) (*sampler, error) {
	meters := machineMeters("/")
	if len(meters) == 0 {
		return nil, fmt.Errorf("no tool that samples this machine, and nothing to read below /proc and /sys")
	}
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer out.Close()
		sample(out, meters, interval, quit)
	}()
	return &sampler{how: "/proc and /sys", file: filepath.Base(file),
		stop: func() { close(quit); <-ended },
		fail: func() string { return "" }}, nil
}

// sample writes a header, and a row for each interval. Times are local and without a zone, as the tools write them.
func sample(out *os.File, meters []meter, interval time.Duration, quit <-chan struct{}) {
	row := []string{"timestamp"}
	for _, m := range meters {
		row = append(row, m.name)
		m.read() // rates need an initial value
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if _, err := out.WriteString(strings.Join(row, ",") + "\n"); err != nil {
			return
		}
		select {
		case <-quit:
			return
		case <-tick.C:
		}
		row = append(row[:0], time.Now().Format("2006-01-02T15:04:05.000"))
		for _, m := range meters {
			if v, ok := m.read(); ok {
				row = append(row, strconv.FormatFloat(v, 'f', -1, 64))
			} else {
				row = append(row, "")
			}
		}
	}
}
