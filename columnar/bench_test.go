package columnar

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// benchRows is how many float64 the files of BenchmarkRead have, in chunks of 1,048,576.
const benchRows = 10_000_000

// BenchmarkRead opens a file and reduces it on the CPU device. It reads from the cache of the operating system.
func BenchmarkRead(b *testing.B) {
	x := make([]float64, benchRows)
	for i := range x {
		x[i] = float64(i*7919%1_000_003) / 1000
	}
	for _, c := range []struct {
		name  string
		write func(b *testing.B, name string, x []float64)
		read  func(name string) (*vector.Vector[float64], error)
	}{
		{"npy", writeBenchNPY, func(name string) (*vector.Vector[float64], error) {
			return vector.FromFile[float64](name, cpu())
		}},
		{"arrow", writeBenchArrow(), readX},
		{"arrow-lz4", writeBenchArrow(ipc.WithLZ4()), readX},
		{"arrow-zstd", writeBenchArrow(ipc.WithZstd()), readX},
		{"parquet", writeBenchParquet(&parquet.Uncompressed), readX},
		{"parquet-snappy", writeBenchParquet(&parquet.Snappy), readX},
		{"parquet-zstd", writeBenchParquet(&parquet.Zstd), readX},
	} {
		b.Run(c.name, func(b *testing.B) {
			name := filepath.Join(b.TempDir(), c.name)
			if c.name == "npy" {
				name += ".npy"
			}
			c.write(b, name, x)
			sum := skel.NewReduce(skel.Sum[float64]())
			b.SetBytes(8 * benchRows)
			for b.Loop() {
				v, err := c.read(name)
				ok(b, err)
				_, err = sum.Apply(v).Value()
				ok(b, err)
				v.Free()
			}
			info, err := os.Stat(name)
			ok(b, err)
			b.ReportMetric(float64(info.Size())/(8*benchRows), "size/values")
		})
	}
}

func readX(name string) (*vector.Vector[float64], error) {
	return Vector[float64](name, "x", On(cpu()))
}

func writeBenchNPY(b *testing.B, name string, x []float64) {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }\n", len(x))
	contents := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	contents, err := binary.Append(append(contents, header...), binary.LittleEndian, x)
	ok(b, err)
	ok(b, os.WriteFile(name, contents, 0o600))
}

func writeBenchArrow(opts ...ipc.Option) func(b *testing.B, name string, x []float64) {
	return func(b *testing.B, name string, x []float64) {
		schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64}}, nil)
		var contents bytes.Buffer
		w, err := ipc.NewFileWriter(&contents, append(opts, ipc.WithSchema(schema))...)
		ok(b, err)
		for first := 0; first < len(x); first += 1 << 20 {
			r := array.NewRecordBuilder(memory.DefaultAllocator, schema)
			r.Field(0).(*array.Float64Builder).AppendValues(x[first:min(first+1<<20, len(x))], nil)
			ok(b, w.Write(r.NewRecordBatch()))
		}
		ok(b, w.Close())
		ok(b, os.WriteFile(name, contents.Bytes(), 0o600))
	}
}

func writeBenchParquet(codec compress.Codec) func(b *testing.B, name string, x []float64) {
	return func(b *testing.B, name string, x []float64) {
		rows := make([]innerData, len(x))
		for i := range x {
			rows[i].X = x[i]
		}
		var contents bytes.Buffer
		ok(b, parquet.Write(&contents, rows, parquet.Compression(codec), parquet.MaxRowsPerRowGroup(1<<20)))
		ok(b, os.WriteFile(name, contents.Bytes(), 0o600))
	}
}
