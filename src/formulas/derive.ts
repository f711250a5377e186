/** From runs at several sizes to the closed forms of peak, saved tensors, lines and modules. */

import { dtype } from "../tensor/dtype.ts";
import { CATEGORIES } from "../trace/model.ts";
import type { Runs } from "./design.ts";
import { Fitter } from "./fit.ts";
import type { Apart, Check, Formula, Formulas, LinePart, ModulePart, Moment, NamedSize } from "./formulas.ts";
import { constant, evaluate, multiply, sum, type Polynomial } from "./polynomial.ts";
import type { Origins, Sample } from "./sample.ts";
import { eventOf, highestMoment, sameMoment, type MomentName } from "./moments.ts";

/** Blocks of one origin in every run, whose bytes have one closed form, or none. */
interface Unit {
  readonly origin: number;
  /** Bytes; null when no closed form was found. */
  readonly bytes: Polynomial | null;
  /** The blocks, by run. */
  readonly blocks: readonly (readonly number[])[];
}

/** Blocks of interest, by run. */
type BlockSets = readonly (readonly number[])[];

/** Categories that live on their own account: that the graph holds them too costs nothing. */
const NOT_SAVED = new Set(["parameter", "buffer"]);

export function deriveFormulas({ design, samples }: Runs, origins: Origins, symbols: readonly NamedSize[]): Formulas {
  const fitter = new Fitter(design);
  const units = (sets: BlockSets): Unit[] => unitsOf(sets, samples, fitter);
  const isTensor = (origin: number): boolean => origins.list[origin]!.note === null;
  /** Workspaces that do not depend on the sizes say nothing as a formula. */
  const inFormula = ({ origin, bytes }: Unit): boolean =>
    bytes !== null && (isTensor(origin) || bytes.some((term) => term.factors.length > 0));

  const formulaOf = (of: readonly Unit[]): Formula => {
    const fitting = of.filter(inFormula);
    const byType = new Map<string, Polynomial[]>();
    for (const { origin, bytes } of fitting) {
      const type = origins.list[origin]!.dtype;
      if (type === null) continue;
      const elements = multiply(constant(1, dtype(type).itemBytes), bytes!);
      byType.set(type, [...(byType.get(type) ?? []), elements]);
    }
    return {
      bytes: sum(fitting.map(({ bytes }) => bytes!)),
      elements: Object.fromEntries([...byType].sort().map(([type, parts]) => [type, sum(parts)])),
    };
  };
  const apartOf = (of: readonly Unit[], run: number): Apart[] => apart(of, run, samples[run]!, origins, inFormula);

  const saved = units(samples.map((sample) => savedBlocks(sample, origins)));
  const made = units(samples.map((sample) => [...sample.origin.keys()]));
  const names: MomentName[] = [];
  const highestIn = samples.map((sample) => {
    const name = highestMoment(sample, isTensor);
    if (name === null) return -1;
    const known = names.findIndex((other) => sameMoment(other, name));
    return known >= 0 ? known : names.push(name) - 1;
  });
  const at = names.map((name) => samples.map((sample) => eventOf(sample, name, isTensor)));
  const alive = at.map((events) => units(samples.map((sample, run) => aliveAt(sample, events[run]!))));

  const moments = names.map((name, index): Moment => {
    const { file, line, op, module } = origins.list[name.origin]!;
    return {
      file,
      line,
      op,
      module,
      formula: formulaOf(alive[index]!),
      apart: apartOf(alive[index]!, 0),
      categories: CATEGORIES.flatMap((category) => {
        const formula = formulaOf(alive[index]!.filter(({ origin }) => origins.list[origin]!.category === category));
        return formula.bytes.length === 0 ? [] : [{ category, formula }];
      }),
      highestAt: design.points.filter((_, run) => highestIn[run] === index),
    };
  });
  const checks = design.points.flatMap((sizes, run): Check[] => {
    const index = highestIn[run]!;
    if (run < design.fitted || index < 0) return [];
    const parts = apartOf(alive[index]!, run);
    return [
      {
        sizes,
        peakBytes: samples[run]!.allocatedBytes[samples[run]!.peakEvent]!,
        formulaBytes: evaluate(moments[index]!.formula.bytes, sizes),
        apartBytes: parts.reduce((total, { bytes }) => total + bytes, 0),
        apart: parts,
      },
    ];
  });
  const peak = alive[0] ?? [];
  const of = (chosen: (origin: number) => boolean) => {
    const own = (all: readonly Unit[]): Formula => formulaOf(all.filter(({ origin }) => chosen(origin)));
    return { peak: own(peak), saved: own(saved), made: own(made) };
  };
  return {
    symbols,
    peak: [...moments.slice(0, 1), ...moments.slice(1).sort((a, b) => b.highestAt.length - a.highestAt.length)],
    saved: { formula: formulaOf(saved), apart: apartOf(saved, 0) },
    lines: linesOf(made, origins).map((row): LinePart => ({
      ...row,
      ...of((origin) => origins.list[origin]!.file === row.file && origins.list[origin]!.line === row.line),
    })),
    modules: modulesOf(made, origins).map((module): ModulePart => ({
      module,
      ...of((origin) => within(origins.list[origin]!.module, module)),
    })),
    checks,
    runs: samples.length,
  };
}

function savedBlocks(sample: Sample, origins: Origins): number[] {
  return sample.saved.filter((block) => !NOT_SAVED.has(origins.list[sample.origin[block]!]!.category));
}

function aliveAt(sample: Sample, event: number): number[] {
  const alive: number[] = [];
  if (event < 0) return alive;
  for (let block = 0; block < sample.origin.length && sample.allocEvent[block]! <= event; block++) {
    if (sample.freeEvent[block]! > event) alive.push(block);
  }
  return alive;
}

/** One unit for each block where every run has equally many of its origin, else one for all blocks of the origin. */
function unitsOf(sets: BlockSets, samples: readonly Sample[], fitter: Fitter): Unit[] {
  const byOrigin = new Map<number, number[][]>();
  sets.forEach((set, run) => {
    for (const block of set) {
      const origin = samples[run]!.origin[block]!;
      let runs = byOrigin.get(origin);
      if (runs === undefined) byOrigin.set(origin, (runs = sets.map(() => [])));
      runs[run]!.push(block);
    }
  });
  const bytes = (run: number, block: number): number => samples[run]!.requestedBytes[block]!;
  return [...byOrigin].flatMap(([origin, blocks]): Unit[] => {
    const count = blocks[0]!.length;
    if (blocks.every((own) => own.length === count)) {
      const single = blocks[0]!.map((_, place): Unit => {
        const own = blocks.map((all) => [all[place]!]);
        return { origin, blocks: own, bytes: fitter.fit(own.map(([block], run) => bytes(run, block!))) };
      });
      if (single.every((unit) => unit.bytes !== null)) return single;
    }
    const sums = blocks.map((own, run) => own.reduce((total, block) => total + bytes(run, block), 0));
    return [{ origin, blocks, bytes: fitter.fit(sums) }];
  });
}

/** What of these blocks the closed forms leave out in a run. */
function apart(
  units: readonly Unit[],
  run: number,
  sample: Sample,
  origins: Origins,
  inFormula: (unit: Unit) => boolean,
): Apart[] {
  const found = new Map<string, Apart>();
  const put = (kind: Apart["kind"], origin: number | null, bytes: number): void => {
    if (bytes === 0) return;
    const { note = null, file = null, line = 0 } = origin === null ? {} : origins.list[origin]!;
    const key = [kind, note, file, line].join("\n");
    found.set(key, { kind, note, file, line, bytes: (found.get(key)?.bytes ?? 0) + bytes });
  };
  for (const unit of units) {
    const kind = origins.list[unit.origin]!.note === null ? "irregular" : "scratch";
    for (const block of unit.blocks[run]!) {
      if (!inFormula(unit)) put(kind, unit.origin, sample.requestedBytes[block]!);
      put("rounding", null, sample.roundingBytes[block]!);
      put("remainder", null, sample.remainderBytes[block]!);
    }
  }
  return [...found.values()];
}

/** Lines that made anything, in the order in which they first did. */
function linesOf(made: readonly Unit[], origins: Origins): { file: string; line: number }[] {
  const rows = new Map<string, { file: string; line: number }>();
  for (const { origin } of made) {
    const { file, line, note } = origins.list[origin]!;
    if (file !== null && note === null) rows.set(`${line} ${file}`, { file, line });
  }
  return [...rows.values()];
}

/** Modules that made anything, and those around them, outer ones first. */
function modulesOf(made: readonly Unit[], origins: Origins): string[] {
  const paths = new Set<string>();
  for (const { origin } of made) {
    const segments = origins.list[origin]!.module?.split(".") ?? [];
    segments.forEach((_, index) => paths.add(segments.slice(0, index + 1).join(".")));
  }
  return [...paths].sort();
}

const within = (path: string | null, module: string): boolean =>
  path !== null && (path === module || path.startsWith(`${module}.`));
