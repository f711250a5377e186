/**
 * What memory will be at sizes that were not simulated, from a few that were. Memory is a sum of products of sizes as long as the
 * peak stays at one moment, so a weighted least-squares fit of such products goes through all points; where the peak moves to
 * another moment it is off by a little, which is why such figures are marked, and the simulation follows.
 */

import type { Recipe } from "../../../src/estimate/index.ts";
import type { Digest } from "../../../src/trace/digest.ts";
import { CATEGORIES, type Category } from "../../../src/trace/model.ts";

/** Sizes by name, in a fixed order for each task. */
export type Sizes = readonly number[];

export function sizesOf(recipe: Recipe): Sizes {
  return recipe.task === "train"
    ? [recipe.batch, recipe.seq, recipe.loraRank]
    : [recipe.batch, recipe.prompt, recipe.newTokens];
}

/** Exponents of the products that can matter; the first ones are taken where points are few. */
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
  readonly sizes: Sizes;
  readonly digest: Digest;
}

/** What is fitted of a digest: bytes by category, then what is besides. */
function figuresOf(digest: Digest): number[] {
  const { allocatedPeakBytes, allocatedHighBytes, reservedPeakBytes, remainderBytes, components } = digest;
  const by = new Map(components.map(({ category, bytes }) => [category, bytes]));
  return [
    ...CATEGORIES.map((category) => by.get(category) ?? 0),
    remainderBytes,
    allocatedHighBytes - allocatedPeakBytes,
    reservedPeakBytes - allocatedPeakBytes,
  ];
}

/** Parts that do not grow with the data; with a single point all else is taken to be proportional to it. */
const FIXED: ReadonlySet<Category> = new Set<Category>(["parameter", "gradient", "optimizer_state", "buffer"]);

/** A digest whose totals are about right at these sizes; null without any point. What is no sum is that of the nearest point. */
export function aboutAt(points: readonly Point[], sizes: Sizes): Digest | null {
  const known = points.find((point) => point.sizes.every((size, index) => size === sizes[index]));
  if (known !== undefined) return known.digest;
  if (points.length === 0) return null;
  const nearest = points.reduce((best, point) =>
    distance(point.sizes, sizes) < distance(best.sizes, sizes) ? point : best,
  );
  const figures = (points.length === 1 ? scaled(nearest, sizes) : fitted(points, sizes)).map((value) =>
    Math.max(0, Math.round(value)),
  );
  const [remainderBytes, above, cached] = figures.slice(CATEGORIES.length) as [number, number, number];
  const components = CATEGORIES.flatMap((category, index) =>
    figures[index]! > 0 ? [{ category, bytes: figures[index]! }] : [],
  );
  const allocatedPeakBytes = components.reduce((sum, { bytes }) => sum + bytes, remainderBytes);
  return {
    ...nearest.digest,
    allocatedPeakBytes,
    allocatedHighBytes: allocatedPeakBytes + above,
    reservedPeakBytes: allocatedPeakBytes + cached,
    components,
    remainderBytes,
  };
}

/** Of how many doublings two sizes are apart. */
const distance = (a: Sizes, b: Sizes): number =>
  a.reduce((sum, size, index) => sum + Math.abs(Math.log2(size / b[index]!)), 0);

function scaled({ sizes: from, digest }: Point, to: Sizes): number[] {
  const ratio = (to[0]! * to[1]!) / (from[0]! * from[1]!);
  return figuresOf(digest).map((bytes, index) => {
    const category = CATEGORIES[index];
    return category !== undefined && FIXED.has(category) ? bytes : bytes * ratio;
  });
}

/** Values near the wanted place count more. */
const weightOf = (point: Point, wanted: Sizes): number => 1 / (0.25 + distance(point.sizes, wanted)) ** 2;

/** Products that the others explain up to this share are left out. */
const DEPENDENT = 1e-7;

/**
 * Least squares by orthogonalising the products in their order (modified Gram-Schmidt); a product that points cannot tell from
 * earlier ones is left out.
 */
function fitted(points: readonly Point[], wanted: Sizes): number[] {
  const product = (sizes: Sizes, exponents: readonly number[]): number =>
    exponents.reduce((value, exponent, index) => value * (sizes[index]! / wanted[index]!) ** exponent, 1);
  const roots = points.map((point) => Math.sqrt(weightOf(point, wanted)));
  const figures = points.map((point) => figuresOf(point.digest));
  const basis: { readonly column: readonly number[]; readonly at: number }[] = [];
  for (const exponents of TERMS) {
    if (basis.length === points.length) break;
    const column = points.map((point, index) => product(point.sizes, exponents) * roots[index]!);
    const before = norm(column);
    let at = 1;
    for (const { column: unit, at: unitAt } of basis) {
      const share = dot(unit, column);
      for (let index = 0; index < column.length; index++) column[index]! -= share * unit[index]!;
      at -= share * unitAt;
    }
    const after = norm(column);
    if (after <= DEPENDENT * before) continue;
    basis.push({ column: column.map((value) => value / after), at: at / after });
  }
  return figures[0]!.map((_, figure) => {
    const values = figures.map((row, index) => row[figure]! * roots[index]!);
    return basis.reduce((sum, { column, at }) => sum + dot(column, values) * at, 0);
  });
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const norm = (column: readonly number[]): number => Math.sqrt(dot(column, column));

/**
 * How far off the fit is, as a share of the reserved bytes: the largest error at a point that was left out. Null where points are
 * too few to tell, or the point lies outside of all others.
 */
export function errorOf(points: readonly Point[]): number | null {
  let worst: number | null = null;
  for (const [index, left] of points.entries()) {
    const rest = points.filter((_, other) => other !== index);
    const isInside = left.sizes.every(
      (size, axis) =>
        rest.some((point) => point.sizes[axis]! <= size) && rest.some((point) => point.sizes[axis]! >= size),
    );
    if (rest.length < 3 || !isInside) continue;
    const about = aboutAt(rest, left.sizes)!;
    const off = Math.abs(about.reservedPeakBytes / left.digest.reservedPeakBytes - 1);
    worst = Math.max(worst ?? 0, off);
  }
  return worst;
}

export type Limits = readonly (number | null)[];

const isWithin = (sizes: Sizes, limits: Limits): boolean =>
  sizes.every((size, index) => Number.isInteger(size) && size >= 1 && size <= (limits[index] ?? Infinity));

/** Sizes that tell most about the neighbourhood: a few times and a part of each, within limits. */
export function worthKnowing(sizes: Sizes, task: Recipe["task"], limits: Limits): readonly Sizes[] {
  const by = (factors: readonly number[]): Sizes => sizes.map((size, index) => Math.round(size * factors[index]!));
  const asked = [[4, 1, 1], [1, 0.5, 1], [1, 2, 1], [4, 0.5, 1], ...(task === "infer" ? [[1, 1, 4]] : [])].map(by);
  return asked.filter(
    (made, index) => isWithin(made, limits) && asked.findIndex((other) => other.join() === made.join()) === index,
  );
}

/** How far the search for the edge goes, in doublings. */
const MOST_DOUBLINGS = 14;

/**
 * Along one size, the last doubling that fits and the first that does not, as far as points tell: where the curve meets the card is
 * what people look at, so it is simulated rather than extrapolated.
 */
export function edgeAlong(
  points: readonly Point[],
  from: Sizes,
  axis: number,
  capacityBytes: number,
  limits: Limits,
): Sizes | null {
  const at = (size: number): Sizes => from.map((other, index) => (index === axis ? size : other));
  let last: Sizes | null = null;
  for (let doubling = 1; doubling <= MOST_DOUBLINGS; doubling++) {
    const sizes = at(from[axis]! * 2 ** doubling);
    if (!isWithin(sizes, limits)) break;
    last = sizes;
    if ((aboutAt(points, sizes)?.reservedPeakBytes ?? Infinity) > capacityBytes) break;
  }
  return last;
}
