package prose

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/document"
)

// number is a number with a unit in a text. The two ends of a range are two numbers with the same expression.
type number struct {
	at      int    // offset of its digits
	start   int    // offset of the expression
	end     int    // end of the expression, after the unit
	digits  string // ASCII, without separators
	value   float64
	step    float64 // value of one in the last digit written
	figures int     // number of significant digits written
	unit    unit
	about   bool // stated as approximate
	bound   int  // +1: stated as a lower bound, −1: as an upper bound
	grown   bool // the words beside it state growth: "提高了 2.6 倍"
	ranged  bool // it is one end of a range
	worded  bool // written in words, such as "half" and 翻倍: a tolerance of a tenth applies
}

// numbers returns the numbers with units in a text in order, including those written in words. It ignores
// versions, dates, times of day, names such as Qwen3-8B, and numbers without a unit.
func numbers(s string) []number {
	found := append(inDigits(s), inWords(s)...)
	slices.SortStableFunc(found, func(a, b number) int { return a.at - b.at })
	return found
}

// inDigits returns the numbers written in digits.
func inDigits(s string) []number {
	var found []number
	for i := 0; i < len(s); {
		if rest, ok := strings.CutPrefix(s[i:], "百分之"); ok {
			start := i
			i += len("百分之")
			digits, n := readDigits(strings.TrimLeft(rest, " "))
			n += len(rest) - len(strings.TrimLeft(rest, " "))
			if digits == "" {
				digits, n = readChinese(rest)
			}
			if digits != "" {
				i += n
				found = appendNumber(found, s, start, start, i, digits, unit{"%", percent, 1, 0})
			}
			continue
		}
		digits, n := readDigits(s[i:])
		switch {
		case digits == "":
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		case !mayBegin(s[:i]) || isToken(s[i+n:]):
			i = skipToken(s, i+n)
			continue
		}
		start, after := i, i+n
		if u, end := unitAt(s, start, after, digits); end > 0 {
			found = appendNumber(found, s, start, start, end, digits, u)
			i = end
			continue
		}
		if to, second, end, u := rangeAt(s, start, after, digits); end > 0 {
			found = appendNumber(found, s, start, start, end, digits, u)
			found = appendNumber(found, s, to, start, end, second, u)
			for k := max(0, len(found)-2); k < len(found); k++ {
				found[k].ranged = found[k].start == start
			}
			i = end
			continue
		}
		i = skipToken(s, after)
	}
	return found
}

// readDigits parses a decimal number at the start of s, in ASCII or full-width digits, with or without commas
// between thousands. It returns the ASCII digits and the length in s.
func readDigits(s string) (digits string, n int) {
	var b []byte
	point := false
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if '０' <= r && r <= '９' {
			r -= '０' - '0'
		}
		switch {
		case '0' <= r && r <= '9':
			b = append(b, byte(r))
		case (r == '.' || r == '．') && !point && len(b) > 0 && beginsWithDigit(s[n+size:]):
			point = true
			b = append(b, '.')
		case r == ',' && !point && len(b) > 0 && isGroup(s[n+1:]):
		default:
			return string(b), n
		}
		n += size
	}
	return string(b), n
}

// parse returns the value of digits. It accepts texts of any length.
func parse(digits string) float64 {
	v, _ := strconv.ParseFloat(digits, 64)
	return v
}

func beginsWithDigit(s string) bool {
	r := firstRune(s)
	return '0' <= r && r <= '9' || '０' <= r && r <= '９'
}

// isGroup reports whether s begins with exactly three digits.
func isGroup(s string) bool {
	for i := range 3 {
		if i >= len(s) || s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) == 3 || s[3] < '0' || s[3] > '9'
}

// readChinese parses a number below a hundred, such as 四十三点五.
func readChinese(s string) (digits string, n int) {
	const numerals = "零一二三四五六七八九"
	whole, fraction, point, some := 0, "", false, false
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		value := strings.IndexRune(numerals, r) / len("零")
		switch {
		case r == '点' && some && !point:
			point = true
		case r == '十' && !point:
			whole, some = max(whole, 1)*10, true
		case !strings.ContainsRune(numerals, r):
			size = 0
		case point:
			fraction += strconv.Itoa(value)
		default:
			whole, some = whole+value, true
		}
		if size == 0 {
			break
		}
		n += size
	}
	switch {
	case !some:
		return "", 0
	case fraction != "":
		return strconv.Itoa(whole) + "." + fraction, n
	}
	return strconv.Itoa(whole), n
}

// mayBegin reports whether a number can begin after a text. It cannot inside a name, a version, a date or an
// address.
func mayBegin(before string) bool {
	r, n := utf8.DecodeLastRuneInString(before)
	if n == 0 {
		return true
	}
	inner := lastRune(before[:len(before)-n])
	switch {
	case r == document.Gap || strings.ContainsRune("./@#$\\^", r):
		return false
	case r == ':' || r == ',':
		return inner < '0' || '9' < inner
	case r == '-' || r == '+': // minus or plus sign
		return inner >= utf8.RuneSelf || !isWord(byte(inner))
	}
	return r >= utf8.RuneSelf || !isWord(byte(r))
}

// isToken reports whether the text after digits makes them part of a version, a time of day or an address.
func isToken(rest string) bool {
	return len(rest) > 1 && strings.IndexByte(".:", rest[0]) >= 0 && beginsWithDigit(rest[1:])
}

// skipToken returns the end of the word that continues at i.
func skipToken(s string, i int) int {
	for i < len(s) {
		joins := strings.IndexByte(".:-/", s[i]) >= 0 && i+1 < len(s) && isWord(s[i+1])
		if !isWord(s[i]) && !joins {
			break
		}
		i++
	}
	return i
}

const blanks = " \n\u00a0\u2009\u202f"

// unitAt parses the unit of a number between start and after. It returns the end of the unit, 0 if there is
// none.
func unitAt(s string, start, after int, digits string) (unit, int) {
	rest := strings.TrimLeft(s[after:], blanks)
	at := len(s) - len(rest)
	if u, n := readRate(rest, isPerSecond(s[:start])); n > 0 {
		return u, at + n
	}
	u, n := readUnit(rest)
	if n == 0 {
		return unit{}, 0
	}
	whole := !strings.Contains(digits, ".")
	next := strings.TrimLeft(rest[n:], blanks)
	switch u.text {
	case "G":
		if beginsWithAny(next, "参数", "个参数", "激活参数", "param", "active param") {
			u = unit{"G", parameters, 1e9, 0}
		}
	case "s":
		if year, _ := strconv.Atoi(digits); at == after && whole && 1900 <= year && year < 2100 {
			return unit{}, 0 // a decade
		}
	case "×", "x", "X": // 2 × 4, 1024x768, 8× H100
		if beginsWithDigit(next) || whole && unicode.IsUpper(firstRune(next)) {
			return unit{}, 0
		}
	case "times": // run three times
		if whole && !beginsWithAny(next, "as ", "the ", "that", "those", "its ", "faster", "slower", "higher", "lower", "more", "less", "larger", "smaller", "longer", "shorter") {
			return unit{}, 0
		}
	}
	if u.text == "GB" && whole && isNamed(s[:start]) {
		return unit{}, 0
	}
	if u.dim == percent && isNoMeasure(s, start, at+n, digits) {
		return unit{}, 0
	}
	return u, at + n
}

// isNamed reports whether a text ends with a product name, so that a following memory size is part of the name:
// "A100 80GB", "Orin AGX 64GB".
func isNamed(before string) bool {
	words := strings.TrimRight(before, " ")
	word := words[strings.LastIndexFunc(words, func(r rune) bool { return r >= utf8.RuneSelf || !isWord(byte(r)) })+1:]
	return strings.ContainsAny(word, "0123456789") && strings.ToLower(word) != word || len(word) > 2 && strings.ToUpper(word) == word
}

// isPerSecond reports whether a text ends with a phrase such as "每秒输出".
func isPerSecond(before string) bool {
	i := strings.LastIndex(before, "每秒")
	return i >= 0 && len(before)-i <= len("每秒输出约为 ") && !strings.ContainsAny(before[i:], "0123456789，。,.")
}

// isNoMeasure reports whether a percentage is a confidence, a percentile, a share of requests, 0% or 100%.
func isNoMeasure(s string, start, end int, digits string) bool {
	if v := parse(digits); v == 0 || v == 100 {
		return true
	}
	after := strings.ToLower(strings.TrimLeft(s[end:min(len(s), end+40)], blanks+"的"))
	if beginsWithAny(after, "置信", "区间", "分位", "请求", "显著", "confidence", "interval", "ci ", "ci)", "percentile", "quantile",
		"significance", "of requests", "of the requests", "of all requests", "point") {
		return true
	}
	before := strings.ToLower(s[max(0, start-30):start])
	for _, word := range []string{"置信", "分位", "显著性", "confidence", "percentile", "significance"} {
		if strings.Contains(before, word) {
			return true
		}
	}
	return false
}

func beginsWithAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func endsWithAny(s string, suffixes ...string) bool {
	for _, p := range suffixes {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}

// rangeAt parses the rest of a range such as "23 到 25 ms" or "20–25 ms" after its first number. It returns the
// second number and the end, 0 if it is not a range.
func rangeAt(s string, start, after int, first string) (to int, second string, end int, u unit) {
	rest := strings.TrimLeft(s[after:], " ")
	for _, sep := range []string{"-", "–", "—", "~", "～", "〜", "至", "到", "to ", "and ", "和"} {
		tail, ok := strings.CutPrefix(rest, sep)
		if !ok {
			continue
		}
		to = len(s) - len(strings.TrimLeft(tail, " "))
		second, n := readDigits(s[to:])
		if second == "" || isToken(s[to+n:]) {
			return 0, "", 0, unit{}
		}
		u, end := unitAt(s, to, to+n, second)
		if end == 0 {
			return 0, "", 0, unit{}
		}
		switch sep {
		case "-", "–", "—", "~", "～", "〜":
			ok = parse(first) < parse(second)
		case "and ":
			ok = strings.HasSuffix(strings.ToLower(s[:start]), "between ")
		case "和":
			ok = strings.HasPrefix(strings.TrimLeft(s[end:], " "), "之间")
		}
		if !ok {
			return 0, "", 0, unit{}
		}
		return to, second, end, u
	}
	return 0, "", 0, unit{}
}

// appendNumber appends the number whose digits begin at at. It evaluates the words around the expression.
func appendNumber(to []number, s string, at, start, end int, digits string, u unit) []number {
	v := parse(digits)
	if v == 0 {
		return to
	}
	n := number{at: at, start: start, end: end, digits: digits, value: v, step: 1, unit: u}
	if _, fraction, ok := strings.Cut(digits, "."); ok {
		n.step = math.Pow10(-len(fraction))
		n.figures = len(strings.TrimLeft(strings.Replace(digits, ".", "", 1), "0"))
	} else {
		n.figures = len(strings.Trim(digits, "0"))
	}
	before := strings.ToLower(strings.TrimRight(s[max(0, start-40):start], blanks+"+-−±"))
	after := strings.ToLower(strings.TrimLeft(s[end:min(len(s), end+30)], blanks))
	switch {
	case endsWithAny(before, "不超过", "不到", "不足", "低于", "小于", "少于", "至多", "最多", "以内", "<", "≤", "less than", "fewer than", "no more than", "not more than", "under", "below", "at most", "up to", "within", "not quite", "shy of") ||
		beginsWithAny(after, "以内", "以下", "or less"):
		n.bound = -1
	case endsWithAny(before, "超过", "不止", "高于", "大于", "多于", "至少", "不低于", ">", "≥", "more than", "greater than", "over", "above", "at least", "exceeding", "beyond") ||
		beginsWithAny(after, "以上", "or more", "有余", "出头") || u.dim == ratio && beginsWithAny(after, "多", "强") || strings.HasSuffix(s[start:end], "成") && beginsWithAny(after, "多"):
		n.bound = +1
	case endsWithAny(before, "约", "约为", "大概", "接近", "将近", "近", "~", "～", "≈", "about", "approximately", "approx.", "around", "roughly", "some", "nearly", "almost", "ca.", "circa") ||
		beginsWithAny(after, "左右", "上下", "or so"):
		n.about = true
	}
	tail := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(before, "约为了 "), "about"), " ")
	n.grown = u.dim == ratio && (endsWithAny(tail, "提高", "提升", "增加", "增长", "上升", "高", "快", "多", "大") || beginsWithAny(after, "faster", "higher", "more", "larger"))
	return append(to, n)
}
