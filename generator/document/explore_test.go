package document
import ("testing";"bytes";"encoding/json";"os";"os/exec";"strings";"fmt")
type plainFill struct{}
func (plainFill) Block(b *Block) []byte { return []byte("BLOCK "+b.Kind) }
func (plainFill) Value(v *Value) string { return "3.61×" }
func (plainFill) Link(l *Link) string { return l.Address }
func TestExplore(t *testing.T){
 data,_:=os.ReadFile("/tmp/snips.txt")
 var mds []string; var htmls []string
 snips:=strings.Split(string(data),"\n%%%%\n")
 for _,s:=range snips { d,msgs:=Parse("a.zh.md",[]byte("+++\ntitle=\"x\"\ndate=2025-01-01\n+++\n"+s),Options{}); for _,m:=range msgs{fmt.Println("   msg",m)}
  var a,b bytes.Buffer; d.HTML(&a,plainFill{}); d.Markdown(&b,plainFill{}); htmls=append(htmls,a.String()); mds=append(mds,b.String()) }
 in,_:=json.Marshal(mds); c:=exec.Command("ruby","/tmp/k.rb"); c.Stdin=bytes.NewReader(in); c.Stderr=os.Stderr; o,err:=c.Output(); if err!=nil{t.Fatal(err)}
 var ks []string; json.Unmarshal(o,&ks)
 bad:=0
 for i:=range snips { a,b:=normalHTML(htmls[i]),normalHTML(ks[i]); if a!=b { bad++; fmt.Printf("=== %d\n--- source\n%s\n--- markdown\n%s--- want\n%s\n--- got\n%s\n",i,snips[i],mds[i],a,b)} else if os.Getenv("SHOW")!="" { fmt.Printf("=== %d ok\n%s\n-->\n%s",i,snips[i],mds[i]) } }
 fmt.Println("snippets",len(snips),"bad",bad)
}
