package format_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func TestReasons(t *testing.T) {
	for _, test := range []struct{ name, text, reason string }{
		{"empty", "", "empty file"},
		{"blank", " \n\n\t\n", "empty file"},
		{"prose", "Some notes about a run.\n", "no known format"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00" + fixture.Table, "binary file"},
		{"UTF-16 of Windows' shell", "\xff\xfe=\x00=\x00=\x00", "no known format"},
		{"UTF-32", "\xff\xfe\x00\x00=\x00\x00\x00", "UTF-32 text; save it as UTF-8"},
		{"other JSON", `{"name": "x", "values": [1, 2]}`, "no known format"},
		{"title alone", "============ Serving Benchmark Result ============\n", "a result's title without figures below it"},
		{"another tool's rows", "============ Serving Benchmark Result ============\nTask: text-to-image\nFrames Mean (fps): 5.1234\n",
			"another tool's result under the same title"},
		{"placeholders", strings.NewReplacer("100 ", "N ", "42.94", "xxx", "204169", "xxx", "12800", "xxx", "2.33", "xx.xx",
			"298.09", "...", "5052.84", "xxx", "495.44", "xxx", "455.84", "xxx", "912.34", "xxx", "22.59", "XX", "23.00", "xxx",
			"25.05", "xxx", "17.88", "xxx", "150.30", "xxx").Replace(fixture.Table), "placeholders, not figures"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := fixture.Read(t, test.text)
			if len(out.Results) != 0 || locale.English(out.Reason) != test.reason || len(out.Messages) != 0 {
				t.Errorf("%d results, reason %q, messages %v", len(out.Results), out.Reason, out.Messages)
			}
		})
	}
}

// TestSkippedBlockBesideAResult checks that a block without a result gives a message if the file has a result
// elsewhere.
func TestSkippedBlockBesideAResult(t *testing.T) {
	out := fixture.Read(t, fixture.Table+"============ Serving Benchmark Result ============\nTask: text-to-image\nLatency Mean (ly): 5.1234\n")
	if len(out.Results) != 1 || !out.Reason.IsZero() || len(out.Messages) != 1 {
		t.Fatalf("%d results, reason %q, messages %v", len(out.Results), out.Reason, out.Messages)
	}
	if m := out.Messages[0]; m.Severity != result.Info || m.Pos.Line != 23 || locale.English(m.Text) != "another tool's result under the same title" {
		t.Errorf("the message is %+v", m)
	}
}

func TestReaderErrorsAreReturned(t *testing.T) {
	broken := errors.New("the disk is gone")
	out, err := format.Read("run.log", io.MultiReader(strings.NewReader(fixture.Table), iotest.ErrReader(broken)))
	if err != broken || len(out.Results) != 1 {
		t.Errorf("%d results, error %v", len(out.Results), err)
	}
	if _, err := format.ReadFile(filepath.Join(t.TempDir(), "none"), "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestPieces checks that the same is read, however the bytes arrive.
func TestPieces(t *testing.T) {
	for _, text := range []string{fixture.Table, "x\r\n" + strings.ReplaceAll(fixture.Table, "\n", "\r\n"), fixture.Saved, fixture.Saved + "\n" + fixture.Saved} {
		whole := fixture.Read(t, text)
		piecewise, err := format.Read("run.log", iotest.OneByteReader(strings.NewReader(text)))
		if err != nil || len(piecewise.Results) != len(whole.Results) {
			t.Fatalf("%d results, error %v", len(piecewise.Results), err)
		}
		for i := range whole.Results {
			a, b := whole.Results[i], piecewise.Results[i]
			if a.Digest != b.Digest || a.EndLine != b.EndLine || len(a.Metrics) != len(b.Metrics) {
				t.Errorf("%+v\nis not\n%+v", a, b)
			}
		}
	}
}

func TestRaw(t *testing.T) {
	bar := " 99%|#########9| 99/100\r100%|##########| 100/100" // the title follows on the same line
	for _, test := range []struct{ name, before, block, after string }{
		{"whole file", "", fixture.Table, ""},
		{"in a page", "# Title\n\n```\n", fixture.Table, "```\n"},
		{"behind a bar", "Starting\n", bar + fixture.Table, "done\n"},
		{"carriage returns", "a\r\nb\r\n", strings.ReplaceAll(fixture.Table, "\n", "\r\n"), "c\r\n"},
		{"no last newline", "x\n", strings.TrimSuffix(fixture.Table, "\n"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := test.before + test.block + test.after
			r := fixture.One(t, text)
			if raw := format.Raw([]byte(text), &r); string(raw) != test.block {
				t.Errorf("lines %d to %d:\n%s", r.Source.Line, r.EndLine, raw)
			}
		})
	}
	r := result.Result{Source: result.Position{Line: 5}, EndLine: 6}
	if raw := format.Raw([]byte("one\ntwo\n"), &r); len(raw) != 0 {
		t.Errorf("lines that are not there: %q", raw)
	}
}
