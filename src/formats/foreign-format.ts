/** What a recorded file must answer to be opened: whether it is one, and what it says. Each format is one file and one line in the list. */

import type { Assumption, Trace } from "../trace/model.ts";
import type { Readings } from "../trace/readings.ts";
import type { RangeReader } from "./range-reader.ts";

/** What was in a file: every block with its life, or figures only, or both. */
export interface OpenedFile {
  /** Id of the format that was read. */
  readonly format: string;
  readonly trace: Trace | null;
  readonly readings: Readings | null;
  /** What was left out, assumed or not understood, worded as assumptions are. */
  readonly notes: readonly Assumption[];
}

export interface OpenOptions {
  /** Device whose trace is wanted; default the first that did anything. */
  readonly device?: number;
  /** Name of the file as people know it. */
  readonly name: string;
  /** Called now and then with the share that is done, 0 to 1; the caller may stop by throwing. */
  readonly onProgress?: (share: number) => void;
}

export interface ForeignFormat {
  readonly id: string;
  /** What people call it, for lists and messages. */
  readonly title: string;
  /** File endings that are usual, without a point; only for help and file choosers. */
  readonly extensions: readonly string[];
  /**
   * Whether the beginning of a file looks like it: 0 not at all, 1 for sure. Gets at most SNIFF_BYTES, decompressed when the file is gzip.
   * Content decides; the name only breaks ties.
   */
  readonly sniff: (head: Uint8Array, text: string, name: string) => number;
  /** Its texts stand inside of other logs: they are read beside whatever else a log is. */
  readonly standsInside?: true;
  /** @throws {DiagnosticError} with a code of this format, when the file is not what it seemed. */
  readonly read: (file: RangeReader, options: OpenOptions) => OpenedFile;
}

/** How much of a file decides what it is. */
export const SNIFF_BYTES = 1 << 16;
