package sandbox

import (
	"fmt"
	"reflect"
	"time"
)

// into reads a value of v's type, as appendValue writes it.
func (d *decoder) into(v reflect.Value) error {
	switch {
	case v.Kind() == reflect.Interface:
		plain, err := d.plain()
		if err == nil && plain != nil {
			v.Set(reflect.ValueOf(plain))
		}
		return err
	case len(d.data) > 0 && tag(d.data[0]) == tagNil:
		return d.null(v)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.into(v.Elem())
	case v.Kind() == reflect.Struct && v.Type() != timeType:
		return d.structure(v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		return d.slice(v)
	case v.Kind() == reflect.Map:
		return d.intoMap(v)
	}
	return d.scalar(v)
}

// null reads nil, which only some types have.
func (d *decoder) null(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		_, err := d.tag()
		return err
	}
	return fmt.Errorf("there is nil for a %s", v.Type())
}

// scalar reads what has no parts.
func (d *decoder) scalar(v reflect.Value) error {
	plain, err := d.plain()
	if err != nil {
		return err
	}
	switch p := plain.(type) {
	case time.Time:
		if v.Type() == timeType {
			v.Set(reflect.ValueOf(p))
			return nil
		}
	case time.Duration:
		if v.Type() == durationType {
			v.SetInt(int64(p))
			return nil
		}
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(p)
			return nil
		}
	case int64:
		if setInt(v, p) {
			return nil
		}
	case float64:
		if v.Kind() == reflect.Float64 {
			v.SetFloat(p)
			return nil
		}
	case string:
		if v.Kind() == reflect.String {
			v.SetString(p)
			return nil
		}
	case []byte:
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(p)
			return nil
		}
	}
	return fmt.Errorf("there is a %T for a %s", plain, v.Type())
}

func setInt(v reflect.Value, n int64) bool {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.Type() == durationType || v.OverflowInt(n) {
			return false
		}
		v.SetInt(n)
		return true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.OverflowUint(uint64(n)) {
			return false
		}
		v.SetUint(uint64(n))
		return true
	}
	return false
}

// open reads the head of a list or map that v is to become.
func (d *decoder) open(want tag, v reflect.Value) (int, error) {
	t, err := d.tag()
	if err != nil {
		return 0, err
	}
	if t != want {
		return 0, fmt.Errorf("there is the tag %d for a %s", t, v.Type())
	}
	if err := d.enter(); err != nil {
		return 0, err
	}
	return d.count()
}

func (d *decoder) structure(v reflect.Value) error {
	n, err := d.open(tagList, v)
	switch {
	case err != nil:
		return err
	case n != v.NumField():
		return fmt.Errorf("there are %d fields for a %s", n, v.Type())
	}
	for i := range n {
		if err := d.into(v.Field(i)); err != nil {
			return err
		}
	}
	d.depth--
	return nil
}

func (d *decoder) slice(v reflect.Value) error {
	n, err := d.open(tagList, v)
	if err != nil {
		return err
	}
	// Grown while it is read: an element may be large, and its encoding a byte.
	list := reflect.MakeSlice(v.Type(), 0, min(n, 16))
	for range n {
		element := reflect.New(v.Type().Elem()).Elem()
		if err := d.into(element); err != nil {
			return err
		}
		list = reflect.Append(list, element)
	}
	v.Set(list)
	d.depth--
	return nil
}

func (d *decoder) intoMap(v reflect.Value) error {
	n, err := d.open(tagMap, v)
	if err != nil {
		return err
	}
	m, key := reflect.MakeMap(v.Type()), ""
	for i := range n {
		if key, err = d.key(i == 0, key); err != nil {
			return err
		}
		element := reflect.New(v.Type().Elem()).Elem()
		if err := d.into(element); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), element)
	}
	v.Set(m)
	d.depth--
	return nil
}
