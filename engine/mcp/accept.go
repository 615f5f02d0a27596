package mcp

import (
	"strconv"
	"strings"
)

// takesAnswers tells whether a client takes one of the two forms in which
// answers come. Clients are meant to take both and say so in many ways.
func takesAnswers(accept []string) bool {
	return len(accept) == 0 || accept[0] == bothForms || accepts(accept, "application", "json") || accepts(accept, "text", "event-stream")
}

// takesOnlyStream tells whether a client takes event streams and nothing else.
func takesOnlyStream(accept []string) bool {
	return len(accept) > 0 && accept[0] != bothForms && !accepts(accept, "application", "json")
}

const bothForms = "application/json, text/event-stream" // as nearly all clients write it

// accepts tells whether the values of an Accept header take a media type: the
// most specific range that covers it decides. No value at all takes anything.
// Source: RFC 9110, section 12.5.1.
func accepts(values []string, kind, subtype string) bool {
	best, taken, any := 0, false, false
	for _, line := range values {
		for part := range strings.SplitSeq(line, ",") {
			media, params, _ := strings.Cut(part, ";")
			media = strings.TrimSpace(media)
			if media == "" {
				continue
			}
			any = true
			if fit := specificity(media, kind, subtype); fit > best {
				best, taken = fit, !isZeroQuality(params)
			}
		}
	}
	return taken || !any
}

// specificity ranks how closely a media range covers a type; 0: not at all.
func specificity(media, kind, subtype string) int {
	k, s, _ := strings.Cut(media, "/")
	switch {
	case strings.EqualFold(k, kind) && strings.EqualFold(s, subtype):
		return 3
	case strings.EqualFold(k, kind) && s == "*":
		return 2
	case media == "*/*":
		return 1
	}
	return 0
}

// isZeroQuality tells whether the parameters of a media range refuse it (q=0).
func isZeroQuality(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			q, err := strconv.ParseFloat(value, 64)
			return err == nil && q == 0
		}
	}
	return false
}
