package config

import (
	"slices"

	"github.com/benchpost/benchpost/generator/blogpost"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/settings"
)

// Jekyll configures the posts for a blog.
type Jekyll struct {
	Dir       string   // folder of the blog; default public/jekyll
	Theme     string   // one of Themes, which provides defaults for the keys below; "" for any other
	Layout    string   // layout of posts that name none
	Images    string   // how addresses of files begin: "relative", "absolute" or "plain", see Theme
	Permalink string   // permalink of the blog's posts as in its _config.yml; determines old addresses of renamed posts
	AssetsURL string   `toml:"assets_url"` // prefix of these addresses; with it no Jekyll filters are used
	Languages []string // languages of the posts for the blog; default: all of the site
}

// Theme describes what a blog theme requires of posts.
type Theme struct {
	Name   string
	Layout string
	// Images is "relative" if Jekyll adds baseurl to paths, "absolute" if it adds url and baseurl, because the
	// theme would add baseurl a second time to paths, and "plain" if nothing is added, because the theme adds
	// baseurl to all paths.
	Images string
	Cover  []string // keys of the front matter for the post's image, as paths from the top

	Permalink string // permalink of posts, if the theme sets it; "" means Jekyll's default
}

// Themes lists the themes whose requirements are known.
var Themes = []Theme{
	{"minima", "post", "relative", []string{"image"}, ""},
	{"chirpy", "post", "absolute", []string{"image"}, "/posts/:title/"},
	{"minimal-mistakes", "single", "relative", []string{"header.teaser", "header.og_image"}, "/:categories/:title/"},
	{"just-the-docs", "post", "relative", []string{"image"}, ""},
}

// Cover returns the keys of the front matter for the post's image: "image", "header.teaser".
func (j *Jekyll) Cover() []string { return j.theme().Cover }

// Takes reports whether posts in a language are written for the blog.
func (j *Jekyll) Takes(lang string) bool { return slices.Contains(j.Languages, lang) }

// theme returns the requirements of the blog's theme. The default is minima.
func (j *Jekyll) theme() Theme {
	if i := slices.IndexFunc(Themes, func(t Theme) bool { return t.Name == j.Theme }); i >= 0 {
		return Themes[i]
	}
	return Themes[0]
}

func (j *Jekyll) complete(languages []string) {
	theme := j.theme()
	if j.Layout == "" {
		j.Layout = theme.Layout // without a layout Jekyll writes only the content
	}
	if j.Images == "" {
		j.Images = theme.Images
	}
	if j.Permalink == "" {
		j.Permalink = theme.Permalink
	}
	if j.Languages == nil {
		j.Languages = languages
	}
}

// imageForms are the valid values of images.
var imageForms = []string{"relative", "absolute", "plain"}

func (j *Jekyll) check(at place) {
	var names []string
	for _, t := range Themes {
		names = append(names, t.Name)
	}
	if j.Theme != "" && !slices.Contains(names, j.Theme) {
		hint := locale.Textf("known themes: %s; for another theme leave it out and set layout and images", locale.Commas(names...))
		if near := settings.Nearest(j.Theme, names); near != "" {
			hint = locale.Textf("did you mean theme = %q?", near)
		}
		at.at("theme").wrong(hint, "jekyll: theme = %q is not known", j.Theme)
	}
	if j.Images != "" && !slices.Contains(imageForms, j.Images) {
		at.at("images").wrong(locale.Textf(`images = "relative", "absolute" or "plain"`), "jekyll: images = %q is not known", j.Images)
	}
	if name := blogpost.Unsupported(j.Permalink); name != "" {
		at.at("permalink").wrong(locale.Textf("known placeholders: %s; known styles: date, pretty, ordinal and none", locale.Commas(blogpost.Placeholders...)), "jekyll: %s in permalink is not known", name)
	}
	languages := at.config.Languages
	if len(languages) == 0 {
		languages = usualLanguages
	}
	for i, lang := range j.Languages {
		if p, ok := locale.For(lang); ok && slices.Contains(languages, p.Lang()) {
			j.Languages[i] = p.Lang()
			continue
		}
		at.at("languages", i).wrong(locale.Textf("languages of the site: %s", locale.Commas(languages...)), "jekyll: %q is not in the site's languages", lang)
	}
}
