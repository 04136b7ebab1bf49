package page

import (
	"bytes"
	"iter"
	"runtime"
	"sync"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/result"
)

// Store takes the artifacts of a site, one after the other and always in the same
// order, and may keep those that are the same as at another time.
type Store interface {
	// Kept reports whether an artifact is there, made from the same, so that it need not be
	// made again; and which files it has, with what is known of them. It may be called
	// by several goroutines, also while Put is.
	Kept(artifact string, from result.Stamp) ([]DataFile, bool)
	// Put takes the files of an artifact: paths, slash-separated and relative to the
	// site's root, and data that is another's when Put has returned.
	Put(artifact string, from result.Stamp, files iter.Seq2[string, []byte]) error
}

// emitter is a store that keeps nothing.
type emitter func(path string, data []byte) error

func (emitter) Kept(string, result.Stamp) ([]DataFile, bool) { return nil, false }

func (emit emitter) Put(_ string, _ result.Stamp, files iter.Seq2[string, []byte]) error {
	for path, data := range files {
		if err := emit(path, bytes.Clone(data)); err != nil {
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

// work is an artifact that a store does not keep.
type work struct {
	artifact
	stamp result.Stamp
	done  chan outcome
}

// outcome is what became of it.
type outcome struct {
	files []file
	err   error
}

// inOrder makes the artifacts that a store does not keep, on all processors, and puts them
// into it in their order. What each is made from is asked for in its turn. Only a few are under
// way at any time, with mostFinished bytes of others finished, and none is when it returns.
func inOrder(artifacts iter.Seq[artifact], store Store, turn func() (done func())) error {
	workers := runtime.GOMAXPROCS(0)
	wanted, queue := make(chan work, 16*workers), make(chan work, 16*workers)
	busy := make(chan struct{}, workers)
	finished := newBacklog()
	stop := make(chan struct{})
	var making sync.WaitGroup
	defer making.Wait()
	defer close(stop)
	defer finished.end()
	making.Go(func() {
		defer close(wanted)
		eachUnkept(artifacts, store, turn, func(w work) (goOn bool) {
			select {
			case wanted <- w:
				return true
			case <-stop:
				return false
			}
		})
	})
	making.Go(func() {
		defer close(queue)
		for w := range wanted {
			finished.wait()
			select {
			case <-stop:
				return
			default:
			}
			select {
			case queue <- w:
			case <-stop:
				return
			}
			busy <- struct{}{}
			making.Go(func() {
				files, err := w.make()
				<-busy
				finished.add(sizeOf(files))
				w.done <- outcome{files, err}
			})
		}
	})
	for w := range queue {
		out := <-w.done
		if out.err == nil {
			out.err = store.Put(w.name, w.stamp, filesOf(out.files))
		}
		finished.add(-sizeOf(out.files))
		for i := range out.files {
			out.files[i].release()
		}
		if out.err != nil {
			return out.err
		}
	}
	return nil
}

// mostAsked is how many artifacts a store is asked for at once.
const mostAsked = 256

// eachUnkept calls begin with the artifacts that a store does not keep, in their order, until that returns false.
// What they are made from is asked for on all processors: a site may have many more artifacts than are made.
func eachUnkept(artifacts iter.Seq[artifact], store Store, turn func() (done func()), begin func(work) (goOn bool)) {
	some := make([]work, 0, mostAsked)
	kept := make([]bool, mostAsked)
	ask := func() (goOn bool) {
		cores.Each(len(some), func(i int) {
			w, done := &some[i], turn()
			w.stamp = w.from()
			done()
			_, kept[i] = store.Kept(w.name, w.stamp)
		})
		for i, w := range some {
			if kept[i] {
				continue
			}
			if w.done = make(chan outcome, 1); !begin(w) {
				return false
			}
		}
		some = some[:0]
		return true
	}
	done := turn()
	defer func() { done() }()
	for a := range artifacts {
		some = append(some, work{artifact: a})
		done()
		goOn := len(some) < mostAsked || ask()
		done = turn()
		if !goOn {
			return
		}
	}
	done()
	ask()
	done = turn()
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
