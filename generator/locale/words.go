package locale

import "github.com/benchpost/benchpost/generator/vocabulary"

// catalogue maps keys to words in English and Chinese. In a form "one|other", the first integer argument
// chooses the part. Chinese has only one form. An entry without Chinese does not compile.
type catalogue map[string]pair

type pair struct{ English, Chinese string }

// in returns the words in a printer's language.
func (w pair) in(p Printer) string {
	if p.lang == "en" {
		return w.English
	}
	return w.Chinese
}

// vocabularyWords returns the names and definitions of metrics, statistics and labels.
func vocabularyWords() catalogue {
	all := catalogue{}
	for _, m := range vocabulary.Metrics() {
		all["metric."+m.Name] = pair(m.Words)
		all["define."+m.Name] = pair(m.Means)
	}
	for _, s := range vocabulary.Statistics() {
		all["stat."+s.Name] = pair(s.Words)
		all["define.stat."+s.Name] = pair(s.Means)
	}
	for _, l := range vocabulary.Labels() {
		all["label."+l.Name] = pair(l.Words)
	}
	return all
}

// words contains the messages of all areas.
var words = join(vocabularyWords(), nameWords, pageWords, exploreWords, chartWords, reportWords, progressWords, auditWords, findingWords, methodWords, viewWords, subjectWords, downloadWords, compareWords, liveWords, diffWords, citeWords, unreadWords, explainWords, composeWords, shareWords)

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
