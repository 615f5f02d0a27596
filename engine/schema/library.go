package schema

import (
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// compileLibrary compiles the schema at a pointer in a document with the
// jsonschema library.
func compileLibrary(doc *jsontree.Node, pointer string) (sch *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the schema cannot be used: the validator gave up: %v", r)
		}
	}()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(nil) // nothing is ever fetched
	if err := c.AddResource(baseURI, doc.Any()); err != nil {
		return nil, fmt.Errorf("the schema cannot be used: %w", err)
	}
	sch, err = c.Compile(baseURI + "#" + url.PathEscape(pointer))
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be used: %w", err)
	}
	return sch, nil
}

func (c *compiled) libraryFor(r *rule) (*jsonschema.Schema, error) {
	if r == c.root {
		return c.library()
	}
	return compileLibrary(c.doc, r.pointer)
}

// at returns the rule that the library calls by this location, or nil.
func (c *compiled) at(location string) *rule {
	_, fragment, _ := strings.Cut(location, "#")
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	return c.rules[pointer]
}

// formats are those that the library asserts. It ignores any other.
var formats = []string{
	"date-time", "date", "time", "duration", "period", "email", "hostname", "ipv4", "ipv6",
	"uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid",
	"json-pointer", "relative-json-pointer", "regex", "semver",
}

// formatChecks returns the library's checks of the formats, by name.
var formatChecks = sync.OnceValue(func() map[string]func(any) error {
	doc := jsontree.Node{Kind: jsontree.Object}
	properties := jsontree.Node{Kind: jsontree.Object}
	for _, name := range formats {
		format := jsontree.Node{Kind: jsontree.Object}
		format.Set("format", jsontree.Node{Kind: jsontree.String, Text: name})
		properties.Set(name, format)
	}
	doc.Set("properties", properties)
	sch, err := compileLibrary(&doc, "")
	if err != nil {
		panic(err) // only for a document of our own making
	}
	checks := make(map[string]func(any) error, len(formats))
	for name, property := range sch.Properties {
		checks[name] = property.Format.Validate
	}
	return checks
})
