package cli

// commonFlagsInChinese describes the flags of every command in Chinese.
const commonFlagsInChinese = `  --site DIR   站点目录（默认为向上最近的、含有 site.toml 的目录）
  --quiet      只输出错误
  --verbose    输出更多过程和原因
`

// inChinese has the summaries and the help of the commands in Chinese, for benchpost help --lang zh and
// docs/zh/commands.md. Flags and examples are the same as in the English help, in the same order.
var inChinese = map[string]struct{ summary, help string }{
	"build": {"由运行和内容构建 HTML 站点和 Jekyll 文章", `读取 runs/、content/ 和 site.toml，写出 public/site（HTML）和 public/jekyll（文章和图片）。
没有变化的文件不会改动。文章或 site.toml 有错误时停止构建，public/ 保持不变；无法读取的运行
会报告，并显示为缺失。没有结果的文件用一行按类别统计：benchpost results --verbose 逐个列出。

  --strict    有警告或任何文件含有机密信息时，也停止构建
  --drafts    发布 draft = true 的文章
  --out DIR   写到此处，而不是 public/
  --watch     有变化时重新构建，直到 ctrl-C；--poll 和 --idle 与 benchpost serve 相同
  --single-file POST
              只把一篇文章写成单个自包含的 HTML 文件，便于发送或保存：当前文件夹中的
              SLUG.LANG.html，或用 --out FILE 指定，--out - 为标准输出。POST 是 slug、
              带语言的 slug，或文章的源文件
  --results SHARDS
              从分片而不是 runs/ 取得运行：文件、文件夹，或 'shards/*.parquet' 这样的模式，
              由 benchpost results --shards 写出，也可以被其他程序改写。可多次给出
  --parts     依次为 runs/ 中的每个文件夹构建一个站点，含有以其运行为内容的文章：
              public/FOLDER/，以及 public/index.html 和汇总所有部分的页面。内存中每次只有一个部分
  --part FOLDER
              只重新构建这一部分。可多次给出

示例
  benchpost build
  benchpost build --strict               用于 CI：不发布任何存疑的内容
  benchpost build --drafts --out /tmp/preview
  benchpost build --single-file quantization.en --out report.html
  benchpost build --results 'shards/*.parquet'
  benchpost build --results shards --part c00042
`},
	"new": {"根据运行写出一篇完整的文章", `根据站点的运行写出 content/posts/NAME.LANG.md：标题、测试条件、结论、针对每个变化因素的
表格和图表、存疑之处、复现方法和原始输出。文章立即可以构建，且数字随数据更新：正文中的每个
数字都是带选择器的行内值。运行中没有的信息以注释标出，由你在该处补写。不覆盖已有的文件。

  NAME              文章的名称，用于地址；默认为 "report"
  --where SELECTOR  只用这些运行，如 {campaign="jetson-thor"}
  --lang LANG       zh、en 或 both；默认为站点的语言

示例
  benchpost new post
  benchpost new post quantization --where '{campaign="jetson-thor"}'
  benchpost new post tonight --lang en && benchpost serve
`},
	"report": {"把一个文件夹的结果写成单个 HTML 报告", `读取一个文件夹或文件中的结果，写成单个 HTML 文件，内含结论、测试条件、表格、图表、存疑之处
和原始输出。无需站点、网络和其他文件。站点中的文件夹按其 site.toml 读取。

  FOLDER            工具输出所在的文件夹；"." 为当前文件夹
  -o FILE           写到此处，- 为标准输出；默认 report.html
  --where SELECTOR  只用这些运行，如 {model="Qwen3-8B"}
  --lang LANG       zh、en 或 both（写出 report.zh.html 和 report.en.html）；
                    默认为站点的第一种语言，没有站点时为英文

示例
  benchpost report ~/bench
  benchpost report runs/tonight -o tonight.html --lang zh
`},
	"export": {"把文章写给 Hugo、Jekyll，或写成独立的 Markdown", `写出文章及其图片和数据，供其他程序发布。POST 是 slug（代表该文章的所有语言）、带语言的 slug，或文章
的源文件。有错误的文章不会写出；不是 benchpost 写的文件，以及写出之后又被改动的文件，都不会被覆盖。
此前导出的其他文章保持不变。

  --to hugo       页面包：content/posts/NAME/index.LANG.md
  --to markdown   NAME.LANG.md，用于 README、wiki 和其他网站的编辑器：没有 front matter 和
                  HTML，脚注写成列表
  --to jekyll     与 build 写给博客的相同
  -o DIR          Hugo 站点、Markdown 或 Jekyll 博客的文件夹；默认为名为 hugo、markdown 或
                  jekyll 的文件夹
  --lang LANG     只导出这种语言；默认为两种语言
  --images data   用于 Markdown：图片写在正文中，不再有其他文件
  --drafts        也导出 draft = true 的文章
  --strict        有警告即停止导出

示例
  benchpost export quantization --to hugo -o ../blog
  benchpost export quantization.en --to markdown
  benchpost export quantization --to markdown --lang zh --images data -o /tmp
`},
	"serve": {"构建、在浏览器中显示，并随变化更新", `构建站点，只在本机提供 public/site 的访问，并监视 runs/、content/、layouts/ 和 site.toml。
变化会立即在打开的页面上就地更新：滚动位置、输入的内容、排序和展开的部分都保持不变。文章或
site.toml 中的错误显示在最后一个正常页面的上方，直到修正为止。

正在录制的基准测试会显示进度；运行结束而未通过检查时，会在终端和页面上报告，并给出重新运行
的命令。

  --port N       监听端口 N（默认 4000，或下一个空闲的端口；0 为任意端口）
  --poll[=TIME]  每隔 TIME（默认 1s）检查一次变化，而不是等待事件，用于不报告事件的文件
                 系统。已知的此类文件系统会自动识别
  --drafts       显示 draft = true 的文章
  --idle TIME    没有结果的运行，日志在这段时间内没有增长即为未完成（默认 5m）
  --no-browser   不打开页面
  --host ADDRESS 监听 127.0.0.1 以外的地址；此时所有能够访问该地址的人都能看到站点
  --allow NAME   服务器可用的另一个主机名（可重复）

示例
  benchpost serve
  benchpost serve --port 8080 --drafts
  ssh -L 4000:127.0.0.1:4000 thor benchpost serve --site bench --no-browser
`},
	"check": {"报告运行和文章中的问题", `读取站点的运行和文章，或任意含有运行的 PATH，并像编译器一样报告问题：file:line: severity: message。
机密信息为警告；私有名称加 --verbose 时报告。不写入任何内容。有错误时退出码为 1。没有结果的
文件用一行统计；site.toml 的 [check] unread 可将其视为警告或错误。

  --drift      改为在临时文件夹中构建站点，并报告 public 以及 [jekyll] dir 所指的博客中与
               构建结果不同的每个文件。不改动站点中的任何内容
  --format F   text（默认）、json、github（工作流的注解）或 gitlab（代码质量报告）
  --strict     警告视为错误

示例
  benchpost check
  benchpost check runs/jetson-thor/qwen3-8b-fp8
  benchpost check --strict --format github
  benchpost check --drift
`},
	"results": {"输出规范化的运行结果，供人或程序使用", `读取站点的运行，或任意文件夹或文件，输出单位和名称统一的结果，每个数字都带有文件和行号。
PATH 不需要站点。在站点中，run.toml 和 site.toml 会添加标签。

  --format F    table（默认）、json、jsonl、csv 或 parquet。csv 和 parquet 中每个结果一行，
                每个标签和指标一列，采用基本单位
  --package DIR 改为把全部结果以 csv、jsonl 和 parquet 写入 DIR，另有 figures.parquet
                （每个数字的文件和行号）和描述所有列的 datapackage.json
  --shards DIR  改为把每个 PATH，或 runs/ 中的每个文件夹，连同其结果和脱敏后的文件写成一个
                Parquet 文件：benchpost build --results 由它们构建站点。有多台机器时，每台
                处理自己的 PATH
  --where S     只输出匹配的结果，如 '{model=~"Qwen3.*",load="high"}'
  --explain F   改为逐行显示文件 F（不必属于站点）以及从每行读出的数字和标签，或最接近的
                格式未能读取它的原因。F 可以在归档中（runs.zip/a.log）。--format json 输出
                同样的内容供程序使用，--lang zh 输出中文
  --verbose     同时列出每个文件及其格式，或没有结果的原因

示例
  benchpost results
  benchpost results ~/bench --format csv > all.csv
  benchpost results --package data && duckdb -c "FROM 'data/results.parquet'"
  benchpost results --where '{load="low"}' --format json | jq '.results[].id'
  benchpost results --explain runs/a/high.log
`},
	"explain": {"说明选择器选中哪些运行，其他运行为何没有选中", `像文章中的块一样对选择器求值，显示它选中的运行、这些运行在哪些标签上不同、每个条件排除了
多少运行及其实际的值，以及满足所有条件但不计入的运行：被排除的、辅助的和未完成的，各附原因。
选择器中可以写指标，没有该指标的运行会列出。PATH 与 benchpost results 相同。

  --format F   text（默认）或 json
  --verbose    列出所有运行，而不只是前几个

示例
  benchpost explain '{model="Qwen3-8B",load="high"}'
  benchpost explain 'ttft_p99{hardware=~"thor|orin"}'
  benchpost explain '{max_concurrency="64"}' ~/bench
`},
	"list": {"列出指标、标签、模型或运行", `列出文章中可用的名称，以及具有该名称的运行次数：指标及其单位、更优的方向、两种语言的名称和
工具中的名称；标签及其值；模型及其已知属性；运行及用于区分它们的标签，以及是否计入表格。
PATH 与 benchpost results 相同。

  --where S    只取选择器选中的运行
  --format F   text（默认）、json 或 csv
  --all        列出指标时，包括没有运行具有的指标

示例
  benchpost list metrics --where '{model="Qwen3-8B"}'
  benchpost list labels ~/bench
  benchpost list runs --format csv > runs.csv
`},
	"diff": {"对比两组结果", `将 B 与 A 对比，报告哪些变好、哪些变差、幅度和依据，新增和移除了什么，以及两者还有哪些不同。
A 和 B 可以是 git 版本、含有运行的文件夹或文件，或选择站点运行的选择器。只给出一个时，将其与
工作区对比；都不给出时，对比 HEAD 与工作区。A..B 即 A B。

结果按测量的内容匹配，而不是按路径。重复运行经过检验（Mann–Whitney）；单次运行相差达到阈值
即视为不同，默认 3%，可在 site.toml 中设定。被排除的运行不作结论。

  --format F      text（默认）、markdown（用于拉取请求）、json 或 html（单个文件）
  --metric NAME…  对比这些指标；--all 对比所有指标
  --where S       只对比匹配的结果，如 '{load="high"}'
  --by LABELS     只按这些标签匹配，如 model,load；其余合并
  --fail-on C     满足条件时以 1 退出：regression、regression>5%、removed、uncertain、
                  setting-changed；多个条件以逗号分隔
  --lang L        en 或 zh-CN；text 默认为英文，markdown 和 html 默认为站点的第一种语言
  --verbose       同时列出未见差异的数字

如果一个名称既是分支又是文件夹，请写 rev:NAME 或 ./NAME。

示例
  benchpost diff
  benchpost diff main --fail-on 'regression>5%,removed'
  benchpost diff v1.0..v1.1 --format markdown > comment.md
  benchpost diff ~/old/runs ~/new/runs --by model,load
  benchpost diff '{engine_version="0.9"}' '{engine_version="0.10"}' --format html > diff.html
`},
	"record": {"运行基准测试，并保存报告所需的一切", `照常运行命令，如同单独启动一样：同一终端、同样的信号、该命令的退出码。命令的输出和写出的文件
保存在 runs/ 下的一个新文件夹中，连同命令、开始和结束时间、机器、软件、git 版本和遥测数据。
缺少的信息会记录下来，从不视为错误。除日志本身外，机密信息都会遮盖。

  --label K=V        写入 run.toml 的标签（可重复）
  --name NAME        文件夹的名称；默认由工具、模型和并发数组成
  --dir DIR          在 DIR 中创建文件夹，而不是 runs/YYYY-MM-DD
  --repeat N         运行 N 次，每次在单独的文件夹中；失败时停止
  --cool-down 60s    两次运行之间的等待时间
  --keep-going       运行失败后继续
  --server URL       被测的服务端，用于命令中没有指明的情形
  --metrics URL      在前后各保存一次的页面，如 http://localhost:8000/metrics
  --telemetry T      auto（tegrastats、nvidia-smi、/proc 和 /sys）、none 或一条命令
  --interval 1s      两个样本之间的时间
  --idle 5s          命令前后采集遥测数据的时间

  --sweep FILE       执行 sweep.toml 中的计划；已完成的运行会跳过，因此可以中断后重新开始
  --dry-run          显示计划中的运行及其进度
  --retry-failed     重做失败的运行

示例
  benchpost record -- vllm bench serve --model Qwen/Qwen3-8B --save-result
  benchpost record --label power_mode=MAXN --repeat 3 --cool-down 60s -- ./bench.sh
  benchpost record --sweep runs/thor/sweep.toml --dry-run
`},
	"import": {"把含有结果的文章、笔记和日志变成运行文件夹", `读取在标题之下含有结果的文本，如文章和笔记，写出运行文件夹：每个结果块保持原样，另有一个
run.toml，其中的标签取自标题、命令和文字（模型、量化、负载、功耗模式、时钟频率、场景、长度、
引擎版本、镜像）。结果相同的块为同一次运行。不明确的信息会报告，从不猜测。机密信息会遮盖。

  --out DIR      写入的文件夹（默认为 runs/ 加第一个文件的名称）
  --label k=v    所有运行的标签（可重复）
  --dry-run      只报告将要写入的内容

示例
  benchpost import post.md
  benchpost import notes/*.md --out runs/orin --label hardware=jetson-agx-orin
`},
	"cite": {"输出文章、结果或站点的引用方式", `输出文章、结果或（不给出名称时）站点的引用方式，用于参考文献。其中含有数据修订版，即数字所依据
的全部原始文件的校验和清单的 SHA-256，相当于

  sha256sum FILE… | LC_ALL=C sort -k 2 | sha256sum

作者、仓库、DOI 和许可证取自 site.toml 的 [cite]。在 git 仓库中还会注明引入数据的提交；如果文件
与该提交不同，则不注明，并予以报告。

  --format F   text（默认）、bibtex、cff（CITATION.cff）或 csl-json
  --verbose    同时列出文件及其校验和

示例
  benchpost cite first-report.en --format bibtex
  benchpost cite example/tinychat-1b/high
  benchpost cite --format cff > CITATION.cff
`},
	"archive": {"将已完成的运行脱敏、验证并提交", `处理站点中已完成的运行，或 runs/ 下各 PATH 及其下的运行。来自其他位置的 PATH 先复制到 runs/，
原件不变。然后

  - 替换机密信息和私有名称；原件保存在 .benchpost/originals 中
  - 压缩大于 [archive] compress（1 MiB）的原始文件，读取方式不变
  - 在每个运行文件夹中写入 manifest.json：大小、SHA-256、格式、结果
  - 重新读取全部内容，只要有任何数字不同就拒绝
  - 仅由将要提交的文件构建 public，与 git 检出的一致
  - 提交运行和 public，提交说明由结果生成

其他已暂存的改动保持暂存，钩子照常运行；进程被终止不会丢失任何内容，下一次归档会继续完成。
未完成的运行会跳过。

  --as NAME      来自其他位置的 PATH 在 runs/ 下的文件夹（默认为其名称）
  -m SUBJECT     提交说明的第一行
  --inputs       同时提交 site.toml、content/、layouts/ 和 .gitattributes 的改动；git 尚未
                 收录该站点时会自动如此
  --dry-run      显示所有操作，不写入任何内容
  --no-commit    执行除提交之外的所有步骤；不暂存任何内容
  --yes          不询问；没有终端时从不询问

示例
  benchpost archive --dry-run
  benchpost archive
  benchpost archive ~/results/2026-11-thor --as thor/2026-11
`},
	"verify": {"按清单检查已归档的运行", `将站点运行的文件，或各 PATH 及其下的运行的文件，与所在文件夹的 manifest.json 比较：有变化、
被截断或缺失的文件是错误，不在任何清单中的文件是警告。不写入任何内容。有错误时退出码为 1。

  --rev REV    某个 git 版本中的运行，按其中保存的内容
  --format F   text（默认）、json 或 github（工作流的注解）

示例
  benchpost verify
  benchpost verify runs/jetson-thor --rev v1.2
`},
	"init": {"新建一个立即可以构建的站点，附一个小示例", `写出 site.toml、一个含有虚构示例的运行文件夹，以及中英文各一篇展示文章功能的文章。不覆盖已有的
文件。删除 runs/example 和这些文章即可去掉示例。

  --bare      不含示例：只写 site.toml
  --from FOLDER
              用 FOLDER 中的结果新建站点：将结果复制到 runs/，写出包含其中负载、机器和模型
              的 site.toml（推测的内容带有标记），并生成第一篇文章。如果 FOLDER 就是新站点
              的 runs/，则不复制
  --layouts   将内置布局（页面的模板和样式）复制到已有站点的 layouts/ 中，以便修改。副本
              替代内置文件，不再随 benchpost 的新版本更新，因此请只保留有改动的文件

示例
  benchpost init my-benchmarks && cd my-benchmarks && benchpost build
  benchpost init --from ~/bench my-benchmarks
  benchpost init --layouts
`},
	"schema": {"输出 JSON Schema，供编辑器补全和检查", `输出 site.toml、run.toml、sweep.toml、文章的 front matter、某种报告块或结果文档的 JSON Schema；
不给出名称时列出可用的名称。每次构建都会把它们发布到 public/site/schema/。在新站点中，Even Better
TOML 能自动找到：site.toml 的第一行写明其 schema，.taplo.toml 写明 run.toml 和 sweep.toml 的。

示例
  benchpost schema site > site.json     并在 site.toml 的第一行写：#:schema ./site.json
  benchpost schema results              benchpost results --format json 的 schema
`},
	"completion": {"输出 shell 的补全脚本", `输出 shell 的补全脚本，与本帮助由同一张表生成。

示例
  source <(benchpost completion bash)
  source <(benchpost completion zsh)
  benchpost completion fish > ~/.config/fish/completions/benchpost.fish
`},
	"man": {"输出 benchpost 或某个命令的手册页", `输出 man(1) 的手册页，与本帮助由同一张表生成。发布的软件包会安装这些手册页：man benchpost、
man benchpost-build。

示例
  benchpost man build | man -l -
`},
	"version": {"输出版本、提交和 Go 的版本", "输出一行，例如：benchpost v1.2.0 (commit 1a2b3c4, go1.26.0)\n"},
}
