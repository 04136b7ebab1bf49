package locale

import (
	"bytes"
	"encoding/gob"
)

func init() { gob.Register(Text{}) } // an argument of a text may be one

// kept is how a text is kept in a file.
type kept struct {
	Literal, Key string
	Kind         uint8
	Args         []any
	By           map[string]string
	Message      bool
}

// GobEncode writes a text.
func (t Text) GobEncode() ([]byte, error) {
	k := kept{Literal: t.literal}
	if t.m != nil {
		k.Message, k.Kind, k.Key, k.Args, k.By = true, uint8(t.m.kind), t.m.key, t.m.args, t.m.by
	}
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(k)
	return buf.Bytes(), err
}

// GobDecode reads it back.
func (t *Text) GobDecode(data []byte) error {
	var k kept
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&k); err != nil {
		return err
	}
	*t = Text{literal: k.Literal}
	if k.Message {
		t.m = &message{kind: kind(k.Kind), key: k.Key, args: k.Args, by: k.By}
	}
	return nil
}
