package blogpost

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/lazy"
)

// permalinks lists the named permalink styles of Jekyll.
var permalinks = map[string]string{
	"":        "/:categories/:year/:month/:day/:title:output_ext",
	"date":    "/:categories/:year/:month/:day/:title:output_ext",
	"pretty":  "/:categories/:year/:month/:day/:title/",
	"ordinal": "/:categories/:year/:y_day/:title:output_ext",
	"none":    "/:categories/:title:output_ext",
}

var placeholder = lazy.Regexp(`:[a-z_]+`)

// Placeholders lists the placeholders of permalinks whose values are known before Jekyll runs. Longer names
// come first, as in Jekyll.
var Placeholders = []string{":short_year", ":output_ext", ":categories", ":i_month", ":y_day", ":i_day", ":month", ":title", ":year", ":slug", ":day"}

// Unsupported returns the first placeholder of a permalink whose value is not known before Jekyll runs, "" if
// there is none.
func Unsupported(permalink string) string {
	if _, named := permalinks[permalink]; named {
		return ""
	}
	for _, name := range Placeholders {
		permalink = strings.ReplaceAll(permalink, name, "")
	}
	return placeholder().FindString(permalink)
}

// oldAddresses returns the addresses of the post under its earlier slugs, such as "/2026/01/15/old-name.html".
// They follow from the permalink of the blog. A post with its own permalink never moves.
func oldAddresses(d *document.Document, opt Options) []any {
	if slices.ContainsFunc(d.Front.Extra, func(f document.Field) bool { return f.Key == "permalink" }) {
		return nil
	}
	template, named := permalinks[opt.Permalink]
	if !named {
		template = opt.Permalink
	}
	var categories []string
	for _, c := range d.Front.Categories.Items {
		c = strings.ToLower(c)
		names := []string{c}
		if d.Front.Categories.Plain {
			names = strings.Fields(c)
		}
		for _, name := range names {
			if !slices.Contains(categories, name) {
				categories = append(categories, name)
			}
		}
	}
	date := d.Front.Date
	var addresses []any
	for _, slug := range d.Front.Aliases {
		name := name(d, slug, opt)
		path := strings.NewReplacer(
			":short_year", date.Format("06"), ":output_ext", ".html", ":categories", strings.Join(categories, "/"),
			":i_month", date.Format("1"), ":y_day", fmt.Sprintf("%03d", date.YearDay()), ":i_day", date.Format("2"),
			":month", date.Format("01"), ":title", name, ":year", date.Format("2006"), ":slug", name, ":day", date.Format("02"),
		).Replace(template)
		addresses = append(addresses, severalSlashes().ReplaceAllString("/"+path, "/"))
	}
	return addresses
}

var severalSlashes = lazy.Regexp(`/+`)
