/** Large tensors that only a variable, an exception or a reference cycle holds: read from a look at who holds what. */

import type { HolderTable } from "../session/holders.ts";
import type { BlockRecord, Trace } from "../trace/model.ts";
import type { Finding, FindingCode } from "./finding.ts";
import { heldBlocks, type HolderChain } from "./held-blocks.ts";
import { findingOf, isNotable } from "./together.ts";

/** Who looks at more blocks finds small ones. */
const MOST_BLOCKS = 200;
/** What belongs in a variable of the program. */
const AT_HOME = new Set<BlockRecord["category"]>([
  "parameter",
  "gradient",
  "optimizer_state",
  "buffer",
  "input",
  "kv_cache",
  "workspace",
]);

/** Steps of a chain that goes through Python alone, or null. */
function pythonSteps(chain: HolderChain) {
  const [only, ...more] = chain;
  return only?.kind === "python" && more.length === 0 ? only.steps : null;
}

/** Why the chain holds, for the reasons that surprise. */
function reasonOf(chain: HolderChain): FindingCode | null {
  const start = chain[0];
  if (start?.kind !== "python") return null;
  const [root, ...steps] = start.steps;
  if (root?.[0] === "cycle") return "held_by_cycle";
  // from a variable into a frame there is a way through an exception's traceback alone
  if (root?.[0] === "exception" || steps.some(([kind]) => kind === "local")) return "held_by_exception";
  return root?.[0] === "global" && pythonSteps(chain) !== null ? "held_by_global" : null;
}

export function heldFindings(trace: Trace, holders: HolderTable): Finding[] {
  const groups = new Map<FindingCode, { blocks: number[]; bytes: number }>();
  for (const { index, block, chains } of heldBlocks(trace, holders, holders.event, MOST_BLOCKS)) {
    const reasons = new Set(chains.map(reasonOf));
    const [reason] = reasons;
    // whatever else holds it would go on holding it
    if (reasons.size !== 1 || reason === null || reason === undefined) continue;
    if (reason === "held_by_global" && AT_HOME.has(block.category)) continue;
    const group = groups.get(reason) ?? { blocks: [], bytes: 0 };
    group.blocks.push(index);
    group.bytes += block.bytes;
    groups.set(reason, group);
  }
  return [...groups].flatMap(([code, { blocks, bytes }]) => {
    if (!isNotable(trace, bytes)) return [];
    const together = { bytes, event: holders.event, blocks };
    return [findingOf(trace, code, together, { name: nameOf(trace, holders, blocks[0]!) })];
  });
}

/** The variable, or the kind of object, at which the chain begins. */
function nameOf(trace: Trace, holders: HolderTable, index: number): string {
  const held = heldBlocks(trace, holders, holders.event, MOST_BLOCKS).find((entry) => entry.index === index);
  const start = held?.chains[0]?.[0];
  return start?.kind === "python" ? String(start.steps[0]?.[1] ?? "") : "";
}
