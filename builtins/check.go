package builtins

import (
	"fmt"
	"strings"
)

// Check tells what is wrong with modules that a program adds to those shipped:
// a name that is taken or is none, a function that is there twice or does
// nothing. What is wrong here would else show in a script, or nowhere.
func Check(further []*Module) error {
	taken := make(map[string]bool)
	for _, shipped := range append(Pure(), Context()...) {
		taken[shipped.Name] = true
	}
	for i, m := range further {
		switch {
		case m == nil:
			return fmt.Errorf("module %d is nil", i)
		case taken[m.Name]:
			return fmt.Errorf("module %q is there already", m.Name)
		case !isIdentifier(strings.TrimPrefix(m.Name, "ctx.")):
			return fmt.Errorf("module %q: a name is an identifier, with ctx. before it for a part of ctx", m.Name)
		}
		taken[m.Name] = true
		if err := m.check(); err != nil {
			return fmt.Errorf("module %q: %w", m.Name, err)
		}
	}
	return nil
}

func (m *Module) check() error {
	seen := make(map[string]bool)
	for _, f := range m.Funcs {
		switch {
		case f == nil:
			return fmt.Errorf("a function is nil")
		case seen[f.Name]:
			return fmt.Errorf("the function %q is there twice", f.Name)
		case f.Name != "" && !isIdentifier(f.Name):
			return fmt.Errorf("the function %q has no identifier as its name", f.Name)
		case (f.Call == nil) == (f.Effect == nil):
			return fmt.Errorf("the function %q has neither or both of Call and Effect", f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}
