package find

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheIndexIsOfTitlesAddressesAndWhatIsBeside(t *testing.T) {
	t.Parallel()
	x := Index{Words: map[string]string{"find.title": "Search"}, Runs: []string{"columns/0"}}
	x.Kind("Tags")
	models := x.Kind("Models")
	models.Add("Qwen3-8B", "models/qwen3-8b.html", "", "8.2 B")
	models.Add("", "models/index.html")
	models.Add("Llama", "models/llama.html")
	want := `{"words":{"find.title":"Search"},"kinds":[{"title":"Models","entries":[["Qwen3-8B","models/qwen3-8b.html","8.2 B"],["Llama","models/llama.html"]]}],"runs":["columns/0"],"names":{"paths":null,"values":null}}`
	if got := string(x.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnIndexIsBoundedByItsThings(t *testing.T) {
	t.Parallel()
	var x Index
	posts := x.Kind("Posts")
	for range 100 {
		posts.Add("A post", "posts/a/index.html", strings.Repeat("long ", 1000), "fp8", strings.Repeat("x", mostBeside-3), "cut")
	}
	var back struct{ Kinds []Kind }
	if err := json.Unmarshal(x.JSON(), &back); err != nil {
		t.Fatal(err)
	}
	if n := len(x.JSON()); n > 100*(mostBeside+60) {
		t.Errorf("%d bytes for 100 posts", n)
	}
	if got, want := back.Kinds[0].Entries[0][2], "fp8 · "+strings.Repeat("x", mostBeside-3); got != want {
		t.Errorf("beside it is %q, want %q", got, want)
	}
}
