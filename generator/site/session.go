package site

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/manual"
	"github.com/benchpost/benchpost/generator/prose"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/sitefile"
	"github.com/benchpost/benchpost/generator/unread"
)

// Session builds a site repeatedly. It remembers what was read, judged, evaluated and written, so that each build only
// does the work that changes require. The output is the same as that of a complete build. One goroutine uses a session.
// A second one may write a snapshot meanwhile; it waits while the first reads or makes a page.
type Session struct {
	opt     Options
	pending changes
	gate    sync.RWMutex // locked to read the site or make one page; read-locked while writing (see turn)
	doubt   atomic.Bool  // somebody else may have changed the output folder

	config    config.Config
	once      bool        // a single build: nothing is kept for another reading
	tree      rundir.Tree // the folders as [cache.OpenState] has just listed them; nil once they were used
	loaded    bool        // config was read from site.toml
	problems  []result.Message
	key       result.Stamp // key of the configuration and the program
	runs      *rundir.Memory
	judged    []*judged
	shapes    result.Shapes
	terms     terms
	names     *names
	posts     map[string]*memo // by file
	documents map[string]*memo // documents of the manual, by file
	manual    *manual.Manual   // the documents, arranged
	listed    []*memo          // the posts and documents that are published, in order
	found     []result.Message // messages about reading the posts and documents
	misplaced []unread.File    // Markdown files below content/ that are not posts
	pictures  *cache.Store
	reader    *cache.Reader
	mask      *mask.Masker // for files of runs; nil if nothing is masked
	author    *mask.Masker // for what the author wrote
	sums      *cache.Sums
	raw       rawfile.Unpacker // opens the files that pages show
	recent    recent
	past      *pastMemo

	evaluations *cache.Evaluations
	drafts      map[string]*memo // by language: the posts that a site without posts shows

	ledger   *cache.Ledger
	folder   *publish.Folder // the output folder, once it has been written to
	lock     *cache.Mutex
	renderer *page.Renderer // of the last snapshot that was shown or written
	watched  cache.Watched
	running  bool // some run is still running
}

// changes lists what has to be read again.
type changes struct {
	all   bool
	paths map[string]bool // relative to the site, with slashes
}

// below returns the changed paths in a folder, relative to it; "." is the folder itself.
func (c *changes) below(folder string) []string {
	paths := []string{}
	for p := range c.paths {
		if p == folder {
			paths = append(paths, ".")
		} else if rest, ok := strings.CutPrefix(p, folder+"/"); ok {
			paths = append(paths, rest)
		}
	}
	return paths
}

// Open begins a session. It reads nothing yet.
func Open(opt Options) *Session {
	if opt.Out == "" {
		opt.Out = filepath.Join(opt.home(), "public")
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	home := opt.home()
	sums := cache.OpenSums(opt.Dir, home)
	s := &Session{opt: opt, pending: changes{all: true}, posts: map[string]*memo{}, pictures: openPictures(home), reader: cache.OpenReader(home, sums), sums: sums,
		past: &pastMemo{store: cache.OpenStore(home, "past")}, evaluations: cache.OpenEvaluations(home), ledger: cache.OpenLedger(home), lock: cache.NewMutex(home)}
	sums.Place = func(name string) string { return opt.path(s.disk(name)) }
	return s
}

// disk returns the path on disk of a file of the site. The published name of a file of runs may be masked.
func (s *Session) disk(name string) string {
	if rel, ok := strings.CutPrefix(name, runsFolder); ok && s.runs != nil {
		return runsFolder + s.runs.Disk(rel)
	}
	return name
}

// Text returns a file of the site as it may be shown: masked by the site's rules, or by the default rules if site.toml
// cannot be read.
func (s *Session) Text(name string) ([]byte, error) {
	at := s.opt.path(s.disk(name))
	data, err := sitefile.Read(at)
	if err != nil {
		return nil, err
	}
	runs, author, err := s.maskers()
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(name, runsFolder) {
		return runs.Bytes(at, data), nil
	}
	return author.Text(data), nil
}

// maskers returns the site's maskers, or the default ones if site.toml cannot be read.
func (s *Session) maskers() (runs, author *mask.Masker, err error) {
	if s.loaded {
		return s.mask, s.author, nil
	}
	return Maskers(&config.Config{}, cmp.Or(s.opt.Repository, s.opt.Dir))
}

// maskedMessages masks messages that may repeat what an author wrote. Messages about files of runs are already masked.
func (s *Session) maskedMessages(ms []result.Message) []result.Message {
	_, author, err := s.maskers()
	if err != nil {
		return ms // reported elsewhere
	}
	ms = slices.Clone(ms)
	for i := range ms {
		if m := &ms[i]; !strings.HasPrefix(m.Pos.File, runsFolder) {
			m.Text, m.Hint = maskedText(author, m.Text), maskedText(author, m.Hint)
		}
	}
	return ms
}

// maskedText masks the values inserted into a text. If a secret begins in the words around such a value, the result is
// the whole English text, masked.
func maskedText(m *mask.Masker, t locale.Text) locale.Text {
	masked := func(s string) string { return string(m.Text([]byte(s))) }
	out, whole := t.Map(masked), masked(locale.English(t))
	if locale.English(out) != whole {
		return locale.Lit(whole)
	}
	return out
}

// alive returns Options.Alive for published file names; nil if there is none.
func (s *Session) alive() func(string) bool {
	if s.opt.Alive == nil {
		return nil
	}
	return func(name string) bool { return s.opt.Alive(s.disk(name)) }
}

// Changed marks files and folders as possibly changed since the last reading. Paths are relative to the site, with
// slashes. The next reading looks at nothing else.
func (s *Session) Changed(paths []string) {
	if s.pending.paths == nil {
		s.pending.paths = map[string]bool{}
	}
	for _, p := range paths {
		s.pending.paths[path.Clean(p)] = true
	}
}

// ChangedAll marks everything as possibly changed.
func (s *Session) ChangedAll() { s.pending.all = true }

// Doubt makes the next writing compare all files in the output folder, because somebody else may have changed them.
func (s *Session) Doubt() { s.doubt.Store(true) }

// turn waits until no reading and no making of a single page is in progress, and blocks both until done is called.
func (s *Session) turn() (done func()) {
	s.gate.RLock()
	return s.gate.RUnlock
}

// Build reads what has changed and writes what depends on it. It returns the same messages and errors as the function
// Build. If a file changes between reading and writing, it tries again, up to five times in all.
func (s *Session) Build(ctx context.Context) (Summary, []result.Message, error) {
	const patience = 5
	for try := 1; ; try++ {
		summary, ms, err := s.build(ctx)
		if !s.Outdated(err) || try == patience {
			return summary, ms, err
		}
	}
}

func (s *Session) build(ctx context.Context) (Summary, []result.Message, error) {
	e, err := s.Read()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || e.Broken {
		return Summary{Broken: true}, e.Messages, err
	}
	return e.Write(ctx)
}

// Outdated reports whether err says that a file changed after it was read. The next reading then reads that file again.
func (s *Session) Outdated(err error) bool {
	var changed *cache.ChangedError
	if !errors.As(err, &changed) {
		return false
	}
	if s.once { // the other files are no longer remembered either
		s.runs, s.judged, s.names = rundir.NewMemory(), nil, nil
		s.ChangedAll()
	} else {
		s.Changed([]string{changed.File})
	}
	return true
}

// Read does everything in a build that needs no output: it reads the configuration, runs and posts, and evaluates the
// blocks. It always returns a snapshot with messages. With an error, or if the snapshot is broken, only the messages
// are valid.
func (s *Session) Read() (*Snapshot, error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	pending := s.pending
	e := &Snapshot{Broken: true, builder: &builder{opt: s.opt, kept: s.pictures, session: s}}
	err := s.read(e, &pending)
	if err != nil {
		s.pending.all = true // it is unknown how far the reading got
	} else {
		s.pending = changes{}
	}
	e.Messages = s.maskedMessages(e.Messages)
	result.SortMessages(e.Messages)
	return e, err
}

func (s *Session) read(e *Snapshot, pending *changes) error {
	b := e.builder
	if pending.all || pending.paths[config.Name] || !s.loaded {
		if err := s.configure(); err != nil {
			e.Messages = s.problems
			return err
		}
	}
	b.config = s.config
	if pending.all { // the output folder may have changed, too
		s.Doubt()
	}
	refused := b.layouts().refused()
	e.Messages = slices.Concat(s.problems, refused, b.layouts().stray())
	s.opt.Progress("reading runs")
	var preparing sync.WaitGroup
	if s.judged == nil { // all files will be read
		preparing.Go(s.reader.Prepare)
	}
	if !pending.all {
		s.runs.Changed(pending.below("runs"))
	}
	changed, err := s.readRuns(b)
	preparing.Wait()
	if err != nil {
		return err
	}
	e.Messages = append(e.Messages, b.dataset.Messages...)
	lenient := hasErrors(b.dataset.Messages)

	s.opt.Progress("reading posts")
	var naming sync.WaitGroup
	naming.Go(func() { e.Messages = append(e.Messages, s.name(b, changed)...) })
	posts, problems := s.readPosts(b, pending)
	naming.Wait()
	b.dataset.Unread = append(b.dataset.Unread, s.misplaced...)
	unread.Sort(b.dataset.Unread)
	if b.config.Check.Severity() != result.Info {
		e.Messages = append(e.Messages, UnreadMessages(&b.config, b.dataset.Unread)...)
	}
	theme, fontless := theme(&b.config, b.opt.Dir)
	b.theme, b.dark = theme, darkTheme(&b.config.Charts, theme)
	e.Messages = append(e.Messages, fontless...)
	problems = append(problems, misplacedBlog(b.blogDir(), &b.config, b.opt)...)
	b.pages = b.site(b.results)
	b.pages.Manual = s.manual
	data := dataOf(&b.config, b.results, b.fresh, b.sweeps, &s.terms)
	for i := range b.dataset.Unfinished {
		data.Unfinished = append(data.Unfinished, &b.dataset.Unfinished[i])
	}
	var forgotten []result.Message
	data.Past, forgotten = s.readPast(b, pending)
	e.Messages = append(e.Messages, forgotten...)
	b.pages.Report = data
	b.compares(data)
	b.pages.Drawings, b.pages.Commands, b.pages.Method = b.drawings(data), commands, method(&b.config, data)
	from := b.postsKey(data)
	withPlans := cache.Key(cache.UnfinishedKey{Posts: from, Runs: data.Unfinished})
	b.data, b.figures, b.lenient = data, prose.Of(data), lenient
	posts = slices.Concat(posts, s.draft(b, data))
	cores.Each(len(posts), func(i int) {
		m, from := posts[i], from
		if m.showsPlans() {
			from = withPlans
		}
		if m.shared != from || m.post.lacks && m.lenient != lenient || m.moved(data.Styles) || m.touched(pending) || m.selects(changed) {
			m.evaluate(b, from)
		}
	})
	for _, m := range posts {
		if m.post.draft && hasErrors(m.problems) { // the author cannot correct a post that benchpost composed
			continue
		}
		if !m.post.draft {
			problems = append(problems, m.problems...)
		}
		b.posts = append(b.posts, m.post)
	}
	s.watched = b.watch()
	e.maskers = []*mask.Masker{s.mask, s.author}
	problems = append(problems, s.private()...)
	e.Broken = hasErrors(problems) || len(refused) > 0
	e.Messages = fold(append(e.Messages, problems...))
	return nil
}

// configure reads site.toml. If the configuration has changed, everything is read again.
func (s *Session) configure() error {
	c, problems := config.Read(s.opt.Dir)
	s.loaded, s.problems = false, problems
	if hasErrors(problems) {
		return ErrConfig
	}
	s.opt.apart(&c)
	s.config, s.loaded = c, true
	text, _ := sitefile.Read(filepath.Join(s.opt.Dir, config.Name))
	masks, author, err := Maskers(&c, cmp.Or(s.opt.Repository, s.opt.Dir))
	if err != nil {
		return err
	}
	key := cache.Key(cache.NewSiteKey(s.opt.Dir, s.opt.Drafts, text, slices.Concat(c.Charts.Font, c.Charts.Bold), masks.Stamp()))
	if key != s.key {
		s.key, s.mask, s.author = key, masks, author
		s.reader.Mask, s.sums.Mask = masks, masks
		s.runs, s.judged, s.names, s.terms = rundir.NewMemory(), nil, nil, terms{}
		s.past.forget()
		clear(s.posts)
		clear(s.documents)
		s.listed = nil // the posts are parsed again
	}
	return nil
}

// readRuns reads the runs that have changed and judges them. It returns the changed results, both in their old and in
// their new state.
func (s *Session) readRuns(b *builder) (changed []*result.Result, err error) {
	b.dataset = &rundir.Dataset{}
	runs := s.opt.runs()
	if _, err := os.Stat(runs); !errors.Is(err, fs.ErrNotExist) {
		set, err := rundir.Load(runs, rundir.Options{Name: "runs", Mappings: s.config.Format, NoResults: s.config.Check.NoResults, Memory: s.runs, Read: s.reader.Read, Mask: s.mask, Alive: s.alive(), Part: s.opt.Part, Tree: s.tree})
		s.tree = nil
		if err != nil {
			return nil, err
		}
		b.dataset = set
		if s.opt.Apart {
			set.Results = slices.DeleteFunc(set.Results, func(r result.Result) bool { return !isOf(s.opt.Part, set.Disk(r.Source.File)) })
		}
	}
	defer func() {
		b.dataset.Results = nil // not yet judged; b.results has the judged ones
		if s.once {
			s.runs.Forget()
			s.judged = nil
		}
	}()
	plans, ms := sweepPlans(&b.config, s.opt, b.dataset, s.mask)
	b.sweeps, b.dataset.Messages = plans, append(b.dataset.Messages, ms...)
	s.judged, changed, b.fresh = rejudge(&s.config, s.judged, b.dataset.Results, b.files().version, &s.shapes)
	b.results = make([]*result.Result, len(s.judged))
	for i := range s.judged {
		b.results[i] = s.judged[i].result
		b.dataset.Messages = append(b.dataset.Messages, s.judged[i].messages...)
	}
	s.terms.update(b.results)
	b.dataset.Messages = append(b.dataset.Messages, judge.Unfinished(&s.config, b.dataset.Unfinished)...)
	if s.opt.Part == "" { // only all runs together show which declarations are unused
		b.dataset.Messages = append(b.dataset.Messages, unusedFormats(&b.config, b.dataset)...)
		b.dataset.Messages = append(b.dataset.Messages, judge.Unmet(&s.config, b.results)...)
	}
	b.dataset.Messages = append(b.dataset.Messages, judge.UnknownHardware(&s.config, b.results, s.terms.machines)...)
	s.running = markRunning(b.dataset, b.results, s.alive())
	result.SortMessages(b.dataset.Messages)
	return changed, nil
}

// name assigns paths of pages and files to the runs, after some of them have changed.
func (s *Session) name(b *builder, changed []*result.Result) []result.Message {
	if s.names == nil {
		s.names = newNames(&s.config)
	}
	s.names.update(changed, b.files())
	b.names = s.names.index.Book()
	ms := s.names.messages(b.results, b.files())
	if s.once {
		s.names = nil
	}
	return ms
}

// public returns the output folder. An output folder inside the site's own folder also has a spare tree.
func (s *Session) public() *publish.Folder {
	if s.folder == nil {
		opt := publish.Options{Durable: s.opt.Durable}
		if home := s.opt.home(); filepath.Dir(filepath.Clean(s.opt.Out)) == filepath.Clean(home) {
			if work, err := cache.Folder(home, "publish"); err == nil {
				opt.Work = work
			}
		}
		s.folder = publish.At(s.opt.Out, opt)
	}
	return s.folder
}

// Discard ends the session without saving anything for the next one.
func (s *Session) Discard() { _ = s.raw.Close() } // an error loses nothing: the files were only read

// Close ends the session and saves what the next one can use.
func (s *Session) Close() {
	s.Discard()
	if !s.lock.Try() {
		return // another process is writing: it would not use what this one saves
	}
	defer s.lock.Release()
	var saving sync.WaitGroup
	if s.folder != nil {
		saving.Go(s.folder.Close)
	}
	saving.Go(s.reader.Save)
	saving.Go(s.sums.Save)
	saving.Go(s.saveEvaluations)
	save := s.ledger.Saving()
	saving.Wait()
	save() // last, because a build that finds the ledger may not read the sums
	if built, kept := s.ledger.Built(); built {
		s.pictures.Prune(!kept)
		s.reader.Prune(true)
		s.past.store.Prune(false)
	}
}

// saveEvaluations saves the evaluations of the posts for the next process.
func (s *Session) saveEvaluations() {
	if built, _ := s.ledger.Built(); !built {
		return
	}
	all := make(map[string]cache.Evaluation, len(s.listed))
	for _, m := range s.listed {
		if e, ok := m.evaluation(s.mask.Stamp()); ok {
			all[m.post.doc.File] = e
		}
	}
	s.evaluations.Save(all)
}
