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

// Word returns the replacement for a secret that a rule found.
func Word(rule string) string { return "redacted-" + rule }

// anyWord is the common beginning of all such replacements.
var anyWord = []byte(Word(""))

// Pseudonym returns the replacement for a private name: its kind and six hexadecimal digits. Without the key, nobody
// can derive the name from the digits, or the digits from the name.
func (r *Redactor) Pseudonym(kind, original string) string {
	h := hmac.New(sha256.New, r.key)
	fmt.Fprintf(h, "%s\x00%s", kind, original)
	return kind + "-" + hex.EncodeToString(h.Sum(nil))[:6]
}

// KeyVariable is the environment variable with the key of a site, in the form of the key file. It serves a second clone
// or CI.
const KeyVariable = "BENCHPOST_REDACTION_KEY"

// keySize is the size of the key in bytes, that of the hash.
const keySize = sha256.Size

// KeyFile returns the path of the file with a site's key.
func KeyFile(siteDir string) string { return filepath.Join(siteDir, ".benchpost", "redaction.key") }

// LoadKey returns a site's key: from the variable, or from the key file, which it creates if needed. Processes that
// create it at the same time all get the same key.
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

// FindKey returns a site's key as LoadKey does, but creates none. A site without a key gets a publicly known one, so
// that published bytes depend only on the site's inputs.
func FindKey(siteDir string) ([]byte, error) {
	if os.Getenv(KeyVariable) == "" {
		if _, err := os.Lstat(KeyFile(siteDir)); errors.Is(err, fs.ErrNotExist) {
			known := sha256.Sum256([]byte("benchpost: a site without a key"))
			return known[:], nil
		}
	}
	return LoadKey(siteDir)
}

// makeKey writes the key to a temporary file and links that to the name. An existing key file is kept, and no process
// ever sees a partly written one.
func makeKey(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	ignore := filepath.Join(filepath.Dir(name), ".gitignore") // independent of the site's own list
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
	return claimKey(name, hex.EncodeToString(key)+"\n") // the file system has no hard links
}

// claimKey creates the key file where hard links are not available. If another process creates it first, its key is
// read. The file is so short that it is written at once.
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
