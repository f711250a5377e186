/** Blocks with what holds them, as text. */

import type { HeldBlock } from "../explain/held-blocks.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Trace } from "../trace/model.ts";
import { birthText, blockTitle } from "./block-words.ts";
import { chainText, deathText, whereText } from "./holder-words.ts";
import type { Painter } from "./paint.ts";
import { wrap } from "./width.ts";

const INDENT = "  ";
/** More holders than this are counted. */
const MOST_HOLDERS = 3;

/** One block: title, birth, holders, death. `all`: every holder and the whole call stack. */
export function heldBlockText(held: HeldBlock, trace: Trace, locale: Locale, painter: Painter, all = false): string[] {
  const { block, chains } = held;
  const shown = all ? chains : chains.slice(0, MOST_HOLDERS);
  const sentences = [
    birthText(locale, trace, block),
    ...(all ? callersOf(trace, block.frame).map((where) => message(locale, "block_called_from", { where })) : []),
    ...(all && block.bytes !== block.requestedBytes
      ? [message(locale, "block_charged", { requestedBytes: block.requestedBytes, blockBytes: block.bytes })]
      : []),
    ...shown.map((chain) => message(locale, "held_by", { holder: chainText(locale, trace, chain) })),
    ...(chains.length > shown.length ? [message(locale, "held_more", { count: chains.length - shown.length })] : []),
    deathText(locale, trace, held.death),
  ];
  return [
    ...wrap(INDENT + blockTitle(locale, held.index, block), painter.width, INDENT).map((line) => painter.strong(line)),
    ...sentences.flatMap((sentence) => wrap(`${INDENT}${INDENT}- ${sentence}`, painter.width, `${INDENT}${INDENT}  `)),
  ];
}

function callersOf(trace: Trace, frame: number): string[] {
  const lines: string[] = [];
  for (let at = trace.frames[frame]?.parent ?? -1; at !== -1; at = trace.frames[at]!.parent)
    lines.push(whereText(trace, at));
  return lines;
}

/** A section of blocks; nothing when there are none. */
export function heldSection(
  heading: string,
  blocks: readonly HeldBlock[],
  trace: Trace,
  locale: Locale,
  painter: Painter,
): string[] {
  if (blocks.length === 0) return [];
  return [painter.strong(heading), ...blocks.flatMap((held) => heldBlockText(held, trace, locale, painter))];
}
