// Package schema makes JSON Schemas of the files that authors write (site.toml, run.toml, sweep.toml, the front
// matter of posts, the body of each kind of report block) and of the results document, which programs read.
// Editors that support JSON Schema complete and check files with them. A site publishes the schemas in its
// folder schema/. Even Better TOML finds them by the first line of a site.toml
//
//	#:schema ./public/site/schema/site.json
//
// Schemas are made from the types that the files are decoded into, so they always match the program.
package schema

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sweep"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Names returns the names of all schemas: "site", "run", "sweep", "post", "results", and names such as
// "block-table" for report blocks.
func Names() []string {
	names := []string{"site", "run", "sweep", "post", "results"}
	var blocks []string
	for kind := range block.Specs() {
		blocks = append(blocks, "block-"+kind)
	}
	slices.Sort(blocks)
	return append(names, blocks...)
}

// Of returns a schema as JSON, and whether a schema with this name exists.
func Of(name string) (text []byte, ok bool) {
	var s object
	switch kind, isBlock := strings.CutPrefix(name, "block-"); {
	case name == "site":
		s = of(reflect.TypeFor[config.Config](), "")
		s["title"] = config.Name + " of benchpost"
	case name == "run":
		s = run()
	case name == "sweep":
		s = of(reflect.TypeFor[sweep.File](), "")
		s["title"] = "sweep.toml of benchpost"
		s["required"] = []string{"sweep"}
	case name == "post":
		s = post()
	case name == "results":
		s = results()
	case isBlock && block.Specs()[kind] != nil:
		s = of(block.Specs()[kind], "")
		if kind == "chart" {
			s["properties"].(object)["kind"] = object{"type": "string", "enum": plot.Kinds()}
		}
		s["title"] = "report block " + kind + " of benchpost"
	default:
		return nil, false
	}
	s["$schema"] = "http://json-schema.org/draft-07/schema#" // the version that TOML editors support
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic("a schema of plain values cannot be written: " + err.Error())
	}
	return append(text, '\n'), true
}

type object map[string]any

// own is a type that decodes TOML itself and provides its own schema.
type own interface{ JSONSchema() map[string]any }

// of returns the schema of a type; key is the key of the value, "" for a whole file.
func of(t reflect.Type, key string) object {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, ok := reflect.New(t).Interface().(own); ok {
		return s.JSONSchema()
	}
	switch kind := t.Kind(); {
	case t == reflect.TypeFor[time.Time](), t == reflect.TypeFor[time.Duration](), kind == reflect.String:
		s := object{"type": "string"}
		if names := suggested(key); names != nil && kind == reflect.String {
			return object{"anyOf": []any{object{"enum": names}, s}}
		}
		return s
	case kind == reflect.Bool:
		return object{"type": "boolean"}
	case kind >= reflect.Int && kind <= reflect.Uint64:
		return object{"type": "integer"}
	case kind == reflect.Float32, kind == reflect.Float64:
		return object{"type": "number"}
	case kind == reflect.Slice:
		return object{"type": "array", "items": of(t.Elem(), key)}
	case kind == reflect.Map:
		return object{"type": "object", "additionalProperties": of(t.Elem(), key)}
	case kind == reflect.Struct:
		properties := object{}
		for name, field := range settings.Keys(t) {
			properties[name] = of(field, name)
		}
		return object{"type": "object", "properties": properties, "additionalProperties": false}
	}
	return object{} // anything
}

// suggested returns the names that an editor offers for a key of a block: metrics, labels or both, nil for
// other keys.
func suggested(key string) []string {
	switch key {
	case "columns", "value", "values", "x", "y", "sort":
		return append(metrics(), labels()...)
	case "rows", "series", "category", "split", "over", "load":
		return labels()
	}
	return nil
}

func metrics() []string {
	names := vocabulary.Names()
	for _, family := range vocabulary.Families() {
		for _, statistic := range []string{"mean", "p50", "p90", "p99"} {
			names = append(names, family+"_"+statistic)
		}
	}
	return names
}

func labels() []string {
	var names []string
	for _, l := range vocabulary.Labels() {
		names = append(names, l.Name)
	}
	return names
}

// written returns the schema of a type as it is written. Later versions may write more properties.
func written(t reflect.Type) object {
	switch kind := t.Kind(); {
	case kind == reflect.Slice:
		return object{"type": "array", "items": written(t.Elem())}
	case kind == reflect.Map:
		return object{"type": "object", "additionalProperties": written(t.Elem())}
	case kind == reflect.Struct:
		properties, required := object{}, []string{}
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			properties[name] = written(f.Type)
			if options != "omitempty" {
				required = append(required, name)
			}
		}
		return object{"type": "object", "properties": properties, "required": required}
	}
	return of(t, "")
}

// results returns the schema of the results document.
func results() object {
	s := written(reflect.TypeFor[export.Document]())
	at := func(path ...string) object {
		here := s
		for _, name := range path {
			here = here[name].(object)
		}
		return here
	}
	one := []string{"properties", "results", "items", "properties"}
	at("properties")["schema"] = object{"const": export.Schema}
	at(one...)["status"] = object{"enum": []string{result.Complete.String(), result.Partial.String(), result.Failed.String()}}
	at(append(one, "checks", "items", "properties")...)["severity"] = object{"enum": []string{result.Info.String(), result.Warning.String(), result.Error.String()}}
	at(append(one, "metrics", "additionalProperties", "properties")...)["better"] = object{"enum": []string{result.Higher.String(), result.Lower.String()}}
	s["title"] = "results document of benchpost"
	return s
}

// run returns the schema of run.toml. It allows any label, lists those with words by name, and allows labels of
// single files.
func run() object {
	value := object{"type": []string{"string", "number", "boolean"}}
	english, _ := locale.For("en")
	known := object{}
	for _, l := range vocabulary.Labels() {
		if !slices.Contains([]string{"id", "tool", "format", "status"}, l.Name) { // a raw file states these
			known[l.Name] = object{"type": value["type"], "title": english.Label(l.Name)}
		}
	}
	one := object{"type": "object", "properties": known, "additionalProperties": value}
	properties := object{"files": object{"type": "object", "additionalProperties": one}}
	for name, label := range known {
		properties[name] = label
	}
	for _, name := range metrics() {
		properties[name] = false
	}
	return object{"title": "run.toml of benchpost", "type": "object", "properties": properties, "additionalProperties": value}
}

// post returns the schema of front matter. It lists the keys that benchpost reads and allows others, which
// themes may read.
func post() object {
	s := of(reflect.TypeFor[document.Front](), "")
	properties := s["properties"].(object)
	for name := range properties {
		if strings.HasSuffix(name, "pos") || name == "extra" || name == "bare" {
			delete(properties, name)
		}
	}
	properties["provenance"] = object{"type": "boolean"}
	properties["image"], properties["author"] = object{}, object{} // themes accept tables as well
	s["additionalProperties"] = true
	s["required"] = []string{"title", "date"}
	s["title"] = "front matter of a post of benchpost"
	return s
}
