package archive

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

const (
	mostSubject = 72 // greatest length of a commit's first line in characters
	mostModels  = 8  // greatest number of models that are named
)

// message returns the commit message: what was measured, with figures as in the files, what checks found, and what was
// done to the files.
func (p *Plan) message() string {
	runs := p.measured()
	titles := map[string]string{}
	for _, h := range p.config.Hardware {
		if title := oneLine(locale.English(h.Title.Text)); title != "" {
			titles[oneLine(h.ID)] = title
		}
	}
	var b strings.Builder
	b.WriteString(cmp.Or(unbroken(p.opt.Subject), subject(runs, titles, p.rawFiles(), len(p.Gone))) + "\n")
	paragraph := func(lines ...string) {
		if len(lines) > 0 {
			b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	paragraph(figures(runs)...)
	paragraph(checks(runs)...)
	var done []string
	if by := p.Redacted(); len(by) > 0 {
		var rules []string
		for _, rule := range slices.Sorted(maps.Keys(by)) {
			rules = append(rules, fmt.Sprintf("%s %d", rule, by[rule]))
		}
		done = append(done, "- redacted: "+strings.Join(rules, ", "))
	}
	compressed, before, after := 0, int64(0), int64(0)
	for _, f := range p.Files {
		if f.Compressed {
			compressed, before, after = compressed+1, before+f.Size, after+f.Becomes
		}
	}
	if compressed > 0 {
		done = append(done, fmt.Sprintf("- compressed: %s, %s to %s", result.Count(compressed, "file"), size(before), size(after)))
	}
	if len(p.Gone) > 0 {
		done = append(done, fmt.Sprintf("- removed: %s", result.Count(len(p.Gone), "file")))
	}
	if len(p.Altered) > 0 {
		done = append(done, fmt.Sprintf("- changed since they were archived: %s", result.Count(len(p.Altered), "file")))
	}
	paragraph(done...)
	paragraph("Written by " + oneLine(p.opt.By) + ".")
	return b.String()
}

// measured returns the results that are new in this archive or were read from changed files, without auxiliary runs.
func (p *Plan) measured() []*result.Result {
	changed := p.changes()
	fresh := map[string]bool{}
	for _, s := range p.taken {
		if changed[s.target] || changed[s.path] {
			fresh[s.path] = true
		}
	}
	var all []*result.Result
	for i := range p.before.Results {
		r := &p.before.Results[i]
		if r.Auxiliary() {
			continue
		}
		for at := r.Source.File; at != "." && at != "/"; at = path.Dir(at) {
			if fresh[at] {
				all = append(all, r)
				break
			}
		}
	}
	return all
}

// changes returns Changed as a set.
func (p *Plan) changes() map[string]bool {
	all := map[string]bool{}
	for _, name := range p.Changed {
		all[name] = true
	}
	return all
}

// rawFiles counts the files that are new or changed, without manifests.
func (p *Plan) rawFiles() int {
	n, changed := 0, p.changes()
	for _, s := range p.taken {
		if changed[s.target] {
			n++
		}
	}
	return n
}

// subject summarises what was measured, as far as it fits and applies to all runs: "Archive 8 runs: Qwen3-8B,
// Qwen3-8B-FP8 on jetson-agx-thor, high and low load".
func subject(runs []*result.Result, titles map[string]string, files, gone int) string {
	switch {
	case len(runs) > 0:
	case files > 0:
		return "Archive " + result.Count(files, "file") + " of runs"
	case gone > 0:
		return "Archive: remove " + result.Count(gone, "file") + " of runs"
	default:
		return "Archive: bring manifests and public up to date"
	}
	begin := "Archive " + result.Count(len(runs), "run")
	on := ""
	if machines := ofAll(runs, "hardware"); len(machines) == 1 {
		on = " on " + cmp.Or(titles[machines[0]], machines[0])
	} else if len(machines) > 1 {
		on = fmt.Sprintf(" on %d machines", len(machines))
	}
	loads := ""
	if all := ofAll(runs, "load"); len(all) > 0 && len(all) <= 3 {
		loads = ", load " + strings.Join(all, " and ")
	}
	models := values(runs, "model")
	unnamed := len(ofAll(runs, "model")) == 0
	for n := len(models); n > 0; n-- {
		named := strings.Join(models[:n], ", ")
		if rest := len(models) - n; unnamed {
			named += " and others"
		} else if rest > 0 {
			named += fmt.Sprintf(" and %d more", rest)
		}
		for _, tail := range []string{on + loads, on, ""} {
			if line := begin + ": " + named + tail; letters(line) <= mostSubject {
				return line
			}
			if tail == on && n > 1 {
				break // fewer models are better than no machine
			}
		}
	}
	if !unnamed {
		begin += " of " + result.Count(len(models), "model")
	}
	if line := begin + on; letters(line) <= mostSubject {
		return line
	}
	return begin
}

func letters(s string) int { return len([]rune(s)) }

// values returns the values of a label in natural order, each on one line.
func values(runs []*result.Result, label string) []string {
	seen := map[string]bool{}
	for _, r := range runs {
		if v := oneLine(r.Label(label)); v != "" {
			seen[v] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), result.NaturalCompare)
}

// ofAll returns the values of a label if all runs have it, and none otherwise.
func ofAll(runs []*result.Result, label string) []string {
	if slices.ContainsFunc(runs, func(r *result.Result) bool { return r.Label(label) == "" }) {
		return nil
	}
	return values(runs, label)
}

// headlines lists the metrics that a message states for the best run of each model.
var headlines = []struct{ metric, name string }{
	{"output_throughput", "output"}, {"tpot_mean", "TPOT"}, {"ttft_mean", "TTFT"}, {"decode_throughput", "decode"}, {"prefill_throughput", "prefill"},
}

// figures returns a line for each model: the best value of each metric with its unit, among the complete runs that are
// not excluded.
func figures(runs []*result.Result) []string {
	var lines []string
	models := values(runs, "model")
	for i, model := range models {
		if i == mostModels {
			lines = append(lines, fmt.Sprintf("- and %d more", len(models)-i))
			break
		}
		n, aside := 0, 0
		best := map[string]result.Metric{}
		for _, r := range runs {
			if oneLine(r.Label("model")) != model {
				continue
			}
			n++
			if r.Excluded() || r.Status != result.Complete {
				aside++
				continue
			}
			for _, h := range headlines {
				m, ok := r.Metric(h.metric)
				old, known := best[h.metric]
				if ok && (!known || m.Better == result.Higher && m.Value > old.Value || m.Better == result.Lower && m.Value < old.Value) {
					best[h.metric] = m
				}
			}
		}
		var said []string
		for _, h := range headlines {
			if m, ok := best[h.metric]; ok && len(said) < 3 {
				said = append(said, strings.TrimSpace(fmt.Sprintf("%s %s %s", h.name, m.Digits(), m.Unit)))
			}
		}
		line := "- " + model + ": " + result.Count(n, "run")
		if len(said) > 0 {
			line += "; best " + strings.Join(said, ", ")
		}
		if aside > 0 {
			line += fmt.Sprintf("; %d excluded or not complete", aside)
		}
		lines = append(lines, line)
	}
	if n := len(slices.DeleteFunc(slices.Clone(runs), func(r *result.Result) bool { return oneLine(r.Label("model")) != "" })); n > 0 && n < len(runs) {
		lines = append(lines, "- no model named: "+result.Count(n, "run"))
	}
	return lines
}

// checks returns a line with the number of errors, warnings and waived checks.
func checks(runs []*result.Result) []string {
	var faults, warnings, waived int
	ids := map[string]bool{}
	for _, r := range runs {
		for _, c := range r.Checks {
			switch {
			case c.Waived != "":
				waived++
			case c.Severity == result.Error:
				faults++
				ids[c.ID] = true
			case c.Severity == result.Warning:
				warnings++
				ids[c.ID] = true
			}
		}
	}
	if len(runs) == 0 {
		return nil
	}
	line := fmt.Sprintf("- checks: %s, %s, %d waived", result.Count(faults, "error"), result.Count(warnings, "warning"), waived)
	if len(ids) > 0 {
		line += " (" + strings.Join(slices.Sorted(maps.Keys(ids)), ", ") + ")"
	}
	return []string{line}
}

// unbroken makes a text a single line. It replaces every sequence of spaces, line breaks, control and format characters
// by a space.
func unbroken(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), func(c rune) bool {
		return unicode.IsSpace(c) || unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Zl, c) || unicode.Is(unicode.Zp, c)
	}), " ")
}

// oneLine makes a text a part of a line, and truncates it if it is very long.
func oneLine(s string) string {
	const most = 80
	s = unbroken(s)
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return s
}
