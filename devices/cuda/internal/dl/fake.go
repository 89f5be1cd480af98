package dl

// Faker stands in for all libraries, in tests.
type Faker interface {
	Load(title string) error                // the library's Load
	Has(name string) bool                   // an optional function's Present
	Call(name string, args []uintptr) int32 // any function's Call
}

var fake Faker

func faked() Faker { return fake }

// Fake puts f in place of all libraries, or takes it away when it is nil.
// Nothing may be under way in any of them.
func Fake(f Faker) { fake = f }
