/** The sentences beside a verdict, the same in every face: why, what is of no use, what grows, what helps. */

import type { VerdictCard } from "../explain/verdict-card.ts";
import { message, type Locale } from "../i18n/index.ts";
import { shortPlace } from "./places.ts";
import { changeText } from "./trials-text.ts";
import { categoryName } from "./words.ts";

export interface CardLine {
  readonly id: "why" | "unusable" | "growth" | "help";
  /** One word before it. */
  readonly label: string;
  readonly text: string;
}

/** Why, where parts are known and lines are not: `category` in words. */
export function partCause(
  category: string,
  { bytes, ofBytes }: { readonly bytes: number; readonly ofBytes: number },
  locale: Locale,
): CardLine {
  const args = { category, partBytes: bytes, ofBytes, percent: Math.round((100 * bytes) / ofBytes) };
  return { id: "why", label: message(locale, "card_why"), text: message(locale, "cause_whole", args) };
}

export function cardLines({ cause, unusable, growth, remedy }: VerdictCard, locale: Locale): CardLine[] {
  const lines: CardLine[] = [];
  const add = (id: CardLine["id"], text: string): void => {
    lines.push({ id, label: message(locale, `card_${id}`), text });
  };
  if (cause !== null) {
    const { category, bytes, ofBytes, where, whereBytes } = cause;
    const percent = Math.round((100 * bytes) / ofBytes);
    const args = {
      category: categoryName(locale, category),
      partBytes: bytes,
      ofBytes,
      percent,
      where: shortPlace(where),
      whereBytes,
    };
    const code = where === "" ? "cause_whole" : whereBytes === bytes ? "cause_one_line" : "cause_line";
    add("why", message(locale, code, args));
  }
  if (unusable !== null) {
    const { freeBytes, reservedBytes, pieces, largestBytes } = unusable;
    add("unusable", message(locale, "unusable_text", { freeBytes, reservedBytes, pieces, largestBytes }));
  }
  if (growth !== null) add("growth", message(locale, "growth_text", growth.args));
  if (remedy !== null) {
    const { changes, savedBytes, peakReservedBytes, fits, tight } = remedy;
    const code =
      fits && savedBytes === null
        ? tight
          ? "remedy_may_fit"
          : "remedy_fits"
        : savedBytes === null
          ? "remedy_not_enough"
          : "remedy_saves";
    const args = { change: changeText(locale, changes), savedBytes: savedBytes ?? 0, reservedBytes: peakReservedBytes };
    add("help", message(locale, code, args));
  }
  return lines;
}
