/** What stands first: the verdict on a simulated run, or where a recording started, peaked and ended. */

import { formatBytes } from "../../../src/base/bytes.ts";
import { message } from "../../../src/i18n/index.ts";
import { assumptionText } from "../../../src/report/words.ts";
import type { Assumption } from "../../../src/trace/model.ts";
import { courseOf, isAboutFailure } from "../../../src/report/opened-text.ts";
import { recordingSentences } from "../../../src/report/recording-words.ts";
import { locale } from "../state/settings.ts";
import { CardLines, Verdict } from "../explain/verdict.tsx";
import type { OpenTrace, Recording } from "./recordings.ts";
import { viewerWords as t } from "./words.ts";

const POINTS = ["start", "peak", "end"] as const;
const exact = (bytes: number): string => `${bytes.toLocaleString("en-US")} bytes`;

export function RecordingHead({ recording }: { readonly recording: Recording }) {
  const { trace, title } = recording;
  const failed = recording.notes.filter(({ code }) => isAboutFailure(code));
  if (trace === null && failed.length > 0) return <FailureCard notes={failed} />;
  if (trace === null) return <p class="card soft">{t("readings_note", { format: title })}</p>;
  const toPeak = (): void => {
    trace.selection.event.value = trace.base.peak;
  };
  if (trace.trace.source === "simulated") return <Verdict facts={trace.facts} seconds={null} onPeak={toPeak} />;
  return <Course open={trace} title={title} onPeak={toPeak} />;
}

/** An out-of-memory error is a verdict: by how much, and why, as far as its text tells. */
function FailureCard({ notes }: { readonly notes: readonly Assumption[] }) {
  const [first, ...more] = notes.map((note) => assumptionText(locale.value, { frames: [] }, note));
  return (
    <section class="card verdict does_not_fit">
      <p class="verdict-line">
        <strong>{message(locale.value, "verdict_does_not_fit")}</strong> <span>{first}</span>
      </p>
      {more.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  );
}

function Course({
  open,
  title,
  onPeak,
}: {
  readonly open: OpenTrace;
  readonly title: string;
  readonly onPeak: () => void;
}) {
  const { trace, facts } = open;
  const course = courseOf(trace, facts);
  const { peak } = facts;
  return (
    <section class="card course">
      <p class="course-says">{recordingSentences(trace, facts, locale.value).join(locale.value === "en" ? " " : "")}</p>
      <div class="scroll">
        <table class="plain">
          <thead>
            <tr>
              <td />
              {POINTS.map((point) => (
                <th key={point} scope="col" class="n">
                  {t(`course_${point}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(["allocated", "reserved"] as const).map((quantity) => (
              <tr key={quantity}>
                <th scope="row">{t(`course_${quantity}`)}</th>
                {POINTS.map((point) => {
                  const bytes = course[quantity][`${point}Bytes`];
                  return (
                    <td key={point} class={`n ${point}`} title={exact(bytes)} data-figure={`${quantity}-${point}`}>
                      {formatBytes(bytes)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <CardLines facts={facts} />
      <p class="soft under">
        <span>
          {t("recorded_note", {
            format: title,
            count: trace.events.kind.length,
            events: trace.events.kind.length.toLocaleString("en-US"),
            blockCount: trace.blocks.length,
            blocks: trace.blocks.length.toLocaleString("en-US"),
          })}
        </span>
        {peak !== null && (
          <button type="button" class="link" onClick={onPeak}>
            {peak.file.split("/").at(-1)}:{peak.line}
            {peak.op === null ? "" : ` · ${peak.op}`}
          </button>
        )}
      </p>
    </section>
  );
}
