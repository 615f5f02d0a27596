package schema

import "slices"

// choice tells of a value that fits none of several alternatives: by what each
// of them wants where that is the same kind of thing, else by the faults of the
// one that comes closest.
func (t *teller) choice(f *finding) []*told {
	branches := make([][]*told, len(f.causes))
	for i, cause := range f.causes {
		branches[i] = t.tell(cause)
	}
	if merged, ok := merge(branches, theOnly); ok {
		return merged
	}
	branches = prefer(branches, func(fault *told) bool { return fault.typed && slices.Equal(fault.place, f.place) })
	if merged, ok := merge(branches, theListed); ok {
		return merged
	}
	branches = prefer(branches, func(fault *told) bool { return fault.listed })
	closest := branches[0]
	for _, b := range branches[1:] {
		if len(b) < len(closest) {
			closest = b
		}
	}
	return closest
}

// merge makes one fault of the faults that pick takes from the branches, if
// there is one of each and all are about the same value.
func merge(branches [][]*told, pick func([]*told) (*told, bool)) ([]*told, bool) {
	var out *told
	var wants []string
	for i, b := range branches {
		fault, ok := pick(b)
		if !ok || i > 0 && (fault.Pointer != out.Pointer || fault.Got != out.Got) {
			return nil, false
		}
		if i == 0 {
			one := *fault
			out = &one
		}
		if !slices.Contains(wants, fault.Expected) {
			wants = append(wants, fault.Expected)
		}
	}
	out.Expected = join(wants, "or")
	return []*told{out}, true
}

// theOnly returns the one fault of a branch that has no other.
func theOnly(branch []*told) (*told, bool) {
	if len(branch) != 1 {
		return nil, false
	}
	return branch[0], true
}

// theListed returns what tells one alternative from another: the one fault that
// a member is none of the values listed for it.
func theListed(branch []*told) (*told, bool) {
	i := slices.IndexFunc(branch, func(fault *told) bool { return fault.listed })
	if i < 0 {
		return nil, false
	}
	return branch[i], true
}

// prefer drops the branches with such a fault, unless all have one.
func prefer(branches [][]*told, isFar func(*told) bool) [][]*told {
	var near [][]*told
	for _, b := range branches {
		if !slices.ContainsFunc(b, isFar) {
			near = append(near, b)
		}
	}
	if near == nil {
		return branches
	}
	return near
}
