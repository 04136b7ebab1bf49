package compose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/visible"
)

// Limits of what a site.toml lists.
const (
	mostListed = 60 // models, and machines
	mostNamed  = 3  // concurrencies that become named loads
)

// Site returns a site.toml for results: a load for each of a few concurrencies, the models and the machines.
// Guessed values are marked. Facts that the results do not contain become comments with examples.
func Site(d *dataset.Selection, title string) []byte {
	s := &siteWriter{d: d}
	s.line("#:schema ./public/site/schema/site.json")
	s.line("# What benchpost knows of this site, as far as the results say it. \"# guessed\" marks what")
	s.line("# follows from names alone, or was chosen: check it. An unknown key is an error that names its line.")
	s.line("")
	s.line("title = " + settings.String(title))
	s.line(`languages = ["zh-CN", "en"]     # the first is served from the root`)
	s.line(`# time_zone = "Asia/Shanghai"   # of dates without one`)
	s.line(`# base_url = "https://example.org/bench/"   # for the feed and the sitemap`)
	s.loads()
	s.machines()
	s.models()
	return []byte(visible.Text(s.out.String()))
}

type siteWriter struct {
	d   *dataset.Selection
	out strings.Builder
}

func (s *siteWriter) line(text string) { s.out.WriteString(text + "\n") }

// loads writes the loads: those that runs name, or a few concurrencies.
func (s *siteWriter) loads() {
	if named := s.d.Values(s.d.Results, "load"); len(named) > 0 {
		s.line("\n# The loads that run.toml files name.")
		for _, name := range named[:min(len(named), mostListed)] {
			s.line("\n[[load]]\nname = " + settings.String(name))
		}
		return
	}
	var steps []string
	for _, v := range s.d.Values(s.d.Results, "max_concurrency") {
		if _, err := strconv.Atoi(v); err == nil {
			steps = append(steps, v)
		}
	}
	if len(steps) < 2 || len(steps) > mostNamed {
		s.line("\n# A load is a name for a condition. Runs at many concurrencies are a sweep, which needs none.")
		s.line("# [[load]]\n# name = \"high\"\n# when = '{max_concurrency=\"8\"}'")
		return
	}
	names := []string{"low", "high"}
	if len(steps) == 3 {
		names = []string{"low", "medium", "high"}
	}
	s.line("\n# A run is one of these by what it measured.")
	for i, v := range steps {
		key := "compose.load." + names[i]
		s.line("\n[[load]]\nname = " + settings.String(names[i]) + "   # guessed")
		s.line("title = " + inBoth(locale.T(key)))
		s.line("when = " + settings.String(where([]matcher{{"max_concurrency", "=", v}})))
	}
}

// inBoth writes a text in both languages.
func inBoth(text locale.Text) string {
	zh, _ := locale.For("zh")
	return "{ zh = " + settings.String(zh.Say(text)) + ", en = " + settings.String(locale.English(text)) + " }"
}

// machines writes the hardware.
func (s *siteWriter) machines() {
	ids := s.d.Values(s.d.Results, "hardware")
	if len(ids) == 0 {
		s.line("\n# No result says on what it was measured. A run.toml beside the runs does: hardware = \"my-machine\".")
		s.line("# [[hardware]]\n# id = \"my-machine\"\n# memory = \"128 GB\"\n# bandwidth = \"273 GB/s\"   # with it, what is too fast to be true is found")
		return
	}
	for _, id := range ids[:min(len(ids), mostListed)] {
		runs := s.d.With("hardware", id)
		s.line("\n[[hardware]]\nid = " + settings.String(id) + s.guessed(runs, "hardware"))
		for _, fact := range [][2]string{{"memory", "memory"}, {"memory_bandwidth", "bandwidth"}} {
			if v := s.d.Values(runs, fact[0]); len(v) == 1 {
				s.line("# " + fact[1] + " = " + settings.String(v[0]) + "   # known; write it to have another")
			} else {
				s.line("# " + fact[1] + " = \"\"   # not known")
			}
		}
	}
}

// models writes the models with the facts that the results state, and their bases.
func (s *siteWriter) models() {
	ids := s.d.Values(s.d.Results, "model")
	if len(ids) == 0 {
		s.line("\n# No result names its model. A run.toml beside the runs does: model = \"Qwen3-8B\".")
		return
	}
	for _, id := range ids[:min(len(ids), mostListed)] {
		runs := s.d.With("model", id)
		s.line("\n[[model]]\nid = " + settings.String(id) + s.guessed(runs, "model"))
		aliases := slices.DeleteFunc(s.d.Values(runs, "model_raw"), func(v string) bool { return v == id })
		if len(aliases) > 0 {
			s.line("aliases = " + settings.List(aliases[:min(len(aliases), mostListed)]))
		}
		if base := baseOf(id, ids); base != "" {
			s.line("base = " + settings.String(base) + "   # guessed")
		}
		for _, fact := range []string{"quantization", "weight_size", "params", "active_params"} {
			switch values := s.d.Values(runs, fact); {
			case len(values) == 1 && origin(runs, fact) == result.Guessed:
				s.line(fact + " = " + settings.String(values[0]) + "   # guessed")
			case len(values) == 1:
				s.line("# " + fact + " = " + settings.String(values[0]) + "   # known; write it to have another")
			case len(values) == 0 && fact == "weight_size":
				s.line("# weight_size = \"8.9 G\"   # not known; with it, size is weighed against speed")
			}
		}
	}
	if len(ids) > mostListed {
		s.line("\n# and " + strconv.Itoa(len(ids)-mostListed) + " more models: benchpost results lists them")
	}
}

// baseOf returns the longest model name that another name begins with, such as Qwen3-8B for Qwen3-8B-FP8, or ""
// if there is none.
func baseOf(id string, ids []string) string {
	base := ""
	for _, other := range ids {
		if strings.HasPrefix(id, other+"-") && len(other) > len(base) {
			base = other
		}
	}
	return base
}

// guessed returns a remark if a label was derived from a name alone.
func (s *siteWriter) guessed(runs []*result.Result, label string) string {
	if origin(runs, label) == result.Guessed {
		return "   # guessed"
	}
	return ""
}

// origin returns the strongest origin of a label among runs.
func origin(runs []*result.Result, label string) result.Origin {
	strongest := result.Guessed
	for _, r := range runs {
		if l, ok := r.Labels.Lookup(label); ok {
			strongest = max(strongest, l.Origin)
		}
	}
	return strongest
}
