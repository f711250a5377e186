/** Opens a recorded file of any known format: content decides which, and what is nothing known is named as far as possible. */

import { GIB } from "../base/bytes.ts";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";
import { isGzip, knownSignature, looksLikeText } from "./file-signatures.ts";
import { decodeText } from "./file-text.ts";
import { FOREIGN_FORMATS } from "./foreign-formats.ts";
import { SNIFF_BYTES, type ForeignFormat, type OpenedFile, type OpenOptions } from "./foreign-format.ts";
import { shown } from "./model-file-error.ts";
import { contradictions } from "../trace/contradictions.ts";
import { shownAssumptions, shownTrace } from "../trace/shown-names.ts";
import { bytesReader, type RangeReader } from "./range-reader.ts";
import { shownReadings } from "./shown-readings.ts";

/** A packed file may claim a thousand times its size; more than this is no file that anybody recorded. */
export const MOST_UNPACKED_BYTES = GIB;
/** Parts of a long text that are looked at when its beginning says nothing: as many from the end as after the beginning. */
const MOST_PARTS = 32;
/** What a part shares with the next one, so that a line between two is seen whole. */
const OVERLAP_BYTES = 4096;

export interface OpenFileOptions extends OpenOptions {
  /** Id of a format, when content shall not decide. */
  readonly format?: string;
  /**
   * Unpacks gzip, at most `mostBytes`. It is handed in because every platform has its own.
   *
   * @throws {DiagnosticError} `open_unpacked_too_large` or `open_bad_gzip`.
   */
  readonly gunzip?: (packed: Uint8Array, mostBytes: number) => Uint8Array;
  /** Unpacks as much of the beginning as tells what the file is, so that what is nothing known need not be unpacked whole. */
  readonly gunzipHead?: (packed: Uint8Array) => Uint8Array;
}

/** @throws {DiagnosticError} `open_no_such_format` with the nearest id. */
export function findFormat(id: string): ForeignFormat {
  const found = FOREIGN_FORMATS.find((format) => format.id === id);
  if (found !== undefined) return found;
  const ids = FOREIGN_FORMATS.map((format) => format.id);
  const known = ids.join(", ");
  const [nearest] = nearestNames(id, ids);
  throw new DiagnosticError(
    nearest === undefined
      ? diagnostic("open_no_such_format", { name: id, known })
      : diagnostic("open_no_such_format_nearest", { name: id, nearest }),
  );
}

/** The format that claims most; a usual ending of the name breaks ties, then the order of the list. */
function bestFor(head: Uint8Array, name: string): ForeignFormat | null {
  const text = decodeText(head);
  let best: ForeignFormat | null = null;
  let highest = 0;
  for (const format of FOREIGN_FORMATS) {
    const claim = format.sniff(head, text, name);
    if (claim <= 0) continue;
    const usual = format.extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
    const score = claim + (usual ? 1e-3 : 0);
    if (score <= highest) continue;
    best = format;
    highest = score;
  }
  return best;
}

/** Where else to look in a text of this size: what matters stands at the end of a log, or soon after its beginning. */
function partsOf(sizeBytes: number): number[] {
  const step = SNIFF_BYTES - OVERLAP_BYTES;
  const offsets = new Set<number>();
  for (let part = 1; part <= MOST_PARTS && part * step < sizeBytes; part++) {
    offsets.add(Math.max(0, sizeBytes - OVERLAP_BYTES - part * step));
    offsets.add(part * step);
  }
  return [...offsets];
}

/** What stands inside of a log of another kind: its figures and remarks follow those of the log. */
function withInside(opened: OpenedFile, file: RangeReader, options: OpenOptions): OpenedFile {
  const { readings } = opened;
  if (readings === null || opened.trace !== null) return opened;
  const parts = [0, ...partsOf(file.sizeBytes)].map((offset) => file.read(offset, SNIFF_BYTES));
  const texts = parts.map(decodeText);
  const inside = FOREIGN_FORMATS.filter(
    (format) =>
      format.standsInside === true &&
      format.id !== opened.format &&
      texts.some((text, index) => format.sniff(parts[index]!, text, options.name) > 0),
  ).map((format) => format.read(file, options));
  if (inside.length === 0) return opened;
  const all = [readings, ...inside.flatMap((found) => found.readings ?? [])];
  return {
    ...opened,
    readings: {
      ...readings,
      series: all.flatMap(({ series }) => series),
      facts: all.flatMap(({ facts }) => facts),
      notes: all.flatMap(({ notes }) => notes),
    },
    notes: [opened, ...inside].flatMap(({ notes }) => notes),
  };
}

/** The format of a file that is not packed, or null. */
export function sniffFormat(file: RangeReader, name: string): ForeignFormat | null {
  const head = file.read(0, SNIFF_BYTES);
  const found = bestFor(head, name);
  if (found !== null || file.sizeBytes <= SNIFF_BYTES || !looksLikeText(head)) return found;
  for (const offset of partsOf(file.sizeBytes)) {
    const later = bestFor(file.read(offset, SNIFF_BYTES), name);
    if (later !== null) return later;
  }
  return null;
}

/** Says what a file is that no format reads. */
function unknownFile(file: RangeReader, name: string): DiagnosticError {
  const head = file.read(0, SNIFF_BYTES);
  const count = FOREIGN_FORMATS.length;
  if (head.length === 0) return new DiagnosticError(diagnostic("open_is_empty", { name: shown(name) }));
  const code = knownSignature(head);
  if (code !== null) return new DiagnosticError(diagnostic(code, { name: shown(name) }));
  if (!looksLikeText(head)) return new DiagnosticError(diagnostic("open_is_binary", { name: shown(name), count }));
  const line = decodeText(head)
    .split("\n")
    .find((text) => text.trim() !== "");
  if (line === undefined) return new DiagnosticError(diagnostic("open_is_empty", { name: shown(name) }));
  if (/^\s*(?:import|from)\s+\w+|^\s*(?:def|class)\s+\w+/.test(line) || name.endsWith(".py")) {
    return new DiagnosticError(diagnostic("open_is_program", { name: shown(name) }));
  }
  return new DiagnosticError(diagnostic("open_is_text", { name: shown(name), line: shown(line.trim()), count }));
}

function unpacked(file: RangeReader, { gunzip, gunzipHead, name, format }: OpenFileOptions): RangeReader {
  if (!isGzip(file.read(0, 3))) return file;
  if (gunzip === undefined) throw new DiagnosticError(diagnostic("open_is_packed", { name: shown(name) }));
  const packed = file.read(0, file.sizeBytes);
  if (gunzipHead !== undefined && format === undefined) {
    const head = gunzipHead(packed).subarray(0, SNIFF_BYTES);
    // the end of a text may say what its beginning does not
    if (!looksLikeText(head) && bestFor(head, name) === null) throw unknownFile(bytesReader(head), name);
  }
  return bytesReader(gunzip(packed, MOST_UNPACKED_BYTES));
}

/**
 * Reads a file by its content, unpacking gzip.
 *
 * @throws {DiagnosticError} `open_...` where it is nothing known, otherwise the codes of its format.
 */
export function openFile(file: RangeReader, options: OpenFileOptions): OpenedFile {
  const wanted = options.format === undefined ? null : findFormat(options.format);
  const plain = unpacked(file, options);
  // `run.json.gz` is a `run.json`
  const name = plain === file ? options.name : options.name.replace(/\.gz$/i, "");
  const format = wanted ?? sniffFormat(plain, name);
  if (format === null) throw unknownFile(plain, name);
  const opened = format.read(plain, { ...options, name });
  return shownFile(wanted === null ? withInside(opened, plain, { ...options, name }) : opened);
}

/** Every name in it as reports may show it, and what in it contradicts itself. */
function shownFile({ format, trace, readings, notes }: OpenedFile): OpenedFile {
  return {
    format,
    trace: trace === null ? null : shownTrace(trace),
    readings: readings === null ? null : shownReadings(readings),
    notes: [...(trace === null ? [] : contradictions(trace)), ...shownAssumptions(notes)],
  };
}
