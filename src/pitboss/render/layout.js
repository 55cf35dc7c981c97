// Reads records by their layout: {size, fields: {name: [offset, "b|h|i|q|d", shape]}}, in which a shape of [] is one number.

const READ = {
  b: [1, (data, at) => data.getInt8(at)],
  h: [2, (data, at) => data.getInt16(at, true)],
  i: [4, (data, at) => data.getInt32(at, true)],
  q: [8, (data, at) => data.getBigInt64(at, true)],
  d: [8, (data, at) => data.getFloat64(at, true)],
};

function numbers(data, at, size, read, shape) {
  if (!shape.length) return read(data, at);
  const [count, ...rest] = shape;
  const step = rest.reduce((product, n) => product * n, size);
  return Array.from({ length: count }, (_, i) => numbers(data, at + i * step, size, read, rest));
}

// The record in these bytes as an object: {field: number, or nested arrays of them}.
export function readRecord(layout, bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = {};
  for (const [name, [at, kind, shape]] of Object.entries(layout.fields)) {
    const [size, read] = READ[kind];
    out[name] = numbers(data, at, size, read, shape);
  }
  return out;
}
