/** What a serving engine makes of the cards: parts, tokens that fit, and where else it fits. */

import { AddCard } from "./add-card.tsx";
import { isFree, isOnHost, usedBytes as usedOf, type ServingPartCode } from "../../../src/serving/serving.ts";
import { CAPACITIES } from "../../../src/gpus/capacity.ts";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { servingCardLines } from "../../../src/report/serving-text.ts";
import { Beside } from "../explain/beside.tsx";
import { scaleOfBytes } from "./bars.ts";
import { CapacityBar } from "./capacity-bar.tsx";
import { CommandView } from "./command-view.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Figure } from "./figure.tsx";
import { FormatsCard } from "./formats-card.tsx";
import { cards, inputs, longest, model, setInputs, shownInputs } from "./page-state.ts";
import type { PageModel } from "./page-model.ts";
import { commandLine } from "./program-card.tsx";
import { withOption } from "./inputs.ts";
import { longestContextOn, servedCard, servedOn, type ServedOn } from "./serving.ts";
import { Sign } from "./verdict.tsx";
import { WeightsCard } from "./weights-card.tsx";
import { estimateWords as t, gib, grouped, said } from "./words.ts";

/** Variables of the palette, by what a part is. */
const COLOURS: Readonly<Record<ServingPartCode, string>> = {
  weights: "category-parameter",
  rotary_tables: "category-buffer",
  activations: "category-activation",
  non_torch: "chart-overhead",
  cuda_graphs: "category-temporary",
  kv_cache: "category-kv_cache",
  states: "category-kv_cache",
  compute: "category-activation",
  reserve: "chart-cached",
  unused: "chart-cached",
  host_weights: "category-parameter",
  host_compute: "category-activation",
  host_output: "category-buffer",
};

const fitOfServed = ({ estimate }: ServedOn) => (estimate.fits ? ("fits" as const) : ("does_not_fit" as const));

export function ServingView() {
  const about = model.value;
  if (about === null) return null;
  const found = cards.value.map((card) => servedOn(about, shownInputs.value, card));
  const failed = found.find((one) => !one.ok);
  if (failed !== undefined && !failed.ok) {
    return (
      <section class="card">
        <p class="est-problem" role="alert">
          {said(failed.error.code, failed.error.args)}
        </p>
      </section>
    );
  }
  const served = found.flatMap((one) => (one.ok ? [one.value] : []));
  const [first] = served;
  if (first === undefined) return null;
  return (
    <>
      <ServedVerdict served={served} about={about} />
      <div class="est-grid">
        <div>
          <Parts served={first} />
          <FormatsCard about={about} />
          <WeightsCard />
        </div>
        <div>
          <ServedWhere about={about} />
          <section class="card" aria-labelledby="est-command">
            <h2 id="est-command">{t("command_title")}</h2>
            <CommandView line={commandLine(first.card.id)} />
            <div class="est-actions">
              <CopyButton
                label={t("copy_json")}
                text={() =>
                  `${JSON.stringify({ schemaVersion: 1, model: about.name, servings: served.map(({ card, estimate }) => ({ gpu: card.id, ...estimate })) }, null, 2)}\n`
                }
              />
            </div>
          </section>
        </div>
      </div>
    </>
  );
}

function ServedVerdict({ served, about }: { readonly served: readonly ServedOn[]; readonly about: PageModel }) {
  const { card, estimate } = served[0]!;
  const fit = fitOfServed(served[0]!);
  const verdictCard = servedCard(about, shownInputs.value, served[0]!);
  const context =
    estimate.cacheTokens === null ? longestContextOn(about, shownInputs.value, card, longest.value) : null;
  const most = scaleOfBytes(served.map((one) => Math.max(one.card.totalBytes, usedBytes(one))));
  return (
    <section class="card est-verdict" aria-labelledby="est-served">
      <p class="est-answer" role="status" id="est-served">
        <Sign fit={fit} />
        <strong class={estimate.fits ? "good" : "bad"}>
          {t("verdict_on", { verdict: message(locale.value, `estimate_${fit}`), gpu: card.name })}
        </strong>
        <span class="est-headroom">{t("served_by", { engine: estimate.engine, version: estimate.version })}</span>
      </p>
      <Beside lines={servingCardLines(verdictCard, locale.value)} />
      <dl class="est-three">
        {estimate.cacheTokens !== null && (
          <div>
            <dt>{t("served_tokens")}</dt>
            <dd class="num">{grouped(estimate.cacheTokens)}</dd>
            <dd class="soft">{t("served_tokens_is")}</dd>
          </div>
        )}
        {estimate.concurrency !== null && (
          <div>
            <dt>{t("served_sequences")}</dt>
            <dd class="num">{estimate.concurrency.toFixed(1)}</dd>
            <dd class="soft">{t("served_sequences_is", { context: grouped(estimate.contextLength) })}</dd>
          </div>
        )}
        {estimate.cacheTokens === null && (
          <div>
            <dt>{t("served_context")}</dt>
            <dd class="num">{grouped(estimate.contextLength)}</dd>
            <dd class="soft">
              {context === null ? t("served_no_context") : t("served_longest", { context: grouped(context) })}
            </dd>
          </div>
        )}
        <div>
          <dt>{t("served_used")}</dt>
          <dd>
            <Figure bytes={usedBytes(served[0]!)} />
          </dd>
          <dd class="soft">{t("served_used_is", { capacity: gib(card.totalBytes) })}</dd>
        </div>
      </dl>
      <TooLong served={served[0]!} context={verdictCard.remedy?.context ?? null} />
      <div class="est-bars">
        {served.map((one) => (
          <ServedBar key={one.card.id} served={one} scale={most} several={served.length > 1} />
        ))}
      </div>
    </section>
  );
}

/** The usual reason why an engine refuses to start, and the way out. */
function TooLong({ served: { estimate }, context }: { readonly served: ServedOn; readonly context: number | null }) {
  const { fits, cacheTokens, contextLength } = estimate;
  if (fits || cacheTokens === null || context === null) return null;
  return (
    <p>
      {t("served_too_long", { tokens: grouped(cacheTokens), context: grouped(contextLength) })}{" "}
      <button type="button" onClick={() => setInputs(withOption(inputs.value, "max-len", String(context)))}>
        {t("served_shorten", { tokens: grouped(context) })}
      </button>
    </p>
  );
}

const onCard = ({ estimate }: ServedOn) => estimate.parts.filter(({ code, bytes }) => !isOnHost(code) && bytes > 0);
const usedBytes = ({ estimate }: ServedOn): number => usedOf(estimate);
const partName = (code: ServingPartCode): string => message(locale.value, `serving_part_${code}`);

function ServedBar({
  served,
  scale,
  several,
}: {
  readonly served: ServedOn;
  readonly scale: number;
  readonly several: boolean;
}) {
  const { card } = served;
  const fit = fitOfServed(served);
  const sentence = t("bar_label", {
    gpu: card.name,
    needed: gib(usedBytes(served)),
    capacity: gib(card.totalBytes),
    verdict: message(locale.value, `estimate_${fit}`),
  });
  return (
    <div class="est-bar-row">
      {several && (
        <div class="est-bar-name">
          <Sign fit={fit} />
          <span>{card.name}</span>
          <span class="grow" />
          <span class="num soft">
            {served.estimate.cacheTokens === null
              ? gib(usedBytes(served))
              : t("tokens", { count: grouped(served.estimate.cacheTokens) })}
          </span>
        </div>
      )}
      <CapacityBar
        label={sentence}
        gpu={card.name}
        capacityBytes={card.totalBytes}
        scaleBytes={scale}
        pieces={onCard(served)
          .filter(({ code }) => !isFree(code))
          .map(({ code, bytes }) => ({ id: code, name: partName(code), bytes, colour: `var(--${COLOURS[code]})` }))}
        isOver={fit !== "fits"}
      />
    </div>
  );
}

function Parts({ served }: { readonly served: ServedOn }) {
  const { estimate, card } = served;
  return (
    <section class="card" aria-labelledby="est-parts">
      <h2 id="est-parts">{t("served_parts", { gpu: card.name })}</h2>
      <div class="scroll">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{message(locale.value, "serving_column_part")}</th>
              <th scope="col" class="n">
                {message(locale.value, "serving_column_size")}
              </th>
              <th scope="col" class="n">
                {message(locale.value, "serving_column_interval")}
              </th>
            </tr>
          </thead>
          <tbody>
            {estimate.parts
              .filter(({ bytes }) => bytes !== 0)
              .map(({ code, bytes, lowBytes, highBytes, mark, source }) => (
                <tr key={`${code} ${source}`}>
                  <th scope="row">
                    <details>
                      <summary>
                        <span class="est-swatch" style={{ backgroundColor: `var(--${COLOURS[code]})` }} />{" "}
                        {partName(code)}
                      </summary>
                      <p class="soft">
                        {message(locale.value, `serving_mark_${mark}`)}: {source}
                      </p>
                    </details>
                  </th>
                  <td class="n">
                    <Figure bytes={Math.round(bytes)} />
                  </td>
                  <td class="n soft">
                    {lowBytes === highBytes
                      ? ""
                      : message(locale.value, "estimate_between", {
                          low: gib(Math.round(lowBytes)),
                          high: gib(Math.round(highBytes)),
                        })}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {estimate.assumptions.length > 0 && (
        <ul class="est-notes">
          {estimate.assumptions.map(({ code, args }) => (
            <li key={code}>{said(code, args)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Cards that fit first, the smallest first; of the others the largest. */
function byVerdict(a: ServedOn, b: ServedOn): number {
  const by = a.card.totalBytes - b.card.totalBytes;
  return Number(b.estimate.fits) - Number(a.estimate.fits) || (a.estimate.fits ? by : -by);
}

function ServedWhere({ about }: { readonly about: PageModel }) {
  const rows = CAPACITIES.flatMap((card) => {
    const found = servedOn(about, inputs.value, card);
    return found.ok ? [found.value] : [];
  }).toSorted(byVerdict);
  const smallest = rows.find(({ estimate }) => estimate.fits);
  const chosen = new Set(inputs.value.gpus);
  return (
    <section class="card" aria-labelledby="est-where">
      <h2 id="est-where">{t("where_title")}</h2>
      <p>
        {smallest === undefined
          ? t("where_nowhere", { count: rows.length })
          : t("where_smallest", {
              gpu: smallest.card.name,
              capacity: gib(smallest.card.totalBytes),
              fitting: rows.filter(({ estimate }) => estimate.fits).length,
              count: rows.length,
            })}
      </p>
      <div class="scroll est-where-list" tabIndex={0} role="group" aria-labelledby="est-where">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{t("column_card")}</th>
              <th scope="col" class="n">
                {t("column_capacity")}
              </th>
              <th scope="col" class="n">
                {rows.some(({ estimate }) => estimate.cacheTokens !== null) ? t("served_tokens") : t("served_used")}
              </th>
              <th scope="col">{t("column_verdict")}</th>
              <th scope="col">
                <span class="visually-hidden">{t("gpu_add")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.card.id} class={chosen.has(one.card.id) ? "est-chosen" : ""}>
                <th scope="row">{one.card.name}</th>
                <td class="n">{gib(one.card.totalBytes)}</td>
                <td class="n">
                  {one.estimate.cacheTokens === null ? gib(usedBytes(one)) : grouped(one.estimate.cacheTokens)}
                </td>
                <td>
                  <Sign fit={fitOfServed(one)} /> {message(locale.value, `estimate_${fitOfServed(one)}`)}
                </td>
                <td>{!chosen.has(one.card.id) && <AddCard card={one.card} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
