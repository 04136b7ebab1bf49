package lazy

import "testing"

func TestRegexpIsCompiledOnceWhenFirstUsed(t *testing.T) {
	invalid := Regexp(`(`) // it would panic if it were compiled here
	func() {
		defer func() {
			if recover() == nil {
				t.Error("an invalid expression was accepted")
			}
		}()
		invalid()
	}()
	digits := Regexp(`\d+`)
	if got := digits().FindString("a12"); got != "12" {
		t.Errorf("%q", got)
	}
	if first, again := digits(), digits(); first != again {
		t.Error("compiled twice")
	}
}
