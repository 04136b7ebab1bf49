package site

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/history"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// pastMemo is what a session knows about past results. It is read again when HEAD is at another commit, and when runs
// have changed, because some of them may now be past.
type pastMemo struct {
	store    *cache.Store
	files    []string // files that change when HEAD does
	stamp    result.Stamp
	known    bool
	results  []*result.Result // judged
	problems []result.Message
	at       result.Position // position of [history] in site.toml
}

// forget makes the next reading read and judge all past results again.
func (m *pastMemo) forget() { m.known = false }

// Get and Put implement history.Options.Cache.
func (m *pastMemo) Get(key []byte) ([]byte, bool) { return m.store.Get(key) }
func (m *pastMemo) Put(key, data []byte)          { m.store.Put(key, data) }

// readPast returns the past results from the repository that trends may count, if the site enables them.
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

// read reads the past from the repository.
func (m *pastMemo) read(s *Session) {
	s.opt.Progress("reading history")
	m.known, m.results, m.problems, m.at = true, nil, nil, s.config.At("history")
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
	if dir == home { // the site has no runs
		return
	}
	h, err := history.Read(ctx, repo, history.Options{Mappings: s.config.Format, Location: s.config.Location(), Mask: s.mask, Cache: m})
	if err != nil {
		m.complain(err)
		return
	}
	if h.Begins != nil {
		m.warn("history.shallow", locale.Textf("this clone is shallow: history begins at commit %s, of %s", h.Begins.Short(), h.Begins.Time.In(s.config.Location()).Format("2006-01-02")),
			locale.Textf("git fetch --unshallow brings the rest; in CI, fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 (GitLab)"))
	}
	if h.Pointers > 0 {
		m.warn("history.lfs", locale.Textf("%d earlier files are in Git LFS and were not fetched", h.Pointers), locale.Textf("git lfs fetch --all brings them"))
	}
	m.results = pointers(h.Results)
	for _, r := range m.results {
		r.Revision.URL = s.config.CommitAddress(r.Revision.Commit)
	}
	judge.Each(&s.config, m.results) // without messages: past results can no longer be corrected
	for _, r := range m.results {
		r.Seal()
	}
}

func (m *pastMemo) watch(files []string) { m.files, m.stamp = files, stampOf(files) }

// above returns the places where a repository would be if one were created.
func above(dir string) []string {
	var places []string
	dir, err := filepath.Abs(dir)
	for last := ""; err == nil && dir != last; last, dir = dir, filepath.Dir(dir) {
		places = append(places, filepath.Join(dir, ".git"))
	}
	return places
}

func stampOf(files []string) result.Stamp {
	return cache.Key(cache.FilesKey{Files: cache.FilesOf("", files)})
}

// complain reports why there is no past. The site is built without it.
func (m *pastMemo) complain(err error) {
	var old *git.OldError
	var missing *git.MissingError
	switch {
	case errors.Is(err, git.ErrNoGit):
		m.warn("history.git", locale.Textf("there is no program git, so trends show no past"), locale.Textf("install git, or remove git = true"))
	case errors.Is(err, git.ErrNoRepository):
		m.warn("history.git", locale.Textf("the runs are not in a git repository, so trends show no past"), locale.Textf("git init, or remove git = true"))
	case errors.As(err, &old):
		m.warn("history.git", locale.Textf("%s, so trends show no past", locale.Reason(old)), locale.Text{})
	case errors.As(err, &missing):
		m.warn("history.git", locale.Textf("this clone is partial, so trends show no past: %s", locale.Reason(missing)), locale.Text{})
	default:
		m.warn("history.git", locale.Textf("trends show no past: %s", result.Reason(err)), locale.Text{})
	}
}

func (m *pastMemo) warn(id string, text, hint locale.Text) {
	m.problems = append(m.problems, result.Message{Pos: m.at,
		Severity: result.Warning, ID: id, Text: text, Hint: hint})
}
