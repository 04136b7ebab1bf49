package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/benchpost/benchpost/cmd/benchpost/flags"
	"github.com/benchpost/benchpost/generator/locale"
)

// help prints the overview, or the help of a command, in the language of --lang.
func help(a *app, args []string) int {
	fs := flag.NewFlagSet("help", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	lang := fs.String("lang", "en", "")
	names, err := flags.Parse(fs, args)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		return a.misused("help", err)
	}
	printer, ok := locale.For(*lang)
	if !ok {
		a.say.fault("--lang %s is no language of benchpost: there are zh and en", *lang)
		return Usage
	}
	if len(names) == 0 {
		fmt.Fprint(a.stdout, overview(printer.Lang()))
		return Fine
	}
	c, ok := find(names[0])
	if !ok {
		return a.unknown(names[0])
	}
	fmt.Fprint(a.stdout, usage(c, printer.Lang()))
	return Fine
}

// overview returns the list of commands with their common flags, in a language.
func overview(lang string) string {
	var b strings.Builder
	if lang != "en" {
		b.WriteString("benchpost 将 LLM 推理基准测试的原始结果变成报告。\n\n用法：benchpost COMMAND [flags]\n\n")
		for _, c := range commands() {
			fmt.Fprintf(&b, "  %-10s %s\n", c.name, inChinese[c.name].summary)
		}
		b.WriteString("\n所有命令都接受\n" + commonFlagsInChinese + "\n“benchpost help COMMAND”给出详细说明和示例，加 --lang zh 为中文。\n退出码：")
		for i, c := range exitCodes {
			fmt.Fprintf(&b, "%s%d %s", []string{"", "，"}[min(i, 1)], c.code, c.inChinese)
		}
		b.WriteString("。\n")
		return b.String()
	}
	b.WriteString("benchpost turns raw LLM-inference benchmark runs into reports.\n\nUsage: benchpost COMMAND [flags]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.summary)
	}
	b.WriteString("\nEvery command accepts\n" + commonFlags + "\n\"benchpost help COMMAND\" describes a command, with examples; --lang zh in Chinese.\nExit codes:")
	for i, c := range exitCodes {
		fmt.Fprintf(&b, "%s %d %s", []string{"", ","}[min(i, 1)], c.code, c.means)
	}
	b.WriteString(".\n")
	return b.String()
}

// usage returns the help of a command in a language.
func usage(c command, lang string) string {
	called := strings.TrimSpace(c.name + " " + c.args)
	if lang != "en" {
		words := inChinese[c.name]
		return fmt.Sprintf("%s：%s\n\n用法：benchpost %s\n\n%s", c.name, words.summary, called, words.help)
	}
	return fmt.Sprintf("%s: %s\n\nUsage: benchpost %s\n\n%s", c.name, c.summary, called, c.help)
}
