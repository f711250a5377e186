/** The answer first: does it fit, by how much, the three numbers by name, and a bar for each chosen card. */

import { table } from "../../../src/base/table.ts";
import { textbookBytes, type Chain, type Fit, type PartId } from "../../../src/estimate/index.ts";
import { message } from "../../../src/i18n/index.ts";
import { largestPart } from "../../../src/estimate/estimate-card.ts";
import { partCause } from "../../../src/report/verdict-words.ts";
import { Beside } from "../explain/beside.tsx";
import { pythonLoading, retry } from "../engine/python-pool.ts";
import { locale } from "../state/settings.ts";
import { answers } from "./answers.ts";
import { pieceBytes, scaleOf, type PieceId } from "./bars.ts";
import { BarLegend, CapacityBar, type BarPiece } from "./capacity-bar.tsx";
import { Figure } from "./figure.tsx";
import {
  cancel,
  fitError,
  isStopped,
  problem,
  shown,
  simulate,
  work,
  type ShownEstimate,
  type Work,
} from "./simulation.ts";
import { askedShown, draft, model, simulated } from "./page-state.ts";
import { estimateWords as t, gib, roughly, said } from "./words.ts";

/** Variables of the palette. */
const COLOURS: Readonly<Record<PieceId, string>> = {
  weights: "category-parameter",
  gradients: "category-gradient",
  optimizer: "category-optimizer_state",
  activations: "category-activation",
  temporaries: "category-temporary",
  cache: "category-kv_cache",
  other: "category-unknown",
  cached: "chart-cached",
  context: "chart-overhead",
};
export const colourOf = (id: PieceId): string => `var(--${COLOURS[id]})`;

export const pieceName = (id: PieceId): string =>
  id === "cached" || id === "context" ? t(`piece_${id}`) : message(locale.value, `part_${id satisfies PartId}`);

export const verdictText = (fit: Fit | null): string =>
  fit === null ? t("fit_unknown") : message(locale.value, `estimate_${fit}`);
export const verdictClass = (fit: Fit | null): string =>
  fit === "fits" ? "good" : fit === "does_not_fit" ? "bad" : "warn";
/** Not by colour alone. */
const SIGNS = table<string>({ good: "✓", warn: "!", bad: "✕" });
export const Sign = ({ fit }: { readonly fit: Fit | null }) => (
  <span class={`est-sign ${verdictClass(fit)}`} aria-hidden="true">
    {SIGNS[verdictClass(fit)]}
  </span>
);

export function Verdict() {
  const now = shown.value;
  // without Python nothing else can be told
  const isWithoutPython = pythonLoading.value.state === "failed";
  const trouble = isWithoutPython ? null : problem.value;
  return (
    <section class="card est-verdict" aria-labelledby="est-verdict-title" aria-busy={work.value?.what === "main"}>
      <h2 id="est-verdict-title" class="visually-hidden">
        {t("verdict_title")}
      </h2>
      {answers.value.problem !== null && (
        <p class="est-problem" role="alert">
          {said(answers.value.problem.code, answers.value.problem.args)}
        </p>
      )}
      {trouble !== null && (
        <p class="est-problem" role="alert">
          {said(trouble.code, trouble.args)}
        </p>
      )}
      <WorkLine />
      {trouble === null && now?.state !== "simulated" && now?.state !== "about" && <Textbook />}
      {trouble !== null ? null : now === null || isWithoutPython ? (
        <Waiting />
      ) : (
        <Fits estimates={now.estimates} state={now.state} />
      )}
    </section>
  );
}

/** At once, from formulas, until the simulation has its figure. */
function Textbook() {
  const config = model.value?.config;
  const now = askedShown.value;
  const [gpu] = simulated.value;
  if (config == null || now === null || "problem" in now || gpu === undefined) return null;
  const bytes = textbookBytes(config, now.asked.recipe, model.value!.parameters);
  if (bytes === null) return null;
  const needed = bytes + gpu.context.expectedBytes;
  return (
    <p class="est-textbook" role="status">
      <strong class={needed <= gpu.totalBytes ? "" : "bad"}>≈ {roughly(needed)}</strong>{" "}
      <span>{t("textbook_of", { gpu: gpu.name, capacity: gib(gpu.totalBytes) })}</span>{" "}
      <span class="soft">{t("textbook_note")}</span>
    </p>
  );
}

/** Nothing to show yet: how far Python is. */
function Waiting() {
  const loading = pythonLoading.value;
  if (simulated.value.length === 0) return <p class="soft">{t("no_card")}</p>;
  if (isStopped.value) return <p class="soft">{t("stopped")}</p>;
  if (loading.state === "failed") {
    return (
      <p role="alert">
        {t("python_failed", { reason: loading.reason })}{" "}
        <button
          type="button"
          onClick={() => {
            retry();
            simulate();
          }}
        >
          {t("again")}
        </button>
      </p>
    );
  }
  const text =
    loading.state === "fetching"
      ? t("python_fetching", { bytes: loading.bytes, totalBytes: loading.totalBytes })
      : loading.state === "waiting"
        ? t("python_starting")
        : t("first_run");
  return (
    <div class="est-waiting">
      <p class="soft" role="status">
        {text}
      </p>
      {loading.state === "fetching" && <progress value={loading.bytes} max={loading.totalBytes} aria-label={text} />}
      <div class="est-ghost" aria-hidden="true" />
    </div>
  );
}

function Fits({ estimates, state }: { readonly estimates: readonly ShownEstimate[]; readonly state: string }) {
  const [first] = estimates;
  if (first === undefined) return null;
  const about = state === "about";
  const scale = scaleOf(estimates.map(({ chain }) => chain));
  const { chain, gpu } = first;
  const left = chain.capacityBytes - chain.process.bytes;
  const size = about ? roughly : gib;
  const cause = about ? null : largestPart(chain);
  return (
    <div class={state === "old" ? "est-old" : ""}>
      <p class="est-answer" role="status">
        <Sign fit={first.fit} />
        <strong class={verdictClass(first.fit)}>
          {t("verdict_on", { verdict: verdictText(first.fit), gpu: gpu.name })}
        </strong>
        <span class="est-headroom">
          {left >= 0
            ? t("headroom_left", { left: size(left), share: Math.round((100 * left) / chain.capacityBytes) })
            : t(first.fit === "does_not_fit" ? "headroom_missing" : "headroom_given_back", { missing: size(-left) })}
        </span>
        {about && (
          <span
            class="est-mark"
            title={fitError.value === null ? undefined : t("about_error", { share: share(fitError.value) })}
          >
            {t(draft.value === null ? "about_soon" : "about_mark")}
          </span>
        )}
        {state === "old" && <span class="est-mark">{t("old_mark")}</span>}
      </p>
      {cause !== null && <Beside lines={[partCause(pieceName(cause.part), cause, locale.value)]} />}
      <dl class="est-three">
        <div>
          <dt>{t("number_allocated")}</dt>
          <dd class="est-peak">
            <Figure bytes={chain.allocated.bytes} about={about} />
          </dd>
          <dd class="soft">{t("number_allocated_is")}</dd>
        </div>
        <div>
          <dt>{t("number_reserved")}</dt>
          <dd>
            <Figure bytes={chain.reserved.bytes} about={about} />
          </dd>
          <dd class="soft">{t("number_reserved_is")}</dd>
        </div>
        <div>
          <dt>{t("number_process")}</dt>
          <dd>
            <Figure bytes={chain.process.bytes} about={about} />
          </dd>
          <dd class="soft">{t("number_process_is")}</dd>
        </div>
        <div>
          <dt>{t("number_capacity")}</dt>
          <dd>
            <Figure bytes={chain.capacityBytes} />
          </dd>
          <dd class="soft">{gpu.name}</dd>
        </div>
      </dl>
      <div class="est-bars">
        {estimates.map((made) => (
          <StackedBar key={made.gpu.id} made={made} scale={scale} several={estimates.length > 1} />
        ))}
      </div>
      <BarLegend pieces={piecesOf(chain)} />
    </div>
  );
}

export const share = (value: number): string => (100 * value).toFixed(value < 0.001 ? 2 : 1);

function StackedBar({
  made,
  scale,
  several,
}: {
  readonly made: ShownEstimate;
  readonly scale: number;
  readonly several: boolean;
}) {
  const { chain, gpu, fit } = made;
  const sentence = t("bar_label", {
    gpu: gpu.name,
    needed: gib(chain.process.bytes),
    capacity: gib(chain.capacityBytes),
    verdict: verdictText(fit),
  });
  return (
    <div class="est-bar-row">
      {several && (
        <div class="est-bar-name">
          <Sign fit={fit} />
          <span>{gpu.name}</span>
          <span class="soft">{verdictText(fit)}</span>
          <span class="grow" />
          <span class="num soft">
            {gib(chain.process.bytes)} / {gib(chain.capacityBytes)}
          </span>
        </div>
      )}
      <CapacityBar
        label={sentence}
        gpu={gpu.name}
        capacityBytes={chain.capacityBytes}
        scaleBytes={scale}
        pieces={piecesOf(chain)}
        isOver={fit === "does_not_fit"}
      />
    </div>
  );
}

/** The parts of a chain as pieces of a bar. */
const piecesOf = (chain: Chain): readonly BarPiece[] =>
  pieceBytes(chain).map(({ id, bytes }) => ({ id, name: pieceName(id), bytes, colour: colourOf(id) }));

const workText = ({ what, count, of }: Work): string =>
  of === null ? t(`work_${what}`, { count }) : t("work_of", { what: t(`work_${what}`, { count }), count, of });

/** At the top right, so that nothing jumps when it comes and goes. */
function WorkLine() {
  const now = work.value;
  return (
    <div class="est-work">
      {now !== null && (
        <>
          <progress {...(now.of === null ? {} : { value: now.count, max: now.of })} aria-label={workText(now)} />
          <span class="soft">{workText(now)}</span>
          <button type="button" class="quiet" onClick={cancel}>
            {t("cancel")}
          </button>
        </>
      )}
      {now === null && isStopped.value && model.value !== null && (
        <button type="button" class="primary" onClick={simulate}>
          {t("simulate")}
        </button>
      )}
    </div>
  );
}

export const isAsking = (): boolean =>
  work.value !== null && work.value.what !== "points" && work.value.what !== "main";
