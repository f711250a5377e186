/** Blocks freed while other streams may still use them: they wait for one event per stream. */

import type { BlockNode } from "./block.ts";

export class StreamUses {
  /** Freed blocks in the order of their events, by stream. */
  private readonly waiting = new Map<number, BlockNode[]>();
  /** Freed during a capture: events may be recorded only after it. */
  private readonly deferred: BlockNode[] = [];

  get isEmpty(): boolean {
    return this.waiting.size === 0 && this.deferred.length === 0;
  }

  /** Records one event per stream that used the block. */
  wait(node: BlockNode): void {
    const streams = node.streamUses!;
    node.streamUses = null;
    for (const stream of streams) {
      node.pendingEvents++;
      const queue = this.waiting.get(stream);
      if (queue === undefined) this.waiting.set(stream, [node]);
      else queue.push(node);
    }
  }

  defer(node: BlockNode): void {
    this.deferred.push(node);
  }

  /** All work of other streams is taken as finished; `complete` gets each block whose last event was seen. */
  finish(complete: (node: BlockNode) => void): void {
    for (const node of this.deferred.splice(0)) this.wait(node);
    const queues = [...this.waiting.values()];
    this.waiting.clear();
    for (const queue of queues) for (const node of queue) if (--node.pendingEvents === 0) complete(node);
  }
}
