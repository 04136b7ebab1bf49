package locale

// catalogue gives the words of a key in English and in Chinese. A form
// "one|other" is chosen by the first whole number among the arguments; Chinese
// has one form.
type catalogue map[string][2]string

// words are the messages of all areas.
var words = join(nameWords, pageWords, exploreWords, chartWords, reportWords, progressWords, auditWords, findingWords, methodWords, viewWords, subjectWords, downloadWords, compareWords, liveWords, diffWords, citeWords)

func join(parts ...catalogue) catalogue {
	all := catalogue{}
	for _, part := range parts {
		for key, forms := range part {
			if _, twice := all[key]; twice {
				panic("locale: two areas have words for " + key)
			}
			all[key] = forms
		}
	}
	return all
}
