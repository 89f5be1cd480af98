package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show histogram

func letterNumber(c uint8) int32 { return int32(c) - 'a' }

var letters = skel.NewMap(letterNumber)

// letterCounts returns how often each letter from a to z occurs in a text.
func letterCounts(text *vector.Vector[uint8]) *vector.Vector[int] {
	return skel.CountByKey(letters.Apply(text), 26)
}

// end
