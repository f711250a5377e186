/** The page's runs: one interpreter for a model and a PyTorch version, every result kept, and what is no longer wanted ended at once. */

import { DiagnosticError, diagnostic } from "../../../src/base/diagnostic.ts";
import type { Measure, MeasuredRun } from "../../../src/estimate/index.ts";
import { openPageRuns, type PageEstimateRuns } from "../engine/runs.ts";

/** Digests are some kilobytes each. */
const MOST_KEPT = 600;

/** Whether somebody still waits for an answer. */
export interface Ticket {
  cancelled: boolean;
  /** What was asked behind a button: points around wait for it. */
  question: Promise<void> | null;
}

export interface RunSettings {
  readonly torch: string;
  /** Texts of configurations by name. */
  readonly files: Readonly<Record<string, string>>;
}

const kept = new Map<string, MeasuredRun>();
let open: { readonly key: string; readonly runs: PageEstimateRuns } | null = null;
let inFlight = 0;

const settingsKey = ({ torch, files }: RunSettings): string => JSON.stringify([torch, files]);
const runKey = (settings: string, source: string, gpu: string, totalBytes: number | null): string =>
  `${settings}\n${gpu}\n${totalBytes}\n${source}`;

function runsFor(key: string, settings: RunSettings): PageEstimateRuns {
  if (open?.key !== key) {
    close();
    open = { key, runs: openPageRuns(settings.torch, settings.files) };
  }
  return open!.runs;
}

function close(): void {
  open?.runs.close();
  open = null;
}

const interrupted = (): DiagnosticError => new DiagnosticError(diagnostic("estimate_interrupted"));
export const isInterrupted = (error: unknown): boolean =>
  error instanceof DiagnosticError && error.diagnostic.code === "estimate_interrupted";

/** Ends what is running; an interpreter that waits is kept. */
export function endRuns(): void {
  if (inFlight > 0) close();
}

/** Runs that are kept are answered without running. `onRun` is told of each one. */
export function measureFor(settings: RunSettings, ticket: Ticket, onRun: () => void): Measure {
  const key = settingsKey(settings);
  return async (program, gpu, totalBytes) => {
    if (ticket.cancelled) throw interrupted();
    const id = runKey(key, program.source, gpu, totalBytes);
    const known = kept.get(id);
    if (known !== undefined) return known;
    const runs = runsFor(key, settings);
    inFlight++;
    try {
      const run = await runs.run(program, gpu, totalBytes);
      if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
      kept.set(id, run);
      onRun();
      return run;
    } catch (error) {
      // an interpreter that failed by itself is of no more use
      if (!isInterrupted(error) && open?.runs === runs) close();
      throw error;
    } finally {
      inFlight--;
    }
  };
}

/** A run that is kept, or undefined. */
export const keptRun = (
  settings: RunSettings,
  source: string,
  gpu: string,
  totalBytes: number | null,
): MeasuredRun | undefined => kept.get(runKey(settingsKey(settings), source, gpu, totalBytes));
