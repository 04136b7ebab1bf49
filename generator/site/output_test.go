package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
)

// TestDownloadsAreWhatTheyAreSaidToBe checks that the sample offers all its results in each format, and that the data
// package describes every file with its size and checksum.
func TestDownloadsAreWhatTheyAreSaidToBe(t *testing.T) {
	t.Parallel()
	public := files(t, filepath.Join(buildSample(t), "site"))
	rows, err := csv.NewReader(bytes.NewReader(public["data/results.csv"])).ReadAll()
	if err != nil || len(rows) != 1+53 {
		t.Errorf("results.csv has %d rows, %v", len(rows), err)
	}
	var ids int
	for name, data := range public {
		if strings.HasPrefix(name, "data/results/") {
			ids += bytes.Count(data, []byte("\n  {\"id\":"))
		}
	}
	if ids != 53 {
		t.Errorf("the documents of the campaigns have %d results", ids)
	}
	var p struct {
		Resources []struct {
			Path, Hash string
			Bytes      int
		}
	}
	if err := json.Unmarshal(public["data/datapackage.json"], &p); err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{"data/datapackage.json": true}
	for _, r := range p.Resources {
		data := public["data/"+r.Path]
		sum := sha256.Sum256(data)
		if r.Bytes != len(data) || r.Hash != "sha256:"+hex.EncodeToString(sum[:]) || !bytes.Contains(public["downloads/index.html"], []byte(hex.EncodeToString(sum[:]))) {
			t.Errorf("%s is not as described", r.Path)
		}
		described["data/"+r.Path] = true
	}
	for name := range public {
		if strings.HasPrefix(name, "data/") && !strings.HasSuffix(name, ".js") && !described[name] {
			t.Errorf("%s is not described", name)
		}
	}
}

// TestBoards checks that the built-in table with the vendor's document supplies what the site does not declare about a
// machine.
func TestBoards(t *testing.T) {
	t.Parallel()
	c := config.Config{Hardware: []config.Hardware{{ID: "h100-sxm", Memory: "80 GB"}, {ID: "mine", Memory: "1 GB", Bandwidth: "2 GB/s", Peak: map[string]string{"BF16": "3 TFLOPS"}}}}
	set, _ := Dataset(t.TempDir(), &c, nil)
	if len(set.Results) > 0 {
		t.Fatal("an empty site has results")
	}
	got := boards(&c, nil)
	if len(got) != 2 || got[0].Bandwidth != "3350 GB/s" || !got[0].Declared || got[0].Source == "" || got[0].Product != "NVIDIA H100 SXM" {
		t.Errorf("%+v", got)
	}
	if m := got[1]; m.Source != "" || !m.Declared || m.Peaks[0].Value != "3 TFLOPS" {
		t.Errorf("%+v", m)
	}
}
