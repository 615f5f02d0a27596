package schema

import "github.com/starmcp/starmcp/builtins/jsontree"

// A reader reads the value of one keyword into a rule and reports what is wrong
// with it. at points to the value.
type reader func(b *builder, r *rule, at string, v *jsontree.Node)

// keywords are what both dialects share. An author's mistake is found by their
// readers and told in plain words. They are as strict as the metaschema, so the
// library takes what they let through.
var keywords map[string]reader

// Each dialect has more. A keyword of one means nothing in the other.
var keywords2020, keywords07 map[string]reader

func init() {
	keywords = map[string]reader{
		"$schema":     readText((*builder).readSchema),
		"$id":         readText((*builder).readID),
		"$comment":    readText(nil),
		"title":       readText(nil),
		"description": readText(nil),
		"$ref":        readText(func(b *builder, r *rule, _ *jsontree.Node) { b.refs = append(b.refs, reference{r, "$ref"}) }),
		"format":      readText((*builder).readFormat),
		"pattern":     readPattern,

		"contentEncoding":  readText(nil),
		"contentMediaType": readText(nil),

		"definitions":          readMap(func(*rule, named) {}),
		"allOf":                readList(func(r *rule, s *rule) { r.allOf = append(r.allOf, s) }),
		"anyOf":                readList(func(r *rule, s *rule) { r.anyOf = append(r.anyOf, s) }),
		"oneOf":                readList(func(r *rule, s *rule) { r.oneOf = append(r.oneOf, s) }),
		"not":                  readOne(func(r *rule) **rule { return &r.not }),
		"if":                   readOne(func(r *rule) **rule { return &r.cond }),
		"then":                 readOne(func(r *rule) **rule { return &r.then }),
		"else":                 readOne(func(r *rule) **rule { return &r.orElse }),
		"properties":           readMap(func(r *rule, n named) { r.properties = append(r.properties, n) }),
		"patternProperties":    readPatternProperties,
		"additionalProperties": readOne(func(r *rule) **rule { return &r.additional }),
		"propertyNames":        readOne(func(r *rule) **rule { return &r.propertyNames }),
		"dependencies":         readDependencies,
		"contains":             readOne(func(r *rule) **rule { return &r.contains }),

		"type":  readType,
		"enum":  readEnum,
		"const": func(_ *builder, r *rule, _ string, v *jsontree.Node) { r.constant = v },

		"minLength":     readCount(func(r *rule) *int { return &r.minLength }),
		"maxLength":     readCount(func(r *rule) *int { return &r.maxLength }),
		"minItems":      readCount(func(r *rule) *int { return &r.minItems }),
		"maxItems":      readCount(func(r *rule) *int { return &r.maxItems }),
		"minProperties": readCount(func(r *rule) *int { return &r.minProperties }),
		"maxProperties": readCount(func(r *rule) *int { return &r.maxProperties }),

		"minimum":          readNumber(func(r *rule) **number { return &r.minimum }),
		"maximum":          readNumber(func(r *rule) **number { return &r.maximum }),
		"exclusiveMinimum": readNumber(func(r *rule) **number { return &r.above }),
		"exclusiveMaximum": readNumber(func(r *rule) **number { return &r.below }),
		"multipleOf":       readMultipleOf,

		"required":    func(b *builder, r *rule, at string, v *jsontree.Node) { r.required = b.names(at, v) },
		"uniqueItems": readFlag(func(r *rule) *bool { return &r.uniqueItems }),
		"readOnly":    readFlag(nil),
		"writeOnly":   readFlag(func(r *rule) *bool { return &r.writeOnly }),

		"default":      func(_ *builder, r *rule, _ string, v *jsontree.Node) { r.def = v },
		"examples":     func(b *builder, _ *rule, at string, v *jsontree.Node) { b.want(at, v, jsontree.Array) },
		"x-mcp-header": func(_ *builder, r *rule, _ string, v *jsontree.Node) { r.header = v },
	}
	keywords2020 = map[string]reader{
		"$anchor":        readText((*builder).readAnchor),
		"$dynamicAnchor": readText((*builder).readAnchor),
		"$dynamicRef": readText(func(b *builder, r *rule, _ *jsontree.Node) {
			r.exotic, b.early = true, true
			b.refs = append(b.refs, reference{r, "$dynamicRef"})
		}),
		"$vocabulary": func(b *builder, _ *rule, at string, _ *jsontree.Node) {
			b.faultf(at, "leave it out", "$vocabulary is for schemas of schemas")
		},
		"$defs":         readMap(func(*rule, named) {}),
		"deprecated":    readFlag(nil),
		"contentSchema": func(b *builder, r *rule, at string, v *jsontree.Node) { b.schema(at, v, r.resource) },

		"prefixItems":           readList(func(r *rule, s *rule) { r.prefix = append(r.prefix, s) }),
		"items":                 readItems2020,
		"unevaluatedItems":      readUnevaluated,
		"unevaluatedProperties": readUnevaluated,
		"dependentSchemas":      readMap(func(r *rule, n named) { r.dependentSchemas = append(r.dependentSchemas, n) }),
		"dependentRequired":     readDependentRequired,
		"minContains":           readCount(func(r *rule) *int { return &r.minContains }),
		"maxContains":           readCount(func(r *rule) *int { return &r.maxContains }),
	}
	keywords07 = map[string]reader{
		"items":           readItems07,
		"additionalItems": readOne(func(r *rule) **rule { return &r.afterItems }),
	}
}
