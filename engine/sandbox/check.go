package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/starmcp/starmcp/engine"
)

// blockTypes are the content blocks that there are.
// Source: schema/2026-07-28/schema.ts, ContentBlock.
var blockTypes = []string{"text", "image", "audio", "resource_link", "resource"}

// check tells what is wrong with what a worker says that a call came to, so
// that nothing but a result or an error reaches a client.
func (m *doneMessage) check() error {
	if out := m.Outcome; out != nil {
		return out.check()
	}
	return checkJSON("the arguments", m.Arguments, '{')
}

func (m *outcomeMessage) check() error {
	switch {
	case m.Status != engine.OK && m.Status != engine.Refused && m.Status != engine.Fault && m.Status != engine.Unknown:
		return fmt.Errorf("%d is no status of a call", m.Status)
	case m.Reason != engine.NotAnObject:
		return fmt.Errorf("%d is no reason to refuse arguments", m.Reason)
	}
	for _, b := range m.Content {
		if err := checkBlock(b); err != nil {
			return err
		}
	}
	if m.Structured != nil {
		return checkJSON("the structured value", m.Structured, 0)
	}
	return nil
}

// checkJSON checks that text is one JSON value, in UTF-8 and without duplicate
// names, that begins with first; 0: with anything.
func checkJSON(what string, text []byte, first jsontext.Kind) error {
	value := jsontext.Value(text)
	if !value.IsValid() || first != 0 && value.Kind() != first {
		return errors.New(what + " cannot be sent as JSON")
	}
	return nil
}

// checkBlock checks that a block is an object of the type that it says.
func checkBlock(b engine.Block) error {
	if !slices.Contains(blockTypes, b.Type) {
		return fmt.Errorf("%q is no type of content", b.Type)
	}
	if err := checkJSON("a content block", b.JSON, '{'); err != nil {
		return err
	}
	if is := typeOf(b.JSON); is != b.Type {
		return fmt.Errorf("a content block says of itself %q, and is sent as %q", is, b.Type)
	}
	return nil
}

// typeOf returns the member "type" of a valid object, where it is a string.
func typeOf(object []byte) string {
	d := jsontext.NewDecoder(bytes.NewBuffer(object))
	d.ReadToken() // the brace
	for d.PeekKind() == '"' {
		name, _ := d.ReadToken()
		if name.String() != "type" {
			d.SkipValue()
			continue
		}
		if d.PeekKind() == '"' {
			value, _ := d.ReadToken()
			return value.String()
		}
		break
	}
	return ""
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// checkImage tells what is wrong with an image that a loader made.
func checkImage(image *engine.Image) error {
	files := make(map[string]bool, len(image.Files))
	for _, f := range image.Files {
		files[f.Path] = true
	}
	before := ""
	for i := range image.Tools {
		t := &image.Tools[i]
		switch {
		case !toolName.MatchString(t.Descriptor.Name) || i > 0 && t.Descriptor.Name <= before:
			return fmt.Errorf("the tool %q cannot stand after %q", t.Descriptor.Name, before)
		case !files[t.File]:
			return fmt.Errorf("the tool %s has no file", t.Descriptor.Name)
		case t.Limits.Timeout <= 0 || t.Limits.Memory <= 0 || t.Limits.Output <= 0 || t.Limits.Print < 0:
			return fmt.Errorf("the tool %s has no limits", t.Descriptor.Name)
		}
		if err := checkDescriptor(&t.Descriptor); err != nil {
			return fmt.Errorf("the tool %s: %w", t.Descriptor.Name, err)
		}
		before = t.Descriptor.Name
	}
	return nil
}

// checkDescriptor checks what clients are sent of a tool as it is.
func checkDescriptor(d *engine.Descriptor) error {
	for _, part := range []struct {
		what  string
		text  []byte
		first jsontext.Kind
		must  bool
	}{
		{"the input schema", d.InputSchema, '{', true},
		{"the output schema", d.OutputSchema, '{', false},
		{"annotations", d.Annotations, '{', false},
		{"icons", d.Icons, '[', false},
		{"meta", d.Meta, '{', false},
	} {
		if part.text == nil && !part.must {
			continue
		}
		if err := checkJSON(part.what, part.text, part.first); err != nil {
			return err
		}
	}
	return nil
}
