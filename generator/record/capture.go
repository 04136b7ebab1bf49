package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/shell"
)

const (
	patience = 4 * time.Second // for each tool and each response of a server
	mostText = 64 << 10        // bytes kept of a tool's output
)

// capture collects facts about the machine and its software. It asks all sources in parallel before the command starts,
// so that nothing disturbs the command. The output of tools goes to environment.txt with secrets masked, for the
// readers of package format and for people. Facts that no tool prints go to the record. What could not be captured is
// noted in both.
type capture struct {
	words    []string
	dir      string // the current folder
	server   string // address of the server, "" for none
	record   *format.Record
	masker   masker
	lock     sync.Mutex
	sections map[int]string // of environment.txt, by index of the probe
}

// probe is a command, or a file, whose content describes the machine.
type probe struct {
	words []string
	file  string // read instead of running a command
}

// probes returns the probes for this machine.
func probes() []probe {
	all := []probe{
		{words: []string{"uname", "-a"}},
		{words: []string{"lscpu"}},
		{words: []string{"nvidia-smi"}},
		{words: []string{"nvidia-smi", "--query-gpu=index,name,driver_version,memory.total,power.limit", "--format=csv"}},
	}
	if _, err := exec.LookPath("rocm-smi"); err == nil {
		all = append(all, probe{words: []string{"rocm-smi", "--showproductname", "--showdriverversion", "--showmeminfo", "vram"}})
	}
	_, noMode := exec.LookPath("nvpmodel")
	if _, err := os.Stat(tegraRelease); err == nil || noMode == nil { // a Jetson
		all = append(all, probe{file: tegraRelease}, probe{words: []string{"nvpmodel", "-q"}}, probe{words: []string{"jetson_clocks", "--show"}})
	}
	return all
}

const tegraRelease = "/etc/nv_tegra_release"

// run runs all probes and returns the text of environment.txt.
func (c *capture) run(ctx context.Context) string {
	c.sections = map[int]string{}
	var asking sync.WaitGroup
	asked := probes()
	for i, p := range asked {
		asking.Go(func() { c.probe(ctx, i, p) })
	}
	asking.Go(func() { c.host(ctx) })
	asking.Go(func() { c.git(ctx) })
	asking.Go(func() { c.tool(ctx) })
	asking.Go(func() { c.engine(ctx) })
	asking.Wait()
	var b strings.Builder
	b.WriteString("# What benchpost record found of this machine before the command started.\n")
	for i := range asked {
		if section, ok := c.sections[i]; ok {
			b.WriteString("\n" + section)
		}
	}
	slices.Sort(c.record.NotCaptured) // by name, not by the order of arrival
	if len(c.record.NotCaptured) > 0 {
		b.WriteString("\n# Not captured\n")
		for _, line := range c.record.NotCaptured {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// missing notes what could not be captured, and why.
func (c *capture) missing(what, why string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if line := c.masker.text(what + ": " + why); !slices.Contains(c.record.NotCaptured, line) {
		c.record.NotCaptured = append(c.record.NotCaptured, line)
	}
}

// note sets fields of the record.
func (c *capture) note(set func(*format.Record)) {
	c.lock.Lock()
	defer c.lock.Unlock()
	set(c.record)
}

func (c *capture) probe(ctx context.Context, i int, p probe) {
	var text, title string
	if p.file != "" {
		data, err := os.ReadFile(p.file)
		if err != nil {
			c.missing(p.file, reason(err))
			return
		}
		title, text = "cat "+p.file, string(data)
	} else {
		out, err := output(ctx, "", p.words...)
		if err != nil {
			c.missing(p.words[0], reason(err))
		}
		if out == "" {
			return
		}
		title, text = shell.Join(p.words), out
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.sections[i] = "$ " + title + "\n" + strings.TrimRight(c.masker.text(strings.ToValidUTF8(text, "\ufffd")), "\n") + "\n"
}

// output runs a tool and returns its standard output. It stops a tool that takes longer than patience.
func output(ctx context.Context, dir string, words ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	path, err := exec.LookPath(words[0])
	if err != nil {
		return "", exec.ErrNotFound
	}
	cmd := exec.CommandContext(ctx, path, words[1:]...)
	var out, errs limited
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	detach(cmd)
	cmd.Cancel = func() error { kill(cmd); return nil }
	cmd.WaitDelay = patience / 4
	err = cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("no answer within %v", patience)
	} else if err != nil {
		err = fmt.Errorf("%w: %s", err, fault(errs.String()+out.String()))
	}
	return out.String(), err
}

// fault returns the line in which a failed tool states the reason: the first line, or the last one of a Python
// traceback.
func fault(printed string) string {
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	if strings.HasPrefix(lines[0], "Traceback ") {
		return lines[len(lines)-1]
	}
	return lines[0]
}

// limited keeps the first mostText bytes that are written to it.
type limited struct{ kept []byte }

func (l *limited) Write(p []byte) (int, error) {
	l.kept = append(l.kept, p[:min(mostText-len(l.kept), len(p))]...)
	return len(p), nil
}

func (l *limited) String() string { return string(l.kept) }

// reason returns the message of an error, shortened and on one line.
func reason(err error) string {
	var perr *os.PathError
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return "not found"
	case errors.As(err, &perr):
		err = perr.Err
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	const most = 200
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.TrimSuffix(text, ":")
}

// host collects what the system reports without any tool, and facts for which the usual tool is absent.
func (c *capture) host(ctx context.Context) {
	absent := func(tool string) bool { _, err := exec.LookPath(tool); return err != nil }
	name, _ := os.Hostname()
	var kernel, arch string
	if absent("uname") { // otherwise the probe reports it
		kernel, arch = system()
	}
	text := func(file string) string {
		data, _ := os.ReadFile(file)
		return string(data)
	}
	var osName, cpu, memory string
	if runtime.GOOS == "darwin" {
		version, _ := output(ctx, "", "sw_vers", "-productVersion")
		osName = strings.TrimSpace("macOS " + version)
		cpu, _ = output(ctx, "", "sysctl", "-n", "machdep.cpu.brand_string")
		bytes, _ := output(ctx, "", "sysctl", "-n", "hw.memsize")
		memory = gigabytes(bytes, 1)
	} else {
		osName = strings.Trim(field(text("/etc/os-release"), "PRETTY_NAME", "="), `"`)
		memory = gigabytes(strings.TrimSuffix(field(text("/proc/meminfo"), "MemTotal", ":"), " kB"), 1024)
		if absent("lscpu") {
			cpu = field(text("/proc/cpuinfo"), "model name", ":")
		}
	}
	c.note(func(r *format.Record) {
		r.Host, r.Kernel, r.Arch, r.OS, r.CPU, r.Memory = name, kernel, arch, osName, strings.TrimSpace(cpu), memory
		if absent("lscpu") {
			r.CPUs = runtime.NumCPU()
		}
	})
}

// field returns the value after a name at the beginning of a line.
func field(text, name, sign string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, sign); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func gigabytes(number string, unit float64) string {
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(v*unit/1e9, 'f', 1, 64) + " GB"
}

// git notes the revision of the current folder. The folder is dirty if a tracked file has changed.
func (c *capture) git(ctx context.Context) {
	revision, err := output(ctx, c.dir, "git", "rev-parse", "HEAD")
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			c.missing("git", "not found")
		} else {
			c.missing("git", "the working folder is in no repository with a commit")
		}
		return
	}
	changes, err := output(ctx, c.dir, "git", "--no-optional-locks", "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		c.missing("git status", reason(err))
	}
	c.note(func(r *format.Record) {
		r.GitRevision, r.GitDirty = strings.TrimSpace(revision), strings.TrimSpace(changes) != ""
	})
}

// tool notes the version of a tool that is a Python package. It does not start the tool, which may take longer than a
// benchmark. If the tool runs an engine itself, the version is also that of the engine.
func (c *capture) tool(ctx context.Context) {
	t := toolOf(c.words)
	if t.pkg == "" {
		return
	}
	python := t.python
	if python == "" {
		python = interpreter(c.words[0])
	}
	const script = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
	version, err := output(ctx, c.dir, python, "-c", script, t.pkg)
	if err != nil {
		c.missing("version of "+t.pkg, reason(err))
		return
	}
	version = strings.TrimSpace(version)
	c.note(func(r *format.Record) {
		r.ToolVersion = version
		if t.engine != "" {
			r.Engine, r.EngineVersion = t.engine, version
		}
	})
}

// interpreter returns the Python named in the first line of a script, and python3 if none is.
func interpreter(script string) string {
	path, err := exec.LookPath(script)
	if err != nil {
		return "python3"
	}
	f, err := os.Open(path)
	if err != nil {
		return "python3"
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 256))
	line, _, _ := strings.Cut(string(head), "\n")
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if strings.HasPrefix(line, "#!") && len(words) == 1 && strings.HasPrefix(filepath.Base(words[0]), "python") {
		return words[0]
	}
	return "python3"
}
