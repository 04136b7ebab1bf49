package redact

import (
	"slices"
	"strings"
)

// refusal is a reason not to replace a value although its name suggests that it is private.
type refusal struct {
	name, why string
	of        []class // classes that it applies to; nil for all
	holds     func(v *value) bool
}

// ofSecrets and allSecrets are classes of secrets, ofUsers those of user names.
var (
	ofSecrets  = []class{password, secret}
	allSecrets = []class{password, secret, weak, opaque, code}
	ofUsers    = []class{userValue, looseUser}
)

// refusals are tried in this order; the first that holds decides.
var refusals = []refusal{
	{"no text of JSON", "JSON has quotation marks around texts", []class{networkValue, header},
		func(v *value) bool { return v.quotedName && !v.quoted }},
	{"a figure", "name: 12 is a count or a setting in JSON, YAML and logs", []class{secret, header, hostValue, looseHost, looseMachine, userValue, looseUser, networkValue},
		func(v *value) bool { return v.number() && v.sep == ':' }},
	{"a figure of JSON", "numbers of JSON are figures, whatever they are called", []class{password, serialValue, code},
		func(v *value) bool { return v.number() && v.sep == ':' && v.quotedName }},
	{"a version", "a package may be called cookie", []class{header},
		func(v *value) bool {
			return strings.Contains(v.head, ".") && strings.Trim(v.head, "0123456789.^~<>= ") == ""
		}},
	{"punctuation", "the quotation mark after a name that ends a text of JSON opens none", nil,
		func(v *value) bool { return v.quoted && strings.Trim(v.head, ",:{}[] \t") == "" }},
	{"a placeholder", "help texts and templates say what goes there", nil,
		func(v *value) bool { return isPlaceholder(v.head) }},
	{"a short figure", "FIRST_PASS=1 counts passes", ofSecrets,
		func(v *value) bool { return v.number() && v.variable && len(v.head) < 4 }},
	{"a count", "max_api_key=3 counts keys; the word after a flag is the key", []class{secret},
		func(v *value) bool { return v.number() && v.sep != ' ' }},
	{"code", "token=get(…) calls a function", ofSecrets,
		func(v *value) bool {
			next := v.byteAt(v.end)
			return !v.quoted && (next == '(' || next == '[' || next == '{')
		}},
	{"a variable", "a shell puts the value there", ofSecrets,
		func(v *value) bool { return strings.HasPrefix(v.head, "$") || strings.Contains(v.head, "${") }},
	{"prose", "a sentence goes on after the word", []class{password, secret, userValue},
		func(v *value) bool {
			return v.sep == ':' && !v.quoted && !v.endsHere(v.end) && (v.class == userValue || !looksRandom(v.head))
		}},
	{"the name of a secret", "api_key=openai_api_key passes a variable on", ofSecrets,
		func(v *value) bool {
			return !v.quoted && v.sep != ' ' && isAccount(v.head) && secretClass(v.head, false) != nothing && !strings.ContainsAny(v.head, "0123456789")
		}},
	{"a path", "the secret is in the file, whose name is not", []class{secret},
		func(v *value) bool { return isPath(v.head) && !looksRandom(v.head) && !hasMixedPart(v.head) }},
	{"a sentence", "help texts are about secrets", ofSecrets,
		func(v *value) bool { return v.quoted && strings.Count(v.head, " ") > 5 }},
	{"words", "keys are many things; a secret looks random", []class{weak},
		func(v *value) bool { return !looksRandom(v.head) }},
	{"a word", "tokens are parts of texts; a secret is long, of letters and digits", []class{opaque},
		func(v *value) bool { return !isOpaque(v.head) || isDigest(v.head) && v.namesDigest(v.start) }},
	{"no code", "codes that are valid once are four to eight digits", []class{code},
		func(v *value) bool {
			return len(v.head) < 4 || len(v.head) > 9 || strings.Trim(v.head, "0123456789-") != "" || strings.Count(v.head, "-") > 1
		}},
	{"a heading", "tables, calls and sentences name keys and passwords without telling them", allSecrets,
		func(v *value) bool {
			switch v.sep {
			case '|', '>', ',':
				return len(v.head) < 16 && !strings.ContainsAny(v.head, "0123456789") || isNumber(v.head) && v.class != code
			case isIn:
				return !strings.ContainsAny(v.head, "0123456789") || v.head[0] >= 0x80
			}
			return false
		}},
	{"no account", "accounts are words of letters, digits, dashes and dots", ofUsers,
		func(v *value) bool { return !isAccount(v.head) }},
	{"a role", "user: assistant is a role in a chat; user=alice is an account", []class{looseUser},
		func(v *value) bool { return v.sep != '=' || v.quotedName || len(v.head) < 3 }},
	{"no network", "columns and states in the place of names of networks", []class{networkValue},
		func(v *value) bool {
			return !isNetworkName(v.scanner, v.start, v.end) || strings.Contains(v.head, "  ")
		}},
	{"no serial number", "serial numbers are one word with digits", []class{serialValue},
		func(v *value) bool {
			return v.number() && v.quotedName || len(v.head) < 6 || !strings.ContainsAny(v.head, "0123456789") || strings.Trim(v.head, "0-") == "" || strings.ContainsAny(v.head, " ./:\\")
		}},
}

// refusal returns the first refusal that holds for the value, nil for none.
func (v *value) refusal() *refusal {
	for i := range v.refusals {
		r := &v.refusals[i]
		if (r.of == nil || slices.Contains(r.of, v.class)) && r.holds(v) {
			return r
		}
	}
	return nil
}
