/** What would help, measured by running the changed program: bars by what each change saves, and a button that puts it in place. */

import { formatBytes } from "../../../src/base/bytes.ts";
import { CHANGE_IDS, type ChangeId } from "../../../src/explain/changes.ts";
import type { Trial } from "../../../src/explain/trials.ts";
import type { ReportFacts } from "../../../src/report/facts.ts";
import { changeText, outcomeText, sortedTrials } from "../../../src/report/trials-text.ts";
import { locale } from "../state/settings.ts";
import { explainWords as t } from "./words.ts";

/** Who measures changes of a program and puts them in place. */
export interface Trying {
  readonly trials: readonly Trial[];
  /** What is being measured now, or null. */
  readonly now: { readonly changes: readonly ChangeId[]; readonly count: number; readonly of: number } | null;
  /** All that the program may profit from. */
  readonly onAll: () => void;
  readonly onOne: (id: ChangeId) => void;
  readonly onCancel: () => void;
  readonly onApply: (changes: readonly ChangeId[]) => void;
}

const isPlaceable = (changes: Trial["changes"]): changes is readonly ChangeId[] =>
  changes.every((id) => (CHANGE_IDS as readonly string[]).includes(id));

export function Trials({ facts, trying }: { readonly facts: ReportFacts; readonly trying: Trying }) {
  const { trials, now } = trying;
  const before = facts.reserved.peakBytes;
  const ranOut = facts.outOfMemory !== null;
  const tried = new Set(trials.map(({ changes }) => changes.join("+")));
  const left = CHANGE_IDS.filter((id) => !tried.has(id));
  return (
    <section class="trials">
      <h2>{t("trials_title")}</h2>
      <p class="soft">{t("trials_intro")}</p>
      <TryingNow trying={trying} />
      {trials.length > 0 && (
        <div class="scroll">
          <table class="plain">
            <tbody>
              {sortedTrials(trials).map((trial) => (
                <TrialRow
                  key={trial.changes.join("+")}
                  trial={trial}
                  before={before}
                  ranOut={ranOut}
                  fitsAnyway={facts.verdict === "fits"}
                  onApply={trying.onApply}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {now === null && left.length > 0 && (
        <p class="try-buttons">
          <button type="button" onClick={trying.onAll}>
            {t("try_all")}
          </button>
          {left.map((id) => (
            <button key={id} type="button" class="quiet" title={t("try_it")} onClick={() => trying.onOne(id)}>
              {changeText(locale.value, [id])}
            </button>
          ))}
        </p>
      )}
    </section>
  );
}

/** How far the measuring is, with its end beside it; nothing where nothing is measured. */
export function TryingNow({ trying: { now, onCancel } }: { readonly trying: Trying }) {
  if (now === null) return null;
  const text = t("trying_of", { change: changeText(locale.value, now.changes), count: now.count, of: now.of });
  return (
    <p class="trying" role="status">
      <progress value={now.count - 1} max={now.of} aria-label={text} /> <span class="soft">{text}</span>{" "}
      <button type="button" class="quiet" onClick={onCancel}>
        {t("trying_cancel")}
      </button>
    </p>
  );
}

interface TrialRowProps {
  readonly trial: Trial;
  readonly before: number;
  readonly ranOut: boolean;
  readonly fitsAnyway: boolean;
  readonly onApply: Trying["onApply"];
}

function TrialRow({ trial, before, ranOut, fitsAnyway, onApply }: TrialRowProps) {
  const { changes, outcome, peakReservedBytes } = trial;
  const isMeasured = outcome === "measured";
  const saved = before - peakReservedBytes;
  const helps = isMeasured && (saved > 0 || ranOut);
  return (
    <tr class={isMeasured ? "" : "soft"}>
      <td>{changeText(locale.value, changes)}</td>
      <td class="n" title={isMeasured ? t("trial_peak", { bytes: formatBytes(peakReservedBytes) }) : undefined}>
        {isMeasured && <Saved saved={saved} before={before} peak={peakReservedBytes} ranOut={ranOut} />}
      </td>
      <td class="trial-bar" aria-hidden="true">
        {helps && !ranOut && <i style={{ width: `${Math.max(2, (saved / Math.max(1, before)) * 100)}%` }} />}
      </td>
      <td>{isMeasured && fitsAnyway && trial.fits ? "" : outcomeText(locale.value, trial)}</td>
      <td>
        {helps && isPlaceable(changes) && (
          <button type="button" onClick={() => onApply(changes)}>
            {t("apply")}
          </button>
        )}
      </td>
    </tr>
  );
}

function Saved({
  saved,
  before,
  peak,
  ranOut,
}: {
  readonly saved: number;
  readonly before: number;
  readonly peak: number;
  readonly ranOut: boolean;
}) {
  // what a run that ended early would have needed is not known
  if (ranOut) return <>{t("trial_peak", { bytes: formatBytes(peak) })}</>;
  if (saved < 0) return <>{t("trial_costs", { bytes: -saved })}</>;
  return <>{t("trial_saves", { bytes: saved, percent: ((saved / Math.max(1, before)) * 100).toFixed(0) })}</>;
}

/** Under the verdict: the cheapest change that was measured with its button, or the way to measure some. */
export function HelpLine({ facts, trying }: { readonly facts: ReportFacts; readonly trying: Trying }) {
  const { remedy } = facts.card;
  if (trying.now !== null) return <TryingNow trying={trying} />;
  if (remedy !== null && isPlaceable(remedy.changes)) {
    const { changes } = remedy;
    return (
      <p class="help-line">
        <button type="button" onClick={() => trying.onApply(changes)}>
          {t("apply_this", { change: changeText(locale.value, changes) })}
        </button>
      </p>
    );
  }
  if (trying.trials.length > 0) return <p class="help-line soft">{t("trials_nothing_helps")}</p>;
  return (
    <p class="help-line">
      <button type="button" onClick={trying.onAll}>
        {t("try_all_short")}
      </button>
    </p>
  );
}
