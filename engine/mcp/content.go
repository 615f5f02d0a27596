package mcp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/starmcp/starmcp/engine"
)

// appendContent writes the content blocks of a result, separated by commas.
func appendContent(dst []byte, o *engine.Outcome, rev revision) []byte {
	list := blockList{dst: dst}
	switch {
	case len(o.Content) > 0:
		for _, b := range o.Content {
			list.add(b, rev)
		}
	case o.Structured == nil:
	case rev.modern() && !o.IsError:
		list.text(o.Summary)
	default:
		list.text(string(o.Structured))
	}
	for _, note := range o.Notes {
		list.text(note)
	}
	return list.dst
}

// blockList writes content blocks one after the other.
type blockList struct {
	dst []byte
	any bool
}

func (l *blockList) next() {
	if l.any {
		l.dst = append(l.dst, ',')
	}
	l.any = true
}

func (l *blockList) text(s string) {
	if s == "" {
		return
	}
	l.next()
	l.dst = appendText(append(l.dst, `{"type":"text","text":`...), s)
	l.dst = append(l.dst, '}')
}

// add writes a block, or, where the revision has no such block, a text that
// tells what is there.
func (l *blockList) add(b engine.Block, rev revision) {
	switch {
	case b.Type == "audio" && rev < v20250326:
		l.text(describeAudio(b.JSON))
	case b.Type == "resource_link" && rev < v20250618:
		l.text(describeLink(b.JSON))
	default:
		l.next()
		l.dst = appendJSON(l.dst, b.JSON)
	}
}

func describeAudio(block []byte) string {
	var audio struct{ Data, MimeType string }
	if json.Unmarshal(block, &audio) != nil {
		return "Audio that this client's revision of the protocol cannot carry."
	}
	size := base64.StdEncoding.DecodedLen(len(audio.Data)) - strings.Count(audio.Data, "=")
	return fmt.Sprintf("Audio (%s, %d bytes) that this client's revision of the protocol cannot carry.", audio.MimeType, size)
}

func describeLink(block []byte) string {
	var link struct{ URI, Name, Description, MimeType string }
	if json.Unmarshal(block, &link) != nil {
		return "A link that this client's revision of the protocol cannot carry."
	}
	text := link.Name + ": " + link.URI
	if link.MimeType != "" {
		text += " (" + link.MimeType + ")"
	}
	if link.Description != "" {
		text += "\n" + link.Description
	}
	return text
}
