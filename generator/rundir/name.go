package rundir

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/locale"
)

// mostName is how many bytes a folder's name may have: file systems allow 255, and
// more is added to it.
const mostName = 100

// FolderName makes of any text a name for a folder of runs: one part of a path,
// letters and digits of any script, nothing that a shell, an address or this
// package takes for more. A slash becomes two dashes. Faithful reports that no other
// text has the same name; "" is the name of a text without letters.
func FolderName(text string) (name string, faithful bool) {
	faithful = utf8.ValidString(text) && !strings.Contains(text, "--")
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '/':
			b.WriteString("--")
		case r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || strings.ContainsRune("._+-", r)):
			b.WriteRune(r)
		default:
			faithful = false
			b.WriteByte('-')
		}
	}
	name = strings.Trim(b.String(), ".-") // a name with a dot in front is hidden
	for len(name) > mostName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	if namedPhase(name) != "" { // by accident
		name, faithful = strings.NewReplacer("-", "", "_", "", ".", "").Replace(name), false
		if namedPhase(name) != "" {
			name = "x" + name + "x"
		}
	}
	return name, faithful && name != "" && name == b.String()
}

// CheckLabel reports what is wrong with the name of a label that is to be declared,
// and what to do; "" when nothing is.
func CheckLabel(name string) (problem, hint locale.Text) {
	switch {
	case !isLabelName(name):
		return locale.Textf("is not a name of a label"), locale.Textf("a name is letters, digits and _: %s", labelName(name))
	case isReserved(name):
		return locale.Textf("comes from the raw file and cannot be declared"), locale.Textf("choose another name")
	case isMetric(name):
		return locale.Textf("is a metric, which a tool measures, and not a label"), locale.Textf("figures are read only from raw files; choose another name, or remove the line")
	case name == filesTable:
		return locale.Textf("is the table of labels of single files"), locale.Textf("choose another name")
	}
	return locale.Text{}, locale.Text{}
}
