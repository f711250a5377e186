/** The memory of a frozen interpreter, and how it comes into a new one: from one array, or stretch by stretch from a file. */

/** What Pyodide writes when it freezes an interpreter: a head of its own, then WebAssembly's memory. */
export interface MemoryImage {
  readonly bytes: number;
  /** A copy of its first bytes. */
  first(bytes: number): Uint8Array;
  /** Writes what lies from byte `from` on to the start of `memory`, which is zero from its byte `touchedBytes` on. */
  copyTo(memory: Uint8Array, from: number, touchedBytes: number): void;
}

/** An image that lies in one array. */
export const plainImage = (image: Uint8Array): MemoryImage => ({
  bytes: image.length,
  first: (bytes) => image.slice(0, bytes),
  copyTo: (memory, from) => memory.set(image.subarray(from)),
});

const HEAD_BYTES_AT = 4;

/** How long Pyodide's head is: the second of its numbers of 32 bits. */
export function headBytesOf(image: MemoryImage): number {
  const first = image.first(HEAD_BYTES_AT + 4);
  return new DataView(first.buffer).getUint32(HEAD_BYTES_AT, true);
}
