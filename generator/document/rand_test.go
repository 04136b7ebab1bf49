package document
import ("testing";"bytes";"encoding/json";"os";"os/exec";"strings";"fmt";"math/rand/v2";"strconv")
var pr = strings.NewReplacer("<p>","","</p>","", " ","")
type gen struct{ r *rand.Rand }
func (g gen) pick(xs ...string) string { return xs[g.r.IntN(len(xs))] }
var words = []string{"foo","bar","中文","提升","x","1","2025","p99_9","snake_case","a.b","模型。","(2×)","100%","vLLM","“好”"}
var puncts = []string{"*","**","_","__","`","~~","~","--","---","...","'","\"","<","<<",">",">>","|","\\","[","]","(",")","{","}","{:",":","$","$$","#","+","-","=","!","&","&amp;","&copy;","{{","{%","%}","}}","^","<b>","</b>","<br>","<model>","\\*","\\|","\\\\","[a](b)","![c](d)","`code`","`a|b`","**strong**","*em*","_em_","~~del~~","https://x.org/a_b","<https://y.org>","[^1]","`= v`","\n","\n","  \n","\\\n","*a*b","<kbd>k</kbd>","<!-- c -->","1.","[x]:", "a@b.cc"}
func (g gen) inline(n int) string { var b strings.Builder; for range n { if g.r.IntN(2)==0 { b.WriteString(g.pick(words...)) } else { b.WriteString(g.pick(puncts...)) }; if g.r.IntN(3)>0 { b.WriteByte(' ') } }; return b.String() }
func (g gen) para() string { s:=g.inline(1+g.r.IntN(8)); return s }
func indent(s, p string) string { return strings.ReplaceAll(s,"\n","\n"+p) }
func (g gen) block(d int) string {
 switch g.r.IntN(16) {
 case 0: return strings.Repeat("#",1+g.r.IntN(4))+" "+strings.ReplaceAll(g.inline(4),"\n"," ")
 case 1: if d>2 {break}; var items []string; for range 1+g.r.IntN(3) { m:=g.pick("- ","* ","1. ","2. ","10. ","-   "); items=append(items,m+indent(g.doc(d+1,1+g.r.IntN(2)),strings.Repeat(" ",len(m)))) }; return strings.Join(items,g.pick("\n","\n\n"))
 case 2: if d>2 {break}; return "> "+indent(g.doc(d+1,1+g.r.IntN(2)),g.pick("> ","> ",""))
 case 3: return "```"+g.pick("","bash","yaml x")+"\n"+g.pick("code","- a\n- b","a\n\n---\n\nb","{{ x }}","  x\n1. y","{% endraw %} {{","`` ` ``\n<b>")+"\n```"
 case 4: var b strings.Builder; c:=1+g.r.IntN(3); row:=func(){ b.WriteString("|"); for range c { b.WriteString(" "+strings.NewReplacer("\n"," ").Replace(g.inline(g.r.IntN(3)))+" |") }; b.WriteByte('\n') }; row(); b.WriteString("|"+strings.Repeat(g.pick("---|","--:|",":-:|"),c)+"\n"); for range 1+g.r.IntN(2) { row() }; return strings.TrimRight(b.String(),"\n")
 case 5: return g.pick("---","***","* * *")
 case 6: return g.pick("<div>\n\n**x**\n\n</div>","<details>\n<summary>s</summary>\n\n- a\n\n</details>","<div>*raw*</div>","<p>a\n<b>x</b></p>","<table><tr><td>\n\nx\n\n</td></tr></table>","<br>","<span>x</span>","</div>","<div>\ntext\n\n*m*\n\n</div>")
 case 7: return strings.ReplaceAll(g.inline(3),"\n"," ")+"\n"+g.pick("===","---","=","-")
 }
 return g.para()
}
func (g gen) doc(d,n int) string { var bs []string; for range n { bs=append(bs,g.block(d)) }; var b strings.Builder; for i,x:=range bs { if i>0 { b.WriteString(g.pick("\n","\n\n","\n\n")) }; b.WriteString(x) }; return b.String() }
func TestRand(t *testing.T){
 n,_:=strconv.Atoi(os.Getenv("N")); if n==0 {n=300}; seed,_:=strconv.Atoi(os.Getenv("SEED")); max,_:=strconv.Atoi(os.Getenv("MAXB")); if max==0{max=2}
 g:=gen{rand.New(rand.NewPCG(uint64(seed),1))}
 var mds,htmls,snips []string
 for range n { s:=g.doc(0,1+g.r.IntN(max)); if g.r.IntN(6)==0 { s+="\n\n[^1]: note\n" }
  d,_:=Parse("a.zh.md",[]byte("+++\ntitle=\"x\"\ndate=2025-01-01\n+++\n"+s),Options{})
  var a,b bytes.Buffer; d.HTML(&a,plainFill{}); d.Markdown(&b,plainFill{}); htmls=append(htmls,a.String()); mds=append(mds,b.String()); snips=append(snips,s) }
 in,_:=json.Marshal(mds); c:=exec.Command("ruby","/tmp/k.rb"); c.Stdin=bytes.NewReader(in); c.Stderr=os.Stderr; o,err:=c.Output(); if err!=nil{t.Fatal(err)}
 var ks []string; json.Unmarshal(o,&ks)
 bad:=0
 for i:=range snips { a,b:=normalHTML(htmls[i]),normalHTML(ks[i]); if pr.Replace(a)!=pr.Replace(b) { bad++; if bad<=12 {fmt.Printf("=== %d\n--- source\n%s\n--- markdown\n%s--- want\n%s\n--- got\n%s\n",i,snips[i],mds[i],a,b)}} }
 fmt.Println("snippets",len(snips),"bad",bad)
}
