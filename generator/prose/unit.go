package prose

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// dimension is the quantity that a unit measures. Numbers of one dimension can be compared.
type dimension uint8

const (
	noDimension dimension = iota
	duration              // in ms
	tokenRate             // in tok/s
	requestRate           // in req/s
	size                  // in B
	parameters            // of a model, as a count
	bandwidth             // in B/s
	power                 // in W
	energy                // in J
	tokenEnergy           // in J/tok
	computing             // in FLOP/s
	temperature           // in °C
	percent               // in %
	ratio                 // a multiple of something
	dimensions
)

// unit is a notation of a unit.
type unit struct {
	text   string
	dim    dimension
	factor float64 // factor into the unit of the dimension
	binary float64 // factor if the prefix means a power of 1024, as it often does; 0 if it cannot
}

// units is sorted by length, longest first, so that the longest match is found first.
var units = func() []unit {
	us := []unit{
		{"ms", duration, 1, 0}, {"毫秒", duration, 1, 0}, {"milliseconds", duration, 1, 0}, {"millisecond", duration, 1, 0},
		{"s", duration, 1e3, 0}, {"sec", duration, 1e3, 0}, {"secs", duration, 1e3, 0}, {"秒", duration, 1e3, 0}, {"seconds", duration, 1e3, 0}, {"second", duration, 1e3, 0},
		{"秒钟", duration, 1e3, 0}, {"µs", duration, 1e-3, 0}, {"μs", duration, 1e-3, 0}, {"微秒", duration, 1e-3, 0},
		{"t/s", tokenRate, 1, 0}, {"TPS", tokenRate, 1, 0}, {"tps", tokenRate, 1, 0},
		{"QPS", requestRate, 1, 0}, {"qps", requestRate, 1, 0}, {"RPS", requestRate, 1, 0}, {"rps", requestRate, 1, 0},
		{"W", power, 1, 0}, {"kW", power, 1e3, 0}, {"mW", power, 1e-3, 0}, {"瓦", power, 1, 0}, {"watts", power, 1, 0}, {"watt", power, 1, 0},
		{"J", energy, 1, 0}, {"kJ", energy, 1e3, 0}, {"mJ", energy, 1e-3, 0}, {"焦", energy, 1, 0}, {"焦耳", energy, 1, 0}, {"joules", energy, 1, 0},
		{"J/tok", tokenEnergy, 1, 0}, {"J/token", tokenEnergy, 1, 0}, {"mJ/tok", tokenEnergy, 1e-3, 0}, {"mJ/token", tokenEnergy, 1e-3, 0},
		{"TFLOPS", computing, 1e12, 0}, {"TFLOP/s", computing, 1e12, 0}, {"GFLOPS", computing, 1e9, 0}, {"PFLOPS", computing, 1e15, 0},
		{"°C", temperature, 1, 0}, {"℃", temperature, 1, 0},
		{"%", percent, 1, 0}, {"％", percent, 1, 0}, {"per cent", percent, 1, 0}, {"percent", percent, 1, 0},
		{"G", size, 1e9, 1 << 30}, // as du prints it
		{"×", ratio, 1, 0}, {"x", ratio, 1, 0}, {"X", ratio, 1, 0}, {"倍", ratio, 1, 0}, {"times", ratio, 1, 0}, {"-fold", ratio, 1, 0},
	}
	decimal, binary := 1e3, 1024.0
	for _, prefix := range []string{"K", "M", "G", "T"} {
		us = append(us, unit{prefix + "B", size, decimal, binary}, unit{prefix + "iB", size, binary, binary},
			unit{prefix + "B/s", bandwidth, decimal, binary}, unit{prefix + "iB/s", bandwidth, binary, binary})
		decimal, binary = decimal*1e3, binary*1024
	}
	slices.SortStableFunc(us, func(a, b unit) int { return cmp.Compare(len(b.text), len(a.text)) })
	return us
}()

// unitPercent is the unit of a percentage in words.
var unitPercent = unit{"%", percent, 1, 0}

// readUnit returns the unit at the beginning of s and its length, 0 if there is none.
func readUnit(s string) (unit, int) {
	for _, u := range units {
		if strings.HasPrefix(s, u.text) && ends(u.text, s[len(u.text):]) {
			n := len(u.text)
			if u.dim == duration { // a time for each token is a time as well
				for _, each := range []string{"/token", "/tok"} {
					if rest, ok := strings.CutPrefix(s[n:], each); ok && ends(each, rest) {
						n += len(each)
						break
					}
				}
			}
			return u, n
		}
	}
	return unit{}, 0
}

// ends reports whether a word that precedes rest ends there: Latin letters must not continue.
func ends(word, rest string) bool {
	return !isWord(word[len(word)-1]) || rest == "" || !isWord(rest[0])
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
}

// counted lists what is counted by rates.
var counted = []struct {
	words []string
	unit  unit
}{
	{[]string{"tokens", "token", "tok", "词元"}, unit{"tok/s", tokenRate, 1, 0}},
	{[]string{"requests", "request", "req", "请求"}, unit{"req/s", requestRate, 1, 0}},
}

// readRate parses a rate such as "tok/s", "output tokens per second", "个请求每秒". perSecond is true if the text
// before the number makes a count a rate.
func readRate(s string, perSecond bool) (unit, int) {
	at := 0
	for _, filler := range []string{"个", "输出", "output ", "generated "} {
		if rest, ok := strings.CutPrefix(s[at:], filler); ok {
			at = len(s) - len(strings.TrimLeft(rest, " "))
		}
	}
	for _, c := range counted {
		for _, word := range c.words {
			n := at + len(word)
			if len(s) < n || !strings.EqualFold(s[at:n], word) || !ends(word, s[n:]) {
				continue
			}
			for _, each := range []string{"/sec", "/s", "/秒", "/second", "每秒", " per second", " a second", " each second"} {
				if rest, ok := strings.CutPrefix(strings.TrimPrefix(s[n:], " "), strings.TrimPrefix(each, " ")); ok && ends(each, rest) {
					return c.unit, len(s) - len(rest)
				}
			}
			if perSecond {
				return c.unit, n
			}
			return unit{}, 0
		}
	}
	return unit{}, 0
}

// lastRune and firstRune return 0 for an empty text.
func lastRune(s string) rune {
	if r, n := utf8.DecodeLastRuneInString(s); n > 0 {
		return r
	}
	return 0
}

func firstRune(s string) rune {
	if r, n := utf8.DecodeRuneInString(s); n > 0 {
		return r
	}
	return 0
}
