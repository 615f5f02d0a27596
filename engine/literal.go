package engine

import (
	"strconv"
	"strings"

	"go.starlark.net/syntax"
)

// assignments finds the top-level assignment of each global.
func (f *file) assignment(name string) (pos syntax.Position, value syntax.Expr) {
	for _, stmt := range f.syntax.Stmts {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			if id, ok := stmt.LHS.(*syntax.Ident); ok && id.Name == name {
				return id.NamePos, stmt.RHS
			}
		case *syntax.DefStmt:
			if stmt.Name.Name == name {
				return stmt.Name.NamePos, nil
			}
		}
	}
	return syntax.Position{Line: 1, Col: 1}, nil
}

// locate finds what a JSON pointer names inside the literal that a global was
// assigned: its value, or its key where the pointer's last step is one. Where
// the literal is built by calls it gives the nearest place around it, and exact
// is false: the message must then say the pointer.
func (f *file) locate(global, pointer string) (pos syntax.Position, exact bool) {
	pos, expr := f.assignment(global)
	exact = true
	for _, step := range pointerSteps(pointer) {
		var next syntax.Expr
		var key syntax.Expr
		switch lit := f.literal(expr).(type) {
		case *syntax.DictExpr:
			key, next = dictEntry(lit, step)
		case *syntax.ListExpr:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(lit.List) {
				next = lit.List[i]
			}
		case *syntax.TupleExpr:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(lit.List) {
				next = lit.List[i]
			}
		}
		if next == nil {
			return pos, false
		}
		if expr = next; key != nil {
			pos = syntax.Start(key)
		} else {
			pos = syntax.Start(next)
		}
	}
	return pos, exact
}

// literal looks through parentheses, and through names of other globals.
func (f *file) literal(expr syntax.Expr) syntax.Expr {
	for range 8 {
		switch e := expr.(type) {
		case *syntax.ParenExpr:
			expr = e.X
		case *syntax.Ident:
			_, expr = f.assignment(e.Name)
		default:
			return expr
		}
	}
	return expr
}

func dictEntry(dict *syntax.DictExpr, name string) (key, value syntax.Expr) {
	for _, e := range dict.List {
		if entry, ok := e.(*syntax.DictEntry); ok {
			if lit, ok := entry.Key.(*syntax.Literal); ok && lit.Value == name {
				return entry.Key, entry.Value
			}
		}
	}
	return nil, nil
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

func pointerSteps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, s := range steps {
		steps[i] = pointerEscapes.Replace(s)
	}
	return steps
}

// addAt adds a problem at the place in a global's literal that a pointer names.
func (f *file) addAt(global, pointer, hint, format string, args ...any) *Problem {
	pos, exact := f.locate(global, pointer)
	p := f.addf(pos, hint, format, args...)
	if !exact {
		p.Message = global + ", at " + pointer + ": " + p.Message
	}
	return p
}

// literalString returns the string that a global is assigned, where it is one.
func (f *file) literalString(global string) (string, bool) {
	if f.syntax == nil {
		return "", false
	}
	if _, expr := f.assignment(global); expr != nil {
		if lit, ok := expr.(*syntax.Literal); ok {
			s, ok := lit.Value.(string)
			return s, ok
		}
	}
	return "", false
}

// uses reports whether a global is referred to anywhere beside its definition.
func (f *file) uses(global string) bool {
	count := 0
	for _, stmt := range f.syntax.Stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok && id.Name == global {
				count++
			}
			return true
		})
	}
	return count > 1
}
