package spell

import "testing"

func TestNearest(t *testing.T) {
	candidates := []string{"host", "hostname", "port", "annotations", "p"}
	for name, want := range map[string]string{
		"hots": "host", "hsot": "host", "HOST": "host", "hostnam": "hostname",
		"anotations": "annotations", "anotatoins": "annotations",
		"prot": "port", "q": "p", "colour": "",
	} {
		if got := Nearest(name, candidates); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"é", "e", 1}, {"abc", "xyz", 3}, {"short", "a much longer name", 5},
	} {
		if got := Distance(c.a, c.b, 5); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
