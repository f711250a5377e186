/** Which program a sharded run starts. */

import type { ShardedJob } from "./sharded-job.ts";
import { torchProgram } from "./torch-program.ts";

export const shardedProgram = (sharded: ShardedJob): string => torchProgram(sharded);
