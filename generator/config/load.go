package config

import (
	"fmt"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Load names a condition: runs that meet it get the label load.
type Load struct {
	Name  string
	Title Words
	When  string // selector; a load declared in run.toml needs none

	Condition result.Selector `toml:"-"` // When, parsed
}

// Scenario names a workload as Load names a load, by the label scenario.
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
