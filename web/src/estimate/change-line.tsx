/** What a tried change makes of an estimate: its name, what it saves, what is needed then, the verdict, and the button that takes it. */

import type { Fit, SearchedChanges, Tried } from "../../../src/estimate/index.ts";
import { message, type MessageCode } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { Figure } from "./figure.tsx";
import { Sign, verdictClass, verdictText } from "./verdict.tsx";
import { estimateWords as t, gib } from "./words.ts";

/** Several changes together in one name. */
export const changesName = (ids: readonly string[]): string =>
  ids.map((id) => message(locale.value, `recipe_change_${id}` as MessageCode)).join(" + ");

/** What makes it fit together comes first. */
export const triedChanges = <Made,>({ together, single }: SearchedChanges<Made>): readonly Tried<Made>[] =>
  together === null ? single : [together, ...single];

interface ChangeFiguresProps {
  readonly ids: readonly string[];
  readonly savedBytes: number;
  readonly neededBytes: number;
  readonly fit: Fit;
  readonly apply: () => void;
}

export function ChangeFigures({ ids, savedBytes, neededBytes, fit, apply }: ChangeFiguresProps) {
  return (
    <div class="est-change-figures">
      <span class="num">−{gib(savedBytes)}</span>
      <span class="soft">
        → <Figure bytes={neededBytes} />
      </span>
      <span class={verdictClass(fit)}>
        <Sign fit={fit} /> {verdictText(fit)}
      </span>
      <button type="button" aria-label={t("apply_label", { change: changesName(ids) })} onClick={apply}>
        {t("apply")}
      </button>
    </div>
  );
}
