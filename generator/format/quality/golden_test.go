package quality_test

import (
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

func TestFixtures(t *testing.T) { fixture.Golden(t) }
