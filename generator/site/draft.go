package site

import (
	"time"

	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/result"
)

// Compose writes a post from the runs of the snapshot; see compose.Post.
func (e *Snapshot) Compose(r compose.Request) ([]byte, error) {
	r.Commands = func(run *result.Result) []result.Command {
		raw, err := e.files().source(run)
		if err != nil {
			return nil // the build reports it
		}
		return commands(run, raw)
	}
	return compose.Post(e.pages.Report, r)
}

// Languages are those of the site, that of its root first.
func (e *Snapshot) Languages() []string { return e.config.Languages }

// Location is the time zone of the site.
func (e *Snapshot) Location() *time.Location { return e.config.Location() }
