/** Lines of a text file one after another, in bounded memory, whatever the encoding, the line ends and the terminal's colours. */

import { encodingOf, withoutSequences } from "../file-text.ts";
import type { RangeReader } from "../range-reader.ts";

const CHUNK_BYTES = 1 << 20;
/** Figures stand in short lines; what is beyond is dropped, so that a file without line ends stays cheap. */
export const LONGEST_LINE = 16_384;

export interface LineOptions {
  readonly longest?: number;
  /** Called with the share that is done, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** What {@link eachLine} met. */
export interface LinesSeen {
  readonly lines: number;
  /** Lines whose end was dropped. */
  readonly cutLines: number;
}

/**
 * Calls `onLine` for each line without its end; `line` is 1-based. What a carriage return overwrote, as progress bars do, comes
 * before what overwrote it, with the same number.
 */
export function eachLine(
  file: RangeReader,
  onLine: (text: string, line: number) => void,
  options: LineOptions = {},
): LinesSeen {
  const longest = options.longest ?? LONGEST_LINE;
  const decoder = new TextDecoder(encodingOf(file.read(0, 2)));
  let line = 1;
  let cutLines = 0;
  let rest = "";
  let isCut = false;

  const give = (text: string): void => {
    const kept = text.length > longest ? text.slice(0, longest) : text;
    if (kept.length < text.length) isCut = true;
    const plain = withoutSequences(kept);
    for (const part of plain.includes("\r") ? plain.split("\r").filter((piece) => piece !== "") : [plain]) {
      onLine(part, line);
    }
  };

  for (let offset = 0; offset < file.sizeBytes; offset += CHUNK_BYTES) {
    const bytes = file.read(offset, CHUNK_BYTES);
    const text = decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      give(rest + text.slice(start, end));
      if (isCut) cutLines++;
      isCut = false;
      rest = "";
      start = end + 1;
      line++;
    }
    rest += text.slice(start);
    if (rest.length > longest) {
      rest = rest.slice(0, longest);
      isCut = true;
    }
    options.onProgress?.(Math.min(1, (offset + bytes.length) / file.sizeBytes));
    if (bytes.length === 0) break;
  }
  rest += decoder.decode();
  if (rest === "") return { lines: line - 1, cutLines };
  give(rest);
  return { lines: line, cutLines: cutLines + (isCut ? 1 : 0) };
}
