// Writes a ZIP archive: entries with a path, bytes and whether they are programs. Enough for a wheel, below 4 GiB.
import { crc32, deflateRawSync } from "node:zlib";

const DEFLATED = 8;
const VERSION = 20;
const MADE_ON_UNIX = 3 << 8;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980, where the format's time begins: the same files give the same archive. */
const DATE = 0x21;

/** The archive of these entries, in their order. */
export function zipOf(entries) {
  const pieces = [];
  const directory = [];
  let offset = 0;
  for (const { path, bytes, isProgram = false } of entries) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(FLAGS, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    pieces.push(Buffer.from("PK\x03\x04", "latin1"), common, name, packed);

    const rest = Buffer.alloc(14);
    const mode = 0o100000 | (isProgram ? 0o755 : 0o644);
    rest.writeUInt32LE(mode * 0x10000, 6);
    rest.writeUInt32LE(offset, 10);
    const head = Buffer.alloc(6);
    head.write("PK\x01\x02", 0, "latin1");
    head.writeUInt16LE(MADE_ON_UNIX | VERSION, 4);
    directory.push(head, common, rest, name);
    offset += 30 + name.length + packed.length;
  }
  const sizeBytes = directory.reduce((sum, piece) => sum + piece.length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(sizeBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}
