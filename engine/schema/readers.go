package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/builtins/spell"
)

func readText(use func(b *builder, r *rule, v *jsontree.Node)) reader {
	return func(b *builder, r *rule, at string, v *jsontree.Node) {
		if b.want(at, v, jsontree.String) && use != nil {
			use(b, r, v)
		}
	}
}

func readFlag(field func(*rule) *bool) reader {
	return func(b *builder, r *rule, at string, v *jsontree.Node) {
		if v.Kind != jsontree.True && v.Kind != jsontree.False {
			b.faultf(at, "", "%s is true or false, and this is %s", lastToken(at), describe(*v))
		} else if field != nil {
			*field(r) = v.Kind == jsontree.True
		}
	}
}

func readCount(field func(*rule) *int) reader {
	return func(b *builder, r *rule, at string, v *jsontree.Node) {
		n, ok := count(v)
		if !ok {
			b.faultf(at, "", "%s is a whole number from 0 on, and this is %s", lastToken(at), describe(*v))
			return
		}
		*field(r) = n
	}
}

// count reads a whole number from 0 on, which may be written as 1.0 or 1e3. One
// beyond a billion might as well be a billion.
func count(v *jsontree.Node) (int, bool) {
	const most = 1_000_000_000
	if v.Kind != jsontree.Number || !isInteger(v.Text) {
		return 0, false
	}
	n := rational(v.Text).Num()
	if n.Sign() < 0 {
		return 0, false
	}
	if !n.IsInt64() {
		return most, true
	}
	return int(min(n.Int64(), most)), true
}

func readNumber(field func(*rule) **number) reader {
	return func(b *builder, r *rule, at string, v *jsontree.Node) {
		if v.Kind == jsontree.True || v.Kind == jsontree.False {
			b.faultf(at, "give the bound itself: "+strconv.Quote(lastToken(at))+": 100", "%s is a number, and not a boolean as in drafts before 06", lastToken(at))
		} else if b.want(at, v, jsontree.Number) {
			*field(r) = newNumber(v.Text)
		}
	}
}

func readMultipleOf(b *builder, r *rule, at string, v *jsontree.Node) {
	if !b.want(at, v, jsontree.Number) {
		return
	}
	n := newNumber(v.Text)
	if n.rat.Sign() <= 0 {
		b.faultf(at, "", "multipleOf is a number over 0")
		return
	}
	r.multipleOf = n
}

func readPattern(b *builder, r *rule, at string, v *jsontree.Node) {
	if b.want(at, v, jsontree.String) {
		r.pattern = b.regexp(at, v.Text)
	}
}

func (b *builder) regexp(at, pattern string) *regexp.Regexp {
	re, err := regexp.Compile(pattern)
	if err != nil {
		b.faultf(at, "write it in Go's syntax (RE2): no lookahead, no backreferences", "invalid regular expression: %s", regexpFault(err))
	}
	return re
}

func (b *builder) readFormat(r *rule, v *jsontree.Node) {
	if r.inFormat = formatChecks()[v.Text]; r.inFormat != nil {
		r.format = v.Text
		return
	}
	b.warnf(child(r.pointer, "format"), suggest(v.Text, formats), "the format %q is not known, so nothing is checked", v.Text)
}

// typeAliases are what people who think in another language write.
var typeAliases = map[string]string{
	"str": "string", "text": "string", "int": "integer", "float": "number", "double": "number",
	"bool": "boolean", "list": "array", "tuple": "array", "dict": "object", "map": "object",
	"None": "null", "none": "null", "nil": "null",
}

func readType(b *builder, r *rule, at string, v *jsontree.Node) {
	switch {
	case v.Kind == jsontree.String:
		b.addType(r, at, v)
	case v.Kind != jsontree.Array:
		b.faultf(at, "", "type is a string or an array of strings, and this is %s", describe(*v))
	case len(v.Items) == 0:
		b.faultf(at, "leave type out to allow every type", "type is an empty array, which no value fits")
	default:
		for i := range v.Items {
			b.addType(r, element(at, i), &v.Items[i])
		}
	}
}

func (b *builder) addType(r *rule, at string, v *jsontree.Node) {
	if !b.want(at, v, jsontree.String) {
		return
	}
	kind := kindOf(v.Text)
	switch {
	case kind == 0 && typeAliases[v.Text] != "":
		b.faultf(at, didYouMean(typeAliases[v.Text]), "unknown type %q", v.Text)
	case kind == 0:
		hint := suggest(v.Text, typeNames)
		if hint == "" {
			hint = "the types are string, number, integer, boolean, object, array and null"
		}
		b.faultf(at, hint, "unknown type %q", v.Text)
	case r.kinds&kind != 0:
		b.faultf(at, "", "the type %q is listed twice", v.Text)
	}
	r.types = append(r.types, v.Text)
	r.kinds |= kind
}

func readEnum(b *builder, r *rule, at string, v *jsontree.Node) {
	if !b.want(at, v, jsontree.Array) {
		return
	}
	if len(v.Items) == 0 {
		b.faultf(at, "list the allowed values", "enum is empty, which no value fits")
	}
	r.hasEnum, r.enum = true, v.Items
}

func readOne(field func(*rule) **rule) reader {
	return func(b *builder, r *rule, at string, v *jsontree.Node) {
		*field(r) = b.schema(at, v, r.resource)
	}
}

func readUnevaluated(b *builder, r *rule, at string, v *jsontree.Node) {
	r.exotic, b.early = true, true
	r.unevaluated = append(r.unevaluated, b.schema(at, v, r.resource))
}

func readList(add func(r, s *rule)) reader {
	return func(b *builder, r *rule, at string, v *jsontree.Node) {
		if !b.want(at, v, jsontree.Array) {
			return
		}
		if len(v.Items) == 0 {
			b.faultf(at, "", "%s is empty, and lists one schema or more", lastToken(at))
		}
		for i := range v.Items {
			add(r, b.schema(element(at, i), &v.Items[i], r.resource))
		}
	}
}

func readMap(add func(*rule, named)) reader {
	return func(b *builder, r *rule, at string, v *jsontree.Node) {
		if !b.want(at, v, jsontree.Object) {
			return
		}
		for i, name := range v.Names {
			add(r, named{name, b.schema(child(at, name), &v.Items[i], r.resource)})
		}
	}
}

func readPatternProperties(b *builder, r *rule, at string, v *jsontree.Node) {
	if !b.want(at, v, jsontree.Object) {
		return
	}
	for i, pattern := range v.Names {
		re := b.regexp(child(at, pattern), pattern)
		s := b.schema(child(at, pattern), &v.Items[i], r.resource)
		if re != nil {
			r.patterns = append(r.patterns, patterned{re, s})
		}
	}
}

func readDependentRequired(b *builder, r *rule, at string, v *jsontree.Node) {
	if !b.want(at, v, jsontree.Object) {
		return
	}
	for i, name := range v.Names {
		r.dependents = append(r.dependents, dependent{name, b.names(child(at, name), &v.Items[i])})
	}
}

func readDependencies(b *builder, r *rule, at string, v *jsontree.Node) {
	if !b.want(at, v, jsontree.Object) {
		return
	}
	for i, name := range v.Names {
		at := child(at, name)
		if v.Items[i].Kind == jsontree.Array {
			r.dependents = append(r.dependents, dependent{name, b.names(at, &v.Items[i])})
		} else {
			r.dependentSchemas = append(r.dependentSchemas, named{name, b.schema(at, &v.Items[i], r.resource)})
		}
	}
}

func readItems2020(b *builder, r *rule, at string, v *jsontree.Node) {
	if v.Kind == jsontree.Array {
		b.faultf(at, `call it "prefixItems"`, "items is one schema for all elements, and this is an array")
		return
	}
	r.items = b.schema(at, v, r.resource)
}

func readItems07(b *builder, r *rule, at string, v *jsontree.Node) {
	if v.Kind != jsontree.Array {
		r.items = b.schema(at, v, r.resource)
		return
	}
	r.tuple = true
	readList(func(r, s *rule) { r.prefix = append(r.prefix, s) })(b, r, at, v)
}

// names reads an array of names, each of which occurs once.
func (b *builder) names(at string, v *jsontree.Node) []string {
	if !b.want(at, v, jsontree.Array) {
		return nil
	}
	var names []string
	for i := range v.Items {
		item := &v.Items[i]
		switch {
		case !b.want(element(at, i), item, jsontree.String):
		case slices.Contains(names, item.Text):
			b.faultf(element(at, i), "", "%q is listed twice", item.Text)
		default:
			names = append(names, item.Text)
		}
	}
	return names
}

// suggest returns a hint to the candidate that name was probably meant to be.
func suggest(name string, candidates []string) string {
	if near := nearest(name, candidates); near != "" {
		return didYouMean(near)
	}
	return ""
}

// nearest returns the candidate that name was probably meant to be, or "". Of
// one letter only the case can be a slip.
func nearest(name string, candidates []string) string {
	if len(name) > 1 {
		return spell.Nearest(name, candidates)
	}
	i := slices.IndexFunc(candidates, func(c string) bool { return strings.EqualFold(c, name) })
	if i < 0 {
		return ""
	}
	return candidates[i]
}

func didYouMean(name string) string { return fmt.Sprintf("did you mean %q?", name) }
