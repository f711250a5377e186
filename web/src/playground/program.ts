/** The program in the playground and its last run, as signals: whoever shows something of it reads here. */

import { batch, computed, signal, type Signal } from "@preact/signals";
import { DiagnosticError, type Diagnostic } from "../../../src/base/diagnostic.ts";
import type { Formulas } from "../../../src/formulas/index.ts";
import type { ChangedRun, ChangeId } from "../../../src/explain/changes.ts";
import type { Trial } from "../../../src/explain/trials.ts";
import { DEFAULT_GPU } from "../../../src/gpus/catalogue.ts";
import { DEFAULT_TORCH } from "../../../src/torch/releases.ts";
import { reportFacts, type ReportFacts } from "../../../src/report/facts.ts";
import type { LiveFigures } from "../../../src/trace/live-figures.ts";
import type { OutputStream, RunOptions, RunResult } from "../../../src/python/run-types.ts";
import { createSelection, type Selection } from "../chart/selection.ts";
import { runInPage, type PageProgram } from "../engine/runs.ts";
import { lastRun } from "../state/last-run.ts";
import { EXAMPLES, sourceOf, type Example } from "./examples.ts";

/** What stands there at first: its answer is stored with the page. */
export const FIRST_EXAMPLE: Example = EXAMPLES.find(({ id }) => id === "training")!;
const first = FIRST_EXAMPLE;

export const source = signal(sourceOf(first));
export const scriptName = signal(first.file);
/** Program arguments as they are typed: words between spaces, quotes as in a shell. */
export const argumentText = signal(first.args.join(" "));
export const gpu = signal(first.gpu ?? DEFAULT_GPU);
export const torch = signal<string>(first.torch ?? DEFAULT_TORCH);
export const kernelTemporaries = signal(true);
/** Other files that the program may read. */
export const files = signal<Readonly<Record<string, string>>>({});
/** The example that is shown unchanged, or null. */
export const exampleId = signal<string | null>(first.id);

/** Changes that are put in place before the program runs; its text stays as it is. */
export interface InPlace {
  readonly ids: readonly ChangeId[];
  readonly run: ChangedRun;
}
export const inPlace = signal<InPlace | null>(null);

/** Words of a command line. */
export function splitArguments(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

export const options = computed((): PageProgram => ({
  script: scriptName.value,
  source: source.value,
  argv: splitArguments(argumentText.value),
  gpu: gpu.value,
  torch: torch.value,
  kernelTemporaries: kernelTemporaries.value ? "on" : "off",
  files: files.value,
  ...(inPlace.value === null ? {} : { changes: inPlace.value.run.changes, env: inPlace.value.run.env }),
}));

export interface OutputPiece {
  readonly stream: OutputStream;
  readonly text: string;
}

/** A finished run with what it was a run of. */
export interface FinishedRun {
  readonly options: PageProgram;
  readonly result: RunResult;
  readonly facts: ReportFacts;
  readonly selection: Selection;
  /** Closed forms, once somebody asked for them, and in which sizes. */
  readonly formulas: Signal<Formulas | null>;
  readonly symbols: Signal<string>;
  /** Changes that were in place. */
  readonly applied: readonly ChangeId[];
  /** What it needed with changes, as far as somebody measured. */
  readonly trials: Signal<readonly Trial[]>;
  /** It was made when the page was built. */
  readonly isStored?: boolean;
}

export type RunState =
  | { readonly state: "idle" }
  | {
      readonly state: "running";
      readonly phase: string;
      /** What was allocated up to now, where the page may look on. */
      readonly figures: LiveFigures | null;
    }
  | { readonly state: "refused"; readonly diagnostic: Diagnostic };

export const runState = signal<RunState>({ state: "idle" });
export const output = signal<readonly OutputPiece[]>([]);
export const finished = signal<FinishedRun | null>(null);
/** Whether the text has changed since the run that is shown. */
export const isStale = computed(() => {
  const run = finished.value;
  if (run === null) return false;
  return JSON.stringify(run.options) !== JSON.stringify(options.value);
});

/** Names that programs use for sizes, in the order in which they are proposed. */
const USUAL_SIZES =
  "B batch_size batch T L S seq_len seq length block_size C D dim width hidden n_embd H heads n_head N layers n_layer depth".split(
    " ",
  );

/** A first proposal: names of sizes to which this program gives numbers, in assignments, defaults and options. */
export function symbolsOf(text: string): string {
  const isGiven = (name: string): boolean =>
    new RegExp(`(?<![\\w.])${name}\\s*(=\\s*[1-9]|:\\s*int\\s*=\\s*[1-9])`).test(text) ||
    new RegExp(`add_argument\\(\\s*["']--${name.replaceAll("_", "[-_]")}["'][^)]*default=\\s*[1-9]`).test(text);
  return USUAL_SIZES.filter(isGiven).slice(0, 4).join(", ");
}

let running: AbortController | null = null;

/** So many characters of a program's output are shown: its end. */
const MOST_OUTPUT = 200_000;
/** Characters that were printed before those that are shown. */
export const outputLeftOut = signal(0);

function collector(): (stream: OutputStream, text: string) => void {
  let printed = 0;
  let kept = 0;
  let pieces: OutputPiece[] = [];
  let waiting = false;
  return (stream, text) => {
    const piece = text.slice(-MOST_OUTPUT);
    printed += text.length;
    kept += piece.length;
    const last = pieces.at(-1);
    pieces =
      last?.stream === stream
        ? [...pieces.slice(0, -1), { stream, text: last.text + piece }]
        : [...pieces, { stream, text: piece }];
    // twice as much, so that not every piece shortens the text
    if (kept > MOST_OUTPUT * 2) {
      pieces = endOf(pieces, MOST_OUTPUT);
      kept = MOST_OUTPUT;
    }
    if (waiting) return;
    waiting = true;
    // a program that prints much must not have the page drawn for each line
    setTimeout(() => {
      waiting = false;
      batch(() => {
        output.value = kept > MOST_OUTPUT ? endOf(pieces, MOST_OUTPUT) : pieces;
        outputLeftOut.value = Math.max(0, printed - MOST_OUTPUT);
      });
    }, 50);
  };
}

/** The last characters of several pieces. */
function endOf(pieces: readonly OutputPiece[], characters: number): OutputPiece[] {
  const kept: OutputPiece[] = [];
  let missing = characters;
  for (const piece of pieces.toReversed()) {
    if (missing <= 0) break;
    kept.unshift({ ...piece, text: piece.text.slice(-missing) });
    missing -= piece.text.length;
  }
  return kept;
}

/** Runs what stands in the editor; a run that is still going on ends first. */
export async function run(extra: Partial<Omit<RunOptions, "source">> = {}): Promise<void> {
  drop();
  const controller = new AbortController();
  running = controller;
  const asked = options.value;
  const applied = inPlace.value?.ids ?? [];
  const collect = collector();
  let hasBegun = false;
  batch(() => {
    output.value = [];
    outputLeftOut.value = 0;
    runState.value = { state: "running", phase: "python", figures: null };
  });
  try {
    const result = await runInPage({
      ...asked,
      ...extra,
      signal: controller.signal,
      onOutput: collect,
      onProgress: (phase) => {
        hasBegun ||= phase === "program";
        if (running === controller) runState.value = { state: "running", phase, figures: null };
      },
      onFigures: (figures) => {
        if (running === controller) runState.value = { state: "running", phase: "program", figures };
      },
    });
    if (running !== controller) return;
    batch(() => {
      runState.value = { state: "idle" };
      // a program that had not begun says nothing new
      if (result.status === "interrupted" && !hasBegun) return;
      finished.value = {
        options: asked,
        result,
        facts: reportFacts(result),
        selection: createSelection(result.trace, result.stats.peakEvent),
        formulas: signal(null),
        symbols: signal(symbolsOf(asked.source)),
        applied,
        trials: signal([]),
      };
      lastRun.value = { name: asked.script, trace: result.trace };
    });
  } catch (error) {
    if (running !== controller) return;
    if (!(error instanceof DiagnosticError)) throw error;
    runState.value = { state: "refused", diagnostic: error.diagnostic };
  } finally {
    if (running === controller) running = null;
  }
}

/** Ends the run: what it traced up to there is shown. */
export function stop(): void {
  running?.abort();
}

/** Ends the run and forgets it. */
export function drop(): void {
  running?.abort();
  running = null;
  if (runState.value.state === "running") runState.value = { state: "idle" };
}

export function showExample(example: Example): void {
  drop();
  batch(() => {
    source.value = sourceOf(example);
    scriptName.value = example.file;
    argumentText.value = example.args.join(" ");
    gpu.value = example.gpu ?? DEFAULT_GPU;
    torch.value = example.torch ?? DEFAULT_TORCH;
    files.value = {};
    exampleId.value = example.id;
    inPlace.value = null;
    finished.value = null;
    output.value = [];
    outputLeftOut.value = 0;
    runState.value = { state: "idle" };
  });
}

export function edit(text: string): void {
  if (text === source.value) return;
  batch(() => {
    source.value = text;
    exampleId.value = null;
  });
}
