/** The files of a zip archive from somebody else, such as a wheel: every length and name is checked before anything is unpacked. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";

export interface ZipEntry {
  readonly path: string;
  readonly bytes: number;
  /** Unpacks it. @throws DiagnosticError */
  readonly read: () => Promise<Uint8Array>;
}

export interface ZipLimits {
  readonly entries: number;
  /** Of all entries together, unpacked. */
  readonly bytes: number;
  /** An archive whose entries have more bytes than this is no ordinary one when they are so many times its own. */
  readonly ordinaryBytes: number;
  readonly ratio: number;
}

/** Raw deflate, with the most bytes that may come out, and the checksum of zip. */
export interface Inflate {
  readonly inflate: (packed: Uint8Array, most: number) => Uint8Array | Promise<Uint8Array>;
  readonly crc32: (bytes: Uint8Array) => number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const LONGEST_COMMENT = 0xffff;
const LONGEST_PATH = 1000;
const LINK = 0o120000;
const KIND = 0o170000;

/** @throws DiagnosticError for what is no zip, damaged, too large, or names what lies outside */
export function zipEntries(
  archive: Uint8Array,
  file: string,
  limits: ZipLimits,
  { inflate, crc32 }: Inflate,
): readonly ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const damaged = (): DiagnosticError => new DiagnosticError(diagnostic("packages_bad_wheel", { file }));
  const most = Math.min(limits.bytes, Math.max(limits.ordinaryBytes, archive.length * limits.ratio));
  const tooLarge = (): DiagnosticError =>
    new DiagnosticError(diagnostic("packages_too_large", { file, mostBytes: most }));
  const need = (at: number, bytes: number): number => {
    if (at < 0 || at + bytes > archive.length) throw damaged();
    return at;
  };
  const end = endOf(view);
  if (end === null) throw damaged();
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > limits.entries) throw tooLarge();
  const names = new Set<string>();
  const found: ZipEntry[] = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    need(at, CENTRAL_BYTES);
    if (view.getUint32(at, true) !== CENTRAL) throw damaged();
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const checksum = view.getUint32(at + 16, true);
    const packed = view.getUint32(at + 20, true);
    const bytes = view.getUint32(at + 24, true);
    const nameBytes = view.getUint16(at + 28, true);
    const skipped = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const mode = view.getUint32(at + 38, true) >>> 16;
    const start = view.getUint32(at + 42, true);
    need(at + CENTRAL_BYTES, nameBytes + skipped);
    const path = new TextDecoder().decode(archive.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes));
    at += CENTRAL_BYTES + nameBytes + skipped;
    const isFolder = path.endsWith("/");
    if (!isSafe(isFolder ? path.slice(0, -1) : path) || (mode & KIND) === LINK) {
      throw new DiagnosticError(diagnostic("packages_leads_out", { file, path: path.slice(0, LONGEST_PATH) }));
    }
    // on a disk that does not tell small letters from large ones the second would replace the first
    if (names.has(path.toLowerCase()) || (flags & 1) !== 0 || (method !== 0 && method !== 8)) throw damaged();
    names.add(path.toLowerCase());
    total += bytes;
    if (total > most) throw tooLarge();
    if (isFolder) continue;
    const read = async (): Promise<Uint8Array> => {
      need(start, LOCAL_BYTES);
      if (view.getUint32(start, true) !== LOCAL) throw damaged();
      const data = start + LOCAL_BYTES + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
      need(data, packed);
      const raw = archive.subarray(data, data + packed);
      let plain: Uint8Array;
      try {
        plain = method === 0 ? raw : await inflate(raw, bytes);
      } catch {
        throw damaged();
      }
      if (plain.length !== bytes || crc32(plain) >>> 0 !== checksum) throw damaged();
      return plain;
    };
    found.push({ path, bytes, read });
  }
  return found;
}

function endOf(view: DataView): number | null {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return null;
}

/** A path below the folder that it is unpacked to, on every system. */
function isSafe(path: string): boolean {
  if (path === "" || path.length > LONGEST_PATH || /[\\:]|\p{Cc}/u.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
