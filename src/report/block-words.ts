/** How a block is named in a report: its size, its tensor, what it is for, where it was made. */

import { formatBytes } from "../base/bytes.ts";
import { shownText } from "../base/shown-text.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { BlockRecord, Trace } from "../trace/model.ts";
import { whereText } from "./holder-words.ts";
import { categoryName, noteName } from "./words.ts";

/** `float32 [64, 512]`, or what the block is for when no tensor was on it, or an empty text. */
export function tensorText(
  locale: Locale,
  of: { readonly dtype: string | null; readonly shape: readonly number[] | null; readonly note: string | null },
): string {
  if (of.dtype !== null) return `${shownText(of.dtype)} [${(of.shape ?? []).join(", ")}]`;
  return of.note === null ? "" : noteName(locale, of.note);
}

/** `#5  4.00 MiB  float32 [64, 512]  activations`. */
export function blockTitle(locale: Locale, index: number, block: BlockRecord): string {
  const tensor = tensorText(locale, block);
  const category = categoryName(locale, block.category);
  return [`#${index}`, formatBytes(block.bytes), tensor, category].filter((part) => part !== "").join("  ");
}

/** Where and by what a block was made. */
export function birthText(locale: Locale, trace: Trace, block: BlockRecord): string {
  const where = whereText(trace, block.frame);
  const op = trace.ops[block.op];
  if (where === "") {
    if (trace.source === "simulated") return message(locale, "block_made_nowhere");
    return op === undefined
      ? message(locale, "block_made_unrecorded")
      : message(locale, "block_made_unrecorded_by", { op });
  }
  if (op === undefined) return message(locale, "block_made", { where });
  const module = trace.modules[block.module];
  return module === undefined
    ? message(locale, "block_made_by", { where, op })
    : message(locale, "block_made_in", { where, op, module });
}
