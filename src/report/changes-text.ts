/** What would help, as text: the cheapest that fits first, whole and as options; then each change on its own. */

import { gibibytes as gib } from "./gibibytes.ts";
import { cheapestOf, type SearchedChanges, type Tried } from "../estimate/index.ts";
import { message, type MessageCode } from "../i18n/index.ts";
import { columns } from "./columns.ts";
import type { EstimateWords } from "./estimate-text.ts";
import { wrap } from "./width.ts";

/** What the text says of one answer. */
export interface ChangeFacts {
  readonly neededBytes: number;
  readonly capacityBytes: number;
  readonly fits: boolean;
  /** The verdict in words. */
  readonly verdict: string;
  /** The options that one types for it. */
  readonly options: string;
}

export function changesText<Made>(
  changes: SearchedChanges<Made>,
  before: Made,
  factsOf: (made: Made) => ChangeFacts,
  { locale, painter }: EstimateWords,
): string {
  const names = (ids: readonly string[]): string =>
    ids.map((id) => message(locale, `recipe_change_${id}` as MessageCode)).join(" + ");
  const line = ({ ids, estimate, savedBytes }: Tried<Made>): string[] => {
    const { neededBytes, verdict } = factsOf(estimate);
    return [names(ids), `−${gib(savedBytes)}`, gib(neededBytes), verdict];
  };
  const { neededBytes, capacityBytes } = factsOf(before);
  const head = message(locale, "fit_title", { needed: gib(neededBytes), capacity: gib(capacityBytes) });
  const all = changes.single;
  if (all.length === 0) return `${head}\n  ${message(locale, "fit_nothing")}\n`;
  const enough = cheapestOf(changes, (made) => factsOf(made).fits);
  const answer =
    enough === null
      ? [`  ${message(locale, "fit_none")}`]
      : [
          ...wrap(`  ${cheapestText(enough, factsOf(enough.estimate))}`, painter.width, "  ").map(painter.good),
          ...wrap(
            `  ${message(locale, "fit_options", { options: factsOf(enough.estimate).options })}`,
            painter.width,
            "    ",
          ),
        ];
  const lines = columns(all.map(line)).map((text, index) =>
    factsOf(all[index]!.estimate).fits ? painter.good(text) : text,
  );
  return `${[painter.strong(head), ...answer, "", message(locale, "fit_each"), ...lines, `  ${painter.faint(message(locale, "fit_legend"))}`].join("\n")}\n`;

  function cheapestText({ ids, savedBytes }: Tried<Made>, facts: ChangeFacts): string {
    return message(locale, "fit_cheapest", {
      changes: names(ids),
      saved: gib(savedBytes),
      needed: gib(facts.neededBytes),
      left: gib(facts.capacityBytes - facts.neededBytes),
    });
  }
}
