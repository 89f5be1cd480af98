package array

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
)

var (
	checked     sync.Map     // the types that were checked: reflect.Type -> struct{}
	lastChecked atomic.Value // the type of the last check, usually also that of the next
)

// checkElement panics if a device cannot hold elements of type T.
func checkElement[T any]() {
	t := reflect.TypeFor[T]()
	if lastChecked.Load() == any(t) {
		return
	}
	if _, ok := checked.Load(t); ok {
		lastChecked.Store(t)
		return
	}
	if why := notPlain(t, t.String()); why != "" {
		panic(fmt.Sprintf("vector: elements of type %v cannot live on a device: %s", t, why))
	}
	checked.Store(t, struct{}{})
}

// notPlain returns why a type does not consist of plain data, or "" if it does.
// path is where the type is in the element, for the message.
func notPlain(t reflect.Type, path string) string {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64:
		return ""
	case reflect.Array:
		if t.Len() == 0 {
			return path + " has no bytes"
		}
		return notPlain(t.Elem(), path+"[]")
	case reflect.Struct:
		if t.Size() == 0 {
			return path + " has no bytes"
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if why := notPlain(f.Type, path+"."+f.Name); why != "" {
				return why
			}
		}
		return ""
	default:
		return fmt.Sprintf("%s is a %v; use numbers, bools, and arrays and structs of them", path, t.Kind())
	}
}
