/**
 * Bytes of a Python source file as text. What a program runs as, CPython decides from the bytes; here is what a report shows of them,
 * and how bytes of any kind travel in a JavaScript string.
 */

const UTF8 = "utf-8";
/** PEP 263: in one of the first two lines, which are comments or blank. */
const CODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const BLANK = /^[ \t\f]*(?:#.*)?$/;

/** The names that Python and the Encoding Standard do not share. */
const LABELS = new Map([
  ["latin-1", "latin1"],
  ["latin_1", "latin1"],
  ["iso-latin-1", "latin1"],
  ["cp936", "gbk"],
  ["ms936", "gbk"],
  ["cp932", "shift_jis"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
]);

function codingOf(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1000));
  const [first = "", second = ""] = head.replace(/^\u00ef\u00bb\u00bf/, "").split(/\r\n|\r|\n/);
  const found = CODING.exec(first) ?? (BLANK.test(first) ? CODING.exec(second) : null);
  const name = (found?.[1] ?? UTF8).toLowerCase();
  return LABELS.get(name) ?? name.replaceAll("_", "-");
}

/** As its byte order mark or coding line says, else UTF-8; what cannot be decoded is shown as U+FFFD. Lines end with `\n`. */
export function sourceText(bytes: Uint8Array): string {
  let decoder = new TextDecoder(UTF8);
  try {
    decoder = new TextDecoder(codingOf(bytes));
  } catch {
    // a codec that only Python has
  }
  return decoder.decode(bytes).replaceAll(/\r\n?/g, "\n");
}

/** How many bytes a well-formed UTF-8 sequence at `at` has (Unicode, table 3-7); 0 where there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < least || second > most) return 0;
  for (let next = 2; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Text that holds the bytes without loss: UTF-8, and each byte that is none as half a character, as Python's `surrogateescape`. */
export function escapedBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder(UTF8, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // some byte is not UTF-8
  }
  const decoder = new TextDecoder(UTF8, { ignoreBOM: true });
  let text = "";
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += decoder.decode(bytes.subarray(from, at)) + String.fromCharCode(0xdc00 + bytes[at]!);
    at += 1;
    from = at;
  }
  return text + decoder.decode(bytes.subarray(from));
}
