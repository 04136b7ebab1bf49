// Package script makes the site's scripts: it bundles the ES modules beside it
// into classic scripts, since a page opened from file:// loads no modules.
package script

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

//go:embed *.js chart/*.js live/*.js
var modules embed.FS

// Entries are the scripts of the site, each the module of that name with all
// that it imports.
var Entries = []string{"site", "chart", "explore"}

// Live is the script of pages that are served while the site is written. It is no
// part of the site.
const Live = "live"

var (
	mu      sync.Mutex
	bundles = map[string]func() ([]byte, error){}
)

// Bundle gives the classic script of an entry. It is made once; the same
// modules always give the same bytes.
func Bundle(entry string) ([]byte, error) {
	mu.Lock()
	once, ok := bundles[entry]
	if !ok {
		once = sync.OnceValues(func() ([]byte, error) { return bundle(modules, entry+".js") })
		bundles[entry] = once
	}
	mu.Unlock()
	return once()
}

// bundle makes one script of a module and its imports. What runs in it is
// closed off from other scripts of the page.
func bundle(from fs.FS, entry string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelSilent,
		Plugins:           []api.Plugin{readFrom(from, entry)},
	})
	var faults []error
	for _, m := range slices.Concat(result.Errors, result.Warnings) {
		at := entry
		if m.Location != nil {
			at = fmt.Sprintf("%s:%d", m.Location.File, m.Location.Line)
		}
		faults = append(faults, fmt.Errorf("%s: %s", strings.TrimPrefix(at, "module:"), m.Text))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return result.OutputFiles[0].Contents, nil
}

// What charts are drawn with is in one script, which pages load before others that
// import it: those find it at benchpost.chart.
const (
	chartEntry  = "chart.js"
	chartModule = "chart/index.js"
	chartElse   = "export const { draw, mount } = self.benchpost.chart;"
)

// readFrom resolves imports within a file system, so that nothing outside of it
// ever gets into a script.
func readFrom(from fs.FS, entry string) api.Plugin {
	return api.Plugin{Name: "module", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: path.Join(path.Dir(args.Importer), args.Path), Namespace: "module"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "module"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			data, err := fs.ReadFile(from, args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text := string(data)
			if args.Path == chartModule && entry != chartEntry {
				text = chartElse
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}}
}
