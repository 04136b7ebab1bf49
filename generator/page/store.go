package page

import (
	"bytes"
	"iter"
	"runtime"
	"sync"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/result"
)

// Store receives the artifacts of a site, one after the other and always in the same order. It may keep artifacts whose
// inputs are unchanged.
type Store interface {
	// Kept reports whether the store has an artifact with the same stamp, so that it need not be made again. It also
	// returns what is known about its files. It may be called concurrently, also during Put.
	Kept(artifact string, from result.Stamp) ([]DataFile, bool)
	// Put stores the files of an artifact. Paths are slash-separated and relative to the site's root. The data is only
	// valid until Put returns.
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

// mostFinished is the maximum size, in bytes, of finished files that wait for earlier ones.
const mostFinished = 16 << 20

// backlog counts the bytes of files that are made but not yet put into the store.
type backlog struct {
	changed *sync.Cond
	bytes   int
	over    bool // no further files will be put
}

func newBacklog() *backlog { return &backlog{changed: sync.NewCond(new(sync.Mutex))} }

func (b *backlog) add(n int) {
	b.changed.L.Lock()
	defer b.changed.L.Unlock()
	b.bytes += n
	b.changed.Broadcast()
}

// wait blocks while too many bytes are waiting. The artifacts they wait for are already being made.
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

// work is an artifact that must be made.
type work struct {
	artifact
	stamp result.Stamp
	done  chan outcome
}

// outcome is the result of making an artifact.
type outcome struct {
	files []file
	err   error
}

// inOrder makes the artifacts that a store has not kept, on all processors, and puts them into the store in order. It
// asks for stamps in its turn. Only a few artifacts are in progress at any time, besides finished ones of up to
// mostFinished bytes. None is in progress when it returns.
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

// mostAsked is the number of artifacts whose stamps are computed together.
const mostAsked = 256

// eachUnkept calls begin, in order, for the artifacts that a store has not kept, until begin returns false. It computes
// the stamps on all processors, since a site may have many more artifacts than must be made.
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

// filesOf returns files as Store.Put expects them.
func filesOf(files []file) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, f := range files {
			if !yield(f.path, f.data) {
				return
			}
		}
	}
}
