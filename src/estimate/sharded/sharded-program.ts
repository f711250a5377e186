/** Which program a sharded run starts. */

import { deepspeedProgram } from "./deepspeed-program.ts";
import type { ShardedJob } from "./sharded-job.ts";
import { torchProgram } from "./torch-program.ts";

export const shardedProgram = (sharded: ShardedJob): string =>
  sharded.job.framework === "deepspeed" ? deepspeedProgram(sharded) : torchProgram(sharded);
