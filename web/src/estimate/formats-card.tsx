/** Which weight format leaves room for which context, on each of the chosen cards: by the engine's own rules, when somebody looks. */

import { useSignal } from "@preact/signals";
import type { Capacity } from "../../../src/gpus/capacity.ts";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { Figure } from "./figure.tsx";
import type { PageModel } from "./page-model.ts";
import { cards, shownInputs } from "./page-state.ts";
import { formatsOn } from "./serving.ts";
import { estimateWords as t, grouped } from "./words.ts";

export function FormatsCard({ about }: { readonly about: PageModel }) {
  const isOpen = useSignal(false);
  return (
    <section class="card" aria-labelledby="est-formats">
      <h2 id="est-formats">{t("formats_title")}</h2>
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>{t("formats_text")}</summary>
        {isOpen.value && <FormatRows about={about} on={cards.value} />}
      </details>
    </section>
  );
}

function FormatRows({ about, on }: { readonly about: PageModel; readonly on: readonly Capacity[] }) {
  const found = on.map((card) => ({ card, fits: formatsOn(about, shownInputs.value, card) }));
  const rows = found[0]?.fits?.rows ?? [];
  if (rows.length === 0) return <p class="soft">{t("formats_none")}</p>;
  return (
    <div class="scroll est-where-list" tabIndex={0} role="region" aria-label={t("formats_text")}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{t("column_format")}</th>
            <th scope="col" class="n">
              {message(locale.value, "serving_part_weights")}
            </th>
            {found.map(({ card }) => (
              <th key={card.id} scope="col" class="n">
                {card.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ format, weightBytes }) => (
            <tr key={format}>
              <th scope="row">{format}</th>
              <td class="n">
                <Figure bytes={Math.round(weightBytes)} />
              </td>
              {found.map(({ card, fits }) => {
                const longest = fits?.rows.find((row) => row.format === format)?.longest ?? null;
                return (
                  <td key={card.id} class={longest === null ? "n soft" : "n"}>
                    {longest === null ? "–" : grouped(longest)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
