/** A prediction beside a record: both courses in one chart, every figure with its difference, and the causes. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { DiagnosticError } from "../../../src/base/diagnostic.ts";
import { compareFigures, compareWithRecording, type Source } from "../../../src/compare/index.ts";
import { findGpu } from "../../../src/gpus/catalogue.ts";
import { messageOrCode } from "../../../src/i18n/index.ts";
import {
  readingsReasons,
  readingsTable,
  traceReasons,
  traceTable,
  type ComparisonTable,
  type Reason,
} from "../../../src/report/comparison-table.ts";
import type { AnyComparison } from "../../../src/report/comparison-text.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { locale } from "../state/settings.ts";
import type { Compared } from "./recordings.ts";
import { SeriesChart, type ChartSeries } from "./series-chart.tsx";
import { viewerWords as t } from "./words.ts";

/** So many events are compared while one waits; more on demand. */
const AT_ONCE_EVENTS = 150_000;
const NO_CHANGE = /^[+-]?0(?:\.0+)?(?: bytes)?$/;

const isPrediction = ({ trace, readings }: Compared): boolean =>
  trace?.source === "simulated" || /^vramscope-(?:report|estimate)/.test(readings?.source ?? "");

/** Which of two is the prediction: the one that was simulated, otherwise the first. */
export function inOrder(one: Compared, other: Compared): readonly [Compared, Compared] {
  return !isPrediction(one) && isPrediction(other) ? [other, one] : [one, other];
}

function compare(predicted: Compared, recorded: Compared): AnyComparison | null {
  if (predicted.trace !== null && recorded.trace !== null) {
    return compareWithRecording(predicted.trace, recorded.trace);
  }
  const source = ({ trace, readings }: Compared): Source | null =>
    trace !== null ? { trace } : readings !== null ? { readings } : null;
  const [first, second] = [source(predicted), source(recorded)];
  if (first === null || second === null) return null;
  const gpu = predicted.trace === null ? null : findGpu(predicted.trace.gpu);
  return compareFigures(first, second, gpu?.ok ? gpu.value.context : null);
}

const eventsOf = (trace: Trace | null): number => trace?.events.kind.length ?? 0;

/** Allocated bytes over the events, or the readings that come nearest. */
export function courseOf({ name, trace, readings }: Compared): ChartSeries | null {
  if (trace !== null) return { name, bytes: trace.events.allocatedBytes, at: null };
  const found = ["allocated", "reserved", "process", "device_used"]
    .map((quantity) => readings?.series.find((series) => series.quantity === quantity && series.bytes.length > 1))
    .find((series) => series !== undefined);
  return found === undefined ? null : { name, bytes: found.bytes, at: null };
}

type State =
  | { readonly state: "asking" }
  | { readonly state: "working" }
  | { readonly state: "done"; readonly comparison: AnyComparison }
  | { readonly state: "failed"; readonly reason: string };

export interface CompareViewProps {
  readonly shown: Compared;
  readonly overlaid: Compared;
  /** Hears which stretch of the prediction was recorded. */
  readonly onStretch: (stretch: { readonly first: number; readonly end: number; readonly predicted: Compared }) => void;
}

export function CompareView({ shown, overlaid, onStretch }: CompareViewProps) {
  const [predicted, recorded] = inOrder(shown, overlaid);
  const isLarge = eventsOf(predicted.trace) > AT_ONCE_EVENTS && eventsOf(recorded.trace) > AT_ONCE_EVENTS;
  const state = useSignal<State>({ state: isLarge ? "asking" : "working" });
  const isWorking = state.value.state === "working";
  useEffect(() => {
    if (!isWorking) return undefined;
    // after the page has said that it works on it
    const timer = setTimeout(() => {
      try {
        const comparison = compare(predicted, recorded);
        if (comparison?.kind === "traces") onStretch({ first: comparison.first, end: comparison.end, predicted });
        state.value = comparison === null ? { state: "failed", reason: "" } : { state: "done", comparison };
      } catch (error) {
        const reason =
          error instanceof DiagnosticError
            ? messageOrCode(locale.value, error.diagnostic.code, error.diagnostic.args)
            : String(error);
        state.value = { state: "failed", reason };
      }
    }, 30);
    return () => clearTimeout(timer);
  }, [predicted.trace ?? predicted.readings, recorded.trace ?? recorded.readings, isWorking]);
  // over a timeline the other course is drawn already
  const courses = shown.trace !== null ? [] : [predicted, recorded].flatMap((side) => courseOf(side) ?? []);
  return (
    <div class="comparison">
      <p>{t("compare_intro", { predicted: predicted.name, recorded: recorded.name })}</p>
      {courses.length === 2 && <SeriesChart series={courses} axis={t("compare_chart")} stretched />}
      {state.value.state === "asking" && (
        <p>
          {t("compare_large")}{" "}
          <button type="button" onClick={() => (state.value = { state: "working" })}>
            {t("compare_start")}
          </button>
        </p>
      )}
      {isWorking && <p role="status">{t("comparing")}</p>}
      {state.value.state === "failed" && <p role="alert">{t("compare_failed", { reason: state.value.reason })}</p>}
      {state.value.state === "done" && <Result comparison={state.value.comparison} />}
    </div>
  );
}

function Result({ comparison }: { readonly comparison: AnyComparison }) {
  const onlyDifferent = useSignal(false);
  const isTraces = comparison.kind === "traces";
  const table: ComparisonTable = isTraces
    ? traceTable(comparison, locale.value)
    : readingsTable(comparison, locale.value);
  const reasons: readonly Reason[] = isTraces
    ? traceReasons(comparison, locale.value)
    : readingsReasons(comparison, locale.value);
  const rows = table.rows.filter((row) => !onlyDifferent.value || !NO_CHANGE.test(row.at(-1) ?? ""));
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={onlyDifferent.value}
          onChange={(event) => (onlyDifferent.value = event.currentTarget.checked)}
        />
        <span>{t("compare_only_different")}</span>
      </label>
      {rows.length === 0 ? (
        <p class="soft">{t("compare_same")}</p>
      ) : (
        <div class="scroll">
          <table class="plain">
            <thead>
              <tr>
                {table.head.map((name, index) => (
                  <th key={index} scope="col" class={index === 0 ? "" : "n"}>
                    {index === 0 ? t("facts_name") : name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, index) => (
                    <td key={index} class={index === 0 ? "" : "n"}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {reasons.length > 0 && (
        <section>
          <h3>{t("compare_reasons")}</h3>
          {reasons.map(({ title, lines }, index) => (
            <div key={index} class="reason">
              <h4>{title}</h4>
              <ul>
                {lines.map((line, at) => (
                  <li key={at} class={line.startsWith(" ") ? "inner" : ""}>
                    {line.trim()}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </section>
      )}
    </>
  );
}
