/** Sharded training with transformers' own models: torch (FSDP2, DDP, DTensor, pipelining) and DeepSpeed. */

export {
  OFFLOADS,
  shardedContradiction,
  shardedJob,
  withKnownKernels,
  type Offload,
  type ShardedJob,
  type Sharding,
} from "./sharded-job.ts";
export { companionFile, type Companions } from "./companions.ts";
export { shardedProgram } from "./sharded-program.ts";
export { estimateSharded } from "./sharded-ranks.ts";
