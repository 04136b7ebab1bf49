//go:build linux || darwin

package record

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/benchpost/benchpost/generator/need"
)

// TestMain lets the test binary also act as the benchmark and as a process that records one, so that both have
// terminals and signals of their own.
func TestMain(m *testing.M) {
	switch os.Getenv("RECORD_TEST_PART") {
	case "":
		need.Signals()
		os.Exit(m.Run())
	case "benchmark":
		os.Exit(benchmark(os.Args[1:]))
	case "recorder":
		os.Setenv("RECORD_TEST_PART", "benchmark")
		telemetry := os.Getenv("RECORD_TEST_TELEMETRY")
		if telemetry == "" {
			telemetry = "none"
		}
		out, err := Run(context.Background(), Options{Words: append([]string{os.Args[0]}, os.Args[2:]...), Dir: os.Args[1], Telemetry: telemetry,
			Interval: 20 * time.Millisecond, Idle: 50 * time.Millisecond, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(out.Code)
	}
}

const serveTable = `============ Serving Benchmark Result ============
Successful requests:                     10
Maximum request concurrency:             8
Benchmark duration (s):                  29.06
Total input tokens:                      5120
Total generated tokens:                  1280
Request throughput (req/s):              0.34
Output token throughput (tok/s):         44.05
Total Token throughput (tok/s):          220.23
---------------Time to First Token----------------
Mean TTFT (ms):                          48.60
Median TTFT (ms):                        47.14
P99 TTFT (ms):                           77.76
==================================================
`

// benchmark acts like a benchmark. Each word says what it does next.
func benchmark(words []string) int {
	signals := make(chan os.Signal, 8)
	in := bufio.NewReader(os.Stdin)
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "terminals":
			fmt.Println("terminals", term.IsTerminal(0), term.IsTerminal(1), term.IsTerminal(2))
			if size, err := unix.IoctlGetWinsize(1, unix.TIOCGWINSZ); err == nil {
				fmt.Println("size", size.Col, size.Row)
			}
		case "line":
			line, err := in.ReadString('\n')
			fmt.Printf("read %q %v\n", line, err)
		case "out":
			fmt.Fprintln(os.Stdout, value)
		case "err":
			fmt.Fprintln(os.Stderr, value)
		case "wait":
			time.Sleep(time.Duration(n) * time.Millisecond)
		case "progress": // in the style of tqdm
			for i := range n + 1 {
				fmt.Fprintf(os.Stderr, "\r%3d%%|%-10s| %d/%d [00:%02d<00:00]", 100*i/n, strings.Repeat("█", 10*i/n), i, n, i)
				time.Sleep(10 * time.Millisecond)
			}
			fmt.Fprintln(os.Stderr)
		case "table":
			fmt.Print(serveTable)
		case "file":
			to, text, _ := strings.Cut(value, ":")
			f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
			if err != nil {
				fmt.Println(err)
				return 1
			}
			fmt.Fprintln(f, text)
			f.Close()
		case "signals": // until n signals have come
			signal.Notify(signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGWINCH)
			fmt.Println("ready")
			for range n {
				s := <-signals
				fmt.Println("got", unix.SignalName(s.(unix.Signal)))
				if s == unix.SIGWINCH {
					size, _ := unix.IoctlGetWinsize(1, unix.TIOCGWINSZ)
					fmt.Println("size", size.Col, size.Row)
				}
			}
			select { // a further signal is an error
			case s := <-signals:
				fmt.Println("again", s)
			case <-time.After(150 * time.Millisecond):
			}
		case "kill":
			_ = unix.Kill(os.Getpid(), unix.Signal(n))
			time.Sleep(time.Second)
		case "exit":
			return n
		}
	}
	return 0
}
