/** Files that people hand over by mistake, by their first bytes: each gets a sentence that says what it is and what to do. */

interface Signature {
  /** Code with wording. */
  readonly code: string;
  readonly offset: number;
  readonly bytes: readonly number[];
}

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

const SIGNATURES: readonly Signature[] = [
  { code: "open_is_zip", offset: 0, bytes: [0x50, 0x4b, 0x03, 0x04] },
  { code: "open_is_sqlite", offset: 0, bytes: ascii("SQLite format 3\0") },
  { code: "open_is_model", offset: 0, bytes: ascii("GGUF") },
  // safetensors: an 8-byte length, then a JSON header
  { code: "open_is_model", offset: 6, bytes: [0, 0, 0x7b, 0x22] },
  { code: "open_is_packed", offset: 0, bytes: [0x28, 0xb5, 0x2f, 0xfd] }, // zstd
  { code: "open_is_packed", offset: 0, bytes: [0xfd, ...ascii("7zXZ")] },
  { code: "open_is_packed", offset: 0, bytes: ascii("BZh") },
  { code: "open_is_packed", offset: 0, bytes: ascii("7z\xbc\xaf") },
  { code: "open_is_image", offset: 0, bytes: [0x89, ...ascii("PNG")] },
  { code: "open_is_image", offset: 0, bytes: [0xff, 0xd8, 0xff] },
  { code: "open_is_page", offset: 0, bytes: ascii("%PDF") },
  { code: "open_is_page", offset: 0, bytes: ascii("<!DOCTYPE html") },
  { code: "open_is_page", offset: 0, bytes: ascii("<!doctype html") },
  { code: "open_is_page", offset: 0, bytes: ascii("<html") },
];

/** Code of the sentence about such a file, or null. */
export function knownSignature(head: Uint8Array): string | null {
  const found = SIGNATURES.find(({ offset, bytes }) => bytes.every((byte, index) => head[offset + index] === byte));
  return found?.code ?? null;
}

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08;
}

/** Whether bytes are text: control characters other than those of terminals and lines do not occur in it. */
export function looksLikeText(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  return head.every((byte) => byte >= 0x20 || (byte >= 0x07 && byte <= 0x0d) || byte === 0x1b);
}
