package schema

import (
	"math"
	"regexp"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// A rule is one schema, or one of the schemas in it, as this package uses it.
// A rule without fields accepts every value.
type rule struct {
	pointer  string         // into the document that was compiled
	order    int            // of all rules, in the document's order
	doc      *jsontree.Node // what it was read from
	resource *resource

	never  bool // the schema false
	exotic bool // has keywords that only the library understands
	fills  bool // there are defaults to fill in below it
	hides  bool // there is something marked writeOnly at or below it

	// In place: about the same value.
	ref, dynamicRef         *rule
	allOf, anyOf, oneOf     []*rule
	not, cond, then, orElse *rule
	dependentSchemas        []named

	unevaluated []*rule // of members or elements that no other rule is about

	// Any value.
	types    []string // as written; nil: any
	kinds    kinds    // the same as a set
	enum     []jsontree.Node
	hasEnum  bool
	constant *jsontree.Node
	format   string
	inFormat func(any) error // the library's check; nil: none

	// Objects.
	properties    []named
	byName        map[string]*rule
	patterns      []patterned
	additional    *rule // nil: any
	propertyNames *rule
	required      []string
	dependents    []dependent
	minProperties int
	maxProperties int

	// Arrays.
	prefix      []*rule
	items       *rule // of what follows prefix; nil: any
	tuple       bool  // in draft-07, items is an array, and afterItems counts
	afterItems  *rule
	contains    *rule
	minContains int
	maxContains int
	minItems    int
	maxItems    int
	uniqueItems bool

	// Strings, in characters.
	minLength int
	maxLength int
	pattern   *regexp.Regexp

	// Numbers; nil: no bound.
	minimum, maximum, above, below, multipleOf *number

	// For people.
	def       *jsontree.Node // the default
	writeOnly bool
	header    *jsontree.Node // x-mcp-header
}

type named struct {
	name string
	rule *rule
}

type patterned struct {
	pattern *regexp.Regexp
	rule    *rule
}

// A dependent lists the members that must be there where another one is.
type dependent struct {
	name     string
	required []string
}

func newRule(pointer string, doc *jsontree.Node) *rule {
	return &rule{
		pointer: pointer, doc: doc,
		maxProperties: math.MaxInt, minContains: 1, maxContains: math.MaxInt,
		maxItems: math.MaxInt, maxLength: math.MaxInt,
	}
}

// inPlace returns the rules that are about the same value.
func (r *rule) inPlace() []*rule {
	list := make([]*rule, 0, 8)
	for _, one := range []*rule{r.ref, r.dynamicRef, r.not, r.cond, r.then, r.orElse} {
		if one != nil {
			list = append(list, one)
		}
	}
	list = append(append(append(list, r.allOf...), r.anyOf...), r.oneOf...)
	for _, d := range r.dependentSchemas {
		list = append(list, d.rule)
	}
	return list
}

// chain returns the rule, what it refers to, what that refers to, and so on.
func (r *rule) chain(yield func(*rule) bool) {
	for ; r != nil; r = r.ref {
		if !yield(r) {
			return
		}
	}
}

// member returns the rules for a member of an object, as far as r itself says.
func (r *rule) member(name string, yield func(*rule) bool) bool {
	known := false
	if p, ok := r.byName[name]; ok {
		known = true
		if !yield(p) {
			return false
		}
	}
	for _, p := range r.patterns {
		if p.pattern.MatchString(name) {
			known = true
			if !yield(p.rule) {
				return false
			}
		}
	}
	if !known && r.additional != nil {
		return yield(r.additional)
	}
	return true
}

// element returns the rule for the element at index i; nil: any value.
func (r *rule) element(i int) *rule {
	if i < len(r.prefix) {
		return r.prefix[i]
	}
	return r.items
}

// kinds is a set of JSON types.
type kinds uint8

const (
	isNull kinds = 1 << iota
	isBoolean
	isNumber
	isInt
	isString
	isArray
	isObject
)

// typeNames are JSON Schema's types.
var typeNames = []string{"null", "boolean", "number", "integer", "string", "array", "object"}

func kindOf(typeName string) kinds {
	for i, name := range typeNames {
		if name == typeName {
			return 1 << i
		}
	}
	return 0
}

// has tells whether the set has the type of n.
func (k kinds) has(n *jsontree.Node) bool {
	switch n.Kind {
	case jsontree.Null:
		return k&isNull != 0
	case jsontree.False, jsontree.True:
		return k&isBoolean != 0
	case jsontree.Number:
		return k&isNumber != 0 || k&isInt != 0 && isInteger(n.Text)
	case jsontree.String:
		return k&isString != 0
	case jsontree.Array:
		return k&isArray != 0
	}
	return k&isObject != 0
}
