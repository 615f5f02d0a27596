package clients

import (
	"os"
	"strings"
	"testing"
)

// TestContent has every library read every kind of content block.
func TestContent(t *testing.T) {
	if _, err := os.Stat(conformanceDir); err != nil {
		t.Fatal(err)
	}
	overBoth(t, conformanceDir, func(t *testing.T, where endpoint) {
		for _, l := range libraries {
			for _, revision := range []string{"2026-07-28", "2025-11-25"} {
				t.Run(l.name+"/"+revision, func(t *testing.T) {
					p := l.connect(t, where, revision)
					for _, c := range contents {
						t.Run(c.tool, func(t *testing.T) { checkContent(t, p, c.tool, c.want) })
					}
				})
			}
		}
	})
}

// contents are tools and the kinds of blocks that they answer with.
var contents = []struct {
	tool string
	want []func(block) bool
}{
	{"test_simple_text", []func(block) bool{isText}},
	{"test_image_content", []func(block) bool{isImage}},
	{"test_audio_content", []func(block) bool{isAudio}},
	{"test_embedded_resource", []func(block) bool{isResource}},
	{"test_multiple_content_types", []func(block) bool{isText, isImage, isResource}},
}

func isText(b block) bool { return b.Type == "text" && b.Text != "" }

func isImage(b block) bool {
	return b.Type == "image" && b.MIMEType == "image/png" && strings.HasPrefix(string(b.Data), "\x89PNG")
}

func isAudio(b block) bool {
	return b.Type == "audio" && b.MIMEType == "audio/wav" && strings.HasPrefix(string(b.Data), "RIFF")
}

func isResource(b block) bool {
	return b.Type == "resource" && b.Resource.URI != "" && b.Resource.MIMEType != "" && b.Resource.Text != ""
}

func checkContent(t *testing.T, p peer, tool string, want []func(block) bool) {
	a, err := p.call(t.Context(), tool, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.IsError || len(a.Content) != len(want) {
		t.Fatalf("isError %v, %d blocks, want %d", a.IsError, len(a.Content), len(want))
	}
	for i, good := range want {
		if !good(a.Content[i]) {
			t.Errorf("block %d is %+v", i, a.Content[i])
		}
	}
}
