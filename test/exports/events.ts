/** TensorBoard's event files, decoded independently of the writer: records with their sums, and protocol buffers by field number. */

/** CRC-32C bit by bit, as in its definition. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const masked = (bytes: Uint8Array): number => {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
};

/** The records of a file; throws when a length or a sum is wrong. */
export function records(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const result: Uint8Array[] = [];
  for (let at = 0; at < file.length;) {
    const length = Number(view.getBigUint64(at, true));
    if (view.getUint32(at + 8, true) !== masked(file.subarray(at, at + 8))) throw new Error("sum of a length");
    const data = file.subarray(at + 12, at + 12 + length);
    if (data.length !== length) throw new Error("cut off");
    if (view.getUint32(at + 12 + length, true) !== masked(data)) throw new Error("sum of a record");
    result.push(data);
    at += 16 + length;
  }
  return result;
}

export type Field = bigint | Uint8Array;
/** A message: all values of each field, as numbers of the wire or bytes. */
export type Message = ReadonlyMap<number, readonly Field[]>;

export function message(bytes: Uint8Array): Message {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const add = (value: Field) => fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value]);
    const take = (length: number): Uint8Array => {
      if (at + length > bytes.length) throw new Error("field beyond the message");
      return bytes.subarray(at, (at += length));
    };
    switch (key & 7) {
      case 0:
        add(varint());
        break;
      case 1:
        add(take(8));
        break;
      case 2:
        add(take(Number(varint())));
        break;
      case 5:
        add(take(4));
        break;
      default:
        throw new Error(`wire type ${key & 7}`);
    }
  }
  return fields;
}

const bytesAt = (m: Message, field: number): Uint8Array[] => (m.get(field) ?? []) as Uint8Array[];
export const texts = (m: Message, field: number): string[] =>
  bytesAt(m, field).map((value) => new TextDecoder("utf-8", { fatal: true }).decode(value));
export const messages = (m: Message, field: number): Message[] => bytesAt(m, field).map(message);
export const numbers = (m: Message, field: number): number[] => (m.get(field) ?? []).map(Number);
export const doubles = (m: Message, field: number): number[] =>
  bytesAt(m, field).flatMap((value) => {
    const view = new DataView(value.buffer, value.byteOffset, value.length);
    return Array.from({ length: value.length / 8 }, (_, i) => view.getFloat64(i * 8, true));
  });
export const floats = (m: Message, field: number): number[] =>
  bytesAt(m, field).map((value) => new DataView(value.buffer, value.byteOffset).getFloat32(0, true));
