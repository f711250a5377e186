/** The answer that the page opens on: a run that was made when the page was built, so that nothing has to start first. */

import { signal } from "@preact/signals";
import { readTrace } from "../../../src/trace/file.ts";
import { traceFacts } from "../../../src/exports/trace-facts.ts";
import { createSelection } from "../chart/selection.ts";
import { route } from "../state/route.ts";
import { storedAnswer } from "../state/stored-answer.ts";
import {
  finished,
  FIRST_EXAMPLE,
  exampleId,
  options,
  output,
  runState,
  symbolsOf,
  type FinishedRun,
} from "./program.ts";

interface Stored {
  readonly stdout: string;
  /** A trace file's text. */
  readonly trace: string;
}

let asked = false;

/** Shows it where nobody has asked for anything: no link, no program of one's own, no run. */
export async function showFirstAnswer(): Promise<void> {
  if (asked || route.value.query !== "") return;
  asked = true;
  const response = await storedAnswer()?.catch(() => null);
  if (response?.ok !== true) return;
  const stored = (await response.json()) as Stored;
  const read = readTrace(stored.trace);
  const isUntouched =
    finished.value === null && runState.value.state === "idle" && exampleId.value === FIRST_EXAMPLE.id;
  if (!read.ok || !isUntouched || route.value.query !== "") return;
  const trace = read.value;
  const facts = traceFacts(trace);
  const { allocated, reserved } = facts;
  const done: FinishedRun = {
    options: options.value,
    result: {
      schemaVersion: 1,
      status: "ok",
      gpus: [],
      exitStatus: 0,
      errorText: null,
      trace,
      stats: {
        peakAllocatedBytes: allocated.peakBytes,
        peakReservedBytes: reserved.peakBytes,
        allocatedBytes: allocated.endBytes,
        reservedBytes: reserved.endBytes,
        peakEvent: facts.peak?.event ?? -1,
      },
      stoppedAt: null,
      traceLost: false,
      stdout: stored.stdout,
      stderr: "",
      outputLeftOut: { stdout: 0, stderr: 0 },
      gpu: facts.gpu,
      torch: facts.torch,
      seconds: 0,
    },
    facts,
    selection: createSelection(trace, facts.peak?.event ?? -1),
    formulas: signal(null),
    symbols: signal(symbolsOf(options.value.source)),
    applied: [],
    trials: signal([]),
    isStored: true,
  };
  finished.value = done;
  output.value = [{ stream: "stdout", text: stored.stdout }];
}
