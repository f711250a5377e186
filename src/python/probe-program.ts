/** One program in one interpreter, run again and again with other numbers in its source. */

import type { PyodideInterface } from "pyodide";
import { sampleOf, type Origins, type Sample } from "../formulas/index.ts";
import type { WorkerRequest } from "./messages.ts";
import { repeatedProgram } from "./repeated-program.ts";
import type { RunStatus } from "./run-types.ts";
import type { NumberPlace, PlacedSymbol } from "./symbol-places.ts";

/** A machine that holds every program: formulas are asked for where nothing fits, too. */
const ROOMY_BYTES = 2 ** 50;

export type ProbeRun =
  | { readonly sample: Sample }
  /** The last line of the program's error. */
  | { readonly error: string };

export interface ProbeProgram {
  /** Runs the program with each symbol's numbers replaced by its size. */
  run(symbols: readonly PlacedSymbol[], sizes: Readonly<Record<string, number>>): ProbeRun;
  /** Numbers in the files of the program; after a run, as only then it is known which files are its. */
  numbers(): NumberPlace[];
  /** Runs the program to see which integers it gives to names. */
  observe(names: readonly string[]): Readonly<Record<string, readonly number[]>>;
}

const FINISHED: ReadonlySet<RunStatus> = new Set<RunStatus>(["ok", "system_exit"]);

export function probeProgram(
  pyodide: PyodideInterface,
  request: WorkerRequest,
  origins: Origins,
  closeHost: () => void,
): ProbeProgram {
  const { renew: renewMachine, order, finish } = repeatedProgram(pyodide, request, closeHost);
  const renew = (): void => void renewMachine({ overrides: { totalBytes: ROOMY_BYTES } });

  const argvAt = (symbols: readonly PlacedSymbol[], sizes: Readonly<Record<string, number>>): string[] => {
    const argv = [...request.argv];
    for (const { name, places } of symbols) {
      for (const { line, column } of places) {
        if (line === 0) argv[column] = argv[column]!.replace(/\d+$/, String(sizes[name]));
      }
    }
    return argv;
  };

  return {
    run: (symbols, sizes) => {
      renew();
      const changes: Record<string, [number, number, number, string][]> = {};
      for (const { name, value, places } of symbols) {
        if (sizes[name] === value) continue;
        for (const { file, line, column, endColumn } of places) {
          if (line > 0) (changes[file] ??= []).push([line, column, endColumn, String(sizes[name])]);
        }
      }
      const [status, exitStatus, text] = order("run", changes, argvAt(symbols, sizes)) as [
        RunStatus,
        number,
        string | null,
      ];
      const finished = FINISHED.has(status) && exitStatus === 0;
      const result: ProbeRun = finished
        ? { sample: sampleOf(finish(), origins) }
        : { error: text?.trimEnd().split("\n").at(-1) ?? `${status} ${exitStatus}` };
      order("restore");
      return result;
    },
    numbers: () =>
      (order("numbers") as [string, number, number, number, number, string[]][]).map(
        ([file, line, column, endColumn, value, names]) => ({ file, line, column, endColumn, value, names }),
      ),
    observe: (names) => {
      renew();
      const values = order("observe", names, request.argv) as Record<string, number[]>;
      order("restore");
      return values;
    },
  };
}
