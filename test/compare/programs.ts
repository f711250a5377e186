/** Small traces for comparisons: steps of a program whose blocks are given by size. */

import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import type { Category, Trace } from "../../src/trace/model.ts";
import { block, META } from "../trace/sample.ts";

export interface Made {
  /** MiB that are asked for. */
  readonly mib: number;
  /** MiB that are charged; as asked for by default. */
  readonly charged?: number;
  readonly line?: number;
  readonly category?: Category;
  readonly note?: string;
}

/** Builds a trace by what happens, one call after the other. */
export class Program {
  readonly #trace = new TraceBuilder();
  #allocated = 0;
  #reserved = 0;
  #next = 0;

  segment(mib: number, line = 1): this {
    return this.#reserve("segment_alloc", mib, line);
  }

  /** Pages that follow those that were mapped last. */
  map(mib: number): this {
    return this.#reserve("segment_map", mib, 1);
  }

  #reserve(kind: "segment_alloc" | "segment_map", mib: number, line: number): this {
    this.#reserved += mib * MIB;
    const frame = this.#trace.frame(-1, "net.py", line, "<module>");
    this.#trace.segment(kind, this.#next + 2 ** 40, mib * MIB, { frame, op: -1 }, this.#allocated, this.#reserved);
    this.#next += mib * MIB;
    return this;
  }

  take({ mib, charged = mib, line = 1, category = "activation", note }: Made): number {
    this.#allocated += charged * MIB;
    const frame = this.#trace.frame(-1, "net.py", line, "<module>");
    this.#next += charged * MIB;
    return this.#trace.alloc(
      block({
        address: this.#next,
        bytes: charged * MIB,
        requestedBytes: mib * MIB,
        frame,
        op: this.#trace.op("aten::mul"),
        category,
        note: note ?? null,
      }),
      this.#allocated,
      this.#reserved,
    );
  }

  free(index: number, mib: number, line = 1): this {
    this.#allocated -= mib * MIB;
    const frame = this.#trace.frame(-1, "net.py", line, "<module>");
    this.#trace.free(index, { frame, op: -1, module: -1, phase: "forward" }, this.#allocated, this.#reserved);
    return this;
  }

  mark(name: string): this {
    this.#trace.mark(name, this.#trace.frame(-1, "net.py", 99, "<module>"));
    return this;
  }

  done(change: Partial<Trace> = {}): Trace {
    return { ...this.#trace.finish(META), ...change };
  }
}

/** What a recorder that is switched on before event `first`, and off before event `end`, would have of a trace. */
export function recordedFrom(trace: Trace, first: number, end = trace.events.kind.length): Trace {
  const { events, blocks } = trace;
  const kept = blocks.flatMap((entry, index) =>
    entry.allocEvent < end && (entry.freeEvent === -1 || entry.freeEvent >= first) ? [index] : [],
  );
  const place = new Map(kept.map((index, at) => [index, at]));
  const columns = Object.fromEntries(Object.entries(events).map(([name, column]) => [name, column.slice(first, end)]));
  columns["block"] = (columns["block"] as Int32Array).map((index) => place.get(index) ?? -1);
  const within = (event: number) => (event >= end ? -1 : Math.max(-1, event - first));
  return {
    ...trace,
    events: columns as unknown as Trace["events"],
    blocks: kept.map((index) => {
      const entry = blocks[index]!;
      const freeEvent = entry.freeEvent === -1 ? -1 : within(entry.freeEvent);
      return { ...entry, allocEvent: within(entry.allocEvent), freeEvent };
    }),
    marks: {},
  };
}
