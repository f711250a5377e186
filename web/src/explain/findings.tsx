/** What stands out in a run, each with its line; what would help; what was assumed. */

import { placeOf, type Finding } from "../../../src/explain/finding.ts";
import { foldedFindings } from "../../../src/explain/ranked.ts";
import type { ReportFacts } from "../../../src/report/facts.ts";
import { assumptionText, findingText } from "../../../src/report/words.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { locale } from "../state/settings.ts";
import { Trials, type Trying } from "./trials.tsx";
import { explainWords as t } from "./words.ts";
import "./findings.css";

export interface FindingsProps {
  readonly trace: Trace;
  readonly facts: ReportFacts;
  readonly onEvent: (event: number) => void;
  /** Null where there is no program to run, as for a recording. */
  readonly trying: Trying | null;
}

export function Findings({ trace, facts, onEvent, trying }: FindingsProps) {
  return (
    <div class="findings">
      {facts.findings.length === 0 ? (
        <p class="soft">{t("findings_none")}</p>
      ) : (
        <Ranked trace={trace} facts={facts} onEvent={onEvent} />
      )}
      {trying !== null && <Trials facts={facts} trying={trying} />}
      {(facts.assumptions.length > 0 || facts.unverifiedOps.length > 0) && (
        <section>
          <h2>{t("assumptions_title")}</h2>
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
