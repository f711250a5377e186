/** The strip that answers first: does it fit, by how much, and the three numbers with their names. */

import type { ComponentChildren } from "preact";
import { formatBytes } from "../../../src/base/bytes.ts";
import { message } from "../../../src/i18n/index.ts";
import { verdictText } from "../../../src/report/text.ts";
import { cardLines } from "../../../src/report/verdict-words.ts";
import type { ReportFacts } from "../../../src/report/facts.ts";
import { locale } from "../state/settings.ts";
import { Beside } from "./beside.tsx";
import { explainWords as t } from "./words.ts";
import "./verdict.css";

export interface VerdictProps {
  readonly facts: ReportFacts;
  /** Wall time of the run, or null. */
  readonly seconds: number | null;
  readonly onPeak: () => void;
  /** Shows the picture of memory that is held and not used. */
  readonly onUnused?: () => void;
  /** What can be done about it. */
  readonly help?: ComponentChildren;
}

const exact = (bytes: number): string => `${bytes.toLocaleString("en-US")} bytes`;

/** Why, what is of no use, what grows and what helps: the same words as the command line's. */
export function CardLines({ facts, onUnused }: Pick<VerdictProps, "facts" | "onUnused">) {
  const picture = onUnused !== undefined && (
    <button type="button" class="link" onClick={onUnused}>
      {t("unused_picture")}
    </button>
  );
  return <Beside lines={cardLines(facts.card, locale.value)} after={{ unusable: picture }} />;
}

export function Verdict({ facts, seconds, onPeak, onUnused, help = null }: VerdictProps) {
  const { verdict, capacityBytes, allocated, reserved, driver, peak } = facts;
  const numbers = [
    { name: t("number_allocated"), title: t("number_allocated_title"), bytes: allocated.peakBytes },
    { name: t("number_reserved"), title: t("number_reserved_title"), bytes: reserved.peakBytes },
    {
      name: t("number_driver"),
      title: t("number_driver_title", { lowBytes: driver.lowBytes, highBytes: driver.highBytes }),
      bytes: driver.expectedBytes,
    },
  ];
  const share = (bytes: number): string => `${Math.min(100, (bytes / capacityBytes) * 100).toFixed(2)}%`;
  return (
    <section class={`card verdict ${verdict}`} aria-live="polite">
      <p class="verdict-line">
        <strong>{message(locale.value, `verdict_${verdict}`)}</strong> <span>{verdictText(facts, locale.value)}</span>
      </p>
      <CardLines facts={facts} {...(onUnused === undefined ? {} : { onUnused })} />
      {help}
      {/* what was lost is not zero */}
      {!facts.traceLost && (
        <dl class="three">
          {numbers.map(({ name, title, bytes }) => (
            <div key={name} title={`${title}\n${exact(bytes)}`}>
              <dt>{name}</dt>
              <dd class="num">{formatBytes(bytes)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div class="headroom" role="img" aria-label={verdictText(facts, locale.value)}>
        <i class="of-driver" style={{ width: share(driver.expectedBytes) }} />
        <i class="of-reserved" style={{ width: share(reserved.peakBytes) }} />
        <i class="of-allocated" style={{ width: share(allocated.peakBytes) }} />
      </div>
      <p class="soft under">
        <span>{t("capacity_name", { gpu: facts.gpu.name, bytes: capacityBytes })}</span>
        {peak !== null && (
          <button type="button" class="link" onClick={onPeak}>
            {t("peak_place", { line: peak.line })}
            {peak.op === null ? "" : ` · ${peak.op}`}
          </button>
        )}
        {seconds !== null && <span class="num">{t("seconds", { seconds: seconds.toFixed(2) })}</span>}
      </p>
    </section>
  );
}
