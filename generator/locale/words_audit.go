package locale

// auditWords are what the checks of runs say: English, Chinese.
var auditWords = catalogue{
	"check.not-finite": {"%s is %s in the file, so there is no %s", "文件中 %s 为 %s，因此没有 %s"},
}
