package builtins

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"go.starlark.net/starlark"
)

// FromJSON makes a fresh Starlark value of a JSON value. Objects become dicts
// in the document's order. A number without fraction and exponent becomes an
// int, whatever its size, and -0 the int 0; every other number becomes a float,
// also 1.0, 1e2 and -0.0. A number beyond the range of a float is a
// [*ValueError].
func FromJSON(n jsontree.Node) (starlark.Value, error) {
	switch n.Kind {
	case jsontree.False:
		return starlark.False, nil
	case jsontree.True:
		return starlark.True, nil
	case jsontree.Number:
		return parseNumber(n.Text)
	case jsontree.String:
		return starlark.String(n.Text), nil
	case jsontree.Array:
		return fromArray(n)
	case jsontree.Object:
		return fromObject(n)
	}
	return starlark.None, nil
}

func fromArray(n jsontree.Node) (starlark.Value, error) {
	elems := make([]starlark.Value, len(n.Items))
	for i := range n.Items {
		v, err := FromJSON(n.Items[i])
		if err != nil {
			return nil, within(atIndex(i), err)
		}
		elems[i] = v
	}
	return starlark.NewList(elems), nil
}

func fromObject(n jsontree.Node) (starlark.Value, error) {
	d := starlark.NewDict(len(n.Items))
	for i := range n.Items {
		v, err := FromJSON(n.Items[i])
		if err != nil {
			return nil, within(atKey(n.Names[i]), err)
		}
		if err := d.SetKey(starlark.String(n.Names[i]), v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func parseNumber(literal string) (starlark.Value, error) {
	if strings.ContainsAny(literal, ".eE") {
		f, err := strconv.ParseFloat(literal, 64)
		if err != nil {
			return nil, problemf("is %s, which is beyond the range of a float", abbreviate(literal))
		}
		return starlark.Float(f), nil
	}
	if i, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return starlark.MakeInt64(i), nil
	}
	i, ok := new(big.Int).SetString(literal, 10)
	if !ok {
		return nil, problemf("is %s, which is no JSON number", abbreviate(literal))
	}
	return starlark.MakeBigInt(i), nil
}
