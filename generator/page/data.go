package page

import (
	"bytes"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// dataIndex lists the documents with data for other programs. They are in no language's folder.
const dataIndex = "data/index.json"

// PostData returns the path of a post's document (export.Report).
func (s *Site) PostData(lang, slug string) string {
	return "data/posts/" + lang + "/" + address.JSON(slug)
}

func (s *Site) resultsDataPath(group string) string {
	return "data/results/" + s.Names.CampaignData(group) + ".json"
}

// dataLink is a link to a document.
type dataLink struct {
	Name string // of the file
	Href template.URL
}

// dataLinks returns links from a page to the results documents that contain some runs. With index it adds the list of
// all documents.
func (s *Site) dataLinks(from string, index bool, runs []*result.Result) []dataLink {
	var paths []string
	if index {
		paths = append(paths, dataIndex)
	}
	paths = append(paths, s.dataPaths(runs)...)
	links := make([]dataLink, len(paths))
	for i, to := range paths {
		links[i] = dataLink{path.Base(to), template.URL(address.Link(from, to))}
	}
	return links
}

// dataPaths returns the paths of the results documents that contain some runs.
func (s *Site) dataPaths(runs []*result.Result) []string {
	var paths []string
	seen := map[string]bool{}
	for _, r := range runs {
		if group := data.GroupOf(r); !seen[group] {
			seen[group] = true
			paths = append(paths, s.resultsDataPath(group))
		}
	}
	return paths
}

// dataArtifacts returns the results documents, the progress of the plans, and the list of all documents.
func (b *builder) dataArtifacts() []artifact {
	var artifacts []artifact
	add := func(path string, from result.Stamp, write func(io.Writer) error) {
		artifacts = append(artifacts, artifact{path, stamped(from), func() ([]file, error) {
			var buf bytes.Buffer
			err := write(&buf)
			return []file{{path: path, data: buf.Bytes()}}, err
		}})
	}
	var index export.Index
	for _, l := range b.languages {
		for _, post := range b.posts[l.tag] {
			index.Posts = append(index.Posts, export.PostEntry{File: strings.TrimPrefix(b.PostData(l.tag, post.Slug), "data/"),
				Slug: post.Slug, Lang: post.Lang, Title: post.Title, Date: isoDay(post.Date), Runs: len(post.Runs)})
		}
	}
	if len(b.plans) > 0 {
		for _, l := range b.languages {
			name := "data/coverage/" + l.tag + ".json"
			from := b.made(l, "coverage", func(s *result.Stamper) { s.Stamp(b.everything()) })
			add(name, from, func(w io.Writer) error {
				doc := export.Post{Slug: "coverage", Lang: l.tag, Title: l.Printer.Words("page.coverage")}
				for i := range b.plans {
					doc.Blocks = append(doc.Blocks, export.Block{Kind: "coverage", Block: report.Block{Table: &b.plans[i]}})
				}
				return export.Report(w, doc, l.Printer)
			})
			index.Coverage = append(index.Coverage, export.CoverageEntry{File: strings.TrimPrefix(name, "data/"), Lang: l.tag, Plans: len(b.plans)})
		}
	}
	groups, sets := b.dataSets()
	for _, group := range groups {
		set := sets[group]
		var from result.Stamper
		from.Stamp(b.Key)
		from.Results(set.Results)
		for _, skipped := range set.Skipped {
			from.Text(skipped.File, skipped.Kind, skipped.Reason)
		}
		for _, m := range set.Messages {
			from.Message(m)
		}
		name := b.resultsDataPath(group)
		add(name, from.Sum(), func(w io.Writer) error { return export.JSON(w, *set) })
		entry := export.ResultsEntry{File: strings.TrimPrefix(name, "data/"), Campaign: group,
			Results: len(set.Results), Skipped: len(set.Skipped), Errors: set.Errors()}
		if group == data.NoCampaign {
			entry.Campaign = ""
		}
		index.Results = append(index.Results, entry)
	}
	add(dataIndex, result.Stamp{}, func(w io.Writer) error { return export.WriteIndex(w, index) })
	return artifacts
}

// dataSets groups the results by campaign. Skipped files belong to the campaign with the name of their folder, if there
// is one.
func (b *contents) dataSets() (groups []string, sets map[string]*export.Set) {
	sets = map[string]*export.Set{}
	of := func(group string) *export.Set {
		if sets[group] == nil {
			sets[group] = &export.Set{}
			groups = append(groups, group)
		}
		return sets[group]
	}
	for _, r := range b.results {
		s := of(data.GroupOf(r))
		s.Results = append(s.Results, r)
	}
	around := func(file string) *export.Set {
		if folder, _, ok := strings.Cut(strings.TrimPrefix(file, "runs/"), "/"); ok && sets[folder] != nil {
			return sets[folder]
		}
		return of(data.NoCampaign)
	}
	for _, u := range b.Unread {
		if u.Kind.Counted() {
			set := around(u.Name)
			set.Skipped = append(set.Skipped, export.Skipped{File: u.Name, Kind: string(u.Kind), Reason: locale.English(u.Reason)})
		}
	}
	for _, m := range b.messages {
		if m.Severity == result.Error && strings.HasPrefix(m.Pos.File, "runs/") {
			set := around(m.Pos.File)
			set.Messages = append(set.Messages, m)
		}
	}
	slices.SortFunc(groups, result.NaturalCompare)
	return groups, sets
}
