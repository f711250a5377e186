/** What would help, each change simulated, and the largest sizes that fit. */

import type { ComponentChildren } from "preact";
import { fits, type SizeName, type TriedChange } from "../../../src/estimate/index.ts";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { ChangeFigures, changesName, triedChanges } from "./change-line.tsx";
import { inputsOfRecipe, withOption } from "./inputs.ts";
import { inputs, setInputs } from "./page-state.ts";
import { answers } from "./answers.ts";
import { ask } from "./questions.ts";
import { answer, shown } from "./simulation.ts";
import { TriedCard } from "./tried-card.tsx";
import { isAsking } from "./verdict.tsx";
import { estimateWords as t, labelOf, gib, grouped } from "./words.ts";

const isReady = (): boolean => shown.value?.state === "simulated" && !isAsking();

export function HelpCard() {
  const { changes } = answers.value;
  const before = answer.value?.estimates[0];
  if (before === undefined) return null;
  const all = changes === null ? null : triedChanges(changes);
  return (
    <TriedCard
      lines={all?.map((tried) => <Change key={tried.ids.join()} tried={tried} />) ?? null}
      isAnyEnough={all?.some(({ estimate }) => fits(estimate)) ?? false}
      isOld={shown.value?.state !== "simulated"}
      searching={null}
      ask={isReady() ? () => ask({ id: "changes" }) : null}
      legend={message(locale.value, "fit_legend")}
    />
  );
}

function Change({ tried }: { readonly tried: TriedChange }) {
  const { ids, price, slower, estimate, savedBytes } = tried;
  return (
    <li>
      <div>
        <strong>{changesName(ids)}</strong>
        <span class="soft"> {slower ? `${t(`price_${price}`)}, ${t("price_time")}` : t(`price_${price}`)}</span>
      </div>
      <ChangeFigures
        ids={ids}
        savedBytes={savedBytes}
        neededBytes={estimate.chain.process.bytes}
        fit={estimate.fit}
        apply={() => setInputs(inputsOfRecipe(inputs.value, estimate.recipe))}
      />
    </li>
  );
}

const sizesFor = (task: "train" | "infer"): readonly SizeName[] =>
  task === "train" ? ["batch", "seq"] : ["batch", "context"];

export function LargestCard() {
  const before = answer.value;
  if (before === null || before.estimates.length === 0) return null;
  const { recipe } = before.asked;
  return (
    <section class={`card ${shown.value?.state === "simulated" ? "" : "est-old"}`} aria-labelledby="est-largest">
      <h2 id="est-largest">{t("largest_title", { gpu: before.estimates[0]!.gpu.name })}</h2>
      <div class="est-largest">
        {sizesFor(recipe.task).map((name) => (
          <OneLargest key={name} name={name} />
        ))}
      </div>
    </section>
  );
}

function OneLargest({ name }: { readonly name: SizeName }) {
  const found = answers.value.largest.find((entry) => entry.name === name);
  const label = labelOf(name);
  const line = (children: ComponentChildren) => (
    <div>
      <h3>{label}</h3>
      {children}
    </div>
  );
  if (found === undefined) {
    return line(
      <button type="button" disabled={!isReady()} onClick={() => ask({ id: "largest", size: name })}>
        {t("largest_ask")}
      </button>,
    );
  }
  if (found.estimate === null) {
    return line(
      <p class="est-problem">
        {t("largest_none", { least: found.step, needed: gib(found.next!.chain.process.bytes) })}
      </p>,
    );
  }
  const { value, estimate, next, nextValue } = found;
  return line(
    <>
      <p class="est-big num">{grouped(value)}</p>
      <p class="soft">
        {t("largest_uses", { used: gib(estimate.chain.process.bytes), capacity: gib(estimate.chain.capacityBytes) })}{" "}
        {next === null
          ? t("largest_limit")
          : t("largest_next", { value: grouped(nextValue!), needed: gib(next.chain.process.bytes) })}
      </p>
      <button
        type="button"
        aria-label={`${t("use")}: ${label} ${value}`}
        onClick={() =>
          setInputs(
            name === "context"
              ? inputsOfRecipe(inputs.value, estimate.recipe)
              : withOption(inputs.value, name, String(value)),
          )
        }
      >
        {t("use")}
      </button>
    </>,
  );
}
