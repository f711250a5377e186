/**
 * Unpacks gzip within a limit, in one buffer: pieces that are joined at the end would take twice the memory of what comes out, and a
 * megabyte can claim to be a gigabyte.
 */

import { constants, gunzipSync } from "node:zlib";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";

/** Deflate packs no byte into less than a thousandth, so the beginning of a file unpacks to 64 MiB at most. */
const HEAD_BYTES = 1 << 16;
const LEAST_BYTES = 1 << 16;

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
}

function refusal(error: unknown, mostBytes: number): DiagnosticError {
  return new DiagnosticError(
    isTooLarge(error)
      ? diagnostic("open_unpacked_too_large", { mostBytes })
      : diagnostic("open_bad_gzip", { reason: error instanceof Error ? error.message : "" }),
  );
}

/** What the last four bytes claim: the size of the last part of the file, modulo 4 GiB. */
function claimedBytes(packed: Uint8Array): number {
  const at = packed.length - 4;
  return at < 0 ? 0 : new DataView(packed.buffer, packed.byteOffset + at, 4).getUint32(0, true);
}

/** @throws {DiagnosticError} `open_unpacked_too_large` or `open_bad_gzip`. */
export function gunzip(packed: Uint8Array, mostBytes: number): Uint8Array {
  const into = (bytes: number): Uint8Array =>
    gunzipSync(packed, { maxOutputLength: bytes, chunkSize: Math.max(bytes + 1, LEAST_BYTES) });
  const expected = Math.min(Math.max(claimedBytes(packed), LEAST_BYTES), mostBytes);
  try {
    return into(expected);
  } catch (error) {
    // several parts in one file, or a false claim
    if (!isTooLarge(error) || expected === mostBytes) throw refusal(error, mostBytes);
  }
  try {
    return into(mostBytes);
  } catch (error) {
    throw refusal(error, mostBytes);
  }
}

/** As much of the beginning as tells what the file is. */
export function gunzipHead(packed: Uint8Array): Uint8Array {
  const head = packed.subarray(0, HEAD_BYTES);
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: HEAD_BYTES * 1100 });
  } catch (error) {
    throw refusal(error, HEAD_BYTES);
  }
}
