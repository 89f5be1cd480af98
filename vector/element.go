package vector

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
)

var (
	checked     sync.Map // reflect.Type -> struct{}
	lastChecked atomic.Value
)

// checkElement panics when T cannot be held by a device.
func checkElement[T any]() {
	t := reflect.TypeFor[T]()
	if lastChecked.Load() == any(t) { // the usual case
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

// notPlain says why a type is not made of plain data; "" when it is.
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
	}
	return fmt.Sprintf("%s is a %v; use numbers, bools, and arrays and structs of them", path, t.Kind())
}
