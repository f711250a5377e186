/** What a pipeline of diffusers takes of the chosen cards: the verdict, and each part with what is on the card while it works. */

import { formatBytes } from "../../../src/base/bytes.ts";
import { askedPipeline, type AskedPipeline } from "../../../src/cli/pipeline-options.ts";
import { UsageError } from "../../../src/cli/usage-error.ts";
import {
  estimatePipeline,
  ON_CARD,
  partBytes,
  type OnCard,
  type PipelineEstimate,
} from "../../../src/estimate/pipeline.ts";
import { GPUS } from "../../../src/gpus/catalogue.ts";
import { message } from "../../../src/i18n/index.ts";
import { findPipeline } from "../../../src/models/pipelines.ts";
import type { PipelineRow } from "../../../src/models/pipeline-rows.ts";
import { amountText } from "../../../src/report/estimate-text.ts";
import { pipelineNotes, pipelineWhy } from "../../../src/report/pipeline-text.ts";
import { Beside } from "../explain/beside.tsx";
import { locale } from "../state/settings.ts";
import { scaleOfBytes } from "./bars.ts";
import { BarLegend, CapacityBar } from "./capacity-bar.tsx";
import { CommandView } from "./command-view.tsx";
import { Figure } from "./figure.tsx";
import { parsedOf, withOption } from "./inputs.ts";
import { inputs, setInputs, simulated } from "./page-state.ts";
import { commandLine } from "./program-card.tsx";
import { colourOf, pieceName, Sign, verdictClass } from "./verdict.tsx";
import { choiceText, estimateWords as t, gib, grouped, said } from "./words.ts";

export function PipelineView() {
  const found = findPipeline(inputs.value.model);
  const [gpu] = simulated.value;
  if (found === null) return null;
  const asked = askedOf(found.row);
  if ("code" in asked || gpu === undefined) {
    return (
      <section class="card">
        <p class="est-problem" role="alert">
          {"code" in asked ? said(asked.code, asked.args) : t("no_card")}
        </p>
      </section>
    );
  }
  const made = estimatePipeline(found.row, asked.request, gpu);
  return (
    <>
      <PipelineVerdict row={found.row} made={made} />
      <div class="est-grid">
        <div>
          <Parts made={made} />
          <section class="card" aria-labelledby="est-command">
            <h2 id="est-command">{t("command_title")}</h2>
            <CommandView line={commandLine(gpu.id)} />
          </section>
        </div>
        <div>
          <Where row={found.row} asked={asked} />
          <section class="card" aria-labelledby="est-notes">
            <h2 id="est-notes">{t("notes_title")}</h2>
            <ul class="est-notes">
              {pipelineNotes(made, locale.value).map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </section>
        </div>
      </div>
    </>
  );
}

function askedOf(row: PipelineRow): AskedPipeline | UsageError {
  try {
    return askedPipeline(parsedOf(inputs.value), row);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

const onCardName = (id: OnCard): string => choiceText("on-card", id);

function PipelineVerdict({ row, made }: { readonly row: PipelineRow; readonly made: PipelineEstimate }) {
  const { gpu, fit, neededBytes, highBytes, capacityBytes, request, weightBytes, peak } = made;
  const smaller = ON_CARD.filter((one) => ON_CARD.indexOf(one) > ON_CARD.indexOf(request.onCard))
    .map((onCard) => estimatePipeline(row, { ...request, onCard }, gpu))
    .find((other) => other.fit !== "does_not_fit");
  const pieces = [
    {
      id: "weights",
      name: message(locale.value, "pipeline_on_card"),
      bytes: peak.residentBytes,
      colour: colourOf("weights"),
    },
    {
      id: "activations",
      name: message(locale.value, "pipeline_activations"),
      bytes: peak.activationBytes,
      colour: colourOf("activations"),
    },
    { id: "context", name: pieceName("context"), bytes: gpu.context.expectedBytes, colour: colourOf("context") },
  ];
  return (
    <section class="card est-verdict" aria-labelledby="est-pipeline">
      <p class="est-answer" role="status" id="est-pipeline">
        <Sign fit={fit} />
        <strong class={verdictClass(fit)}>
          {t("verdict_on", { verdict: message(locale.value, `estimate_${fit}`), gpu: gpu.name })}
        </strong>
        <span class="est-headroom">{amountText(fit, capacityBytes, neededBytes, locale.value)}</span>
      </p>
      <Beside
        lines={[{ id: "why", label: message(locale.value, "card_why"), text: pipelineWhy(made, locale.value) }]}
      />
      {fit === "does_not_fit" && smaller !== undefined && (
        <p>
          {t("pipeline_smaller", { what: onCardName(smaller.request.onCard), needed: gib(smaller.neededBytes) })}{" "}
          <button type="button" onClick={() => setInputs(withOption(inputs.value, "on-card", smaller.request.onCard))}>
            {t("apply")}
          </button>
        </p>
      )}
      <dl class="est-three">
        <div>
          <dt>{t("pipeline_weights")}</dt>
          <dd>
            <Figure bytes={weightBytes} />
          </dd>
          <dd class="soft">{t("pipeline_weights_is")}</dd>
        </div>
        <div>
          <dt>{t("number_process")}</dt>
          <dd>
            <Figure bytes={neededBytes} />
          </dd>
          <dd class="soft">
            {message(locale.value, "estimate_between", { low: formatBytes(neededBytes), high: formatBytes(highBytes) })}
          </dd>
        </div>
        <div>
          <dt>{t("number_capacity")}</dt>
          <dd>
            <Figure bytes={capacityBytes} />
          </dd>
          <dd class="soft">{gpu.name}</dd>
        </div>
      </dl>
      <CapacityBar
        label={t("bar_label", {
          gpu: gpu.name,
          needed: gib(neededBytes),
          capacity: gib(capacityBytes),
          verdict: message(locale.value, `estimate_${fit}`),
        })}
        gpu={gpu.name}
        capacityBytes={capacityBytes}
        scaleBytes={scaleOfBytes([capacityBytes, neededBytes])}
        pieces={pieces}
        isOver={fit === "does_not_fit"}
      />
      <BarLegend pieces={pieces} />
    </section>
  );
}

function Parts({ made }: { readonly made: PipelineEstimate }) {
  const { phases, peak, request } = made;
  const heads = ["pipeline_weights", "pipeline_on_card", "pipeline_activations", "pipeline_together"] as const;
  return (
    <section class="card" aria-labelledby="est-parts">
      <h2 id="est-parts">{t("pipeline_parts")}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="est-parts">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{message(locale.value, "pipeline_part")}</th>
              {heads.map((head) => (
                <th key={head} scope="col" class="n">
                  {message(locale.value, head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {phases.map((phase) => (
              <tr key={phase.part.name} class={phase === peak ? "est-chosen" : ""}>
                <th scope="row" title={`${phase.part.class}, ${grouped(phase.part.parameters)}`}>
                  {phase.part.name}
                </th>
                <td class="n">{formatBytes(partBytes(phase.part, request))}</td>
                <td class="n">{formatBytes(phase.residentBytes)}</td>
                <td class="n">{phase.part.activations === undefined ? "–" : formatBytes(phase.activationBytes)}</td>
                <td class="n">{formatBytes(phase.residentBytes + phase.activationBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The smallest cards first that take it, for each choice of what is on the card. */
function Where({ row, asked }: { readonly row: PipelineRow; readonly asked: AskedPipeline }) {
  const cards = GPUS.toSorted((a, b) => a.totalBytes - b.totalBytes);
  return (
    <section class="card" aria-labelledby="est-where">
      <h2 id="est-where">{t("where_title")}</h2>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{t("pipeline_kept")}</th>
            <th scope="col" class="n">
              {t("column_needed")}
            </th>
            <th scope="col">{t("pipeline_smallest")}</th>
          </tr>
        </thead>
        <tbody>
          {ON_CARD.map((onCard) => {
            const on = cards.map((gpu) => estimatePipeline(row, { ...asked.request, onCard }, gpu));
            const first = on.find(({ fit }) => fit !== "does_not_fit") ?? null;
            return (
              <tr key={onCard}>
                <th scope="row">{onCardName(onCard)}</th>
                <td class="n">{gib((first ?? on.at(-1)!).neededBytes)}</td>
                <td>
                  {first === null
                    ? t("pipeline_nowhere")
                    : `${first.gpu.name}: ${message(locale.value, `estimate_${first.fit}`)}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
