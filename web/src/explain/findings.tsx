/** What stands out in a run, each with its line; what would help, measured by running the changed program; what was assumed. */

import { useSignal } from "@preact/signals";
import { formatBytes } from "../../../src/base/bytes.ts";
import { CHANGE_IDS, COMBINED_CHANGES, type ChangeId } from "../../../src/explain/changes.ts";
import { placeOf, type Finding } from "../../../src/explain/finding.ts";
import { foldedFindings } from "../../../src/explain/ranked.ts";
import type { Trial } from "../../../src/explain/trials.ts";
import type { ReportFacts } from "../../../src/report/facts.ts";
import { changeText, outcomeText, sortedTrials } from "../../../src/report/trials-text.ts";
import { assumptionText, findingText } from "../../../src/report/words.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { locale } from "../state/settings.ts";
import { explainWords as t } from "./words.ts";
import "./findings.css";

export interface FindingsProps {
  readonly trace: Trace;
  readonly facts: ReportFacts;
  readonly onEvent: (event: number) => void;
  /** Runs the program again with changes; null where there is no program to run, as for a recording. */
  readonly onTry:
    | ((changes: readonly (readonly ChangeId[])[], onTrial: (name: string) => void) => Promise<Trial[]>)
    | null;
}

export function Findings({ trace, facts, onEvent, onTry }: FindingsProps) {
  return (
    <div class="findings">
      {facts.findings.length === 0 ? (
        <p class="soft">{t("findings_none")}</p>
      ) : (
        <Ranked trace={trace} facts={facts} onEvent={onEvent} />
      )}
      {onTry !== null && <Trials facts={facts} onTry={onTry} />}
      {(facts.assumptions.length > 0 || facts.unverifiedOps.length > 0) && (
        <section>
          <h3>{t("assumptions_title")}</h3>
          <ul>
            {facts.assumptions.map((assumption, index) => (
              <li key={index}>{assumptionText(locale.value, trace, assumption)}</li>
            ))}
            {facts.unverifiedOps.length > 0 && <li>{facts.unverifiedOps.join(", ")}</li>}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Those with most bytes first; what is small beside the peak is folded. */
function Ranked({ trace, facts, onEvent }: Pick<FindingsProps, "trace" | "facts" | "onEvent">) {
  const { shown, small } = foldedFindings(facts.findings, facts.allocated.peakBytes);
  const list = (findings: readonly Finding[]) => (
    <ul>
      {findings.map((finding, index) => (
        <FindingRow key={index} trace={trace} finding={finding} onEvent={onEvent} />
      ))}
    </ul>
  );
  return (
    <>
      {list(shown)}
      {small.length > 0 && (
        <details>
          <summary class="soft">{t("findings_small", { count: small.length })}</summary>
          {list(small)}
        </details>
      )}
    </>
  );
}

function FindingRow({
  trace,
  finding,
  onEvent,
}: {
  readonly trace: Trace;
  readonly finding: Finding;
  readonly onEvent: (event: number) => void;
}) {
  const text = findingText(locale.value, finding);
  // most begin with their place: it becomes the way there
  const place = placeOf(trace, finding.frame);
  const named = place !== "" && text.startsWith(`${place}:`);
  if (finding.event < 0 || !named) return <li>{text}</li>;
  return (
    <li>
      <button type="button" class="link place" onClick={() => onEvent(finding.event)}>
        {place}
      </button>
      {text.slice(place.length)}
    </li>
  );
}

function Trials({
  facts,
  onTry,
}: Pick<FindingsProps, "facts"> & { readonly onTry: NonNullable<FindingsProps["onTry"]> }) {
  const trials = useSignal<readonly Trial[]>([]);
  const trying = useSignal<string | null>(null);
  const before = facts.reserved.peakBytes;
  const attempt = async (plan: readonly (readonly ChangeId[])[]): Promise<void> => {
    trying.value = "";
    try {
      const made = await onTry(plan, (name) => (trying.value = name));
      const names = new Set(made.map(({ changes }) => changes.join("+")));
      trials.value = [...trials.value.filter(({ changes }) => !names.has(changes.join("+"))), ...made];
    } finally {
      trying.value = null;
    }
  };
  const tried = new Set(trials.value.map(({ changes }) => changes.join("+")));
  const left = CHANGE_IDS.filter((id) => !tried.has(id));
  const all = [...CHANGE_IDS.map((id) => [id]), ...(facts.verdict === "does_not_fit" ? COMBINED_CHANGES : [])];
  return (
    <section class="trials">
      <h3>{t("trials_title")}</h3>
      <p class="soft">{t("trials_intro")}</p>
      {trials.value.length > 0 && (
        <div class="scroll">
          <table class="plain">
            <tbody>
              {sortedTrials(trials.value).map((trial) => (
                <tr key={trial.changes.join("+")} class={trial.outcome === "measured" ? "" : "soft"}>
                  <td>{changeText(locale.value, trial.changes)}</td>
                  <td class="n">
                    {trial.outcome === "measured" && <Saving before={before} after={trial.peakReservedBytes} />}
                  </td>
                  <td>{outcomeText(locale.value, trial)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {trying.value === null ? (
        <p class="try-buttons">
          {left.length > 0 && (
            <button type="button" onClick={() => void attempt(all)}>
              {t("try_all")}
            </button>
          )}
          {left.map((id) => (
            <button key={id} type="button" class="quiet" title={t("try_it")} onClick={() => void attempt([[id]])}>
              {changeText(locale.value, [id])}
            </button>
          ))}
        </p>
      ) : (
        <p role="status">
          {t("trying")} {trying.value}
        </p>
      )}
    </section>
  );
}

function Saving({ before, after }: { readonly before: number; readonly after: number }) {
  const saved = before - after;
  if (saved < 0) return <>{t("trial_costs", { bytes: -saved })}</>;
  return (
    <span title={t("trial_peak", { bytes: formatBytes(after) })}>
      {t("trial_saves", { bytes: saved, percent: ((saved / Math.max(1, before)) * 100).toFixed(0) })}
    </span>
  );
}
