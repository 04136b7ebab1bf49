package rundir

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/locale"
)

// mostName is the greatest length of a folder's name in bytes. File systems allow 255, and other text is added to the
// name.
const mostName = 100

// FolderName converts any text into a name for a folder of runs: a single path element of letters and digits of any
// script and the characters ._+-, without anything that has a special meaning for a shell, in a URL or in this package.
// A slash becomes two dashes. Faithful reports that no other text has the same name. The name is "" if only dots
// and dashes would be left.
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
	name = strings.Trim(b.String(), ".-") // a leading dot would hide the folder
	for len(name) > mostName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	if namedPhase(name) != "" { // the text looks like a phase by accident
		name, faithful = strings.NewReplacer("-", "", "_", "", ".", "").Replace(name), false
		if namedPhase(name) != "" {
			name = "x" + name + "x"
		}
	}
	return name, faithful && name != "" && name == b.String()
}

// CheckLabel reports why a label of this name cannot be declared, and what to do; the texts are empty when it can.
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
