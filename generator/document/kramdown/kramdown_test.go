package kramdown

import "testing"

func TestText(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain prose, 中文段落。", "plain prose, 中文段落。"},
		{"2 * 3 and a < b", "2 * 3 and a < b"},
		{"snake_case stays", "snake_case stays"},
		{"[1] stays, f(x) too", "[1] stays, f(x) too"},
		{"vllm serve --port", `vllm serve \--port`},
		{"--- and ... and ....", `\-\-- and \... and \.\...`},
		{`don't "quote"`, `don\'t \"quote\"`},
		{"a | b", `a \| b`},
		{"*lit* _lit_ p99_9", `\*lit\* \_lit\_ p99\_9`},
		{"<model> <<x>>", `\<model> &lt;\<x\>\>`},
		{"AT&T &amp; &x", "AT&T &amp;amp; &x"},
		{"{{ x }} {% y %} {x}", "&#123;{ x }} &#123;% y %} {x}"},
		{"{: .class}", `\{: .class}`},
		{"$$x$$ $5", `\$\$x\$\$ $5`},
		{"~~x~~ ~5", `\~\~x\~\~ ~5`},
		{`C:\dir \* end\`, `C:\dir \\\* end&#92;`},
		{"[x]: y and [a](b)", `[x]\: y and [a]\(b)`},
		{"# no heading", `\# no heading`},
		{"a\n2025. b\n- c\n: d\n> e\n^\n+ f", "a\n2025\\. b\n\\- c\n\\: d\n\\> e\n&#94;\n\\+ f"},
		{"a\n===", "a\n\\==="},
		{"   a   \n   b", "a\nb"},
		{"5. ", `5\. `},
		{"1.5 and 2.", "1.5 and 2."},
	}
	for _, tt := range tests {
		if got := Text(tt.in, Block, Jekyll); got != tt.want {
			t.Errorf("Text(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func TestTextInCell(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a|b", `a\|b`},
		{"-", `\-`},
		{"--:", `\--:`},
		{"=", `\=`},
		{"-5", "-5"},
		{"a`b", "a&#96;b"},
		{"# 1\n2", "# 1 2"},
	}
	for _, tt := range tests {
		if got := Text(tt.in, Cell, Jekyll); got != tt.want {
			t.Errorf("Text(%q, Cell, Jekyll) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCode(t *testing.T) {
	tests := []struct {
		in    string
		place Place
		want  string
	}{
		{"--flag", Block, "`--flag`"},
		{"a|b", Block, "`a|b`"},
		{"a|b", Cell, "<code>a&#124;b</code>"},
		{"a`b", Block, "`` a`b ``"},
		{"a``b", Block, "<code>a``b</code>"},
		{" x", Block, "<code> x</code>"},
		{"{{ x }}", Block, "{% raw %}`{{ x }}`{% endraw %}"},
		{"{% endraw %}", Block, "<code>&#123;% endraw %}</code>"},
		{"a\nb", Block, "`a b`"},
	}
	for _, tt := range tests {
		if got := codeSpan(tt.in, tt.place, Jekyll); got != tt.want {
			t.Errorf("codeSpan(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestFence(t *testing.T) {
	tests := []struct {
		name, code, info string
		list             bool
		want             string
	}{
		{"plain", "a\n", "bash", false, "```bash\na\n```"},
		{"no newline at its end", "a", "", false, "```\na\n```"},
		{"empty", "", "", false, "```\n```"},
		{"backticks inside", "```\nx\n````\n", "", false, "`````\n```\nx\n````\n`````"},
		{"one word of the info", "a\n", `yaml title="x"`, false, "```yaml\na\n```"},
		{"Liquid", "{{ x }}\n", "", false, "{% raw %}\n```\n{{ x }}\n```\n{% endraw %}"},
		{"Liquid in a list", "{{ x }}\n", "", true, "{% raw %}```\n{{ x }}\n```{% endraw %}"},
		{"Liquid that ends raw", "{% endraw %}<b>\n", "html", false,
			"<pre><code class=\"language-html\">&#123;% endraw %}&lt;b&gt;\n</code></pre>"},
		{"items in a list", "- a\n2. b\n", "", true, "<pre><code>&#45; a\n2&#46; b\n</code></pre>"},
		{"items at the margin", "- a\n", "", false, "```\n- a\n```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Fence(tt.code, tt.info, tt.list, Jekyll); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestHeadingID(t *testing.T) {
	tests := []struct{ in, want string }{
		{"结果与取舍", "结果与取舍"},
		{"TTFT & TPOT (ms)", "ttft--tpot-ms"},
		{"Qwen3-8B_FP8 v1.5", "qwen3-8b_fp8-v15"},
		{"Über ALLES", "über-alles"},
		{"!?", ""},
	}
	for _, tt := range tests {
		if got := HeadingID(tt.in); got != tt.want {
			t.Errorf("HeadingID(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestAddress(t *testing.T) {
	tests := []struct{ in, want string }{
		{"https://x.org/a_b?c=1&d=2", "https://x.org/a_b?c=1&d=2"},
		{"a b(c)|{{x}}.png", "a%20b%28c%29%7C%7B%7Bx%7D%7D.png"},
		{"?a=1&copy;=2", "?a=1&amp;copy;=2"},
		{"图.png", "图.png"},
		{"a\u009bb\xffc\x1b", "a%C2%9Bb%FFc%1B"},
	}
	for _, tt := range tests {
		if got := Address(tt.in); got != tt.want {
			t.Errorf("Address(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestEmphasis: emphasis is written with marks where both kramdown and CommonMark recognise them, and with
// elements elsewhere.
func TestEmphasis(t *testing.T) {
	strong := func(before, inner, after string) string {
		var in Inline
		in.Text(before)
		in.Open(Strong, '*')
		in.Text(inner)
		in.Close()
		in.Text(after)
		return string(in.Append(nil, Block))
	}
	tests := []struct{ before, inner, after, want string }{
		{"a ", "b", " c", "a **b** c"},
		{"因此", "提升", "明显", "因此**提升**明显"},
		{"", "提升(2×)", "明显", "<strong>提升(2×)</strong>明显"},
		{"约", "(2×)", "", "约<strong>(2×)</strong>"},
		{"", "提升(2×)", ",明显", "**提升(2×)**,明显"},
	}
	for _, tt := range tests {
		if got := strong(tt.before, tt.inner, tt.after); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
