package locale

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/pack"
)

// texts returns one text of every kind, with nested ones.
func texts() []Text {
	inner := Textf("no file matches %q", "a|b.log")
	return []Text{
		{}, Lit("x"), T("page.runs.n", 2), By(map[string]string{"zh": "甲", "en": "A"}, "A"), MetricName("ttft_mean"), LabelName("model"),
		LabelValue("clocks", "locked"), Inside(MetricName("output_throughput")), Outside(T("compare.baseline")), Join(" · ", Lit("a"), inner),
		Sentences(inner, Lit("b")), List(Lit("a"), Lit("b"), Lit("c")), Commas("a", "b"), Few([]string{"a", "b", "c"}, 2), Clauses(inner, Text{}, Lit("d")),
		Plural(1, "1 run", "%d runs"), Plural(3, "1 run", "%d runs"), Textf("cannot be read: %s", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}),
		Textf("the row has %d cells where the header has %d", int64(3), uint8(4)), Textf("%q is not JSON", []byte("}")),
	}
}

// TestATextIsKept: a packed and unpacked text has the same words in every language.
func TestATextIsKept(t *testing.T) {
	t.Parallel()
	for _, text := range texts() {
		data, ok := pack.Pack(&text)
		if !ok {
			t.Fatal("a text is not packed")
		}
		again, ok := pack.Unpack[Text](data, pack.NewTexts())
		if !ok {
			t.Fatalf("%q is not unpacked", English(text))
		}
		for n := range data { // truncated data is rejected, and changed bytes never cause a panic
			if _, ok := pack.Unpack[Text](data[:n], pack.NewTexts()); ok {
				t.Errorf("%d bytes of %d are a text of their own", n, len(data))
			}
			broken := bytes.Clone(data)
			broken[n] ^= 0xff
			pack.Unpack[Text](broken, pack.NewTexts())
		}
		for _, lang := range Languages {
			p, _ := For(lang)
			if p.Say(again) != p.Say(text) || strings.Contains(p.Say(text), "%!") || strings.ContainsRune(p.Say(text), argument) {
				t.Errorf("%s: %q was %q", lang, p.Say(again), p.Say(text))
			}
		}
	}
}

// TestMapChangesWhatIsRepeated: Map changes arguments and literals at any depth, and no words of benchpost.
func TestMapChangesWhatIsRepeated(t *testing.T) {
	t.Parallel()
	text := Clauses(Textf("no file matches %q", "secret.log"), List(Lit("secret"), Textf("cannot be read: %s", Lit("a secret"))))
	got := text.Map(func(s string) string { return strings.ReplaceAll(s, "secret", "***") })
	if said := English(got); said != `no file matches "***.log"; *** and cannot be read: a ***` {
		t.Error(said)
	}
	if said := English(text); !strings.Contains(said, "secret") {
		t.Errorf("the text itself was changed: %s", said)
	}
}

// TestOnlyWordsBeginWithACapital: a sentence begins with a capital letter unless it begins with an identifier
// of a program.
func TestOnlyWordsBeginWithACapital(t *testing.T) {
	t.Parallel()
	en, _ := For("en")
	for want, name := range map[string]string{"Clock free": "clock", "x_gen_tokens free": "x_gen_tokens"} {
		if got := en.Say(Outside(T("finding.held", name, "free"))); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestArgumentsOfMessagesAreSpaced: there is a space between Chinese characters and Latin arguments, and none
// between Chinese ones.
func TestArgumentsOfMessagesAreSpaced(t *testing.T) {
	t.Parallel()
	zh, _ := For("zh")
	for name, want := range map[string]string{"speed": "没有 speed", "速度": "没有速度"} {
		if got := zh.Say(Textf("no %s", name)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for value, want := range map[string]string{"2": "Flash Attention 2", "关": "Flash Attention 关"} {
		if got := zh.Say(T("finding.held", "Flash Attention", value)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := zh.Say(Textf("this is %s, but %s is expected (at key %q)", Textf("a list"), Textf("text"), "model")); got != `此处应为文本，而不是列表（键 "model"）` {
		t.Error(got)
	}
}

// TestErrorsSayTexts: an error of Errorf has the words of its text and wraps the error among its arguments.
// Messages of libraries are translated by their wording.
func TestErrorsSayTexts(t *testing.T) {
	t.Parallel()
	zh, _ := For("zh")
	err := Errorf("layout %s: %s", "post.html", fs.ErrNotExist)
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != "layout post.html: file does not exist" || zh.Say(Reason(err)) != "布局 post.html：文件不存在" {
		t.Errorf("%v, %s", err, zh.Say(Reason(err)))
	}
	for said, want := range map[string]string{
		`invalid character '}' after object key`:       "JSON 的键之后有无效字符 '}'",
		"flate: corrupt input before offset 17":        "压缩数据在偏移 17 之前损坏",
		"nobody knows 100% of this":                    "nobody knows 100% of this",
		"unexpected '.': keys cannot start with a '.'": "多余的 '.'：键不能以 '.' 开头",
	} {
		if text := Foreign(said); zh.Say(text) != want || English(text) != said {
			t.Errorf("%q: %q, %q", said, English(text), zh.Say(text))
		}
	}
}
