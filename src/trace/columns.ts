/** Typed arrays that grow: the storage behind a trace that is being recorded. */

const FIRST_CAPACITY = 1024;

type Numbers = Uint8Array | Int32Array | Float64Array;

/** `array` itself, or a copy of twice the length when index `length` does not fit. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length < array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(FIRST_CAPACITY, array.length * 2));
  larger.set(array);
  return larger;
}
