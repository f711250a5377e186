/**
 * Where a recorder writes: tables of columns that grow, private to its thread or shared. Whoever holds the shared ones reads what
 * was recorded up to now whatever became of the thread: it hangs, it was ended, it died of memory.
 */

const FIRST_ROWS = 1024;

interface Kinds {
  readonly u8: Uint8Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
}
type Numbers = Kinds[keyof Kinds];
interface NumbersClass {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): Numbers;
  new (buffer: ArrayBufferLike, start: number, length: number): Numbers;
}
const ARRAYS: Readonly<Record<keyof Kinds, NumbersClass>> = { u8: Uint8Array, i32: Int32Array, f64: Float64Array };

/** Columns of each table. What they mean is said in model.ts, where a field has the same name. */
export const LAYOUT = {
  events: {
    kind: "u8",
    block: "i32",
    address: "f64",
    bytes: "f64",
    allocatedBytes: "f64",
    reservedBytes: "f64",
    frame: "i32",
    op: "i32",
    module: "i32",
    phase: "u8",
  },
  /** `dtype`, `note`: index in its table of names plus one, 0 for none. `shape`: row of `sizes` plus one, 0 for none. */
  blocks: {
    address: "f64",
    bytes: "f64",
    requestedBytes: "f64",
    stream: "i32",
    allocEvent: "i32",
    freeEvent: "i32",
    category: "u8",
    dtype: "i32",
    shape: "i32",
    note: "i32",
  },
  saved: {
    block: "i32",
    node: "i32",
    slot: "i32",
    form: "i32",
    frame: "i32",
    module: "i32",
    since: "i32",
    until: "i32",
    endFrame: "i32",
    end: "u8",
  },
  /** Of each shape the number of dimensions, then the dimensions. */
  sizes: { value: "f64" },
  /** How often each assumption was made. */
  assumed: { count: "i32" },
  /** Everything that is no number: see trace-log.ts. */
  log: { byte: "u8" },
} as const satisfies Record<string, Record<string, keyof Kinds>>;

/** Columns whose rows may change after they count; those of all others stay as they are. */
const REWRITTEN: Partial<Record<TableName, readonly string[]>> = {
  blocks: ["freeEvent", "category", "dtype", "shape", "note"],
  saved: ["until", "endFrame", "end"],
  assumed: ["count"],
};

export type TableName = keyof typeof LAYOUT;
export const TABLES = Object.keys(LAYOUT) as readonly TableName[];

export type Columns<N extends TableName> = {
  -readonly [C in keyof (typeof LAYOUT)[N]]: (typeof LAYOUT)[N][C] extends keyof Kinds
    ? Kinds[(typeof LAYOUT)[N][C]]
    : never;
};

/** Rows for which address space is reserved; memory is taken as they fill. Their columns together stay below 12 GB. */
const MOST_ROWS: Readonly<Record<TableName, number>> = {
  events: 2 ** 26,
  blocks: 2 ** 26,
  saved: 2 ** 26,
  sizes: 2 ** 27,
  assumed: 2 ** 20,
  log: 2 ** 30,
};

/** The shared memory of one recorder by name, the counts first: plain data that may be posted to other threads. */
export type SharedTrace = Readonly<Record<string, SharedArrayBuffer>>;
/** A copy of it, or of a part. */
export type LeftTrace = Readonly<Record<string, Uint8Array>>;

/** Rows of each table, in the order of {@link TABLES}, then {@link PLACES}: one int32 each. */
const COUNTS = "trace.counts";
const nameOf = (table: TableName, column: string): string => `trace.${table}.${column}`;
/** Each column by the name of its memory. */
const COLUMNS = new Map(
  TABLES.flatMap((table) =>
    Object.entries<keyof Kinds>(LAYOUT[table]).map(([column, kind]) => [
      nameOf(table, column),
      {
        table,
        kind,
        rowBytes: ARRAYS[kind].BYTES_PER_ELEMENT,
        isRewritten: REWRITTEN[table]?.includes(column) ?? false,
      },
    ]),
  ),
);

/** Where the program is, as far as it said so; frames plus one, 0 for none. */
const PLACES = ["stopFrame", "lineFrame", "lineEvents"] as const;
export type PlaceName = (typeof PLACES)[number];
export type Places = Readonly<Record<PlaceName, number>>;

const slotOf = Object.fromEntries([...TABLES, ...PLACES].map((name, slot) => [name, slot])) as Readonly<
  Record<TableName | PlaceName, number>
>;
const SLOTS = TABLES.length + PLACES.length;

/** Shared memory for one recorder, or null where threads share none that grows: a page that is not isolated, an old browser. */
export function sharedTrace(): SharedTrace | null {
  if (typeof SharedArrayBuffer !== "function" || !("grow" in SharedArrayBuffer.prototype)) return null;
  try {
    const columns = [...COLUMNS].map(([name, { table, rowBytes }]) => {
      const maxByteLength = MOST_ROWS[table] * rowBytes;
      return [name, new SharedArrayBuffer(0, { maxByteLength })] as const;
    });
    return { [COUNTS]: new SharedArrayBuffer(SLOTS * 4), ...Object.fromEntries(columns) };
  } catch (error) {
    // no room for the reservation
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A table that is being written. Rows are counted by whoever writes them; {@link publish} makes them count for readers. */
export class Table<N extends TableName> {
  /** The columns; others after {@link makeRoom}. */
  readonly at: Columns<N>;
  /** Rows for which there is room. */
  room = 0;
  readonly #name: N;
  readonly #counts: Int32Array;
  readonly #slot: number;

  constructor(name: N, counts: Int32Array, columns: Columns<N>) {
    this.#name = name;
    this.#counts = counts;
    this.#slot = slotOf[name];
    this.at = columns;
  }

  /** Makes row `row` writable. */
  makeRoom(row: number): void {
    const rows = Math.max(FIRST_ROWS, this.room * 2, row + 1);
    const at = this.at as unknown as Record<string, Numbers>;
    for (const [column, kind] of Object.entries<keyof Kinds>(LAYOUT[this.#name])) {
      at[column] = longer(ARRAYS[kind], at[column]!, rows, MOST_ROWS[this.#name]);
    }
    this.room = rows;
  }

  /** The first `rows` rows are complete. */
  publish(rows: number): void {
    Atomics.store(this.#counts, this.#slot, rows);
  }
}

function longer(kind: NumbersClass, array: Numbers, rows: number, mostRows: number): Numbers {
  const { buffer } = array;
  if (typeof SharedArrayBuffer === "function" && buffer instanceof SharedArrayBuffer) {
    if (rows > mostRows && array.length < mostRows) rows = mostRows;
    buffer.grow(rows * kind.BYTES_PER_ELEMENT);
    // of a fixed length: arrays that follow their buffer are slower by an order of magnitude
    return new kind(buffer, 0, rows);
  }
  const larger = new kind(rows);
  larger.set(array);
  return larger;
}

/** The memory of one recorder. */
export class RecorderMemory {
  readonly #counts: Int32Array;
  readonly #shared: SharedTrace | null;

  constructor(shared: SharedTrace | null) {
    this.#shared = shared;
    this.#counts = new Int32Array(shared?.[COUNTS] ?? new ArrayBuffer(SLOTS * 4));
  }

  get isShared(): boolean {
    return this.#shared !== null;
  }

  table<N extends TableName>(name: N): Table<N> {
    const columns = Object.fromEntries(
      Object.entries<keyof Kinds>(LAYOUT[name]).map(([column, kind]) => {
        const buffer = this.#shared?.[nameOf(name, column)];
        return [column, buffer === undefined ? new ARRAYS[kind](0) : new ARRAYS[kind](buffer, 0, 0)];
      }),
    );
    return new Table(name, this.#counts, columns as unknown as Columns<N>);
  }

  setPlace(name: PlaceName, value: number): void {
    Atomics.store(this.#counts, slotOf[name], value);
  }
}

/** What a recorder has written: columns as long as their tables. */
export type Recorded = { readonly [N in TableName]: Columns<N> };

/** A copy of what was recorded up to now: the first of its portions. */
export const copyOf = (memories: Readonly<Record<string, SharedArrayBuffer>>): LeftTrace => portionsOf(memories)(true)!;

/**
 * A function that gives what was recorded since its last call: of columns that only grow the new rows, and all of the others; memory
 * of other names whole. Without `always` it gives null where no row is new. Safe at any moment: rows count when they are complete, and
 * the counts are read before the rows.
 */
export function portionsOf(
  memories: Readonly<Record<string, SharedArrayBuffer>>,
): (always: boolean) => LeftTrace | null {
  const counts = memories[COUNTS];
  if (counts === undefined) return () => mapValues(memories, (memory) => new Uint8Array(memory).slice());
  let before = new Int32Array(SLOTS);
  return (always) => {
    const copied = new Int32Array(counts).slice();
    if (!always && copied.every((count, slot) => count === before[slot])) return null;
    const sent = before;
    before = copied;
    return mapValues(memories, (memory, name) => {
      const column = COLUMNS.get(name);
      if (name === COUNTS) return new Uint8Array(copied.buffer);
      if (column === undefined) return new Uint8Array(memory).slice();
      const slot = slotOf[column.table];
      const from = column.isRewritten ? 0 : sent[slot]! * column.rowBytes;
      return new Uint8Array(memory, from, copied[slot]! * column.rowBytes - from).slice();
    });
  };
}

/** Columns of the rows that a table got since it had `from` of them, where they lie: for a glance at a run that is going on. */
export function newRows<N extends TableName, C extends keyof Columns<N> & string>(
  shared: SharedTrace,
  table: N,
  from: number,
  names: readonly C[],
): { readonly rows: number; readonly columns: Pick<Columns<N>, C> } {
  const rows = Atomics.load(new Int32Array(shared[COUNTS]!), slotOf[table]);
  const columns = names.map((column) => {
    const { kind, rowBytes } = COLUMNS.get(nameOf(table, column))!;
    return [column, new ARRAYS[kind](shared[nameOf(table, column)]!, from * rowBytes, rows - from)];
  });
  return { rows, columns: Object.fromEntries(columns) as Pick<Columns<N>, C> };
}

/** Portions put together again. */
export class GatheredPortions {
  readonly #pieces = new Map<string, Uint8Array[]>();

  add(portion: LeftTrace): void {
    for (const [name, bytes] of Object.entries(portion)) {
      const pieces = this.#pieces.get(name);
      if (pieces !== undefined && COLUMNS.get(name)?.isRewritten === false) pieces.push(bytes);
      else this.#pieces.set(name, [bytes]);
    }
  }

  /** All of it, as one copy of the memory; what was put together is forgotten. */
  take(): LeftTrace {
    const whole = [...this.#pieces].map(([name, pieces]) => [name, joined(pieces)] as const);
    this.#pieces.clear();
    return Object.fromEntries(whole);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

function mapValues<T, U>(table: Readonly<Record<string, T>>, map: (value: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value, name)]));
}

/** The columns in a copy, or null where it is no copy of a recorder's memory. */
export function recordedIn(left: LeftTrace): Recorded | null {
  if (left[COUNTS] === undefined) return null;
  return Object.fromEntries(
    TABLES.map((table) => {
      const columns = Object.entries<keyof Kinds>(LAYOUT[table]).map(([column, kind]) => {
        const bytes = left[nameOf(table, column)] ?? new Uint8Array(0);
        const rows = Math.floor(bytes.byteLength / ARRAYS[kind].BYTES_PER_ELEMENT);
        const aligned = bytes.byteOffset % ARRAYS[kind].BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
        return [column, new ARRAYS[kind](aligned.buffer, aligned.byteOffset, rows)];
      });
      return [table, Object.fromEntries(columns)];
    }),
  ) as unknown as Recorded;
}

/** Where the program is, as far as it said so. */
export function placesOf(left: LeftTrace): Places {
  const bytes = left[COUNTS]?.slice() ?? new Uint8Array(SLOTS * 4);
  const counts = new Int32Array(bytes.buffer);
  return Object.fromEntries(PLACES.map((name) => [name, counts[slotOf[name]]!])) as Record<PlaceName, number>;
}

/** The first `rows` rows of a table that is being written, as copies. */
export function rowsOf<N extends TableName>(table: Table<N>, rows: number): Columns<N> {
  return Object.fromEntries(
    Object.entries(table.at as unknown as Record<string, Numbers>).map(([column, array]) => [
      column,
      array.slice(0, rows),
    ]),
  ) as unknown as Columns<N>;
}
