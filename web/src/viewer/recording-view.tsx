/** One open recording: the answer first, the timeline, and panels. */

import { signal } from "@preact/signals";
import { assumptionText } from "../../../src/report/words.ts";
import type { Chart } from "../chart/chart-state.ts";
import { TimelineLoading } from "../chart/timeline.tsx";
import { PageBlocks, PageSegments, PageTimeline, usePageChart } from "../explain/chart-panel.tsx";
import { Composition } from "../explain/composition.tsx";
import { Findings } from "../explain/findings.tsx";
import { LineRows } from "../explain/line-rows.tsx";
import { SaveAs } from "../explain/save-as.tsx";
import { Saved } from "../explain/saved.tsx";
import { Tabs, type Tab } from "../explain/tabs.tsx";
import { locale } from "../state/settings.ts";
import { CompareView } from "./compare-view.tsx";
import { ReadingsView } from "./readings-view.tsx";
import { RecordingHead } from "./recording-head.tsx";
import type { Compared, OpenTrace, Recording } from "./recordings.ts";
import { viewerWords as t } from "./words.ts";

const chosenTab = signal("peak");

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
  const tabs = [
    ...(overlaid === null ? [] : [compareTab(recording, overlaid)]),
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

function compareTab(recording: Recording, overlaid: Compared): Tab {
  const { name, trace, readings } = recording;
  return {
    id: "compare",
    label: t("tab_compare"),
    render: () => <CompareView shown={{ name, trace: trace?.trace ?? null, readings }} overlaid={overlaid} />,
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
  return [
    {
      id: "peak",
      label: t("tab_peak"),
      render: () => <Composition trace={trace} event={selection.shownEvent.value} onPlace={pinPlace} />,
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
    {
      id: "findings",
      label: t("tab_findings"),
      render: () => <Findings trace={trace} facts={facts} onEvent={pinEvent} onTry={null} />,
    },
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
