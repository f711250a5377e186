/** NCCL's buffers: the figures that NCCL prints, and what a report says of them. */

import { describe, expect, it } from "vitest";
import { connectionBytes, ncclBytes } from "../../src/gpus/nccl.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { rankEnvironment } from "../../src/python/ranks.ts";
import { reportFacts } from "../../src/report/facts.ts";

// the built one: it starts processes of built files
const { runProgram } = (await import(
  new URL("../../dist/python/run.js", import.meta.url).href
)) as typeof import("../../src/python/run.ts");

const MIB = 2 ** 20;

function gpu(name: string) {
  const found = findGpu(name);
  if (!found.ok) throw new Error(name);
  return found.value;
}

const plain = { bufferBytes: null, mostChannels: null, nvls: true };
const world = { ranks: 8, nodes: 1, collective: true, peers: 0 };

describe("NCCL's buffers", () => {
  it("take 10,485,760 and 2,097,152 bytes for both ends of a connection (NCCL_DEBUG=ALLOC in NVIDIA/nccl 1685)", () => {
    expect(connectionBytes()).toBe(10_485_760 + 2_097_152);
  });

  it("hold what was measured of 2 and of 4 to 8 ranks in NVLink machines, 342 and 392 MiB", () => {
    const { lowBytes, highBytes } = ncclBytes({ ...world, ranks: 2 }, gpu("a100-80gb"), plain);
    expect(lowBytes).toBeLessThan(342 * MIB);
    expect(highBytes).toBeGreaterThan(392 * MIB);
  });

  it("grow by 256 MiB of NVLS with eight heads on Hopper, unless that is switched off", () => {
    const [on, off] = [true, false].map((nvls) => ncclBytes(world, gpu("h100-80gb"), { ...plain, nvls }));
    expect(on!.highBytes - off!.highBytes).toBe(256 * MIB);
  });

  it("shrink with the channels that the environment allows", () => {
    const few = ncclBytes(world, gpu("a100-80gb"), { ...plain, mostChannels: 1 });
    expect(few.expectedBytes).toBe(connectionBytes());
    expect(few.lowBytes).toBe(connectionBytes());
  });

  it("of a group of one hold what a real H100 used beside one tensor, late and early", () => {
    const { lowBytes, expectedBytes, highBytes } = ncclBytes({ ...world, ranks: 1 }, gpu("h100-80gb"), plain);
    // test/record/recorded, "context": MiB of the process after one tensor; "context-nccl": after one collective
    expect(expectedBytes).toBe((788 - 612) * MIB);
    // "one-rank-collectives", bound to its device: MiB of the card beside the allocator's, against 518 after initialization
    expect(highBytes).toBeGreaterThanOrEqual(1_240_268_800 - 552_402_944);
    expect(lowBytes).toBeLessThan(expectedBytes);
  });
});

describe("a rank's report", () => {
  const source = [
    "import torch, torch.distributed as dist",
    "dist.init_process_group('nccl')",
    "t = torch.zeros(4, device='cuda')",
    "dist.all_reduce(t)",
    "g = dist.new_group([0, 1])",
    "dist.all_reduce(t, group=g)",
    "torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda(), batched_grad_copy=True)",
  ].join("\n");

  it("has them outside of the allocator, once for all groups, and names an option that is not modelled", async () => {
    const env = { ...rankEnvironment({ rank: 0, worldSize: 4, localWorldSize: 4 }), NCCL_MAX_NCHANNELS: "1" };
    const result = await runProgram({ script: "r.py", source, gpu: "a100-80gb", env, devices: 4 });
    expect(result.errorText).toBeNull();
    const facts = reportFacts(result);
    expect(facts.outside.expectedBytes).toBe(2 * connectionBytes());
    expect(facts.driver.expectedBytes).toBe(
      result.stats.peakReservedBytes + facts.gpu.context.expectedBytes + 2 * connectionBytes(),
    );
    const found = facts.assumptions.filter(({ code }) => code === "nccl_buffers");
    expect(found.map(({ args, count }) => [args["groups"], count])).toEqual([[2, 1]]);
    expect(facts.assumptions.find(({ code }) => code === "option_ignored")?.args).toEqual({
      callee: "DistributedDataParallel",
      option: "batched_grad_copy",
    });
  });
});
