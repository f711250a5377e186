/** What is selected, shared by all panels that show one trace: the chart, its table, the editor's gutter, explanations. */

import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Trace } from "../../../src/trace/model.ts";
import { peakEvent, type Grouping } from "../../../src/trace/queries.ts";

/** Whole events. */
export interface EventRange {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

export const GROUPINGS: readonly Grouping[] = ["category", "module", "line", "op", "dtype", "phase"];

export interface Selection {
  readonly trace: Trace;
  /** The event that is pinned, or -1. */
  readonly event: Signal<number>;
  readonly range: Signal<EventRange | null>;
  /** Index into the trace's blocks, or -1. */
  readonly block: Signal<number>;
  readonly grouping: Signal<Grouping>;
  /** As typed: plain text or `/regex/`. */
  readonly search: Signal<string>;
  /** Ranges that were marked to be found again. */
  readonly marks: Signal<readonly EventRange[]>;
  /** What panels describe: the pinned event, otherwise the peak; -1 in an empty trace. */
  readonly shownEvent: ReadonlySignal<number>;
}

/** @param peak the trace's peak event, where it is known already */
export function createSelection(trace: Trace, peak: number = peakEvent(trace)): Selection {
  const event = signal(-1);
  return {
    trace,
    event,
    range: signal<EventRange | null>(null),
    block: signal(-1),
    grouping: signal<Grouping>("category"),
    search: signal(""),
    marks: signal<readonly EventRange[]>([]),
    shownEvent: computed(() => (event.value === -1 ? peak : event.value)),
  };
}
