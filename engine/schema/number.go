package schema

import (
	"math/big"
	"strconv"
	"strings"
)

// A number is a JSON number, kept so that comparing is exact and, for everyday
// numbers, quick.
type number struct {
	text  string
	small int64 // where plain
	plain bool  // an integer of at most 18 digits, written without fraction and exponent
	float float64
	rat   *big.Rat
}

// newNumber reads a JSON number within the caps of schemas.
func newNumber(literal string) *number {
	n := &number{text: literal, rat: rational(literal)}
	n.small, n.plain = plainInteger(literal)
	n.float, _ = strconv.ParseFloat(literal, 64)
	return n
}

// rational returns the exact value of a JSON number within caps.
func rational(literal string) *big.Rat {
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// compare returns -1, 0 or 1 as the number written in literal is less than,
// equal to or greater than n.
func (n *number) compare(literal string) int {
	if n.plain {
		if i, ok := plainInteger(literal); ok {
			switch {
			case i < n.small:
				return -1
			case i > n.small:
				return 1
			}
			return 0
		}
	}
	// Rounding keeps order, so floats that differ differ as the numbers do.
	if f, _ := strconv.ParseFloat(literal, 64); f < n.float {
		return -1
	} else if f > n.float {
		return 1
	}
	return rational(literal).Cmp(n.rat)
}

// divides tells whether the number written in literal is a multiple of n.
func (n *number) divides(literal string) bool {
	if i, ok := plainInteger(literal); ok && n.plain && n.small != 0 {
		return i%n.small == 0
	}
	return new(big.Rat).Quo(rational(literal), n.rat).IsInt()
}

// plainInteger reads an integer of at most 18 digits, which fits an int64.
func plainInteger(literal string) (int64, bool) {
	digits := strings.TrimPrefix(literal, "-")
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(literal) {
		n = -n
	}
	return n, true
}

// isPlain tells whether a number is written without fraction and exponent.
func isPlain(literal string) bool { return !strings.ContainsAny(literal, ".eE") }

// isInteger tells whether a number is an integer, however it is written.
func isInteger(literal string) bool {
	return isPlain(literal) || rational(literal).IsInt()
}

// sameNumber tells whether two numbers are equal, however they are written.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if i, ok := plainInteger(a); ok {
		if j, ok := plainInteger(b); ok {
			return i == j
		}
	}
	return rational(a).Cmp(rational(b)) == 0
}
