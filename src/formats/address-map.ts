/** A map from device addresses to small integers, for millions of live blocks: open addressing in two typed arrays. */

const FIRST_SLOTS = 256;
const EMPTY = -1;

export class AddressMap {
  #keys = new Float64Array(FIRST_SLOTS).fill(EMPTY);
  #values = new Int32Array(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  /** Its own for each map, so that no file can be made of addresses that all meet. */
  readonly #multiplier = Math.floor(Math.random() * 2 ** 31) * 2 + 1;
  size = 0;

  /** The value, or -1. */
  get(address: number): number {
    const slot = this.#find(address);
    return this.#keys[slot] === address ? this.#values[slot]! : -1;
  }

  set(address: number, value: number): void {
    let slot = this.#find(address);
    if (this.#keys[slot] !== address) {
      if ((this.size + 1) * 2 > this.#mask) {
        this.#grow();
        slot = this.#find(address);
      }
      this.#keys[slot] = address;
      this.size += 1;
    }
    this.#values[slot] = value;
  }

  /** Removes an address and returns its value, or -1. */
  take(address: number): number {
    let hole = this.#find(address);
    if (this.#keys[hole] !== address) return -1;
    const value = this.#values[hole]!;
    this.size -= 1;
    // what was pushed on by the removed entry moves back, so that searches need no marks of removed ones
    for (let slot = (hole + 1) & this.#mask; this.#keys[slot] !== EMPTY; slot = (slot + 1) & this.#mask) {
      const home = this.#home(this.#keys[slot]!);
      if (((slot - home) & this.#mask) < ((slot - hole) & this.#mask)) continue;
      this.#keys[hole] = this.#keys[slot]!;
      this.#values[hole] = this.#values[slot]!;
      hole = slot;
    }
    this.#keys[hole] = EMPTY;
    return value;
  }

  *entries(): Generator<readonly [address: number, value: number], void, undefined> {
    for (let slot = 0; slot <= this.#mask; slot++) {
      if (this.#keys[slot] !== EMPTY) yield [this.#keys[slot]!, this.#values[slot]!];
    }
  }

  /** Blocks begin at multiples of 512, so the low bits say nothing. */
  #home(address: number): number {
    const pages = address / 512;
    const low = pages | 0;
    const high = (pages / 0x1_0000_0000) | 0;
    return (Math.imul(low ^ Math.imul(high, 0x9e37_79b1), this.#multiplier) >>> 7) & this.#mask;
  }

  /** Slot of the address, or the free one where it would go. */
  #find(address: number): number {
    const keys = this.#keys;
    const mask = this.#mask;
    let slot = this.#home(address);
    while (keys[slot] !== address && keys[slot] !== EMPTY) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Float64Array(keys.length * 2).fill(EMPTY);
    this.#values = new Int32Array(keys.length * 2);
    this.#mask = this.#keys.length - 1;
    for (let slot = 0; slot < keys.length; slot++) {
      if (keys[slot] === EMPTY) continue;
      const to = this.#find(keys[slot]!);
      this.#keys[to] = keys[slot]!;
      this.#values[to] = values[slot]!;
    }
  }
}
