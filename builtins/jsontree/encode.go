package jsontree

import "github.com/go-json-experiment/json/jsontext"

// AppendJSON appends the value's JSON to dst, without blanks, members in their
// order and numbers as they were written. In strings that did not come from
// [Parse], bytes that are not UTF-8 become U+FFFD.
func (n Node) AppendJSON(dst []byte) []byte {
	switch n.Kind {
	case False:
		return append(dst, "false"...)
	case True:
		return append(dst, "true"...)
	case Number:
		return append(dst, n.Text...)
	case String:
		return appendQuoted(dst, n.Text)
	case Array:
		dst = append(dst, '[')
		for i := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = n.Items[i].AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, n.Names[i]), ':')
			dst = n.Items[i].AppendJSON(dst)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

func appendQuoted(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // its only error is what has become U+FFFD
	return dst
}
