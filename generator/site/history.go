package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/history"
	"github.com/benchpost/benchpost/generator/result"
)

// History is what trends are made of besides the runs that are there.
type History struct {
	Git       bool   // also of what the repository remembers
	CommitURL string `toml:"commit_url"` // where a commit is shown, as "https://github.com/x/y/commit/{commit}"

	line int // of the table
}

// commitPlace stands in an address for the id of a commit.
const commitPlace = "{commit}"

func (h *History) check() (about, text, hint string) {
	if h.CommitURL == "" {
		return "", "", ""
	}
	u, err := url.Parse(strings.ReplaceAll(h.CommitURL, commitPlace, "0"))
	if err != nil || u.Scheme != "https" || u.Host == "" || !strings.Contains(h.CommitURL, commitPlace) {
		return h.CommitURL, fmt.Sprintf("commit_url %q is no https address with %s", h.CommitURL, commitPlace), `as "https://github.com/x/y/commit/{commit}"`
	}
	return "", "", ""
}

// commitPages is where hosts show a commit, below the address of a repository.
var commitPages = map[string]string{"github.com": "/commit/", "codeberg.org": "/commit/", "gitlab.com": "/-/commit/"}

// commitAddress gives the address of a commit's page: as the site says, or on a host that
// is known to show commits; "" for none.
func (c *Config) commitAddress(commit string) string {
	if c.History.CommitURL != "" {
		return strings.ReplaceAll(c.History.CommitURL, commitPlace, commit)
	}
	u, err := url.Parse(c.Cite.Repository)
	if err != nil || u.Scheme != "https" || commitPages[u.Host] == "" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(c.Cite.Repository, "/"), ".git") + commitPages[u.Host] + commit
}

// pastMemo is what a session knows of the past of its runs. It is read again when
// HEAD is another commit, and when runs have changed, of which some may now be past.
type pastMemo struct {
	cache    *cache
	files    []string // by which it is told that HEAD is another
	stamp    [sha256.Size]byte
	known    bool
	results  []*result.Result // judged
	problems []result.Message
	line     int // of the table in site.toml
}

// forget has all read and judged anew.
func (m *pastMemo) forget() { m.known = false }

// Get and Put are those of history.Options.Cache.
func (m *pastMemo) Get(key []byte) ([]byte, bool) { return m.cache.get(key) }
func (m *pastMemo) Put(key, data []byte)          { m.cache.put(key, data) }

// readPast gives the results that the repository remembers and that trends may count,
// if the site wants them.
func (s *Session) readPast(b *builder, pending *changes) ([]*result.Result, []result.Message) {
	m := s.past
	if !s.config.History.Git {
		m.files, m.known = nil, false
		return nil, nil
	}
	if !m.known || pending.all || len(pending.below("runs")) > 0 || m.stamp != stampOf(m.files) {
		m.read(s)
	}
	counted, _ := counts(history.Without(m.results, b.results))
	return counted, m.problems
}

// read asks the repository.
func (m *pastMemo) read(s *Session) {
	s.opt.Progress("reading history")
	m.known, m.results, m.problems, m.line = true, nil, nil, s.config.History.line
	home := cmp.Or(s.opt.Repository, s.opt.Dir)
	dir := filepath.Join(home, "runs")
	if !isDir(dir) {
		dir = home
	}
	ctx := context.Background()
	repo, err := git.Open(ctx, dir)
	if err != nil {
		m.watch(above(dir))
		m.complain(err)
		return
	}
	m.watch(repo.HeadFiles())
	if dir == home { // which has no runs
		return
	}
	h, err := history.Read(ctx, repo, history.Options{Mappings: s.config.Format, Location: s.config.location, Cache: m})
	if err != nil {
		m.complain(err)
		return
	}
	if h.Begins != nil {
		m.tell("history.shallow", fmt.Sprintf("this clone is shallow: history begins at commit %s, of %s", h.Begins.Short(), h.Begins.Time.In(s.config.location).Format("2006-01-02")),
			"git fetch --unshallow brings the rest; in CI, fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 (GitLab)")
	}
	if h.Pointers > 0 {
		m.tell("history.lfs", fmt.Sprintf("%d earlier files are with Git LFS, and not here", h.Pointers), "git lfs fetch --all brings them")
	}
	m.results = pointers(h.Results)
	for _, r := range m.results {
		r.Revision.URL = s.config.commitAddress(r.Revision.Commit)
	}
	s.config.judgeAll(m.results) // what is told of them can no longer be mended
	for _, r := range m.results {
		r.Seal()
	}
}

func (m *pastMemo) watch(files []string) { m.files, m.stamp = files, stampOf(files) }

// above gives where a repository would be, should one be made.
func above(dir string) []string {
	var places []string
	dir, err := filepath.Abs(dir)
	for last := ""; err == nil && dir != last; last, dir = dir, filepath.Dir(dir) {
		places = append(places, filepath.Join(dir, ".git"))
	}
	return places
}

func stampOf(files []string) [sha256.Size]byte {
	h := sha256.New()
	for _, name := range files {
		stamp(h, name)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// complain tells why there is no past. The site is built without.
func (m *pastMemo) complain(err error) {
	var old *git.OldError
	var missing *git.MissingError
	switch {
	case errors.Is(err, git.ErrNoGit):
		m.tell("history.git", "there is no program git, so trends show no past", "install git, or remove git = true")
	case errors.Is(err, git.ErrNoRepository):
		m.tell("history.git", "the runs lie in no git repository, so trends show no past", "git init, or remove git = true")
	case errors.As(err, &old):
		m.tell("history.git", old.Error()+", so trends show no past", "")
	case errors.As(err, &missing):
		m.tell("history.git", "this clone is partial, so trends show no past: "+missing.Error(), "")
	default:
		m.tell("history.git", "trends show no past: "+result.Reason(err), "")
	}
}

func (m *pastMemo) tell(id, text, hint string) {
	m.problems = append(m.problems, result.Message{Pos: result.Position{File: ConfigName, Line: m.line},
		Severity: result.Warning, ID: id, Text: text, Hint: hint})
}
