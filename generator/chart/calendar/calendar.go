// Package calendar names places on a time axis: days, weeks, months or years, as fine as there is room for.
//
//	for _, t := range calendar.Ticks(from, to, fits) {
//		place(t.At, printer.Say(t.Text))
//	}
//
// Places are days since the beginning of 1970, with fractions (Place).
package calendar

import (
	"math"
	"strconv"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// Tick is a place with its name. The first, and the first of each year, names the year.
type Tick struct {
	At   float64
	Text locale.Text
}

// Place returns the place of a time: the days since the beginning of 1970, by the clock of its own time zone.
func Place(t time.Time) float64 {
	_, offset := t.Zone()
	return float64(t.Unix()+int64(offset)) / day
}

const day = 24 * 60 * 60

// most is the greatest number of places on an axis.
const most = 60

// unit is a distance between places, as a number of years, months or days.
type unit struct {
	years, months, days int
	first               time.Weekday // the first day of a week; of no meaning for other units
}

// units lists all distances, the finest first.
var units = []unit{
	{days: 1}, {days: 2}, {days: 7, first: time.Monday}, {days: 14, first: time.Monday},
	{months: 1}, {months: 2}, {months: 3}, {months: 6},
	{years: 1}, {years: 2}, {years: 5}, {years: 10}, {years: 20}, {years: 50}, {years: 100}, {years: 1000},
}

// Ticks returns the places between from and to in the finest unit whose places fit. It returns nil if no unit
// has at least two places that fit.
func Ticks(from, to float64, fits func([]Tick) bool) []Tick {
	for _, u := range units {
		if ticks := u.between(from, to); len(ticks) > 1 && len(ticks) <= most && fits(ticks) {
			return ticks
		}
	}
	return nil
}

// between returns the places of a unit, or most+1 of them if there are more.
func (u unit) between(from, to float64) []Tick {
	var ticks []Tick
	year := 0
	for t := u.floor(at(from)); ; t = t.AddDate(u.years, u.months, u.days) {
		place := Place(t)
		if place > to || len(ticks) > most {
			return ticks
		}
		if place < from {
			continue
		}
		ticks = append(ticks, Tick{place, u.name(t, t.Year() != year)})
		year = t.Year()
	}
}

// at returns the beginning of the day of a place.
func at(place float64) time.Time {
	return time.Unix(int64(math.Floor(place))*day, 0).UTC()
}

// floor returns the last place of a unit that is not after a day. Units of two days count from the beginning of
// 1970, units of two weeks from the first Monday of 1970, months from the beginning of the year, and years from
// year 0.
func (u unit) floor(t time.Time) time.Time {
	switch {
	case u.years > 0:
		return time.Date(t.Year()-t.Year()%u.years, 1, 1, 0, 0, 0, 0, time.UTC)
	case u.months > 0:
		return time.Date(t.Year(), t.Month()-time.Month((int(t.Month())-1)%u.months), 1, 0, 0, 0, 0, time.UTC)
	}
	since := int(t.Unix() / day)
	if u.first == time.Monday {
		since -= 4 // 1970 began on a Thursday
	}
	over := since % u.days
	if over < 0 {
		over += u.days
	}
	return t.AddDate(0, 0, -over)
}

// name returns the name of a place in a unit.
func (u unit) name(t time.Time, year bool) locale.Text {
	month := locale.T("chart.month." + strconv.Itoa(int(t.Month())))
	switch {
	case u.years > 0:
		return locale.Lit(t.Format("2006"))
	case u.months > 0 && year:
		return locale.T("chart.month-year", month, t.Format("2006"))
	case u.months > 0:
		return month
	case year:
		return locale.T("chart.day-year", t.Day(), month, t.Format("2006"))
	}
	return locale.T("chart.day", t.Day(), month)
}
