/**
 * Blocks as a table: what the chart shows, for the keyboard and for screen readers. Only the rows in sight are in the page; their
 * numbers tell how many there are. The selected block is the chart's.
 */

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Grouping } from "../../../src/trace/queries.ts";
import type { Theme } from "../theme/palette.ts";
import { shortBytes } from "./axis.ts";
import { placeOf, plainNote, tensorOf } from "./block-facts.ts";
import type { Chart } from "./chart-state.ts";
import { keyName } from "./group-names.ts";
import { useSize } from "./hooks.ts";
import { GROUPINGS, type EventRange } from "./selection.ts";
import { blocksIn, COLUMNS, sortBlocks, tableRows, type Column, type Sorting, type TableRow } from "./table-rows.ts";
import { Swatch } from "./swatch.tsx";
import "./chart.css";
import "./tables.css";

export interface BlockTableProps {
  readonly chart: Chart;
  readonly theme: Theme;
  readonly patterns?: boolean;
  readonly noteName?: (note: string) => string;
}

const ROW = 28;
const AHEAD = 6;
const TALLEST = 14;
/** While a range is dragged, its blocks are looked up when the pointer rests. */
const REST_MS = 120;
/** So many rows are put into the clipboard at most. */
const COPIED_ROWS = 100_000;

/** Numbers begin with the largest. */
const firstDescending = (column: Column): boolean => column === "bytes";

export function BlockTable({ chart, theme, patterns = false, noteName = plainNote }: BlockTableProps) {
  const { t, selection, trace } = chart;
  const grouping = useSignal<Grouping | null>(null);
  const sorting = useSignal<Sorting>({ column: "bytes", descending: true });
  const open = useSignal<ReadonlySet<string | null>>(new Set());
  const asked = useSignal<{ event: number; range: EventRange | null }>({
    event: selection.shownEvent.peek(),
    range: null,
  });
  const copied = useSignal(0);
  const active = useSignal(0);
  const scrolled = useSignal(0);
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);

  useSignalEffect(() => {
    const next = { event: selection.shownEvent.value, range: selection.range.value };
    const timer = setTimeout(() => (asked.value = next), next.range === null ? 0 : REST_MS);
    return () => clearTimeout(timer);
  });
  const blocks = useComputed(() => {
    const all = blocksIn(chart.data.value, asked.value.event, asked.value.range);
    const { found } = chart.matches.value;
    return found === null ? all : all.filter((block) => found[block] === 1);
  });
  const totalBytes = useComputed(() => blocks.value.reduce((sum, block) => sum + trace.blocks[block]!.bytes, 0));
  const rows = useComputed(() =>
    tableRows(trace, sortBlocks(trace, blocks.value, sorting.value), grouping.value, open.value),
  );

  const list = rows.value;
  const { groups } = chart.data.value;
  const chosen = selection.block.value;
  const show = (row: number): void => {
    const element = frame.current;
    if (element === null) return;
    const top = row * ROW;
    const room = element.clientHeight - ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + room - ROW) element.scrollTop = top - room + ROW;
  };
  // a block that was chosen in the chart comes into sight
  useEffect(() => {
    const at = chosen < 0 ? -1 : list.findIndex((row) => row.kind === "block" && row.block === chosen);
    if (at === -1) return;
    active.value = at;
    show(at);
  }, [chosen, list]);

  const act = (row: TableRow | undefined): void => {
    if (row === undefined) return;
    if (row.kind === "heading") {
      const next = new Set(open.peek());
      if (!next.delete(row.key)) next.add(row.key);
      open.value = next;
    } else selection.block.value = row.block === selection.block.peek() ? -1 : row.block;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const page = Math.max(1, Math.floor(size.peek().height / ROW) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active.peek() + 1,
      ArrowUp: active.peek() - 1,
      PageDown: active.peek() + page,
      PageUp: active.peek() - page,
      Home: 0,
      End: list.length - 1,
    };
    const to = moves[event.key];
    const row = list[active.peek()];
    if (to !== undefined) {
      active.value = Math.max(0, Math.min(list.length - 1, to));
      show(active.peek());
    } else if (event.key === "Enter" || event.key === " ") act(row);
    else if (event.key === "ArrowRight" && row?.kind === "heading" && !row.isOpen) act(row);
    else if (event.key === "ArrowLeft" && row?.kind === "heading" && row.isOpen) act(row);
    else return;
    event.preventDefault();
  };
  const cell = (block: number, column: Column): string => {
    const record = trace.blocks[block]!;
    switch (column) {
      case "bytes":
        return shortBytes(record.bytes);
      case "tensor":
        return tensorOf(record, noteName);
      case "category":
        return t(`category_${record.category}`);
      case "line":
        return placeOf(trace, record.frame);
      case "op":
        return trace.ops[record.op] ?? "";
      case "module":
        return trace.modules[record.module] ?? "";
      case "from":
        return record.allocEvent === -1 ? "" : String(record.allocEvent);
      case "until":
        return record.freeEvent === -1 ? "" : String(record.freeEvent);
    }
  };
  const copy = (): void => {
    const lines = sortBlocks(trace, blocks.peek(), sorting.peek())
      .slice(0, COPIED_ROWS)
      .map((block) =>
        [trace.blocks[block]!.bytes, ...COLUMNS.slice(1).map((column) => cell(block, column))].join("\t"),
      );
    const header = COLUMNS.map((column) => t(`column_${column}`)).join("\t");
    void navigator.clipboard?.writeText([header, ...lines].join("\n")).then(() => (copied.value = lines.length));
  };

  const first = Math.max(0, Math.floor(scrolled.value / ROW) - AHEAD);
  const last = Math.min(list.length, Math.ceil((scrolled.value + Math.max(ROW, size.value.height)) / ROW) + AHEAD);
  const { event, range } = asked.value;
  const title = range === null ? t("table_at", { event }) : t("table_range", { from: range.from, to: range.to - 1 });
  const current = Math.min(active.value, list.length - 1);
  return (
    <section class="chart chart-table" aria-label={t("table_name")}>
      <header>
        <strong>{title}</strong>
        <span>{t("table_total", { count: blocks.value.length, totalBytes: totalBytes.value })}</span>
        <label>
          <span>{t("table_group")}</span>
          <select
            value={grouping.value ?? ""}
            onChange={(change) => {
              grouping.value = GROUPINGS[change.currentTarget.selectedIndex - 1] ?? null;
            }}
          >
            <option value="">{t("table_flat")}</option>
            {GROUPINGS.map((by) => (
              <option key={by} value={by}>
                {t(`by_${by}`)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={copy}>
          {t("copy_rows")}
        </button>
        <span role="status">{copied.value > 0 ? t("copied", { count: copied.value }) : ""}</span>
      </header>
      <div
        ref={frame}
        class="chart-grid"
        role="grid"
        tabIndex={0}
        aria-label={title}
        aria-rowcount={list.length + 1}
        aria-colcount={COLUMNS.length}
        aria-activedescendant={list.length > 0 ? `chart-row-${current}` : undefined}
        style={{ height: `${(Math.min(TALLEST, Math.max(2, list.length)) + 1) * ROW + 2}px` }}
        onKeyDown={onKeyDown}
        onScroll={(scroll) => {
          scrolled.value = scroll.currentTarget.scrollTop;
        }}
      >
        <div class="chart-row chart-head" role="row" aria-rowindex={1}>
          {COLUMNS.map((column) => {
            const isSorted = sorting.value.column === column;
            const direction = sorting.value.descending ? "descending" : "ascending";
            return (
              <div key={column} role="columnheader" class={`is-${column}`} aria-sort={isSorted ? direction : "none"}>
                <button
                  type="button"
                  onClick={() => {
                    const { descending } = sorting.peek();
                    sorting.value = { column, descending: isSorted ? !descending : firstDescending(column) };
                  }}
                >
                  {t(`column_${column}`)}
                  <span aria-hidden="true">{isSorted ? (sorting.value.descending ? " ↓" : " ↑") : ""}</span>
                </button>
              </div>
            );
          })}
        </div>
        {list.length === 0 && <p class="chart-note">{t("table_empty")}</p>}
        <div role="rowgroup" style={{ height: `${list.length * ROW}px`, position: "relative" }}>
          {list.slice(first, last).map((row, i) => {
            const at = first + i;
            const isActive = at === current;
            const isChosen = row.kind === "block" && row.block === chosen;
            return (
              <div
                key={at}
                id={`chart-row-${at}`}
                class={`chart-row${isActive ? " is-active" : ""}${isChosen ? " is-chosen" : ""}${row.kind === "heading" ? " is-heading" : ""}`}
                role="row"
                aria-rowindex={at + 2}
                aria-selected={isChosen}
                aria-expanded={row.kind === "heading" ? row.isOpen : undefined}
                style={{ transform: `translateY(${at * ROW}px)` }}
                onClick={() => {
                  active.value = at;
                  act(row);
                }}
              >
                {row.kind === "heading" ? (
                  <>
                    <div role="gridcell" class="is-bytes">
                      {shortBytes(row.bytes)}
                    </div>
                    <div role="gridcell" class="is-name" aria-colspan={COLUMNS.length - 1}>
                      <span aria-hidden="true">{row.isOpen ? "▾ " : "▸ "}</span>
                      {`${keyName(grouping.value ?? "category", row.key, t)} (${row.blocks})`}
                    </div>
                  </>
                ) : (
                  COLUMNS.map((column) => (
                    <div key={column} role="gridcell" class={`is-${column}`}>
                      {column === "bytes" && (
                        <Swatch groups={groups} group={groups.ofBlock[row.block]!} theme={theme} patterns={patterns} />
                      )}
                      <span>{cell(row.block, column)}</span>
                    </div>
                  ))
                )}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
