/** What is under the pointer: a block with all that is known of it, a group's small blocks, or the event. */

import type { ReadonlySignal } from "@preact/signals";
import { EVENT_KINDS } from "../../../src/trace/model.ts";
import { savedByBlock } from "../../../src/trace/lifetime.ts";
import type { Trace } from "../../../src/trace/model.ts";
import type { Theme } from "../theme/palette.ts";
import { blockFacts, placeOf, type BlockFacts } from "./block-facts.ts";
import type { Chart, Hover } from "./chart-state.ts";
import { groupName } from "./group-names.ts";
import type { Size } from "./hooks.ts";
import { countUpTo, forEachLiving } from "./lives.ts";
import { shortBytes } from "./axis.ts";
import { Swatch } from "./swatch.tsx";

const savedOf = new WeakMap<Trace, ReadonlyMap<number, readonly number[]>>();

/** Rows of the saved tensors that mention a block; the table is made when it is first needed. */
export function savedRowsOf(trace: Trace, block: number): readonly number[] {
  let rows = savedOf.get(trace);
  if (rows === undefined) savedOf.set(trace, (rows = savedByBlock(trace)));
  return rows.get(block) ?? [];
}

function facts(chart: Chart, hover: Hover, noteName: (note: string) => string): BlockFacts {
  const { trace, t } = chart;
  if (hover.block >= 0) return blockFacts(trace, hover.block, savedRowsOf(trace, hover.block), t, noteName);
  const data = chart.data.peek();
  const { events } = trace;
  const kind = t(`kind_${EVENT_KINDS[events.kind[hover.event]!]!}`);
  const rows: [string, string][] = [
    [t("allocated"), shortBytes(events.allocatedBytes[hover.event]!)],
    [t("reserved"), shortBytes(events.reservedBytes[hover.event]!)],
  ];
  const where = placeOf(trace, events.frame[hover.event]!);
  if (where !== "") rows.push([t("tip_line"), where]);
  const op = trace.ops[events.op[hover.event]!];
  if (op !== undefined) rows.push([t("tip_op"), op]);
  const group = data.groups.list[hover.group];
  if (group === undefined) return { title: t("state_title", { event: hover.event, what: kind }), rows };
  const { lives, groups } = data;
  let count = 0;
  forEachLiving(lives, 0, countUpTo(lives.from, hover.event), hover.event, 0, (rank) => {
    if (groups.ofBlock[lives.block[rank]!] === hover.group) count += 1;
  });
  const name = groupName(groups.by, group, t);
  if (count === 0) return { title: `${shortBytes(hover.bandBytes)} · ${name}`, rows: [["", t("band_unnamed")]] };
  return {
    title: `${name}: ${t("band_title", { bandBytes: hover.bandBytes, count })}`,
    rows: [["", t("band_hint")], ...rows],
  };
}

const WIDTH = 300;
const GAP = 14;

export interface TooltipProps {
  readonly chart: Chart;
  readonly theme: Theme;
  readonly patterns: boolean;
  readonly size: ReadonlySignal<Size>;
  readonly noteName: (note: string) => string;
}

export function Tooltip({ chart, theme, patterns, size, noteName }: TooltipProps) {
  const hover = chart.hover.value;
  // what is pinned is told below the chart
  if (hover === null || (hover.block >= 0 && hover.block === chart.selection.block.value)) return null;
  const { title, rows } = facts(chart, hover, noteName);
  const { width, height } = size.value;
  // beside the pointer where there is room, otherwise as far in as it takes
  const fits = Math.min(WIDTH, width - 8);
  const isLeft = hover.x + GAP + fits > width && hover.x - GAP - fits >= 0;
  const isLow = hover.y > height * 0.5;
  const place = {
    [isLeft ? "right" : "left"]:
      `${isLeft ? width - hover.x + GAP : Math.max(4, Math.min(hover.x + GAP, width - fits - 4))}px`,
    [isLow ? "bottom" : "top"]: `${isLow ? Math.max(0, height - hover.y + GAP) : hover.y + GAP}px`,
    maxWidth: `${fits}px`,
  };
  const { groups } = chart.data.value;
  return (
    <div class="chart-tip" style={place}>
      <div class="chart-tip-title">
        {hover.group >= 0 && <Swatch groups={groups} group={hover.group} theme={theme} patterns={patterns} />}
        <span>{title}</span>
      </div>
      <Facts rows={rows} />
    </div>
  );
}

export function Facts({ rows }: { readonly rows: BlockFacts["rows"] }) {
  return (
    <dl class="chart-facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          {label !== "" && <dt>{label}</dt>}
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
