/** What would help: the question, how far its answer is, and the changes that were tried, the cheapest first. */

import type { ComponentChildren } from "preact";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { estimateWords as t } from "./words.ts";

interface TriedProps {
  /** Null: nobody asked yet. */
  readonly lines: readonly ComponentChildren[] | null;
  readonly isAnyEnough: boolean;
  readonly isOld: boolean;
  /** How many were tried so far, while they are. */
  readonly searching: number | null;
  /** Null: not now. */
  readonly ask: (() => void) | null;
  readonly legend?: string;
}

export function TriedCard({ lines, isAnyEnough, isOld, searching, ask, legend }: TriedProps) {
  return (
    <section class={`card ${isOld ? "est-old" : ""}`} aria-labelledby="est-help">
      <h2 id="est-help">{t("help_title")}</h2>
      {searching !== null ? (
        <p role="status">{t("work_of", { what: t("work_changes"), count: searching, of: "…" })}</p>
      ) : lines === null ? (
        <>
          <p class="soft">{t("help_text")}</p>
          <button type="button" class="primary" disabled={ask === null} onClick={() => ask?.()}>
            {t("help_ask")}
          </button>
        </>
      ) : lines.length === 0 ? (
        <p>{message(locale.value, "fit_nothing")}</p>
      ) : (
        <>
          {!isAnyEnough && <p class="est-problem">{t("help_none")}</p>}
          <ol class="est-changes">{lines}</ol>
          {legend !== undefined && <p class="soft">{legend}</p>}
        </>
      )}
    </section>
  );
}
