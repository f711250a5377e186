/** Numbers of devices that nvidia-smi names by bus address or UUID: in the order in which they come. */

export class DeviceNumbers {
  readonly #numbers = new Map<string, number>();

  of(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const next = this.#numbers.size;
    // A machine has at most some dozens; a damaged file must not fill memory.
    if (next < 1024) this.#numbers.set(id, next);
    return next;
  }
}
