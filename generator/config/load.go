package config

import (
	"fmt"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Load names a condition. Runs that meet it get the label load.
type Load struct {
	Name  string
	Title Words
	When  string // selector; not needed for a load that run.toml files declare

	Condition result.Selector `toml:"-"` // When, parsed
}

// Scenario names a workload in the same way, with the label scenario.
type Scenario struct {
	Name  string
	Title Words
	When  string

	Condition result.Selector `toml:"-"` // When, parsed
}

func (l *Load) check(at place) {
	if l.Name == "" {
		at.wrong(locale.Textf(`for example name = "high"`), "a [[load]] has no name")
	}
	l.Condition, _ = at.at("when").selector(l.When, fmt.Sprintf("load %q", l.Name), `{max_concurrency="8"}`)
}

func (s *Scenario) check(at place) {
	if s.Name == "" {
		at.wrong(locale.Textf(`for example name = "chat"`), "a [[scenario]] has no name")
	}
	s.Condition, _ = at.at("when").selector(s.When, fmt.Sprintf("scenario %q", s.Name), `{input_len="1024"}`)
}
