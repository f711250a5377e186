/** The playground: a program at the left, its memory at the right, each line and each block leading to the other. */

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatBytes, formatChange } from "../../../src/base/bytes.ts";
import { table } from "../../../src/base/table.ts";
import type { LiveFigures } from "../../../src/trace/live-figures.ts";
import { messageOrCode } from "../../../src/i18n/index.ts";
import { Editor } from "../editor/editor.tsx";
import { LINE_MODES, lineFigures, type LineFigures, type LineMode } from "../editor/line-figures.ts";
import type { LineMarks } from "../editor/line-marks.ts";
import type { GutterContent } from "../editor/memory-gutter.ts";
import { prepare } from "../engine/python-pool.ts";
import { PackagesOffer } from "../packages/menu.tsx";
import { missingPackages } from "../packages/missing.ts";
import { addCommands, shownKeys } from "../shell/commands.ts";
import { handedProgram } from "../state/hand-over.ts";
import { locale } from "../state/settings.ts";
import { LinkNote, useLink } from "./link.tsx";
import { Output } from "./output.tsx";
import {
  edit,
  exampleId,
  files,
  finished,
  gpu,
  inPlace,
  run,
  runState,
  scriptName,
  source,
  drop,
  stop,
  torch,
} from "./program.ts";
import { Results } from "./results.tsx";
import { watchRuns } from "./changes.ts";
import { Welcome } from "./welcome.tsx";
import { showFirstAnswer } from "./first-answer.ts";
import { Toolbar } from "./toolbar.tsx";
import { errorPlace } from "./traceback.ts";
import { playgroundWords as t } from "./words.ts";
import "./playground.css";

const mode = signal<LineMode>("atPeakBytes");
/** What a run is about, where it is not yet Python that starts. */
const PHASES = table<"phase_program" | "phase_packages">({
  program: "phase_program",
  packages: "phase_packages",
});

const figures = computed(() => {
  const done = finished.value;
  return done === null ? null : lineFigures(done.result.trace, done.options.script);
});

function describe(line: number, row: LineFigures): string {
  return t("line_title", { line, ...row, netText: formatChange(row.netBytes) });
}

/** The run that is shown, while the text is still the one that ran: otherwise its lines are others. */
const runOfText = computed(() => (finished.value?.options.source === source.value ? finished.value : null));

const gutter = computed((): GutterContent | null =>
  figures.value === null || runOfText.value === null ? null : { figures: figures.value, mode: mode.value, describe },
);

const selectedLine = computed((): number | null => {
  const done = finished.value;
  if (done === null) return null;
  const { selection, result, options } = done;
  const { trace } = result;
  const block = trace.blocks[selection.block.value];
  let frame = block?.frame ?? (selection.event.value >= 0 ? trace.events.frame[selection.event.value]! : -1);
  // the innermost line that is in the shown file
  while (frame >= 0 && trace.frames[frame]!.file !== options.script) frame = trace.frames[frame]!.parent;
  return trace.frames[frame]?.line ?? null;
});

const marks = computed((): LineMarks => {
  const done = runOfText.value;
  if (done === null) return { error: null, peak: null, selected: null };
  const { peak } = done.facts;
  return {
    error: errorPlace(done.result.errorText, done.options.script),
    peak: peak !== null && peak.file === done.options.script ? peak.line : null,
    selected: selectedLine.value,
  };
});

function selectLine(line: number): void {
  const done = finished.value;
  if (done === null) return;
  const row = done.facts.lines.find((candidate) => candidate.file === done.options.script && candidate.line === line);
  if (row === undefined) return;
  const { trace } = done.result;
  done.selection.event.value = row.firstEvent;
  // the largest block that the line made, if it made one
  let largest = -1;
  trace.blocks.forEach((block, index) => {
    const frame = trace.frames[block.frame];
    if (frame?.line !== line || frame.file !== done.options.script) return;
    if (largest === -1 || block.bytes > trace.blocks[largest]!.bytes) largest = index;
  });
  done.selection.block.value = largest;
}

function takeHanded(): void {
  const handed = handedProgram.value;
  if (handed === null) return;
  handedProgram.value = null;
  drop();
  source.value = handed.source;
  scriptName.value = handed.name;
  files.value = handed.files;
  if (handed.gpu !== null) gpu.value = handed.gpu;
  if (handed.torch !== null) torch.value = handed.torch;
  exampleId.value = null;
  inPlace.value = null;
  finished.value = null;
}

export function Playground() {
  useLink();
  useEffect(watchRuns, []);
  useEffect(() => {
    takeHanded();
    // Python starts behind the answer, not beside it: the two would share the processor
    void showFirstAnswer().finally(() => setTimeout(prepare));
    return addCommands([
      {
        id: "run",
        group: "program",
        keys: ["Mod+Enter"],
        label: () => t("command_run"),
        run: () => void run(),
        inText: true,
      },
      {
        id: "stop",
        group: "program",
        keys: ["Escape"],
        label: () => t("command_stop"),
        run: stop,
        when: () => runState.value.state === "running",
        inText: true,
      },
      {
        id: "mode",
        group: "program",
        keys: ["G"],
        label: () => t("command_mode"),
        run: () => (mode.value = LINE_MODES[(LINE_MODES.indexOf(mode.value) + 1) % LINE_MODES.length]!),
      },
    ]);
  }, []);
  const state = runState.value;
  const done = finished.value;
  const right = useRef<HTMLElement>(null);
  const isRunning = state.state === "running";
  useEffect(() => {
    // below the program on a phone: what runs is what one wants to see
    if (isRunning && matchMedia("(max-width: 900px)").matches) right.current?.scrollIntoView({ block: "start" });
  }, [isRunning]);
  return (
    <>
      <h1 class="visually-hidden">{t("title")}</h1>
      {(done === null || done.isStored === true) && state.state !== "running" && <Welcome />}
      <Toolbar />
      <LinkNote />
      {state.state === "refused" && (
        <p class="refused" role="alert">
          {t("refused_note", {
            reason: messageOrCode(locale.value, state.diagnostic.code, state.diagnostic.args),
          })}
        </p>
      )}
      <div class="columns">
        <section class="left">
          <div class="gutter-modes" role="group" aria-label={t("gutter_label")}>
            <span class="soft">{t("gutter_label")}</span>
            {LINE_MODES.map((name) => (
              <button key={name} type="button" aria-pressed={mode.value === name} onClick={() => (mode.value = name)}>
                {t(`mode_${name}`)}
              </button>
            ))}
          </div>
          <div class="editor-box">
            <Editor
              source={source}
              onChange={edit}
              gutter={gutter}
              marks={marks}
              onLine={selectLine}
              label={t("editor_label")}
            />
          </div>
          <Output />
          {done !== null && state.state !== "running" && (
            <PackagesOffer names={missingPackages(done.result.errorText)} />
          )}
        </section>
        <section class="right" ref={right} aria-busy={state.state === "running"}>
          {state.state === "running" && <Running phase={state.phase} figures={state.figures} />}
          {done === null ? !isRunning && <Empty /> : <Results run={done} isOld={isRunning} />}
        </section>
      </div>
    </>
  );
}

/** What the program that runs has allocated up to now. */
function Running({ phase, figures }: { readonly phase: string; readonly figures: LiveFigures | null }) {
  const rows = [
    ["live_now", figures?.allocatedBytes],
    ["live_peak", figures?.peakAllocatedBytes],
    ["live_reserved", figures?.peakReservedBytes],
  ] as const;
  return (
    <section class="card running">
      <p class="verdict-line" role="status">
        <strong>{t(PHASES[phase] ?? "phase_python")}</strong>
      </p>
      {figures !== null && (
        <dl class="three">
          {rows.map(([name, bytes = 0]) => (
            <div key={name}>
              <dt>{t(name)}</dt>
              <dd class="num">{formatBytes(bytes)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Empty() {
  return (
    <div class="state">
      <h2>{t("idle_title")}</h2>
      <p>{t("idle_text", { keys: shownKeys("Mod+Enter") })}</p>
      <p>
        <button type="button" class="primary" onClick={() => void run()}>
          {t("run")}
        </button>
      </p>
    </div>
  );
}
