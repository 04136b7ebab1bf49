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

// Session builds a site again and again. From one build to the next it remembers
// what was read, judged, evaluated and written, so that a build costs what has
// changed; what it makes is what a build of everything makes. It serves one goroutine; a
// second one may write a snapshot meanwhile, which waits while the first reads or makes a page.
type Session struct {
	opt     Options
	pending changes
	gate    sync.RWMutex // held to read and to make a page in sight; shared to read files for what is written
	doubt   atomic.Bool  // somebody else may have changed the output folder

	config    config.Config
	once      bool        // nothing is read a second time
	tree      rundir.Tree // as it was found a moment ago; nil once it was read
	loaded    bool        // the configuration is that of site.toml
	problems  []result.Message
	key       result.Stamp // of the configuration and of the program
	runs      *rundir.Memory
	judged    []*judged
	shapes    result.Shapes
	terms     terms
	names     *names
	posts     map[string]*memo // by file
	documents map[string]*memo // of the manual, by file
	manual    *manual.Manual   // of them, arranged
	listed    []*memo          // those of them that are published, in order
	found     []result.Message // about the posts as they were found
	misplaced []unread.File    // texts that no post is made of
	pictures  *cache.Store
	reader    *cache.Reader
	mask      *mask.Masker // of files of runs; nil where nothing is masked
	author    *mask.Masker // of what the author wrote
	sums      *cache.Sums
	raw       rawfile.Unpacker // of what pages show
	recent    recent
	past      *pastMemo

	evaluations *cache.Evaluations
	drafts      map[string]*memo // by language: what a site without posts shows

	ledger   *cache.Ledger
	folder   *publish.Folder // the output folder, once it has been written to
	lock     *cache.Mutex
	renderer *page.Renderer // of the last snapshot that was shown or written
	watched  cache.Watched
	running  bool // some run goes on
}

// changes are what has to be looked at again.
type changes struct {
	all   bool
	paths map[string]bool // relative to the site, with slashes
}

// below returns those in a folder, relative to it.
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

// Open begins a session. Nothing is read yet.
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

// disk returns where a file of the site lies, whose name may be masked where it is published.
func (s *Session) disk(name string) string {
	if rel, ok := strings.CutPrefix(name, runsFolder); ok && s.runs != nil {
		return runsFolder + s.runs.Disk(rel)
	}
	return name
}

// Text returns a file of the site as it may be shown: masked as the site says, and where its
// configuration cannot be read, as a site does that says nothing.
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

// maskers are those of the site, and where its configuration cannot be read, those of a site that
// says nothing.
func (s *Session) maskers() (runs, author *mask.Masker, err error) {
	if s.loaded {
		return s.mask, s.author, nil
	}
	return Maskers(&config.Config{}, cmp.Or(s.opt.Repository, s.opt.Dir))
}

// maskedMessages returns messages that may repeat what an author wrote, masked. What is read from runs is
// so already.
func (s *Session) maskedMessages(ms []result.Message) []result.Message {
	_, author, err := s.maskers()
	if err != nil {
		return ms // which is reported by itself
	}
	ms = slices.Clone(ms)
	for i := range ms {
		if m := &ms[i]; !strings.HasPrefix(m.Pos.File, runsFolder) {
			m.Text, m.Hint = maskedText(author, m.Text), maskedText(author, m.Hint)
		}
	}
	return ms
}

// maskedText is a text with what it repeats masked. Where a secret begins in the words around what is repeated,
// the text is masked as it is said in English.
func maskedText(m *mask.Masker, t locale.Text) locale.Text {
	masked := func(s string) string { return string(m.Text([]byte(s))) }
	out, whole := t.Map(masked), masked(locale.English(t))
	if locale.English(out) != whole {
		return locale.Lit(whole)
	}
	return out
}

// alive is that of the options, of a file by the name that it is published under.
func (s *Session) alive() func(string) bool {
	if s.opt.Alive == nil {
		return nil
	}
	return func(name string) bool { return s.opt.Alive(s.disk(name)) }
}

// Changed reports which files and folders may have changed since the last reading:
// paths relative to the site, with slashes. Nothing else is looked at in the next.
func (s *Session) Changed(paths []string) {
	if s.pending.paths == nil {
		s.pending.paths = map[string]bool{}
	}
	for _, p := range paths {
		s.pending.paths[path.Clean(p)] = true
	}
}

// ChangedAll reports that anything may have changed.
func (s *Session) ChangedAll() { s.pending.all = true }

// Doubt has everything compared in the next writing that is in the output folder: somebody
// else may have changed it.
func (s *Session) Doubt() { s.doubt.Store(true) }

// turn waits while something is read or a page in sight is made.
func (s *Session) turn() (done func()) {
	s.gate.RLock()
	return s.gate.RUnlock
}

// Build reads what has changed and writes what depends on it. Messages and errors
// are those of the function Build.
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

// Outdated reports whether something could not be written because a file was changed after it had
// been read. The next reading reads that file again.
func (s *Session) Outdated(err error) bool {
	var changed *cache.ChangedError
	if !errors.As(err, &changed) {
		return false
	}
	if s.once { // nothing is known of the others any more
		s.runs, s.judged, s.names = rundir.NewMemory(), nil, nil
		s.ChangedAll()
	} else {
		s.Changed([]string{changed.File})
	}
	return true
}

// Read does all of a build that needs no output: configuration, runs, posts,
// and the evaluation of their blocks. There is always a snapshot to take messages
// from; with an error, or a broken one, there is nothing else in it.
func (s *Session) Read() (*Snapshot, error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	pending := s.pending
	e := &Snapshot{Broken: true, builder: &builder{opt: s.opt, kept: s.pictures, session: s}}
	err := s.read(e, &pending)
	if err != nil {
		s.pending.all = true // how far it got is unknown
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
	if pending.all { // in the output folder, too
		s.Doubt()
	}
	refused := b.layouts().refused()
	e.Messages = slices.Concat(s.problems, refused, b.layouts().stray())
	s.opt.Progress("reading runs")
	var preparing sync.WaitGroup
	if s.judged == nil { // all files are going to be asked for
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
		if m.post.draft && hasErrors(m.problems) { // it is nobody's to mend
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

// configure reads site.toml. With another configuration all is done anew.
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
		s.listed = nil // they are parsed anew
	}
	return nil
}

// readRuns reads the runs that have changed and judges them. Changed are those, as
// they were and as they are.
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
		b.dataset.Results = nil // as they were before they were judged
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
	if s.opt.Part == "" { // what a site declares in vain only all of its runs show
		b.dataset.Messages = append(b.dataset.Messages, unusedFormats(&b.config, b.dataset)...)
		b.dataset.Messages = append(b.dataset.Messages, judge.Unmet(&s.config, b.results)...)
	}
	b.dataset.Messages = append(b.dataset.Messages, judge.UnknownHardware(&s.config, b.results, s.terms.machines)...)
	s.running = markRunning(b.dataset, b.results, s.alive())
	result.SortMessages(b.dataset.Messages)
	return changed, nil
}

// name gives the runs, as they are after some have changed, the paths of their pages and files.
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

// public is the output folder. Beside a site's own there is a spare tree.
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

// Close ends the session and leaves the next what it can use.
func (s *Session) Close() {
	_ = s.raw.Close() // of files that were only read
	if !s.lock.Try() {
		return // that is of use to nobody: another process is writing
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
	save() // last, as a build that finds it may need no sums
	if built, kept := s.ledger.Built(); built {
		s.pictures.Prune(!kept)
		s.reader.Prune(true)
		s.past.store.Prune(false)
	}
}

// saveEvaluations leaves the next process what the posts came to.
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
