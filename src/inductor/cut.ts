/** The smallest cut of a network between a source and a sink, the one nearest to the sink where several are equal (Dinic's algorithm). */

export const INFINITE = Number.MAX_SAFE_INTEGER;

export class Network {
  private readonly heads: number[] = [];
  private readonly to: number[] = [];
  private readonly next: number[] = [];
  private readonly left: number[] = [];

  constructor(nodes: number) {
    for (let i = 0; i < nodes; i++) this.heads.push(-1);
  }

  /** An edge that can carry so much. */
  add(from: number, to: number, capacity: number): void {
    this.half(from, to, capacity);
    this.half(to, from, 0);
  }

  /** Whether each node lies on the sink's side of the cut. */
  sinkSide(source: number, sink: number): boolean[] {
    for (let levels = this.levels(source, sink); levels !== null; levels = this.levels(source, sink)) {
      const at = [...this.heads];
      while (this.push(source, sink, levels, at) > 0);
    }
    const reaches = this.heads.map(() => false);
    reaches[sink] = true;
    const waiting = [sink];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
      for (let e = this.heads[node]!; e >= 0; e = this.next[e]!) {
        const from = this.to[e]!;
        if (reaches[from] || this.left[e ^ 1] === 0) continue;
        reaches[from] = true;
        waiting.push(from);
      }
    return reaches;
  }

  private half(from: number, to: number, capacity: number): void {
    this.to.push(to);
    this.left.push(capacity);
    this.next.push(this.heads[from]!);
    this.heads[from] = this.to.length - 1;
  }

  /** How far each node is from the source by edges that can carry more; null where the sink is out of reach. */
  private levels(source: number, sink: number): Int32Array | null {
    const levels = new Int32Array(this.heads.length).fill(-1);
    levels[source] = 0;
    const queue = [source];
    for (let i = 0; i < queue.length; i++)
      for (let e = this.heads[queue[i]!]!; e >= 0; e = this.next[e]!) {
        const node = this.to[e]!;
        if (levels[node]! >= 0 || this.left[e] === 0) continue;
        levels[node] = levels[queue[i]!]! + 1;
        queue.push(node);
      }
    return levels[sink]! < 0 ? null : levels;
  }

  /** Sends what one path can carry, without recursion: graphs are thousands of nodes deep. */
  private push(source: number, sink: number, levels: Int32Array, at: number[]): number {
    const path: number[] = [];
    let node = source;
    while (node !== sink) {
      let e = at[node]!;
      while (e >= 0 && (this.left[e] === 0 || levels[this.to[e]!] !== levels[node]! + 1)) e = this.next[e]!;
      at[node] = e;
      if (e >= 0) {
        path.push(e);
        node = this.to[e]!;
        continue;
      }
      const back = path.pop();
      if (back === undefined) return 0;
      levels[node] = -1;
      node = this.to[back ^ 1]!;
    }
    const sent = Math.min(...path.map((e) => this.left[e]!));
    for (const e of path) {
      if (this.left[e] !== INFINITE) this.left[e]! -= sent;
      if (this.left[e ^ 1] !== INFINITE) this.left[e ^ 1]! += sent;
    }
    return sent;
  }
}
