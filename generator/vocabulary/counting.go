package vocabulary

import "github.com/benchpost/benchpost/generator/lazy"

// counted matches Chinese expressions that count or date a run. Chinese writes no spaces between words.
var counted = lazy.Regexp(`第\s*[0-9０-９零〇一二两三四五六七八九十百]+\s*[次轮輪遍回](?:运行|測試|测试|测量|压测|实验|重复)?` +
	`|(?:运行|運行|重复|重複|轮次|輪次)\s*[#_-]?\s*[0-9０-９]+` +
	`|首次|初次|再次|重跑|复跑|重测|重測|复测|複測|再测|再測|重试|副本|拷贝|备份` +
	`|(?:[0-9]{4}年)?[0-9]{1,2}月[0-9]{1,2}[日号]|[0-9]{1,2}[时点][0-9]{1,2}分(?:[0-9]{1,2}秒)?` +
	`|[周週][一二三四五六日天]|星期[一二三四五六日天]|凌晨|早上|上午|中午|下午|晚上`)

// Uncounted returns a title or file name without Chinese expressions that only count or date a run, such as 第 2
// 次, 复测 and 11月2日. The rest distinguishes runs.
func Uncounted(text string) string { return counted().ReplaceAllString(text, " ") }
