/** The tree of a program's modules, with what each and those inside it hold at an event. */

import { forEachAlive } from "../../../src/trace/composition.ts";
import type { Trace } from "../../../src/trace/model.ts";

export interface ModuleNode {
  /** The last part of the path. */
  readonly name: string;
  readonly path: string;
  /** Of this module and those inside it. */
  readonly bytes: number;
  readonly blocks: number;
  readonly parameterBytes: number;
  readonly children: readonly ModuleNode[];
}

interface Growing {
  readonly name: string;
  readonly path: string;
  bytes: number;
  blocks: number;
  parameterBytes: number;
  readonly children: Map<string, Growing>;
}

/** Roots in the order in which they first appear. */
export function moduleTree(trace: Trace, event: number): readonly ModuleNode[] {
  const roots = new Map<string, Growing>();
  const chains = trace.modules.map((path) => {
    const chain: Growing[] = [];
    let level = roots;
    let prefix = "";
    for (const name of path.split(".")) {
      prefix = prefix === "" ? name : `${prefix}.${name}`;
      let node = level.get(name);
      if (node === undefined) {
        node = { name, path: prefix, bytes: 0, blocks: 0, parameterBytes: 0, children: new Map() };
        level.set(name, node);
      }
      chain.push(node);
      level = node.children;
    }
    return chain;
  });
  forEachAlive(trace, event, (block) => {
    for (const node of chains[block.module] ?? []) {
      node.bytes += block.bytes;
      node.blocks += 1;
      if (block.category === "parameter") node.parameterBytes += block.bytes;
    }
  });
  const settled = (nodes: ReadonlyMap<string, Growing>): ModuleNode[] =>
    [...nodes.values()].map((node) => ({ ...node, children: settled(node.children) }));
  return settled(roots);
}
