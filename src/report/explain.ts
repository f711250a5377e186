/** What `vramscope explain` says about one moment of a run, as text and as JSON: composition, the largest blocks and their holders. */

import type { HeldBlock } from "../explain/held-blocks.ts";
import { message, type Locale } from "../i18n/index.ts";
import { compositionAt } from "../trace/composition.ts";
import type { Trace } from "../trace/model.ts";
import type { Point } from "../trace/points.ts";
import type { Grouping } from "../trace/queries.ts";
import { shareRows, shareTable } from "./composition-text.ts";
import { heldSection } from "./held-text.ts";
import { whereText } from "./holder-words.ts";
import { heldJson } from "./json.ts";
import type { Painter } from "./paint.ts";
import { wrap } from "./width.ts";

const INDENT = "  ";
const MOST_SHARES = 12;

export interface Moment {
  readonly trace: Trace;
  readonly point: Point;
  /** Index of the event that the point means. */
  readonly event: number;
  readonly groupings: readonly Grouping[];
  readonly largest: readonly HeldBlock[];
  /** Whether a run looked who holds what; a trace alone does not tell. */
  readonly looked: boolean;
}

function pointText(locale: Locale, { point, event, trace }: Moment): string {
  switch (point.at) {
    case "event":
      return message(locale, "point_event", { event });
    case "line":
      return message(locale, "point_line", { where: `${point.file ?? trace.program}:${point.line}` });
    default:
      return message(locale, `point_${point.at}`);
  }
}

/** The text's lines joined, with a newline at the end. */
export function momentText(moment: Moment, locale: Locale, painter: Painter): string {
  const { trace, event, groupings, largest, looked } = moment;
  const { frame, op, module } = trace.events;
  const place = [
    whereText(trace, frame[event]!),
    trace.ops[op[event]!] ?? "",
    trace.modules[module[event]!] === undefined
      ? ""
      : message(locale, "in_module", { module: trace.modules[module[event]!]! }),
  ].filter((part) => part !== "");
  const compositions = groupings.map((by) => ({ by, composition: compositionAt(trace, event, by) }));
  const { allocatedBytes, blocks } = compositionAt(trace, event, "category");
  const total = message(locale, "point_allocated", { allocatedBytes, count: blocks, event });
  const sections = [
    [
      painter.strong(pointText(locale, moment)),
      ...wrap(INDENT + total, painter.width, INDENT),
      ...(place.length === 0 ? [] : wrap(INDENT + place.join("  "), painter.width, INDENT)),
    ],
    ...compositions.map(({ by, composition }) => {
      const rows = shareRows(locale, by, composition);
      if (rows.length === 0) return [];
      return [
        painter.strong(message(locale, `by_${by}`)),
        ...shareTable(rows, composition.allocatedBytes, MOST_SHARES, locale, painter),
      ];
    }),
    heldSection(message(locale, looked ? "section_held" : "section_largest"), largest, trace, locale, painter),
    looked || largest.length === 0 ? [] : wrap(INDENT + message(locale, "held_unknown"), painter.width, INDENT),
  ];
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n")}\n`;
}

export function momentJson(moment: Moment, locale: Locale): Record<string, unknown> {
  const { trace, event, groupings, largest, looked } = moment;
  return {
    schemaVersion: 1,
    event,
    point: pointText(locale, moment),
    allocatedBytes: trace.events.allocatedBytes[event],
    reservedBytes: trace.events.reservedBytes[event],
    by: Object.fromEntries(
      groupings.map((by) => {
        const { shares, remainderBytes, unlistedBytes } = compositionAt(trace, event, by);
        return [by, { shares, remainderBytes, unlistedBytes }];
      }),
    ),
    lookedForHolders: looked,
    largest: heldJson(trace, { event, blocks: largest }, locale)["blocks"],
  };
}
