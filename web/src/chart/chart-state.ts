/** The state of one chart: its data, what is shown, what is under the pointer, and everything that can be done to it. */

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { KIND } from "../../../src/trace/codes.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { chartBase, chartData, type ChartBase, type ChartData } from "./chart-data.ts";
import {
  around,
  HEIGHTS,
  heightsAround,
  lifted,
  panned,
  revealing,
  stretched,
  topBytes,
  whole,
  within,
  zoomed,
  type HeightMode,
  type Heights,
  type View,
} from "./picture.ts";
import { nextMatch, searchBlocks, type Matches } from "./search.ts";
import { GROUPINGS, type EventRange, type Selection } from "./selection.ts";
import { keyName } from "./group-names.ts";
import type { LaidOver } from "./laid-over.ts";
import { withGroups, type Translate } from "./words.ts";

const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;

/** What the pointer is over; places are CSS pixels in the plot. */
export interface Hover {
  readonly x: number;
  readonly y: number;
  readonly event: number;
  /** -1: a group's band, or nothing. */
  readonly block: number;
  /** -1: above the stack. */
  readonly group: number;
  readonly bottomBytes: number;
  readonly bandBytes: number;
}

export interface Chart {
  readonly trace: Trace;
  readonly selection: Selection;
  readonly t: Translate;
  readonly data: ReadonlySignal<ChartData>;
  readonly view: Signal<View>;
  readonly height: Signal<HeightMode>;
  /** Null: all heights that the mode says. */
  readonly heights: Signal<Heights | null>;
  /** The only group in full colour, or -1. */
  readonly onlyGroup: Signal<number>;
  /** Another trace, as a line over this one. */
  readonly laidOver: Signal<LaidOver | null>;
  readonly hover: Signal<Hover | null>;
  readonly matches: ReadonlySignal<Matches>;
  /** Grows when the search field should take the focus. */
  readonly searchAsked: Signal<number>;
  zoom(factor: number, share?: number): void;
  /** @param widths in widths of the view */
  pan(widths: number): void;
  /** @param share height that stays where it is: 0 is the lower edge */
  stretch(factor: number, share?: number): void;
  /** @param share how far up, in heights of the picture */
  lift(share: number): void;
  /** Stretches the picture to a part of the stack. */
  showHeights(lowBytes: number, highBytes: number): void;
  /** Bytes at the upper edge when nothing is stretched. */
  fullBytes(): number;
  fitAll(): void;
  fitSelection(): void;
  goToPeak(): void;
  markRange(): void;
  stepEvent(by: 1 | -1): void;
  /** Selects the block and the event of its birth or death, and shows it. */
  toLinked(end: "alloc" | "free"): void;
  nextGrouping(): void;
  nextHeight(): void;
  /** Selects the next block that the search found. */
  toMatch(step: 1 | -1): void;
  askForSearch(): void;
  clear(): void;
  /** Selects a block, or none with -1, and the event. */
  pin(event: number, block: number): void;
  selectRange(range: EventRange | null): void;
  reveal(event: number): void;
  dispose(): void;
}

/** @param base prepared already, perhaps in a worker */
export function createChart(
  selection: Selection,
  words: Translate,
  base: ChartBase = chartBase(selection.trace),
): Chart {
  const { trace } = selection;
  const t = withGroups(words);
  const { events } = base;
  const data = computed(() => chartData(trace, selection.grouping.value, base));
  const view = signal<View>(whole(events));
  const height = signal<HeightMode>("used");
  const heights = signal<Heights | null>(null);
  const onlyGroup = signal(-1);
  const searchAsked = signal(0);
  const matches = computed(() =>
    searchBlocks(trace, selection.search.value, (category) => keyName("category", category, t)),
  );
  // places of groups mean others after the grouping has changed
  const forgetGroup = effect(() => {
    void selection.grouping.value;
    onlyGroup.value = -1;
  });
  const forgetHeights = effect(() => {
    void height.value;
    heights.value = null;
  });
  const reveal = (event: number): void => {
    view.value = revealing(view.peek(), event, events);
  };
  /** The event that commands start from. */
  const current = (): number => selection.shownEvent.peek();
  const blockAt = (event: number): number => {
    const kind = trace.events.kind[event];
    return kind === ALLOC || kind === FREE_REQUESTED ? trace.events.block[event]! : -1;
  };
  const chart: Chart = {
    trace,
    selection,
    t,
    data,
    view,
    height,
    heights,
    onlyGroup,
    laidOver: signal<LaidOver | null>(null),
    hover: signal<Hover | null>(null),
    matches,
    searchAsked,
    zoom(factor, share) {
      const shown = view.peek();
      const pinned = selection.event.peek();
      const isShown = pinned >= shown.from && pinned < shown.to;
      const place = share ?? (isShown ? (pinned + 0.5 - shown.from) / (shown.to - shown.from) : 0.5);
      view.value = zoomed(shown, factor, place, events);
    },
    pan(widths) {
      view.value = panned(view.peek(), widths, events);
    },
    stretch(factor, share = 0) {
      heights.value = stretched(heights.peek(), factor, share, chart.fullBytes());
    },
    lift(share) {
      heights.value = lifted(heights.peek(), share, chart.fullBytes());
    },
    showHeights(lowBytes, highBytes) {
      heights.value = heightsAround(lowBytes, highBytes, chart.fullBytes());
    },
    fullBytes: () => topBytes(data.peek(), height.peek(), view.peek()),
    fitAll() {
      view.value = whole(events);
      heights.value = null;
    },
    fitSelection() {
      const block = trace.blocks[selection.block.peek()];
      const range = selection.range.peek();
      if (range !== null) view.value = within(range, events);
      else if (block !== undefined) {
        view.value = around(
          { from: Math.max(0, block.allocEvent), to: block.freeEvent === -1 ? events : block.freeEvent + 1 },
          events,
        );
      } else if (selection.event.peek() >= 0) {
        view.value = around({ from: selection.event.peek() - 20, to: selection.event.peek() + 20 }, events);
      } else view.value = whole(events);
    },
    goToPeak() {
      if (base.peak === -1) return;
      chart.pin(base.peak, -1);
      reveal(base.peak);
    },
    markRange() {
      const range = selection.range.peek();
      const marks = selection.marks.peek();
      if (range === null) {
        const event = selection.event.peek();
        selection.marks.value = marks.filter(({ from, to }) => event < from || event >= to);
        return;
      }
      const rest = marks.filter(({ from, to }) => from !== range.from || to !== range.to);
      selection.marks.value = rest.length < marks.length ? rest : [...marks, range];
    },
    stepEvent(by) {
      if (events === 0) return;
      const next = Math.min(events - 1, Math.max(0, current() + by));
      chart.pin(next, blockAt(next));
      reveal(next);
    },
    toLinked(end) {
      const at = current();
      const index = selection.block.peek() >= 0 ? selection.block.peek() : blockAt(at);
      const block = trace.blocks[index];
      if (block === undefined) return;
      const event = end === "alloc" ? block.allocEvent : block.freeEvent;
      if (event === -1) return;
      chart.pin(event, index);
      reveal(event);
    },
    nextGrouping() {
      const at = GROUPINGS.indexOf(selection.grouping.peek());
      selection.grouping.value = GROUPINGS[(at + 1) % GROUPINGS.length]!;
    },
    nextHeight() {
      height.value = HEIGHTS[(HEIGHTS.indexOf(height.peek()) + 1) % HEIGHTS.length]!;
    },
    toMatch(step) {
      const { found, count } = matches.peek();
      if (found === null || count === 0) return;
      const { lives } = base;
      const rank = lives.rank[selection.block.peek()] ?? (step === 1 ? -1 : 0);
      const block = nextMatch(lives.block, found, rank, step);
      if (block === -1) return;
      const event = Math.max(0, lives.from[lives.rank[block]!]!);
      chart.pin(event, block);
      reveal(event);
    },
    askForSearch() {
      searchAsked.value += 1;
    },
    clear() {
      if (selection.block.peek() === -1 && selection.event.peek() === -1 && selection.range.peek() === null) {
        selection.search.value = "";
        onlyGroup.value = -1;
      }
      selection.block.value = -1;
      selection.event.value = -1;
      selection.range.value = null;
    },
    pin(event, block) {
      selection.event.value = event;
      selection.block.value = block;
    },
    selectRange(range) {
      selection.range.value = range;
    },
    reveal,
    dispose() {
      forgetGroup();
      forgetHeights();
    },
  };
  return chart;
}
