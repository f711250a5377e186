/** What a finished run shows: the verdict, the chart, and panels that explain it. */

import { signal } from "@preact/signals";
import { plainPainter } from "../../../src/report/paint.ts";
import { withTrials } from "../../../src/report/facts.ts";
import { textReport } from "../../../src/report/text.ts";
import { formulasInPage, runInPage } from "../engine/runs.ts";
import { TimelineLoading } from "../chart/timeline.tsx";
import { PageBlocks, PageSegments, PageTimeline, usePageChart } from "../explain/chart-panel.tsx";
import { Composition } from "../explain/composition.tsx";
import { Findings } from "../explain/findings.tsx";
import { FormulaPanel } from "../explain/formulas.tsx";
import { Graph, SaveAs } from "../explain/later.tsx";
import { Held } from "../explain/held.tsx";
import { LineRows } from "../explain/line-rows.tsx";
import { Saved } from "../explain/saved.tsx";
import { Tabs, type Tab } from "../explain/tabs.tsx";
import { HelpLine, type Trying } from "../explain/trials.tsx";
import { Verdict } from "../explain/verdict.tsx";
import { locale } from "../state/settings.ts";
import { explainWords } from "../explain/words.ts";
import { apply, measure, measuring, planOf, stopMeasuring } from "./changes.ts";
import { ChangesInPlace } from "./in-place.tsx";
import { isStale, type FinishedRun } from "./program.ts";
import { playgroundWords as t } from "./words.ts";

const chosenTab = signal("findings");
/** As wide as fits without scrolling beside the editor. */
const REPORT_WIDTH = 88;

/** @param isOld another run is going on: what this one said must not be taken for its answer */
export function Results({ run, isOld }: { readonly run: FinishedRun; readonly isOld: boolean }) {
  const { result, selection, options } = run;
  const facts = withTrials(run.facts, run.trials.value);
  const { trace } = result;
  const lines = options.source.split("\n");
  const sourceOf = (file: string, line: number): string => (file === options.script ? (lines[line - 1] ?? "") : "");
  const pinEvent = (event: number): void => {
    selection.event.value = event;
  };
  const pinPlace = (place: string): void => {
    const at = place.lastIndexOf(":");
    const [file, line] = [place.slice(0, at), Number(place.slice(at + 1))];
    const row = facts.lines.find((candidate) => candidate.file === file && candidate.line === line);
    if (row !== undefined) pinEvent(row.firstEvent);
  };
  const pinBlock = (index: number): void => {
    selection.block.value = index;
    const block = trace.blocks[index];
    if (block !== undefined && block.allocEvent >= 0) pinEvent(block.allocEvent);
  };
  const chart = usePageChart(selection);
  // what was stopped may have no end, so nothing is asked of a whole run of it
  const canEnd = result.status !== "interrupted";
  const canHelp = canEnd && facts.allocated.peakBytes > 0 && (result.status === "ok" || facts.outOfMemory !== null);
  const trying: Trying | null = canHelp
    ? {
        trials: run.trials.value,
        now: measuring.value,
        onAll: () => void measure(run, planOf(run), false),
        onOne: (id) => void measure(run, [[id]], false),
        onCancel: stopMeasuring,
        onApply: (changes) => apply(run, changes),
      }
    : null;
  const why = canEnd
    ? (): void => {
        chosenTab.value = "held";
        setTimeout(() => document.querySelector("#tab-held")?.scrollIntoView({ block: "start" }));
      }
    : undefined;
  const pinned = selection.event.value;
  const tabs: readonly Tab[] = [
    {
      id: "findings",
      label: t("tab_findings"),
      render: () => <Findings trace={trace} facts={facts} onEvent={pinEvent} trying={trying} />,
    },
    {
      id: "peak",
      label: pinned < 0 || pinned === facts.peak?.event ? t("tab_peak") : t("tab_event", { event: pinned }),
      render: () => <Composition trace={trace} event={selection.shownEvent.value} onPlace={pinPlace} />,
    },
    {
      id: "lines",
      label: t("tab_lines"),
      render: () => <LineRows rows={facts.lines} onRow={(row) => pinEvent(row.firstEvent)} sourceOf={sourceOf} />,
    },
    ...(chart === null
      ? []
      : [
          { id: "blocks", label: t("tab_blocks"), render: () => <PageBlocks chart={chart} /> },
          { id: "segments", label: t("tab_segments"), render: () => <PageSegments chart={chart} /> },
        ]),
    {
      id: "held",
      label: t("tab_held"),
      render: () => (
        <Held
          trace={trace}
          event={selection.shownEvent.value}
          pinned={selection.block.value}
          isAsked={canEnd}
          onLook={async (event, abort) =>
            (await runInPage({ ...options, holdersAt: event, signal: abort })).holders ?? null
          }
          onBlock={pinBlock}
        />
      ),
    },
    {
      id: "saved",
      label: t("tab_saved"),
      render: () => <Saved trace={trace} table={facts.saved} onBlock={pinBlock} />,
    },
    ...(canEnd ? wholeRunTabs(run) : []),
    {
      id: "report",
      label: t("tab_report"),
      render: () => (
        <pre class="report">
          {textReport(facts, trace, {
            locale: locale.value,
            detail: "lines",
            painter: plainPainter(REPORT_WIDTH),
            sourceOf: (file) => (file === options.script ? lines : undefined),
          })}
        </pre>
      ),
    },
    {
      id: "save",
      label: t("tab_save"),
      render: () => (
        <SaveAs trace={trace} facts={facts} sourceOf={(file) => (file === options.script ? lines : undefined)} />
      ),
    },
  ];
  return (
    <div class={isOld ? "results old" : "results"} inert={isOld}>
      {!isOld && (
        <Verdict
          facts={facts}
          seconds={run.isStored === true ? null : result.seconds}
          onPeak={() => pinEvent(facts.peak?.event ?? -1)}
          onUnused={() => {
            pinEvent(facts.peak?.event ?? -1);
            chosenTab.value = "segments";
            // after the panel is there
            setTimeout(() => document.querySelector("#tab-segments")?.scrollIntoView({ block: "start" }));
          }}
          help={trying === null ? null : <HelpLine facts={facts} trying={trying} />}
        />
      )}
      <ChangesInPlace ids={run.applied} />
      {run.isStored === true && !isOld && !isStale.value && <p class="soft stored">{t("stored_note")}</p>}
      {!isOld && isStale.value && (
        <p class="stale" role="status">
          {t("stale_note")}
        </p>
      )}
      {facts.allocated.peakBytes === 0 ? (
        !facts.traceLost && <p class="soft">{explainWords("nothing_allocated")}</p>
      ) : (
        <>
          {chart === null ? <TimelineLoading text={t("chart_loading")} /> : <PageTimeline chart={chart} onWhy={why} />}
          <Tabs
            tabs={tabs}
            chosen={chosenTab.value}
            onChoose={(id) => (chosenTab.value = id)}
            label={t("panels_label")}
          />
        </>
      )}
    </div>
  );
}

/** What the program runs once more for, to its end. */
function wholeRunTabs({ options, result, selection, formulas, symbols }: FinishedRun): readonly Tab[] {
  return [
    {
      id: "formulas",
      label: t("tab_formulas"),
      render: () => (
        <FormulaPanel
          found={formulas}
          typed={symbols}
          onFind={(symbols, abort) => formulasInPage({ ...options, signal: abort }, symbols)}
        />
      ),
    },
    {
      id: "graph",
      label: t("tab_graph"),
      render: () => (
        <Graph
          trace={result.trace}
          event={selection.shownEvent.value}
          onRecord={async () => (await runInPage({ ...options, recordGraph: true })).graph ?? null}
        />
      ),
    },
  ];
}
