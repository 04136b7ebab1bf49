package page

import (
	"iter"
	"runtime"
	"sync"

	"github.com/benchpost/benchpost/generator/result"
)

// Store takes the artifacts of a site, one after the other and always in the same
// order, and may keep those that are the same as at another time.
type Store interface {
	// Kept reports whether an artifact is there, made from the same, so that it need not be
	// made again; and which files it has, with what is known of them. It may be called
	// while Put is.
	Kept(artifact string, from result.Stamp) ([]DataFile, bool)
	// Put takes the files of an artifact: paths, slash-separated and relative to the
	// site's root, and data that may be kept.
	Put(artifact string, from result.Stamp, files iter.Seq2[string, []byte]) error
}

// emitter is a store that keeps nothing.
type emitter func(path string, data []byte) error

func (emitter) Kept(string, result.Stamp) ([]DataFile, bool) { return nil, false }

func (emit emitter) Put(_ string, _ result.Stamp, files iter.Seq2[string, []byte]) error {
	for path, data := range files {
		if err := emit(path, data); err != nil {
			return err
		}
	}
	return nil
}

// mostFinished is how many bytes of files may wait for those before them.
const mostFinished = 16 << 20

// backlog counts the bytes of files that are made and not yet put.
type backlog struct {
	changed *sync.Cond
	bytes   int
	over    bool // nobody is going to put them
}

func newBacklog() *backlog { return &backlog{changed: sync.NewCond(new(sync.Mutex))} }

func (b *backlog) add(n int) {
	b.changed.L.Lock()
	defer b.changed.L.Unlock()
	b.bytes += n
	b.changed.Broadcast()
}

// wait returns when not too many wait. What they wait for is under way then.
func (b *backlog) wait() {
	b.changed.L.Lock()
	defer b.changed.L.Unlock()
	for b.bytes > mostFinished && !b.over {
		b.changed.Wait()
	}
}

func (b *backlog) end() {
	b.changed.L.Lock()
	defer b.changed.L.Unlock()
	b.over = true
	b.changed.Broadcast()
}

func sizeOf(files []file) (bytes int) {
	for _, f := range files {
		bytes += len(f.data)
	}
	return bytes
}

// inOrder makes the artifacts that a store does not keep, on all processors, and puts them
// into it in their order. What each is made from is asked for in its turn. Only a few are under
// way at any time, with mostFinished bytes of others finished, and none is when it returns.
func inOrder(artifacts iter.Seq[artifact], store Store, turn func() (done func())) error {
	type outcome struct {
		files []file
		err   error
	}
	type work struct {
		artifact
		stamp result.Stamp
		done  chan outcome
	}
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan work, 16*workers)
	busy := make(chan struct{}, workers)
	finished := newBacklog()
	stop := make(chan struct{})
	var making sync.WaitGroup
	defer making.Wait()
	defer close(stop)
	defer finished.end()
	making.Go(func() {
		defer close(queue)
		begin := func(w work) (goOn bool) {
			if _, ok := store.Kept(w.name, w.stamp); ok {
				return true
			}
			finished.wait()
			select {
			case <-stop:
				return false
			default:
			}
			select {
			case queue <- w:
			case <-stop:
				return false
			}
			busy <- struct{}{}
			making.Go(func() {
				files, err := w.make()
				<-busy
				finished.add(sizeOf(files))
				w.done <- outcome{files, err}
			})
			return true
		}
		done := turn()
		defer func() { done() }()
		for p := range artifacts {
			w := work{p, p.from(), make(chan outcome, 1)}
			done()
			goOn := begin(w)
			done = turn()
			if !goOn {
				return
			}
		}
	})
	for w := range queue {
		out := <-w.done
		if out.err == nil {
			out.err = store.Put(w.name, w.stamp, filesOf(out.files))
		}
		finished.add(-sizeOf(out.files))
		if out.err != nil {
			return out.err
		}
	}
	return nil
}

// filesOf returns files as a store takes them.
func filesOf(files []file) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, f := range files {
			if !yield(f.path, f.data) {
				return
			}
		}
	}
}
