package redact

import (
	"slices"
	"strings"
	"testing"
)

// TestRefusals checks each refusal with a text that only it prevents from being replaced, and a similar text that no
// refusal applies to.
func TestRefusals(t *testing.T) {
	t.Parallel()
	samples := map[string]struct{ refused, replaced string }{
		"no text of JSON":      {`{"ssid": home-net }`, `{"ssid": "home-net" }`},
		"a figure":             {"authorization: 12345", "password: 12345"},
		"a figure of JSON":     {`{"password": 12345}`, `{"password": "12345"}`},
		"a version":            {`"cookie": "~0.6.0"`, `"cookie": "a=0.6.0"`},
		"punctuation":          {`{"": "Authorization:"}`, `{"": "Authorization: x"}`},
		"a placeholder":        {"password=changeme", "password=changeme2"},
		"a short figure":       {"FIRST_PASS=123", "FIRST_PASS=1234"},
		"a count":              {"max_api_key=123456", "--api-key 123456"},
		"code":                 {"password=ask(", "password=ask"},
		"a variable":           {`password="a${B}"`, `password="a#{B}"`},
		"prose":                {"password: must be set", "password: must, be set"},
		"the name of a secret": {"api_key=openai_api_key", "api_key=openai_api_key1"},
		"a path":               {"api_key=/run/keys/mine", "api_key=run/keys/mine"},
		"a sentence":           {`password="it is not to be given here"`, `password="it is not to be given"`},
		"words":                {"key=" + strings.Repeat("a", 20), "key=aB1cD2eF3gH4iJ5kL6mN"},
		"a word":               {`{"token": "benchmark"}`, `{"token": "abcdefgh12345678"}`},
		"no code":              {"OTP=off", "OTP=123456"},
		"a heading":            {"| password | of the hub |", "| password | hub123 |"},
		"no account":           {"username=a%b", "username=a.b"},
		"a role":               {"login: ally", "login=ally"},
		"no network":           {"ssid: not connected", "ssid: all connected"},
		"no serial number":     {`"serial": "ABCDEF"`, `"serial": "ABCDE1"`},
	}
	all := redactor(t, Options{})
	for i, r := range all.refusals {
		s, ok := samples[r.name]
		if !ok || r.why == "" {
			t.Errorf("%s has no sample, or no reason", r.name)
			continue
		}
		delete(samples, r.name)
		if found := all.Find("x", []byte(s.refused)); len(found) > 0 {
			t.Errorf("%s: %q: %v", r.name, s.refused, found)
		}
		if found := all.Find("x", []byte(s.replaced)); len(found) != 1 {
			t.Errorf("%s: %q: %v", r.name, s.replaced, found)
		}
		without := redactor(t, Options{})
		without.refusals = slices.Delete(slices.Clone(without.refusals), i, i+1)
		if found := without.Find("x", []byte(s.refused)); len(found) != 1 {
			t.Errorf("%q is refused without %q, too: %v", s.refused, r.name, found)
		}
	}
	for name := range samples {
		t.Errorf("there is no refusal %q", name)
	}
}

// TestValuesTakeLinearTime checks that every byte is examined only a few times, however values follow each other.
func TestValuesTakeLinearTime(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"api_key=", "token=", "token:", "password: ", `password="`, `password='\'`, `key=\"`, "user:", "user=", "host=", "ssid: ", "authorization: bearer ", "secret=redacted-named-secret&token=", "serial: ", "密码：", "api_key=['$',", "api_key:['', ", "password是", "| password | ", "<password>", "('password', '", "token%3D", "name: token\nvalue: ", "--api-key \\\n", "a_", "a-", "aB1_", "http://a:b@"} {
		text := []byte(strings.Repeat(part, 64<<10/len(part)))
		for _, replaced := range []bool{false, true} {
			judged := 0
			s := scanner{text: text, known: new(names), first: true, last: true, refusals: refusals, add: func(c candidate) bool {
				judged += c.end - c.start
				return replaced
			}}
			s.names()
			if most := (longestHead/4 + 8) * len(text); s.looked > most {
				t.Errorf("%q: %d bytes of %d are looked at", part, s.looked, len(text))
			}
			if most := 300 * len(text); replaced && judged > most {
				t.Errorf("%q: %d bytes of %d are judged", part, judged, len(text))
			}
		}
	}
}
