/** One step of a hash over whole numbers up to 2^53; keeps 32 bits. */
export function mix(hash: number, value: number): number {
  // sizes go beyond 32 bits: both halves count
  let h = Math.imul(hash ^ (value | 0), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13) ^ ((value / 0x100000000) | 0), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
