package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Word replaces a secret.
func Word(rule string) string { return "redacted-" + rule }

// anyWord begins the word of each rule.
var anyWord = []byte(Word(""))

// Pseudonym is what replaces a private name: its kind, and six digits
// that nobody without the key can get back from, or to.
func (r *Redactor) Pseudonym(kind, original string) string {
	h := hmac.New(sha256.New, r.key)
	fmt.Fprintf(h, "%s\x00%s", kind, original)
	return kind + "-" + hex.EncodeToString(h.Sum(nil))[:6]
}

// KeyVariable holds the key of a site in the form of its file, for a second clone or CI.
const KeyVariable = "BENCHPOST_REDACTION_KEY"

// keySize is that of the hash.
const keySize = sha256.Size

// KeyFile is where a site keeps its key.
func KeyFile(siteDir string) string { return filepath.Join(siteDir, ".benchpost", "redaction.key") }

// LoadKey returns a site's key: that of the variable, else that of its file, which is made
// when it is not there. Of several that make it at once, all get the same.
func LoadKey(siteDir string) ([]byte, error) {
	if text := os.Getenv(KeyVariable); text != "" {
		return parseKey(text, KeyVariable)
	}
	name := KeyFile(siteDir)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(name); err != nil {
			return nil, err
		}
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	return parseKey(string(text), name)
}

// FindKey returns a site's key as LoadKey does, and makes none: a site without one has a key
// that everybody knows, so that what is published depends on its inputs alone.
func FindKey(siteDir string) ([]byte, error) {
	if os.Getenv(KeyVariable) == "" {
		if _, err := os.Lstat(KeyFile(siteDir)); errors.Is(err, fs.ErrNotExist) {
			known := sha256.Sum256([]byte("benchpost: a site without a key"))
			return known[:], nil
		}
	}
	return LoadKey(siteDir)
}

// makeKey writes a file of its own and links it to the name: a name that is there
// already stays, and none is ever seen half written.
func makeKey(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	ignore := filepath.Join(filepath.Dir(name), ".gitignore") // whatever the site's own list says
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".redaction-*") // 0600 by CreateTemp
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	key := make([]byte, keySize)
	rand.Read(key)
	_, err = f.WriteString(hex.EncodeToString(key) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	err = os.Link(f.Name(), name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return claimKey(name, hex.EncodeToString(key)+"\n") // a file system without links
}

// claimKey makes the file where no link can be made. One that loses the race reads what
// the other wrote, which is short enough to be there at once.
func claimKey(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func parseKey(text, where string) ([]byte, error) {
	key, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != keySize {
		return nil, locale.Errorf("%s: a key is %d digits 0-9a-f", where, 2*keySize)
	}
	return key, nil
}
