/**
 * What memory will be at sizes that were not simulated, from a few that were. Memory is a sum of products of sizes as long as the
 * peak stays at one moment, so a weighted least-squares fit of such products, none of them negative, goes through all points; where the peak moves to
 * another moment it is off by a little, which is why such figures are marked, and the simulation follows.
 */

import type { Recipe } from "../../../src/estimate/index.ts";
import type { Digest } from "../../../src/trace/digest.ts";
import { nonNegativeFit } from "./non-negative-fit.ts";
import { CATEGORIES, type Category, type Phase } from "../../../src/trace/model.ts";

/** Sizes by name, in a fixed order for each task. */
export type TaskSizes = readonly number[];

export function sizesOf(recipe: Recipe): TaskSizes {
  return recipe.task === "train"
    ? [recipe.batch, recipe.seq, recipe.loraRank]
    : [recipe.batch, recipe.prompt, recipe.newTokens];
}

/** Exponents of the products that can matter; where points cannot tell two of them apart, the first is taken. */
const TERMS: readonly (readonly number[])[] = [
  [0, 0, 0],
  [1, 1, 0],
  [1, 2, 0],
  [0, 1, 0],
  [1, 0, 0],
  [0, 2, 0],
  [0, 0, 1],
  [1, 0, 1],
  [1, 1, 1],
];

export interface Point {
  readonly sizes: TaskSizes;
  readonly digest: Digest;
}

/** Bytes by category, then what is beyond them. */
const partsOf = ({ components, remainderBytes }: Digest): number[] => {
  const by = new Map(components.map(({ category, bytes }) => [category, bytes]));
  return [...CATEGORIES.map((category) => by.get(category) ?? 0), remainderBytes];
};

/** Parts that do not grow with the data; with a single point all else is taken to be proportional to it. */
const FIXED: ReadonlySet<Category> = new Set<Category>(["parameter", "gradient", "optimizer_state", "buffer"]);
const isFixed = (part: number): boolean => CATEGORIES[part] !== undefined && FIXED.has(CATEGORIES[part]!);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const positive = (value: number): number => Math.max(0, Math.round(value));

/**
 * A digest whose totals are about right at these sizes; null without any point. Each phase's peak is fitted by itself, because the
 * phase with the highest one changes with the sizes; parts and cache are those of points where the same phase is highest. What is no
 * sum is that of the nearest point.
 */
export function aboutAt(points: readonly Point[], sizes: TaskSizes): Digest | null {
  if (points.length === 0) return null;
  let kept = digests.get(points);
  if (kept === undefined) digests.set(points, (kept = new Map()));
  const key = sizes.join();
  let made = kept.get(key);
  if (made === undefined) kept.set(key, (made = digestAt(points, sizes)));
  return made;
}

/** What was worked out, as long as the points live: many cards ask for the same. */
const digests = new WeakMap<readonly Point[], Map<string, Digest>>();

const knownAt = (points: readonly Point[], sizes: TaskSizes): Point | undefined =>
  points.find((point) => point.sizes.every((size, index) => size === sizes[index]));

function digestAt(points: readonly Point[], sizes: TaskSizes): Digest {
  const known = knownAt(points, sizes);
  if (known !== undefined) return known.digest;
  if (points.length === 1) return digestFrom(points[0]!, ...scaled(points[0]!, sizes));
  const { phase, alike } = highestAt(points, sizes);
  const parts = fitted(alike, sizes, ({ digest }) => partsOf(digest)).map(positive);
  const cachedBytes = cachedShare(alike, sizes) * phase.bytes;
  return digestFrom(nearestTo(alike, sizes), matched(parts, phase.bytes), cachedBytes);
}

/** The phase with the highest peak, and the points where it is the highest, too; all where there is none. */
function highestAt(
  points: readonly Point[],
  sizes: TaskSizes,
): { readonly phase: PhasePeak; readonly alike: readonly Point[] } {
  const phase = highestPhase(points, sizes);
  const alike = points.filter((point) => point.digest.peak.phase === phase.name);
  return { phase, alike: alike.length === 0 ? points : alike };
}

/** Allocated and reserved bytes alone, as {@link aboutAt} has them, for curves; there must be a point. */
export function totalsAt(
  points: readonly Point[],
  sizes: TaskSizes,
): { readonly allocatedBytes: number; readonly reservedBytes: number } {
  const known = knownAt(points, sizes);
  if (known !== undefined || points.length === 1) {
    const { allocatedPeakBytes, reservedPeakBytes } = digestAt(points, sizes);
    return { allocatedBytes: allocatedPeakBytes, reservedBytes: reservedPeakBytes };
  }
  const { phase, alike } = highestAt(points, sizes);
  return { allocatedBytes: phase.bytes, reservedBytes: phase.bytes * (1 + cachedShare(alike, sizes)) };
}

function digestFrom({ digest }: Point, parts: readonly number[], cachedBytes: number): Digest {
  const remainderBytes = parts.at(-1)!;
  const components = CATEGORIES.flatMap((category, index) =>
    parts[index]! > 0 ? [{ category, bytes: parts[index]! }] : [],
  );
  const allocatedPeakBytes = sum(parts);
  return {
    ...digest,
    allocatedPeakBytes,
    allocatedHighBytes: allocatedPeakBytes + digest.allocatedHighBytes - digest.allocatedPeakBytes,
    reservedPeakBytes: allocatedPeakBytes + positive(cachedBytes),
    components,
    remainderBytes,
  };
}

function scaled({ sizes: from, digest }: Point, to: TaskSizes): [parts: number[], cachedBytes: number] {
  const ratio = (to[0]! * to[1]!) / (from[0]! * from[1]!);
  const parts = partsOf(digest).map((bytes, part) => (isFixed(part) ? bytes : positive(bytes * ratio)));
  return [parts, (digest.reservedPeakBytes - digest.allocatedPeakBytes) * ratio];
}

interface PhasePeak {
  readonly name: Phase;
  readonly bytes: number;
}

function highestPhase(points: readonly Point[], sizes: TaskSizes): PhasePeak {
  const phases = [...new Set(points.flatMap(({ digest }) => digest.phases.map(({ phase }) => phase)))];
  if (phases.length === 0) phases.push(points[0]!.digest.peak.phase);
  const bytesOf = ({ digest }: Point, name: Phase): number =>
    digest.peak.phase === name
      ? digest.allocatedPeakBytes
      : (digest.phases.find(({ phase }) => phase === name)?.allocatedBytes ?? 0);
  const bytes = fitted(points, sizes, (point) => phases.map((name) => bytesOf(point, name)));
  return phases
    .map((name, index) => ({ name, bytes: positive(bytes[index]!) }))
    .reduce((best, peak) => (peak.bytes > best.bytes ? peak : best));
}

/** Parts that add up to a total: those that grow with the data give or take the difference. */
function matched(parts: readonly number[], total: number): number[] {
  const fixed = sum(parts.filter((_, part) => isFixed(part)));
  const growing = sum(parts) - fixed;
  const factor = growing > 0 && total > fixed ? (total - fixed) / growing : total / Math.max(1, sum(parts));
  const whole = growing > 0 && total > fixed;
  const made = parts.map((bytes, part) => (whole && isFixed(part) ? bytes : Math.round(bytes * factor)));
  // what rounding left goes where it is not seen
  made[made.length - 1]! += total - sum(made);
  if (made.at(-1)! < 0) made[made.length - 1] = 0;
  return made;
}

/** What the allocator keeps beyond the peak, as a share of it: no sum of products, so it is taken as it is around. */
function cachedShare(points: readonly Point[], sizes: TaskSizes): number {
  const weights = points.map((point) => weightOf(point, sizes));
  const shares = points.map(({ digest }) => digest.reservedPeakBytes / digest.allocatedPeakBytes - 1);
  return sum(shares.map((share, index) => share * weights[index]!)) / sum(weights);
}

const nearestTo = (points: readonly Point[], sizes: TaskSizes): Point =>
  points.reduce((best, point) => (distance(point.sizes, sizes) < distance(best.sizes, sizes) ? point : best));

/** Of how many doublings two sizes are apart. */
const distance = (a: TaskSizes, b: TaskSizes): number =>
  a.reduce((sum, size, index) => sum + Math.abs(Math.log2(size / b[index]!)), 0);

/** Values near the wanted place count more. */
const weightOf = (point: Point, wanted: TaskSizes): number => 1 / (0.25 + distance(point.sizes, wanted)) ** 2;

/** Figures at the wanted sizes, each a sum of products with factors that are not negative, as memory is. */
function fitted(points: readonly Point[], wanted: TaskSizes, figuresOf: (point: Point) => readonly number[]): number[] {
  const product = (sizes: TaskSizes, exponents: readonly number[]): number =>
    exponents.reduce((value, exponent, index) => value * (sizes[index]! / wanted[index]!) ** exponent, 1);
  const roots = points.map((point) => Math.sqrt(weightOf(point, wanted)));
  const columns = TERMS.map((term) => points.map((point, index) => product(point.sizes, term) * roots[index]!));
  const figures = points.map(figuresOf);
  // at the wanted sizes every product is 1
  return figures[0]!.map((_, figure) =>
    sum(
      nonNegativeFit(
        columns,
        figures.map((row, index) => row[figure]! * roots[index]!),
      ),
    ),
  );
}

/**
 * How far off the fit is, as a share of the reserved bytes: the mean error at points that are left out one by one. Null where points
 * are too few to tell; points that lie outside of all others say nothing.
 */
export function errorOf(points: readonly Point[]): number | null {
  const errors = points.flatMap((left, index) => {
    const rest = points.filter((_, other) => other !== index);
    const isInside = left.sizes.every(
      (size, axis) =>
        rest.some((point) => point.sizes[axis]! <= size) && rest.some((point) => point.sizes[axis]! >= size),
    );
    if (rest.length < 3 || !isInside) return [];
    return [Math.abs(totalsAt(rest, left.sizes).reservedBytes / left.digest.reservedPeakBytes - 1)];
  });
  return errors.length === 0 ? null : sum(errors) / errors.length;
}

export type Limits = readonly (number | null)[];

const isWithin = (sizes: TaskSizes, limits: Limits): boolean =>
  sizes.every((size, index) => Number.isInteger(size) && size >= 1 && size <= (limits[index] ?? Infinity));

/** Sizes that tell most about the neighbourhood: a few times and a part of each, within limits. */
export function worthKnowing(sizes: TaskSizes, task: Recipe["task"], limits: Limits): readonly TaskSizes[] {
  const by = (factors: readonly number[]): TaskSizes => sizes.map((size, index) => Math.round(size * factors[index]!));
  const asked = [[4, 1, 1], [1, 0.5, 1], [1, 2, 1], [4, 0.5, 1], ...(task === "infer" ? [[1, 1, 4]] : [])].map(by);
  return asked.filter(
    (made, index) => isWithin(made, limits) && asked.findIndex((other) => other.join() === made.join()) === index,
  );
}

/** How far the search for the edge goes, in doublings. */
const MOST_DOUBLINGS = 14;

/**
 * Along one size, the first doubling that does not fit, or, where the card is full already, the first half that does, as far as points
 * tell: where the curve meets the card is what people look at, so it is simulated rather than extrapolated.
 */
export function edgeAlong(
  points: readonly Point[],
  from: TaskSizes,
  axis: number,
  capacityBytes: number,
  limits: Limits,
): TaskSizes | null {
  const at = (size: number): TaskSizes => from.map((other, index) => (index === axis ? size : other));
  const isOver = (sizes: TaskSizes): boolean => totalsAt(points, sizes).reservedBytes > capacityBytes;
  if (points.length === 0) return null;
  const starts = isOver(from);
  let last: TaskSizes | null = null;
  for (let doubling = 1; doubling <= MOST_DOUBLINGS; doubling++) {
    const sizes = at(from[axis]! * 2 ** (starts ? -doubling : doubling));
    if (!isWithin(sizes, limits)) break;
    last = sizes;
    if (isOver(sizes) !== starts) break;
  }
  return last;
}
