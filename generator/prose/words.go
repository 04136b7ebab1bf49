package prose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// amount is a multiple or a part in words.
type amount struct {
	mark  string               // every text that contains the amount contains this too
	expr  func() *lazy.Pattern // its first group is the amount; the rest excludes other uses: it matches "twice as fast", not "ran twice"
	value float64
	dim   dimension // ratio or percent
}

const (
	things    = `(?:of (?:that|those|the|its|what)\b|that|those|the|its|as (?:much|many|fast|high|large|long|low|small|slow|good)|[a-z0-9.-]+['’]s)`
	compares  = `(?:faster|slower|higher|lower|more|less|larger|smaller|longer|shorter|better|worse)`
	notThings = `[为本果功立员熟都品不套份对交长绩]` // exclude 一成不变, 三成员
)

// amounts lists the amounts that are recognised.
var amounts = func() []amount {
	var all []amount
	add := func(value float64, dim dimension, mark, expr string) {
		all = append(all, amount{mark, lazy.Regexp(expr), value, dim})
	}
	add(0.5, ratio, "halv", `\b(halves|halved|halving)\b`)
	add(0.5, ratio, "in half", `\bcut(?:s|ting)? (?:[\w-]+ ){0,4}?(in half)\b`)
	add(0.5, ratio, "by half", `\bby (half)\b`)
	add(0.5, ratio, "half", `\b(half) `+things)
	add(0.5, ratio, "半", `(一半|减半|折半)`)
	add(2, ratio, "doubl", `\b(doubles|doubled|doubling)\b`)
	add(2, ratio, "twice", `\b(twice) `+things)
	add(2, ratio, "double", `\b(double) `+things)
	add(2, ratio, "翻", `(翻倍|翻番|翻了?一番|翻了?一倍)`)
	add(3, ratio, "tripl", `\b(triples|tripled|tripling)\b`)
	add(3, ratio, "triple", `\b(triple) `+things)
	add(4, ratio, "quadrupl", `\b(quadruples|quadrupled|quadrupling)\b`)
	add(4, ratio, "翻", `(翻了?[两二]番)`)
	add(8, ratio, "翻", `(翻了?三番)`)
	for i, word := range []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		n := float64(i + 2)
		add(n, ratio, word+" times", `\b(`+word+` times) `+compares)
		add(n, ratio, word+" times", `\b(`+word+` times) `+things)
		add(n, ratio, "fold", `\b(`+word+`-?fold)\b`)
	}
	for i, word := range []string{"二", "三", "四", "五", "六", "七", "八", "九", "十"} {
		if word == "二" {
			word = "[两二]"
		}
		add(float64(i+2), ratio, "倍", `(?:^|[^十几数百千零一二三四五六七八九.])(`+word+`倍)`)
	}
	for i, word := range []string{"一", "二", "三", "四", "五", "六", "七", "八", "九"} {
		tenths := float64(10 * (i + 1))
		add(tenths, percent, "成", `(?:^|[^一二三四五六七八九十两几数])(`+word+`成)(?:[^半`+notThings[1:]+`|$)`)
		add(tenths+5, percent, "成", `(?:^|[^一二三四五六七八九十两几数])(`+word+`成半)`)
	}
	for value, words := range map[float64]string{1. / 3: "third|三分之一", 2. / 3: "two[- ]thirds|三分之二", 1. / 4: "quarter|四分之一", 3. / 4: "three[- ]quarters|四分之三", 1. / 5: "fifth|五分之一", 1. / 10: "tenth|十分之一"} {
		english, chinese, _ := strings.Cut(words, "|")
		add(value, ratio, english[len(english)-4:], `\b((?:an? |one[- ])?`+english+`) `+things)
		add(value, ratio, chinese, `(`+chinese+`)`)
	}
	return all
}()

// inWords returns the numbers written in words.
func inWords(s string) []number {
	var found []number
	text := lower(s)
	for i := range amounts {
		a := &amounts[i]
		if !strings.Contains(text, a.mark) {
			continue
		}
		for _, m := range a.expr().FindAllStringSubmatchIndex(text, -1) {
			unit := unit{"×", ratio, 1, 0}
			if a.dim == percent {
				unit = unitPercent
			}
			n := appendNumber(nil, s, m[2], m[2], m[3], fmt.Sprint(a.value), unit)[0]
			n.digits, n.worded = s[m[2]:m[3]], true
			found = append(found, n)
		}
	}
	return found
}

// inputs are words for things that may double without being measured: settings of a run and counts of things.
var inputs = []string{"并发", "批", "输入", "上下文", "请求", "用户", "张卡", "卡数", "次运行", "小时", "精度", "长度", "价格", "线程", "的模型", "的变体", "的运行", "的测试", "层",
	"concurren", "batch", "input", "context", "prompt", "requests", "users", "gpus", "hour", "precision", "length", "price", "threads", "layers",
	"of the models", "of the variants", "of the runs", "of all", "of them", "the models", "the variants", "the runs"}

// isMeasured reports whether a number in words refers to something that runs measure: its clause names a metric
// or compares runs, and contains none of the inputs.
func (s sentence) isMeasured() bool {
	compares := slices.ContainsFunc(s.mentions, func(m mention) bool { return m.base && s.holds(m) })
	return (compares || len(about(s.clause)) > 0) && !containsAny(s.clause, inputs...)
}
