// SHA-256, at once: the browser's own answers later, and not at all on a page from a file.
export function sha256(message) {
  const roots = firstPrimes(64), part = (x) => Math.floor((x % 1) * 2 ** 32) >>> 0;
  const k = roots.map((p) => part(Math.cbrt(p))), h = roots.slice(0, 8).map((p) => part(Math.sqrt(p)));
  const padded = new Uint8Array(((message.length + 8) >> 6 << 6) + 64), data = new DataView(padded.buffer);
  padded.set(message);
  padded[message.length] = 0x80;
  data.setUint32(padded.length - 4, message.length * 8);
  const turn = (x, n) => (x >>> n) | (x << (32 - n)), w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) { w[i] = data.getInt32(block + 4 * i); continue; }
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    const v = h.slice();
    for (let i = 0; i < 64; i++) {
      const [a, b, c, , e, f, g] = v;
      const one = (v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      v.pop();
      v.unshift((one + two) | 0);
      v[4] = (v[4] + one) | 0;
    }
    v.forEach((x, i) => { h[i] = (h[i] + x) | 0; });
  }
  const out = new Uint8Array(32), words = new DataView(out.buffer);
  h.forEach((x, i) => words.setInt32(4 * i, x));
  return out;
}

function firstPrimes(count) {
  const out = [];
  for (let n = 2; out.length < count; n++) if (out.every((p) => n % p)) out.push(n);
  return out;
}
