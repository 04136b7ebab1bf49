package config

import (
	"net/url"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// History configures the earlier results that trends use.
type History struct {
	Git       bool   // use earlier results from the git repository
	CommitURL string `toml:"commit_url"` // address of a commit, for example "https://github.com/x/y/commit/{commit}"
}

// commitPlace is replaced by the id of a commit.
const commitPlace = "{commit}"

func (h *History) check(at place) {
	if h.CommitURL == "" {
		return
	}
	u, err := url.Parse(strings.ReplaceAll(h.CommitURL, commitPlace, "0"))
	if err != nil || u.Scheme != "https" || u.Host == "" || !strings.Contains(h.CommitURL, commitPlace) {
		at.at("commit_url").wrong(locale.Textf(`for example "https://github.com/x/y/commit/{commit}"`), "commit_url %q is not an https address with %s", h.CommitURL, commitPlace)
	}
}

// commitPages maps hosts to the path of a commit below the address of a repository.
var commitPages = map[string]string{"github.com": "/commit/", "codeberg.org": "/commit/", "gitlab.com": "/-/commit/"}

// CommitAddress returns the address of a commit's page. It uses commit_url or, if that is not set, the pattern
// of a known host. It returns "" if neither is available.
func (c *Config) CommitAddress(commit string) string {
	if c.History.CommitURL != "" {
		return strings.ReplaceAll(c.History.CommitURL, commitPlace, commit)
	}
	u, err := url.Parse(c.Cite.Repository)
	if err != nil || u.Scheme != "https" || commitPages[u.Host] == "" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(c.Cite.Repository, "/"), ".git") + commitPages[u.Host] + commit
}
