/**
 * Chooses the sizes at which a program runs, so that closed forms can be found and checked: sections in which one symbol
 * changes, sizes at random to fit, and others to check. A program may refuse sizes (a width that the heads do not divide) or run
 * other operators at them; then others are tried, first of all multiples of its own sizes.
 */

import type { Diagnostic } from "../base/diagnostic.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import type { Design } from "./fit.ts";
import type { SymbolValues } from "./polynomial.ts";
import type { Sample } from "./sample.ts";

/** Runs the program at these sizes; a diagnostic says why the run is of no use. */
export type Attempt = (sizes: SymbolValues) => { readonly sample: Sample } | { readonly refused: Diagnostic };

export interface Runs {
  readonly design: Design;
  /** Of each point of the design. */
  readonly samples: readonly Sample[];
}

const MULTIPLES = [2, 3, 4, 5, 0.5, 6, 8, 0.25, 7, 16, 0.125, 10];
const IN_SECTION = 4;
/** Two runs beside the program's own tell a line from a square. */
const FEWEST = 2;
const JOINT = 4;
const RANDOM = 4;
export const CHECKS = 5;
const TRIES = 8;

/** A sequence of numbers in [0, 1) that is the same for the same program. */
function pseudoRandom(): () => number {
  let state = 0x2545_f491;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * @param base the sizes that the program has
 * @throws {DiagnosticError} what the last attempt said, when a symbol can hardly be changed
 */
export function chooseRuns(base: SymbolValues, first: Sample, attempt: Attempt): Runs {
  const symbols = Object.keys(base);
  const points: SymbolValues[] = [base];
  const samples: Sample[] = [first];
  const seen = new Set([keyOf(base)]);
  const random = pseudoRandom();
  const add = (sizes: SymbolValues): Diagnostic | null => {
    const key = keyOf(sizes);
    if (seen.has(key)) return { code: "sizes_repeat", args: {} };
    seen.add(key);
    const outcome = attempt(sizes);
    if ("refused" in outcome) return outcome.refused;
    points.push(sizes);
    samples.push(outcome.sample);
    return null;
  };

  const sections: Record<string, number[]> = {};
  const accepted: Record<string, number[]> = {};
  /** Multiples of this are tried at random; 0 where only accepted values are. */
  const steps: Record<string, number> = {};
  for (const name of symbols) {
    const own = base[name]!;
    const section = [0];
    let refused: Diagnostic | null = null;
    for (const multiple of MULTIPLES) {
      if (section.length > IN_SECTION) break;
      const value = own * multiple;
      if (!Number.isInteger(value)) continue;
      const why = add({ ...base, [name]: value });
      if (why === null) section.push(points.length - 1);
      else refused ??= why;
    }
    if (section.length <= FEWEST) {
      throw new DiagnosticError(refused ?? { code: "symbol_fixed", args: { name } });
    }
    sections[name] = section;
    accepted[name] = section.map((run) => points[run]![name]!);
    steps[name] =
      [1, own / 8, own / 4, own / 2].find(
        (step) => Number.isInteger(step) && step > 0 && add({ ...base, [name]: own + 3 * step }) === null,
      ) ?? 0;
  }

  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const anySize = (name: string): number => {
    const step = steps[name]!;
    if (step === 0) return pick(accepted[name]!);
    const own = base[name]!;
    const low = Math.max(1, Math.ceil(own / 2 / step));
    return step * (low + Math.floor(random() * (Math.ceil((3 * own) / step) - low + 1)));
  };
  const knownSize = (name: string): number => pick(accepted[name]!);
  const draw = (wanted: number, size: (name: string) => number): void => {
    for (let found = 0, tries = 0; found < wanted && tries < wanted * TRIES; tries++) {
      const choose = tries < (wanted * TRIES) / 2 ? size : knownSize;
      if (add(Object.fromEntries(symbols.map((name) => [name, choose(name)]))) === null) found++;
    }
  };
  draw(JOINT, knownSize);
  draw(RANDOM, anySize);
  const fitted = points.length;
  draw(CHECKS, anySize);
  return { design: { symbols, points, sections, fitted }, samples };
}

const keyOf = (sizes: SymbolValues): string => Object.values(sizes).join();

/** Whether two runs made tensors at the same lines with the same operators; else the first origin that only one has. */
export function differingOrigin(a: Sample, b: Sample, isTensor: (origin: number) => boolean): number | null {
  const [left, right] = [new Set(a.origin), new Set(b.origin)];
  for (const origin of left) if (!right.has(origin) && isTensor(origin)) return origin;
  for (const origin of right) if (!left.has(origin) && isTensor(origin)) return origin;
  return null;
}
