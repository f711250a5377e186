/**
 * What a recorder has to say beside numbers: names, call stacks, marks. Each thing is written once, when it is met first, as a line of
 * JSON behind the others, so that a reader who holds the bytes can make the tables again.
 */

import type { Assumption, FailedRequest, Frame } from "./model.ts";
import type { RecorderMemory, Table } from "./recorder-memory.ts";

/** Tables of names that columns point into. */
export const NAME_TABLES = ["ops", "modules", "dtypes", "notes", "savedNames"] as const;
export type NameTableName = (typeof NAME_TABLES)[number];

/** What columns point to. */
export interface TraceTables extends Readonly<Record<NameTableName, readonly string[]>> {
  readonly frames: readonly Frame[];
  readonly marks: Readonly<Record<number, string>>;
  /** In the order of their numbers; how often is in a column. */
  readonly assumptions: readonly Omit<Assumption, "count">[];
  readonly failures: readonly FailedRequest[];
}

type Entry =
  | readonly ["name", table: NameTableName, name: string]
  | readonly ["frame", parent: number, file: string, line: number, name: string]
  | readonly ["mark", event: number, name: string]
  | readonly ["assumption", number: number, entry: Omit<Assumption, "count">]
  | readonly ["failure", request: FailedRequest]
  | readonly ["failure_tensor", dtype: string, shape: readonly number[]];

/** Writes to shared memory; a recorder whose memory is its own keeps the tables only. */
export class TraceLog {
  readonly #table: Table<"log"> | null;
  readonly #encoder = new TextEncoder();
  #length = 0;

  constructor(memory: RecorderMemory) {
    this.#table = memory.isShared ? memory.table("log") : null;
  }

  write(...entry: Entry): void {
    const table = this.#table;
    if (table === null) return;
    const bytes = this.#encoder.encode(`${JSON.stringify(entry)}\n`);
    const end = this.#length + bytes.length;
    if (end > table.room) table.makeRoom(end - 1);
    table.at.byte.set(bytes, this.#length);
    this.#length = end;
    table.publish(end);
  }
}

/** The tables that a log makes. */
export function readLog(bytes: Uint8Array): TraceTables {
  const names: Record<NameTableName, string[]> = { ops: [], modules: [], dtypes: [], notes: [], savedNames: [] };
  const frames: Frame[] = [];
  const marks: Record<number, string> = {};
  const assumptions: Omit<Assumption, "count">[] = [];
  const failures: FailedRequest[] = [];
  for (const entry of entriesOf(bytes)) {
    switch (entry[0]) {
      case "name":
        names[entry[1]].push(entry[2]);
        break;
      case "frame":
        frames.push({ parent: entry[1], file: entry[2], line: entry[3], name: entry[4] });
        break;
      case "mark":
        marks[entry[1]] = entry[2];
        break;
      case "assumption":
        assumptions[entry[1]] = entry[2];
        break;
      case "failure":
        failures.push(entry[1]);
        break;
      case "failure_tensor": {
        const last = failures.pop();
        if (last !== undefined) failures.push({ ...last, dtype: entry[1], shape: entry[2] });
      }
    }
  }
  return { ...names, frames, marks, assumptions, failures };
}

const PIECE_BYTES = 2 ** 24;
const NEWLINE = 10;

/** In pieces: a log can be longer than a string. */
function* entriesOf(bytes: Uint8Array): Generator<Entry> {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(bytes.length, start + PIECE_BYTES);
    while (end < bytes.length && bytes[end - 1] !== NEWLINE) end++;
    const lines = decoder.decode(bytes.subarray(start, end)).trimEnd().replaceAll("\n", ",");
    yield* JSON.parse(`[${lines}]`) as Entry[];
    start = end;
  }
}
