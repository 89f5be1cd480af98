package dl

// Faker replaces all libraries in tests.
type Faker interface {
	Load(title string) error                // implements Library.Load
	Has(name string) bool                   // implements Func.Present of optional functions
	Call(name string, args []uintptr) int32 // implements Func.Call
}

var fake Faker

func faked() Faker { return fake }

// Fake replaces all libraries by f, or restores them if f is nil. No library
// may be in use.
func Fake(f Faker) { fake = f }
