package locale

import (
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	zh, _ := For("zh")
	for _, c := range []struct {
		d              time.Duration
		clock, en, zhs string
	}{
		{0, "0:00", "1 s", "1 秒"},
		{41 * time.Second, "0:41", "41 s", "41 秒"},
		{59700 * time.Millisecond, "0:59", "1 min", "1 分钟"},
		{83 * time.Second, "1:23", "1 min", "1 分钟"},
		{12*time.Minute + 2*time.Second, "12:02", "12 min", "12 分钟"},
		{59 * time.Minute, "59:00", "59 min", "59 分钟"},
		{78 * time.Minute, "1:18:00", "1 h 20 min", "1 小时 20 分钟"},
		{11*time.Hour + 40*time.Minute, "11:40:00", "12 h", "12 小时"},
		{26 * time.Hour, "26:00:00", "1 d 2 h", "1 天 2 小时"},
		{48 * time.Hour, "48:00:00", "2 d", "2 天"},
	} {
		if got := Clock(c.d); got != c.clock {
			t.Errorf("%v is %s, not %s", c.d, got, c.clock)
		}
		if en, cn := English(About(c.d)), zh.Say(About(c.d)); en != c.en || cn != c.zhs {
			t.Errorf("about %v is %s, %s, not %s, %s", c.d, en, cn, c.en, c.zhs)
		}
	}
}
