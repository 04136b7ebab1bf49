package watch

import (
	"os"
	"strings"
	"testing"
	"time"
)

// cases lists changes to a site with the roots runs and site.toml. It has runs/a/1.log and site.toml, and
// elsewhere/b/2.log outside of the roots.
var cases = []struct {
	name  string
	act   func(s *site)
	want  []string // reported
	never []string // not reported
	all   bool
}{
	{
		name: "a file written",
		act:  func(s *site) { s.write("runs/a/1.log", "more than before") },
		want: []string{"runs/a/1.log"}, never: []string{"runs", "runs/a"},
	}, {
		name: "a file created",
		act:  func(s *site) { s.put("runs/a/2.log") },
		want: []string{"runs/a/2.log"}, never: []string{"runs/a/1.log"},
	}, {
		name: "a file removed",
		act:  func(s *site) { s.remove("runs/a/1.log") },
		want: []string{"runs/a/1.log"},
	}, {
		name: "a file renamed",
		act:  func(s *site) { s.move("runs/a/1.log", "runs/a/one.log") },
		want: []string{"runs/a/1.log", "runs/a/one.log"},
	}, {
		name: "a file moved in",
		act:  func(s *site) { s.move("elsewhere/b/2.log", "runs/a/2.log") },
		want: []string{"runs/a/2.log"}, never: []string{"elsewhere/b/2.log"},
	}, {
		name: "a file moved out",
		act:  func(s *site) { s.move("runs/a/1.log", "elsewhere/1.log") },
		want: []string{"runs/a/1.log"}, never: []string{"elsewhere/1.log"},
	}, {
		name: "a time changed",
		act: func(s *site) {
			s.must(os.Chtimes(s.path("runs/a/1.log"), time.Time{}, time.Unix(1e9, 0))) // as after a clock jump
		},
		want: []string{"runs/a/1.log"},
	}, {
		name: "an edit that keeps size and time",
		act: func(s *site) {
			info, err := os.Stat(s.path("runs/a/1.log"))
			s.must(err)
			data, err := os.ReadFile(s.path("runs/a/1.log"))
			s.must(err)
			data[0]++
			f, err := os.OpenFile(s.path("runs/a/1.log"), os.O_WRONLY, 0)
			s.must(err)
			_, err = f.Write(data)
			s.must(err)
			s.must(f.Close())
			s.must(os.Chtimes(s.path("runs/a/1.log"), info.ModTime(), info.ModTime()))
		},
		want: []string{"runs/a/1.log"},
	}, {
		name:  "rights changed",
		act:   func(s *site) { s.must(os.Chmod(s.path("runs/a/1.log"), 0o600)) },
		never: []string{"runs/a/1.log"},
	}, {
		name: "folders made and a file put into them",
		act:  func(s *site) { s.put("runs/x/y/z/1.log") },
		want: []string{"runs/x", "runs/x/y", "runs/x/y/z", "runs/x/y/z/1.log"},
	}, {
		name: "a folder of folders moved in, and then changed",
		act: func(s *site) {
			s.move("elsewhere", "runs/e")
			s.expect("runs/e", "runs/e/b", "runs/e/b/2.log")
			s.put("runs/e/b/3.log")
		},
		want: []string{"runs/e/b/3.log"},
	}, {
		name: "a folder moved out, and then changed",
		act: func(s *site) {
			s.move("runs/a", "elsewhere/a")
			s.expect("runs/a", "runs/a/1.log")
			s.put("elsewhere/a/2.log")
		},
		never: []string{"runs/a/2.log", "elsewhere/a/2.log"},
	}, {
		name: "a folder renamed, and then changed",
		act: func(s *site) {
			s.put("runs/a/deep/2.log")
			s.expect("runs/a/deep/2.log")
			s.move("runs/a", "runs/z")
			s.expect("runs/a", "runs/a/1.log", "runs/a/deep", "runs/z", "runs/z/1.log", "runs/z/deep/2.log")
			s.put("runs/z/3.log")
			s.put("runs/z/deep/3.log")
		},
		want: []string{"runs/z/3.log", "runs/z/deep/3.log"}, never: []string{"runs/a/3.log"},
	}, {
		name: "a folder renamed to one that is before it, and then changed",
		act: func(s *site) {
			s.put("runs/b/deep/2.log")
			s.expect("runs/b/deep/2.log")
			s.move("runs/b", "runs/B")
			s.put("runs/B/3.log")
			s.put("runs/B/deep/3.log")
			s.expect("runs/B/3.log", "runs/B/deep/3.log")
			s.put("runs/B/deep/4.log")
		},
		want: []string{"runs/B/deep/4.log", "runs/b/deep/2.log"},
	}, {
		name: "a folder renamed and renamed back, and then changed",
		act: func(s *site) {
			s.move("runs/a", "runs/z")
			s.move("runs/z", "runs/a")
			s.put("runs/a/2.log")
			s.expect("runs/a/2.log")
			s.put("runs/a/3.log")
		},
		want: []string{"runs/a/3.log"},
	}, {
		name: "two folders exchanged, and then changed",
		act: func(s *site) {
			s.put("runs/b/2.log")
			s.expect("runs/b/2.log")
			s.move("runs/a", "runs/c")
			s.move("runs/b", "runs/a")
			s.move("runs/c", "runs/b")
			s.expect("runs/a/2.log", "runs/b/1.log")
			s.put("runs/a/3.log")
			s.put("runs/b/4.log")
		},
		want: []string{"runs/a/3.log", "runs/b/4.log"},
	}, {
		name: "a folder removed and made again, and then changed",
		act: func(s *site) {
			s.remove("runs/a")
			s.put("runs/a/2.log")
			s.expect("runs/a/2.log", "runs/a/1.log")
			s.put("runs/a/3.log")
		},
		want: []string{"runs/a/3.log"},
	}, {
		name: "a folder replaced by a file and the file by a folder",
		act: func(s *site) {
			s.remove("runs/a")
			s.write("runs/a", "a file")
			s.expect("runs/a", "runs/a/1.log")
			s.remove("runs/a")
			s.put("runs/a/2.log")
		},
		want: []string{"runs/a/2.log"},
	}, {
		name: "the root removed and made again",
		act: func(s *site) {
			s.remove("runs")
			s.expect("runs", "runs/a", "runs/a/1.log")
			s.put("runs/a/2.log")
			s.expect("runs/a/2.log")
			s.put("runs/a/3.log")
		},
		want: []string{"runs/a/3.log"}, all: true,
	}, {
		name: "the root moved away and another put in its place",
		act: func(s *site) {
			s.move("runs", "old")
			s.move("elsewhere", "runs")
			s.expect("runs/a/1.log", "runs/b/2.log")
			s.put("runs/b/3.log")
		},
		want: []string{"runs/b/3.log"}, all: true,
	}, {
		name:  "a file beside the roots",
		act:   func(s *site) { s.write("README.md", "not generated"); s.mkdir("public/site") },
		never: []string{"README.md", "public", "public/site"},
	}, {
		name: "a single file written",
		act:  func(s *site) { s.write("site.toml", "title = 'other'") },
		want: []string{"site.toml"}, never: []string{"runs"},
	}, {
		name: "a single file saved by writing another and renaming it",
		act: func(s *site) {
			for i := range 3 { // because a watch on the file is lost with the second save
				delete(s.reported, "site.toml")
				s.write("site.toml.new", strings.Repeat("x", i))
				s.move("site.toml.new", "site.toml")
				s.expect("site.toml")
			}
		},
		want: []string{"site.toml"}, never: []string{"site.toml.new"},
	}, {
		name: "a single file removed and made again",
		act: func(s *site) {
			s.remove("site.toml")
			s.expect("site.toml")
			delete(s.reported, "site.toml")
			s.write("site.toml", "again")
		},
		want: []string{"site.toml"},
	}, {
		name: "saved as by vim, with a backup and a probe",
		act: func(s *site) {
			s.write("runs/a/.1.log.swp", "swap")
			s.write("runs/a/4913", "")
			s.remove("runs/a/4913")
			s.move("runs/a/1.log", "runs/a/1.log~")
			s.write("runs/a/1.log", "saved")
			s.remove("runs/a/1.log~")
			s.remove("runs/a/.1.log.swp")
		},
		want: []string{"runs/a/1.log"}, never: []string{"runs/a/4913", "runs/a/1.log~", "runs/a/.1.log.swp"},
	}, {
		name: "saved as by JetBrains",
		act: func(s *site) {
			s.write("runs/a/1.log___jb_tmp___", "saved")
			s.move("runs/a/1.log", "runs/a/1.log___jb_old___")
			s.move("runs/a/1.log___jb_tmp___", "runs/a/1.log")
			s.remove("runs/a/1.log___jb_old___")
		},
		want: []string{"runs/a/1.log"}, never: []string{"runs/a/1.log___jb_tmp___", "runs/a/1.log___jb_old___"},
	}, {
		name: "saved as by Emacs",
		act: func(s *site) {
			s.must(os.Symlink("me@host.1", s.path("runs/a/.#1.log")))
			s.write("runs/a/#1.log#", "saved by itself")
			s.move("runs/a/1.log", "runs/a/1.log~")
			s.write("runs/a/1.log", "saved")
			s.remove("runs/a/#1.log#")
			s.remove("runs/a/.#1.log")
		},
		want: []string{"runs/a/1.log"}, never: []string{"runs/a/.#1.log", "runs/a/#1.log#", "runs/a/1.log~"},
	}, {
		name: "saved as by VS Code: emptied and written",
		act: func(s *site) {
			f, err := os.OpenFile(s.path("runs/a/1.log"), os.O_WRONLY|os.O_TRUNC, 0)
			s.must(err)
			_, err = f.WriteString("saved")
			s.must(err)
			s.must(f.Close())
		},
		want: []string{"runs/a/1.log"},
	}, {
		name:  "hidden files and folders",
		act:   func(s *site) { s.put("runs/.git/index"); s.put("runs/a/.DS_Store"); s.put("runs/a/uv.lock") },
		never: []string{"runs/.git", "runs/.git/index", "runs/a/.DS_Store", "runs/a/uv.lock"},
	}, {
		name: "links that lead in circles, and out",
		act: func(s *site) {
			s.must(os.Symlink("..", s.path("runs/a/up")))
			s.must(os.Symlink(".", s.path("runs/a/self")))
			s.must(os.Symlink("loop", s.path("runs/a/loop")))
			s.must(os.Symlink(s.path("elsewhere"), s.path("runs/a/out")))
			s.expect("runs/a/up", "runs/a/self", "runs/a/loop", "runs/a/out")
			s.put("elsewhere/b/3.log")
			s.put("runs/a/2.log")
		},
		want:  []string{"runs/a/2.log"},
		never: []string{"runs/a/up/a", "runs/a/self/2.log", "runs/a/out/b", "runs/a/out/b/3.log", "elsewhere/b/3.log"},
	},
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					s := newSite(t)
					s.put("runs/a/1.log")
					s.put("elsewhere/b/2.log")
					s.put("site.toml")
					s.watch(mode.opt, "runs", "site.toml")
					c.act(s)
					s.expect(c.want...)
					s.mkdir("runs")
					s.settle("runs/settled")
					for _, name := range c.never {
						if s.reported[name] > 0 {
							t.Errorf("%s was reported", name)
						}
					}
					if (s.all > 0) != c.all {
						t.Errorf("%d batches with All, want some: %v", s.all, c.all)
					}
				})
			}
		})
	}
}
