package address

import (
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/benchpost/benchpost/generator/need"
)

// kinds lists the kinds with a folder of their own.
var kinds = []Kind{Runs, Models, Boards, Loads, Scenarios, Campaigns, Files}

func bookOf(names []Name) *Book {
	var x Index
	for _, n := range names {
		x.Add(n)
	}
	return x.Book()
}

// pathsOf returns all paths that a name may have in a site.
func (b *Book) pathsOf(n Name) []string {
	switch n.Kind {
	case Runs:
		return []string{b.Run(n.Text)}
	case Campaigns:
		return []string{b.Campaign(n.Text), b.CampaignData(n.Text)}
	case Files:
		return []string{b.RawText(n.Text), b.Raw(n.Text, ".zst"), b.Raw(n.Text, ".zip")}
	}
	return []string{b.Subject(string(n.Kind), n.Text)}
}

// TestBook checks for any names of a site that no two paths are equal on any disk, that each is as valid as that of a
// single name, that only names with a twin have a different path, and that neither the order nor names of other kinds
// have an effect.
func TestBook(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "A", "é", "É", "e\u0301", "E\u0301", "ß", "SS", "ſ", "s", "K", "\u212a", "k", "Å", "\u212b", "ẛ\u0323", "ṡ\u0323", "ͅ", "ι", "Ι", "~", "~-", "/", "\xff",
		"con", "CON", ".", " ", "模型", strings.Repeat("Long", 24), strings.Repeat("lonG", 24), strings.Repeat("é", 48), strings.Repeat("É", 48), "index.html", "x.txt", "X.TXT"}
	random := rand.New(rand.NewPCG(3, 4))
	var alone *Book
	twins := 0
	for range need.Times(150, 5000) {
		var names []Name
		for range 60 {
			text := ""
			for range 1 + random.IntN(4) {
				text += parts[random.IntN(len(parts))]
			}
			names = append(names, Name{kinds[random.IntN(len(kinds))], text})
		}
		book := bookOf(names)
		twins += len(book.Twins())
		distinct := map[Name]bool{}
		for _, n := range names {
			distinct[n] = true
		}
		for i := range len(book.pathsOf(Name{Files, ""})) {
			taken := map[string]Name{}
			for n := range distinct {
				paths := book.pathsOf(n)
				if i >= len(paths) {
					continue
				}
				path := paths[i]
				if other, ok := taken[foldSlowly(path)]; ok && other.Kind == n.Kind {
					t.Fatalf("%q and %q are both %q", other, n, path)
				}
				taken[foldSlowly(path)] = n
				if of := alone.pathsOf(n)[i]; (path == of) != (book.Twin(n) == "") && (i == 0 || n.Kind != Campaigns) {
					t.Fatalf("%q, with the twin %q, has the path %q, and alone %q", n, book.Twin(n), path, of)
				}
				for _, step := range strings.Split(path, "/") {
					if len(step) > mostSegment+len("~.json") || step == "" || strings.TrimRight(step, ". ") != step || strings.HasPrefix(step, ".") || isDevice(step) {
						t.Fatalf("%q has the step %q", n, step)
					}
				}
				if len(book.FileName(n.Kind, n.Text)) > mostPath {
					t.Fatalf("%q has the path %q", n, path)
				}
			}
		}
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		again := bookOf(append(names, names...))
		if !slices.Equal(again.Twins(), book.Twins()) || !slices.Equal(again.Cut(), book.Cut()) {
			t.Fatalf("%q in another order has the twins %q, not %q", names, again.Twins(), book.Twins())
		}
		for n := range distinct {
			var others []Name
			for other := range distinct {
				if other.Kind == n.Kind {
					others = append(others, other)
				}
			}
			if got, want := bookOf(others).pathsOf(n), book.pathsOf(n); !slices.Equal(got, want) {
				t.Fatalf("%q has the paths %q among its kind, and %q among all", n, got, want)
			}
			break
		}
	}
	if twins == 0 {
		t.Error("no name had a twin")
	}
}

// TestNothingIsInTheWay checks everything below the folders of names: no two paths are equal on any disk, and none is
// the folder of another. Pages, their further pages and own files, and raw files beside them may have any names.
func TestNothingIsInTheWay(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "A", "index", "INDEX", ".html", ".HTML", ".txt", ".zst", ".zſt", ".zip", ".ZIP", ".tar", ".gz", ".png", ".csv", "time", "~p2", "~2", "~~", "\x12", "Ú", "2", "/", "/", "/", ".", "runs/", "é", "É",
		strings.Repeat("Long", 24), strings.Repeat("lonG", 24)}
	random := rand.New(rand.NewPCG(7, 8))
	for range need.Times(300, 5000) {
		distinct := map[Name]bool{}
		for range 80 {
			n := Name{Kind: kinds[random.IntN(len(kinds))]}
			for range 1 + random.IntN(5) {
				n.Text += parts[random.IntN(len(parts))]
			}
			if n.Kind == Files && random.IntN(4) > 0 {
				n.Text = "runs/" + n.Text
			}
			distinct[n] = true
		}
		book := bookOf(slices.Collect(maps.Keys(distinct)))
		taken := map[string]Name{}
		add := func(n Name, paths ...string) {
			for _, path := range paths {
				if other, is := taken[foldSlowly(path)]; is {
					t.Fatalf("%q and %q are both %q", other, n, path)
				}
				taken[foldSlowly(path)] = n
			}
		}
		pages := func(n Name, page string) {
			add(n, page, Own(page, "time.png"), Own(page, "a.csv"))
			for _, i := range []int{1, 15, 111} {
				if got := FirstPage(Page(page, i)); got != page {
					t.Fatalf("%q is the first page of %q, not %q", got, Page(page, i), page)
				}
				add(n, Page(page, i), Own(Page(page, i), "time.png"))
			}
		}
		for _, folder := range []string{"models", "hardware", "loads", "scenarios", "results"} {
			pages(Name{}, folder+"/index.html")
		}
		for n := range distinct {
			switch n.Kind {
			case Files:
				add(n, book.RawText(n.Text), book.Raw(n.Text, ".zst"), book.Raw(n.Text, ".zip"), book.Raw(n.Text, ".tar.gz"))
			case Campaigns:
				pages(n, book.Campaign(n.Text))
			default:
				pages(n, book.pathsOf(n)[0])
			}
		}
		for file, n := range taken {
			for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
				if other, is := taken[folder]; is {
					t.Fatalf("%q, a path of %q, is the folder of %q, one of %q", folder, other, file, n)
				}
			}
		}
	}
}

// foldSlowly folds each letter on its own by Unicode's definition D145: the results of all equivalent letters are
// equal.
func foldSlowly(s string) string {
	for before := ""; before != s; {
		before = s
		s = norm.NFC.String(strings.Map(func(r rune) rune {
			least := r
			for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
				least = min(least, next)
			}
			return least
		}, norm.NFC.String(s)))
	}
	return s
}

// TestPathsAreStable checks that a name keeps its path when other, different names are added, and gets it back when its
// twin is removed.
func TestPathsAreStable(t *testing.T) {
	t.Parallel()
	model := Name{Models, "First-Report"}
	twin := Name{Models, "first-report"}
	others := []Name{{Models, "second"}, {Runs, "first-report"}, {Campaigns, "FIRST-REPORT"}}
	before := bookOf([]Name{model}).Model(model.Text)
	if got := bookOf(append(others, model)).Model(model.Text); got != before || got != "models/First-Report.html" {
		t.Errorf("%q, alone %q", got, before)
	}
	both := bookOf([]Name{model, twin})
	if a, b := both.Model(model.Text), both.Model(twin.Text); a == before || !strings.HasPrefix(a, "models/First-Report~-") || !strings.HasPrefix(b, "models/first-report~-") {
		t.Errorf("%q, %q", a, b)
	}
	if both.Twin(model) != twin.Text || both.Twin(twin) != model.Text {
		t.Errorf("twins %q", both.Twins())
	}
}

// TestIndexForgets checks that an index from which names were removed has the paths of one that never had them, and the
// same book as long as no path changes.
func TestIndexForgets(t *testing.T) {
	t.Parallel()
	texts := []string{"a", "A", "b", "é", "É", "e\u0301", "con", "CON", strings.Repeat("Long", 40), strings.Repeat("long", 40)}
	random := rand.New(rand.NewPCG(5, 6))
	var x Index
	var names []Name
	kept := 0
	for range need.Times(2000, 20_000) {
		before := x.Book()
		if len(names) > 0 && random.IntN(2) == 0 {
			i := random.IntN(len(names))
			x.Remove(names[i])
			names = slices.Delete(names, i, i+1)
		} else {
			n := Name{kinds[random.IntN(2)], texts[random.IntN(len(texts))]}
			x.Add(n)
			names = append(names, n)
		}
		anew := bookOf(names)
		if !slices.Equal(x.Book().Twins(), anew.Twins()) || !slices.Equal(x.Book().Cut(), anew.Cut()) {
			t.Fatalf("%q: twins %q and cut %q, made anew %q and %q", names, x.Book().Twins(), x.Book().Cut(), anew.Twins(), anew.Cut())
		}
		for _, n := range names {
			if x.Book().Twin(n) != anew.Twin(n) {
				t.Fatalf("%q: the twin of %q is %q, made anew %q", names, n, x.Book().Twin(n), anew.Twin(n))
			}
		}
		if x.Book() == before {
			kept++
		}
	}
	if kept == 0 {
		t.Error("the book was always made anew")
	}
}

// BenchmarkIndex measures the cost of a change among the names of 16,000 runs, and of adding all of them.
func BenchmarkIndex(b *testing.B) {
	var names []Name
	for i := range 16_000 {
		campaign := "campaign-" + strconv.Itoa(i/16)
		run := campaign + "/qwen3-8b-q" + strconv.Itoa(i%16)
		names = append(names, Name{Runs, run}, Name{Campaigns, campaign}, Name{Models, "Qwen3-" + strconv.Itoa(i%8)}, Name{Boards, "thor"}, Name{Files, "runs/" + run + "/bench.log"}, Name{Files, "runs/" + run + "/run.toml"})
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			bookOf(names)
		}
	})
	b.Run("one", func(b *testing.B) {
		var x Index
		for _, n := range names {
			x.Add(n)
		}
		for b.Loop() {
			x.Remove(names[0])
			x.Add(names[0])
			x.Book()
		}
	})
}
