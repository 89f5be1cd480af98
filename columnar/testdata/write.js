// Writes the files of this folder: npm install nodejs-polars@0.25.2 apache-arrow@21.2.0 && node write.js
const fs = require('fs');
const polars = require('nodejs-polars');
const arrow = require('apache-arrow');

const column = (value) => Array.from({ length: 300 }, (_, i) => value(i));
const text = column((i) => 'text ' + i);
const halves = column((i) => i * 0.5);
const integers = column((i) => i - 150);
const bytes = column((i) => i % 100);
const maybe = column((i) => (i % 7 == 6 ? null : i * 0.25));

const frame = polars.DataFrame([
	polars.Series('text', text, polars.Utf8),
	polars.Series('halves', halves, polars.Float64),
	polars.Series('integers', integers, polars.Int32),
	polars.Series('bytes', bytes, polars.UInt8),
	polars.Series('maybe', maybe, polars.Float32),
]);
for (const compression of ['uncompressed', 'lz4', 'zstd']) {
	frame.writeIPC(`polars-${compression}.arrow`, { compression });
}
for (const compression of ['snappy', 'zstd']) {
	frame.writeParquet(`polars-${compression}.parquet`, { compression });
}

const table = arrow.tableFromArrays({
	text,
	halves: Float64Array.from(halves),
	integers: Int32Array.from(integers),
	bytes: Uint8Array.from(bytes),
	maybe: arrow.vectorFromArray(maybe, new arrow.Float32()),
});
fs.writeFileSync('js.arrow', arrow.tableToIPC(table, 'file'));
