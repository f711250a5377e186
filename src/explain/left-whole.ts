/** What wrappers that share a model out over GPUs leave whole on each of them: why memory did not fall. */

import type { Category, Trace } from "../trace/model.ts";
import { peakEvent } from "../trace/queries.ts";
import type { Finding, FindingCode } from "./finding.ts";
import { blocksWhere, findingOf, isNotable, livesAt } from "./together.ts";

/** Note of the flat buffers into which DistributedDataParallel copies gradients, or of which they are parts. */
const DDP_BUCKET = "ddp_bucket";

/** Note of the states of an optimizer that keeps those of its share of the parameters only (ZeroRedundancyOptimizer). */
const STATE_OF_SHARE = "state_of_share";
/** Two or three groups are gathered wherever FSDP works; so much of the peak is more than that. */
const MUCH_GATHERED = 0.1;
/** Activations are what is left to lower where they are so large a part of the peak. */
const MOSTLY_ACTIVATIONS = 0.3;

/** Whether DistributedDataParallel wrapped something. */
export const buildsBuckets = ({ blocks }: Trace): boolean => blocks.some(({ note }) => note === DDP_BUCKET);

/** Whether FSDP made parameters whole. */
export const gathersParameters = ({ blocks }: Trace): boolean =>
  blocks.some(({ category }) => category === "gathered_parameter");

export function leftWhole(trace: Trace): Finding[] {
  if (!buildsBuckets(trace) && !gathersParameters(trace)) return [];
  const event = peakEvent(trace);
  if (event === -1) return [];
  const alive = blocksWhere(trace, (_, index) => livesAt(trace, index, event));
  const about = (code: FindingCode, blocks: readonly number[], share?: number): Finding[] => {
    const bytes = blocks.reduce((sum, index) => sum + trace.blocks[index]!.bytes, 0);
    return isNotable(trace, bytes, share) ? [findingOf(trace, code, { bytes, event, blocks })] : [];
  };
  const of = (kind: Category): number[] => alive.filter((index) => trace.blocks[index]!.category === kind);
  const buckets = alive.filter((index) => trace.blocks[index]!.note === DDP_BUCKET);
  const states = of("optimizer_state").filter((index) => trace.blocks[index]!.note !== STATE_OF_SHARE);
  const copies = buckets.filter((index) => trace.blocks[index]!.category === "communication");
  return [
    // before the first gradients there is nothing twice
    ...(of("gradient").length > 0 ? about("ddp_buckets", copies) : []),
    ...(buckets.length > 0 ? about("ddp_states", states) : []),
    ...about("fsdp_gathered", of("gathered_parameter"), MUCH_GATHERED),
    ...about("activations_of_rank", of("activation"), MOSTLY_ACTIVATIONS),
  ];
}
