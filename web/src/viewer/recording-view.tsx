/** One open recording: the answer first, the timeline, and panels. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { assumptionText } from "../../../src/report/words.ts";
import type { Chart } from "../chart/chart-state.ts";
import { laidOver, type LaidOver } from "../chart/laid-over.ts";
import { TimelineLoading } from "../chart/timeline.tsx";
import { PageBlocks, PageSegments, PageTimeline, usePageChart } from "../explain/chart-panel.tsx";
import { Composition } from "../explain/composition.tsx";
import { Findings } from "../explain/findings.tsx";
import { LineRows } from "../explain/line-rows.tsx";
import { SaveAs } from "../explain/later.tsx";
import { Saved } from "../explain/saved.tsx";
import { Tabs, type Tab } from "../explain/tabs.tsx";
import { locale } from "../state/settings.ts";
import { CompareView, courseOf } from "./compare-view.tsx";
import { ReadingsView } from "./readings-view.tsx";
import { RecordingHead } from "./recording-head.tsx";
import type { Compared, OpenTrace, Recording } from "./recordings.ts";
import { viewerWords as t } from "./words.ts";

const chosenTab = signal("findings");

/** Shows the panel that compares. */
export function showComparison(): void {
  chosenTab.value = "compare";
}

export interface RecordingViewProps {
  readonly recording: Recording;
  readonly overlaid: Compared | null;
}

export function RecordingView({ recording, overlaid }: RecordingViewProps) {
  const { trace: open } = recording;
  const chart = usePageChart(open?.selection ?? null, open?.base);
  useEffect(() => {
    if (chart !== null) chart.laidOver.value = overlaid === null ? null : lineOver(chart, overlaid, null);
  }, [chart, overlaid]);
  const tabs = [
    ...(overlaid === null ? [] : [compareTab(recording, overlaid, chart)]),
    ...(open === null ? [] : traceTabs(open, chart)),
    ...readingTabs(recording),
  ];
  return (
    <>
      <RecordingHead recording={recording} />
      {chart !== null && <PageTimeline chart={chart} />}
      {open !== null && chart === null && (
        <TimelineLoading text={t("preparing", { count: open.trace.events.kind.length })} />
      )}
      <Tabs tabs={tabs} chosen={chosenTab.value} onChoose={(id) => (chosenTab.value = id)} label={t("panels_label")} />
    </>
  );
}

/** What is laid over the timeline: the whole of it, or as far as a comparison has found that the two belong together. */
function lineOver(
  chart: Chart,
  overlaid: Compared,
  stretch: { readonly first: number; readonly end: number; readonly isShown: boolean } | null,
): LaidOver | null {
  const course = courseOf(overlaid);
  if (course === null) return null;
  const all = { first: 0, end: course.bytes.length };
  const events = { from: 0, to: chart.trace.events.kind.length };
  if (stretch === null) return laidOver(course.name, course.bytes, all, events);
  const { first, end, isShown } = stretch;
  return isShown
    ? laidOver(course.name, course.bytes, all, { from: first, to: end })
    : laidOver(course.name, course.bytes, { first, end }, events);
}

function compareTab(recording: Recording, overlaid: Compared, chart: Chart | null): Tab {
  const { name, trace, readings } = recording;
  const shown: Compared = { name, trace: trace?.trace ?? null, readings };
  return {
    id: "compare",
    label: t("tab_compare"),
    render: () => (
      <CompareView
        shown={shown}
        overlaid={overlaid}
        onStretch={({ first, end, predicted }) => {
          if (chart === null) return;
          chart.laidOver.value = lineOver(chart, overlaid, { first, end, isShown: predicted.trace === chart.trace });
        }}
      />
    ),
  };
}

function traceTabs(open: OpenTrace, chart: Chart | null): Tab[] {
  const { trace, facts, selection } = open;
  const pinEvent = (event: number): void => {
    selection.event.value = event;
  };
  const pinPlace = (place: string): void => {
    const row = facts.lines.find(({ file, line }) => `${file}:${line}` === place);
    if (row !== undefined) pinEvent(row.firstEvent);
  };
  const pinBlock = (index: number): void => {
    selection.block.value = index;
    const { allocEvent } = trace.blocks[index]!;
    if (allocEvent >= 0) pinEvent(allocEvent);
  };
  const pinned = selection.event.value;
  return [
    {
      id: "findings",
      label: t("tab_findings"),
      render: () => <Findings trace={trace} facts={facts} onEvent={pinEvent} trying={null} />,
    },
    {
      id: "peak",
      label: pinned < 0 || pinned === facts.peak?.event ? t("tab_peak") : t("tab_event", { event: pinned }),
      render: () => <Composition trace={trace} event={selection.shownEvent.value} onPlace={pinPlace} />,
    },
    {
      id: "end",
      label: t("tab_end"),
      render: () => (
        <>
          <p class="soft">{t("end_intro", { bytes: facts.allocated.endBytes })}</p>
          <Composition trace={trace} event={trace.events.kind.length - 1} onPlace={pinPlace} first="line" />
        </>
      ),
    },
    {
      id: "lines",
      label: t("tab_lines"),
      render: () => <LineRows rows={facts.lines} onRow={(row) => pinEvent(row.firstEvent)} sourceOf={() => ""} />,
    },
    ...(chart === null
      ? []
      : [
          { id: "blocks", label: t("tab_blocks"), render: () => <PageBlocks chart={chart} /> },
          { id: "allocator", label: t("tab_allocator"), render: () => <PageSegments chart={chart} /> },
        ]),
    ...(facts.saved === null
      ? []
      : [
          {
            id: "saved",
            label: t("tab_saved"),
            render: () => <Saved trace={trace} table={facts.saved} onBlock={pinBlock} />,
          },
        ]),
    { id: "save", label: t("tab_save"), render: () => <SaveAs trace={trace} facts={facts} /> },
  ];
}

function readingTabs({ readings, notes, trace }: Recording): Tab[] {
  const frames = trace?.trace ?? { frames: [] };
  return [
    ...(readings === null
      ? []
      : [{ id: "readings", label: t("tab_readings"), render: () => <ReadingsView readings={readings} /> }]),
    {
      id: "notes",
      label: t("tab_notes"),
      render: () =>
        notes.length === 0 ? (
          <p class="soft">{t("notes_none")}</p>
        ) : (
          <ul class="file-notes">
            {notes.map((note, index) => (
              <li key={index}>{assumptionText(locale.value, frames, note)}</li>
            ))}
          </ul>
        ),
    },
  ];
}
