/** Text of a foreign file: whatever its encoding and line ends, bounded, without the colours of a terminal. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { MIB } from "../base/bytes.ts";
import type { RangeReader } from "./range-reader.ts";

/** Logs of a week are smaller; a longer file is no log. */
export const MOST_TEXT_BYTES = 256 * MIB;

const ESCAPE = "\u001b";
// ECMA-48: colours and cursor movements
const SEQUENCES = new RegExp(`${ESCAPE}(?:\\[[0-?]{0,32}[ -/]{0,8}[@-~]|[@-Z\\\\-_])`, "g");

/** Text without what a terminal takes for colours and movements. */
export function withoutSequences(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(SEQUENCES, "") : text;
}

/** PowerShell's `>` writes UTF-16 with a mark. */
export function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

/**
 * Bytes as text with `\n` at line ends. Bytes that are no text become U+FFFD, since one bad byte must not hide a log.
 */
export function decodeText(bytes: Uint8Array): string {
  return withoutSequences(new TextDecoder(encodingOf(bytes)).decode(bytes).replaceAll("\r\n", "\n"));
}

/** @throws {DiagnosticError} `open_too_large`. */
export function readText(file: RangeReader, mostBytes = MOST_TEXT_BYTES): string {
  if (file.sizeBytes > mostBytes) {
    throw new DiagnosticError(diagnostic("open_too_large", { sizeBytes: file.sizeBytes, mostBytes }));
  }
  return decodeText(file.read(0, file.sizeBytes));
}
