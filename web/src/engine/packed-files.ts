/** Files of packages as a program in the worker sees them: nothing is read before Python asks, and then a part of a blob. */

import { listedFiles, type HostFiles } from "../../../src/python/host-files.ts";
import { SITE_PACKAGES } from "../../../src/python/program-place.ts";
import type { PackedFiles } from "./protocol.ts";

interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

// taken before the worker is closed: afterwards nobody finds them
const Reader = (globalThis as unknown as { FileReaderSync?: new () => SyncReader }).FileReaderSync;
const reader = Reader === undefined ? null : new Reader();
const readBuffer = Reader?.prototype.readAsArrayBuffer;
const { slice } = Blob.prototype;

export function packedFiles(packages: readonly PackedFiles[]): HostFiles {
  const ranges = new Map<string, readonly [blob: Blob, from: number, bytes: number]>();
  for (const { blob, files } of packages)
    for (const [path, from, bytes] of files) ranges.set(`${SITE_PACKAGES}/${path}`, [blob, from, bytes]);
  const sizes = [...ranges].map(([path, [, , bytes]]) => [path, bytes] as const);
  return listedFiles(sizes, (path, from, length) => {
    const place = ranges.get(path);
    if (place === undefined || reader === null || readBuffer === undefined) return null;
    const [blob, begin, bytes] = place;
    const end = Math.min(from + length, bytes);
    if (end <= from) return new Uint8Array();
    return new Uint8Array(readBuffer.call(reader, slice.call(blob, begin + from, begin + end)));
  });
}
