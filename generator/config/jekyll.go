package config

import (
	"slices"

	"github.com/benchpost/benchpost/generator/blogpost"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/settings"
)

// Jekyll is how the posts for a blog are written.
type Jekyll struct {
	Dir       string   // the blog's folder; posts go to public/jekyll when empty
	Theme     string   // that of the blog, one of Themes: what it needs is what is not given here; "" for another
	Layout    string   // of posts that name none
	Images    string   // how addresses of files begin: "relative", "absolute" or "plain", see Theme
	Permalink string   // of the blog's posts, as in its _config.yml; by it old addresses of renamed posts are known
	AssetsURL string   `toml:"assets_url"` // prefix of these addresses for a blog that is not Jekyll; nothing is asked of Jekyll then
	Languages []string // of the posts that go to the blog; all of the site when nil
}

// Theme is what the posts of a blog need for its theme.
type Theme struct {
	Name   string
	Layout string
	// Images is "relative": Jekyll puts baseurl before the path; "absolute": url and baseurl,
	// for a theme that puts a second baseurl before a path; "plain": nothing, for a
	// theme that puts baseurl before all paths.
	Images string
	Cover  []string // the keys of the front matter that lead to the post's picture, from the top

	Permalink string // of posts, where the theme sets it; "" is Jekyll's own
}

// Themes are those with needs that are known.
var Themes = []Theme{
	{"minima", "post", "relative", []string{"image"}, ""},
	{"chirpy", "post", "absolute", []string{"image"}, "/posts/:title/"},
	{"minimal-mistakes", "single", "relative", []string{"header.teaser", "header.og_image"}, "/:categories/:title/"},
	{"just-the-docs", "post", "relative", []string{"image"}, ""},
}

// Cover returns the keys of the front matter for the post's picture: "image", "header.teaser".
func (j *Jekyll) Cover() []string { return j.theme().Cover }

// Takes reports whether posts in a language go to the blog.
func (j *Jekyll) Takes(lang string) bool { return slices.Contains(j.Languages, lang) }

// theme returns what the blog's theme needs; without one it is as for minima.
func (j *Jekyll) theme() Theme {
	if i := slices.IndexFunc(Themes, func(t Theme) bool { return t.Name == j.Theme }); i >= 0 {
		return Themes[i]
	}
	return Themes[0]
}

func (j *Jekyll) complete(languages []string) {
	theme := j.theme()
	if j.Layout == "" {
		j.Layout = theme.Layout // without one Jekyll writes the bare page
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

// imageForms are the values of images.
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
