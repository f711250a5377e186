/** All cards that can be simulated: where it fits, about at once and simulated on request. */

import { AddCard } from "./add-card.tsx";
import type { Fit } from "../../../src/estimate/index.ts";
import { GPUS } from "../../../src/gpus/catalogue.ts";
import { Figure } from "./figure.tsx";
import { inputs } from "./page-state.ts";
import { answers } from "./answers.ts";
import { ask } from "./questions.ts";
import { aboutOn, answer, shown, type ShownEstimate } from "./simulation.ts";
import { askedShown } from "./page-state.ts";
import { isAsking, Sign, verdictText } from "./verdict.tsx";
import { estimateWords as t, gib } from "./words.ts";

function rows(): readonly ShownEstimate[] {
  const { cards } = answers.value;
  if (cards !== null && shown.value?.state === "simulated") return cards;
  const now = askedShown.value;
  if (now === null || "problem" in now) return [];
  return GPUS.flatMap((gpu) => aboutOn(now.asked, gpu, now.asked.recipe) ?? []);
}

/** Cards that fit first, the smallest first; of the others those that come nearest. */
const RANKS: readonly (Fit | null)[] = ["fits", "tight", "released", null, "does_not_fit"];
function byVerdict(a: ShownEstimate, b: ShownEstimate): number {
  const [first, second] = [RANKS.indexOf(a.fit), RANKS.indexOf(b.fit)];
  const by = a.chain.capacityBytes - b.chain.capacityBytes;
  return first - second || (a.fit === "does_not_fit" ? -by : by);
}

const fitsSurely = ({ fit }: ShownEstimate): boolean => fit === "fits";

/** Keeps the place while nothing is simulated yet. */
const Ghost = () => (
  <section class="card" aria-labelledby="est-where">
    <h2 id="est-where">{t("where_title")}</h2>
    <div class="est-ghost est-ghost-curve" aria-hidden="true" />
  </section>
);

export function WhereCard() {
  const all = rows().toSorted(byVerdict);
  if (all.length === 0) return <Ghost />;
  const exact = answers.value.cards !== null && shown.value?.state === "simulated";
  const smallest = all.find(fitsSurely);
  const chosen = new Set(inputs.value.gpus);
  return (
    <section class="card" aria-labelledby="est-where">
      <div class="est-head">
        <h2 id="est-where">{t("where_title")}</h2>
        {!exact && (
          <button
            type="button"
            disabled={answer.value === null || shown.value?.state !== "simulated" || isAsking()}
            onClick={() => ask({ id: "cards" })}
          >
            {t("where_ask")}
          </button>
        )}
      </div>
      <p>
        {smallest === undefined
          ? t("where_nowhere", { count: all.length })
          : t("where_smallest", {
              gpu: smallest.gpu.name,
              capacity: gib(smallest.chain.capacityBytes),
              fitting: all.filter(fitsSurely).length,
              count: all.length,
            })}
      </p>
      {!exact && <p class="soft">{t("where_about")}</p>}
      <div class="scroll est-where-list" tabIndex={0} role="group" aria-labelledby="est-where">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{t("column_card")}</th>
              <th scope="col" class="n">
                {t("column_capacity")}
              </th>
              <th scope="col" class="n">
                {t("column_needed")}
              </th>
              <th scope="col">{t("column_verdict")}</th>
              <th scope="col">
                <span class="visually-hidden">{t("gpu_add")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((made) => (
              <tr key={made.gpu.id} class={chosen.has(made.gpu.id) ? "est-chosen" : ""}>
                <th scope="row">{made.gpu.name}</th>
                <td class="n">{gib(made.chain.capacityBytes)}</td>
                <td class="n">
                  <Figure bytes={made.chain.process.bytes} about={!exact} />
                </td>
                <td>
                  <Sign fit={made.fit} /> {verdictText(made.fit)}
                </td>
                <td>{!chosen.has(made.gpu.id) && <AddCard card={made.gpu} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
