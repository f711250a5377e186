/** The chart in one sentence, for those who do not see it: what is selected, or the peak. */

import { EVENT_KINDS } from "../../../src/trace/model.ts";
import { blockFacts, placeOf } from "./block-facts.ts";
import type { ChartData } from "./chart-data.ts";
import { groupName } from "./group-names.ts";
import { totalsAfter } from "./groups.ts";
import { aliveCount, countUpTo } from "./lives.ts";
import { extremeIn } from "./pyramid.ts";
import type { EventRange } from "./selection.ts";
import type { Translate } from "./words.ts";

/** The largest group after an event and its share in whole percent. */
function largest(data: ChartData, event: number, t: Translate): { largest: string; percent: number } {
  const { groups, trace } = data;
  const totals = new Float64Array(groups.list.length);
  totalsAfter(trace, groups, event, totals);
  let place = 0;
  totals.forEach((bytes, group) => {
    if (bytes > totals[place]!) place = group;
  });
  const allBytes = trace.events.allocatedBytes[event]!;
  const percent = allBytes === 0 ? 0 : Math.round((totals[place]! / allBytes) * 100);
  return { largest: groupName(groups.by, groups.list[place]!, t), percent };
}

/** `train.py:21, aten::mm`, or `event 12`. */
function placeText({ trace }: ChartData, event: number, t: Translate): string {
  const parts = [placeOf(trace, trace.events.frame[event]!), trace.ops[trace.events.op[event]!] ?? ""];
  const known = parts.filter((part) => part !== "").join(", ");
  return known === "" ? t("place_event", { event }) : known;
}

export function summaryText(
  data: ChartData,
  selected: { readonly event: number; readonly range: EventRange | null; readonly block: number },
  t: Translate,
): string {
  const { trace, lives } = data;
  const { allocatedBytes, reservedBytes, kind } = trace.events;
  if (data.peak === -1 || data.peakAllocatedBytes === 0) return t("summary_empty");
  const sentences: string[] = [];
  if (selected.block >= 0) {
    const { title, rows } = blockFacts(trace, selected.block, [], t);
    sentences.push(
      `${title}; ${rows
        .slice(1)
        .map((row) => row.join(" "))
        .join(", ")}.`,
    );
  }
  const { range, event } = selected;
  if (range !== null) {
    const { from, to } = range;
    const lowBytes = allocatedBytes[extremeIn(data.lowest, allocatedBytes, from, to)]!;
    const highBytes = allocatedBytes[extremeIn(data.allocated, allocatedBytes, from, to)]!;
    const born = countUpTo(lives.from, to - 1) - countUpTo(lives.from, from - 1);
    const freed = countUpTo(lives.deaths, to - 1) - countUpTo(lives.deaths, from - 1);
    sentences.push(t("summary_range", { from, to: to - 1, lowBytes, highBytes, born, freed }));
  } else if (event >= 0 && selected.block < 0) {
    const what = t(`kind_${EVENT_KINDS[kind[event]!]!}`);
    sentences.push(
      t("summary_event", {
        event,
        what,
        place: placeText(data, event, t),
        allocatedBytes: allocatedBytes[event]!,
        reservedBytes: reservedBytes[event]!,
        blocks: aliveCount(lives, event),
        ...largest(data, event, t),
      }),
    );
  }
  if (sentences.length > 0) return sentences.join(" ");
  const args = {
    peakBytes: data.peakAllocatedBytes,
    place: placeText(data, data.peak, t),
    ...largest(data, data.peak, t),
  };
  return t("summary_peak", args);
}
