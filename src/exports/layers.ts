/** A layered layout of a directed graph: each node below those that lead to it, neighbours near each other. */

export interface Placed {
  readonly layer: number;
  /** Place within the layer, from 0. */
  readonly place: number;
}

const PASSES = 4;

/** Longest distance from a start; the graph has no cycles. */
function layersOf(next: readonly (readonly number[])[]): number[] {
  const incoming = next.map(() => 0);
  for (const targets of next) for (const target of targets) incoming[target]! += 1;
  const layer = next.map(() => 0);
  const ready = next.flatMap((_, node) => (incoming[node] === 0 ? [node] : []));
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    for (const target of next[node]!) {
      layer[target] = Math.max(layer[target]!, layer[node]! + 1);
      incoming[target]! -= 1;
      if (incoming[target] === 0) ready.push(target);
    }
  }
  return layer;
}

/** Places by the mean of the neighbours' places, a few times down and up. */
export function layered(next: readonly (readonly number[])[]): Placed[] {
  const layer = layersOf(next);
  const rows: number[][] = [];
  for (const [node, row] of layer.entries()) (rows[row] ??= []).push(node);
  const before = next.map((): number[] => []);
  for (const [node, targets] of next.entries()) for (const target of targets) before[target]!.push(node);
  const place = next.map(() => 0);
  const settle = (row: readonly number[]): void => row.forEach((node, index) => (place[node] = index));
  rows.forEach(settle);
  const mean = (node: number, neighbours: readonly number[]): number =>
    neighbours.length === 0
      ? place[node]!
      : neighbours.reduce((sum, neighbour) => sum + place[neighbour]!, 0) / neighbours.length;
  for (let pass = 0; pass < PASSES; pass++) {
    const down = pass % 2 === 0;
    for (const row of down ? rows : rows.toReversed()) {
      const wanted = new Map(row.map((node) => [node, mean(node, down ? before[node]! : next[node]!)]));
      row.sort((a, b) => wanted.get(a)! - wanted.get(b)! || a - b);
      settle(row);
    }
  }
  return layer.map((row, node) => ({ layer: row, place: place[node]! }));
}
