// Keys: what decides every card of a game, the same as everywhere in pitboss (`pitboss.core.keys`).

import { sha256 } from "./sha256.js";

// How a key deals: by a full hash for each card, or a quick one.
export const FULL = 0n;
export const QUICK = 1n;

// The key of a seed, the same as everywhere in pitboss: [high, low, way].
export function keyFromSeed(seed, way = FULL) {
  return keyFromBytes(new TextEncoder().encode(`pitboss seed ${seed}`), way);
}

// A key that is always the same for the same bytes.
export function keyFromBytes(bytes, way = FULL) {
  const digest = new DataView(sha256(bytes).buffer);
  return [digest.getBigUint64(0), digest.getBigUint64(8), way];
}

// A key from a text: a seed, which deals in the given way, or `key:` or `quick:` and 32 hexadecimal digits.
export function parseKey(text, way = FULL) {
  const whole = /^(key|quick):([0-9a-f]{16})([0-9a-f]{16})$/i.exec(String(text).trim());
  if (whole) return [BigInt(`0x${whole[2]}`), BigInt(`0x${whole[3]}`), whole[1].toLowerCase() === "quick" ? QUICK : FULL];
  if (/^\d+$/.test(String(text).trim())) return keyFromSeed(BigInt(text), way);
  throw new Error(`${text} is not a seed; give a whole number from 0 up, such as 42, or key: and 32 hexadecimal digits`);
}

export function formatKey([high, low, way]) {
  return `${way === QUICK ? "quick" : "key"}:${[high, low].map((word) => word.toString(16).padStart(16, "0")).join("")}`;
}

// A key that nobody can know.
export function freshKey() {
  const words = crypto.getRandomValues(new BigUint64Array(2));
  return [words[0], words[1], FULL];
}
