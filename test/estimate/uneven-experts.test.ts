/** Tokens that choose their experts: a layout that fits with equal shares is tried with more on one rank, and says what that needs. */

import { describe, expect, it } from "vitest";
import { estimateRanks, layoutVerdict, readCommand, withUnevenExperts } from "../../src/estimate/layout/index.ts";
import type { RankEstimate } from "../../src/estimate/layout/index.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";

const { openEstimateRuns } = (await import(
  new URL("../../dist/python/estimate-runs.js", import.meta.url).href
)) as typeof import("../../src/python/estimate-runs.ts");

const COMMAND =
  "torchrun --nproc_per_node 4 pretrain_gpt.py --num-layers 2 --hidden-size 1024 --num-attention-heads 8 --seq-length 4096 --bf16 " +
  "--max-position-embeddings 4096 --micro-batch-size 4 --global-batch-size 16 --num-experts 8 --expert-model-parallel-size 4 --moe-router-topk 4 " +
  "--moe-token-dispatcher-type alltoall --moe-grouped-gemm --use-distributed-optimizer";

const gpu = (() => {
  const found = findGpu("a100-80gb");
  if (!found.ok) throw new Error("a100-80gb");
  return found.value;
})();

describe("experts with more tokens than their share", () => {
  const runs = openEstimateRuns({
    torch: "2.9",
    files: {},
    env: { PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" },
  });
  const { job } = readCommand(COMMAND, null);

  it("need more, are tried where it may decide, and leave the verdict open", async () => {
    const roomy = await estimateRanks(runs.run, job, gpu);
    expect(await withUnevenExperts(runs.run, roomy, gpu)).toBe(roomy);
    // a card on which equal shares fit with a little left
    const { worst } = roomy;
    const capacityBytes = worst.chain.process.highBytes + 64 * 2 ** 20;
    const small = { ...gpu, totalBytes: capacityBytes };
    const made = await estimateRanks(runs.run, job, small);
    expect(layoutVerdict(made)).toBe("fits");
    const tried = await withUnevenExperts(runs.run, made, small);
    const more = tried.uneven!.rank;
    expect(tried.uneven!.load).toBe(2);
    expect(layoutVerdict(tried)).toBe("uneven");
    // each layer keeps the tokens that its experts were given, and what they make of them, twice
    const kept = ({ digest, statesBytes }: RankEstimate): number => digest.allocatedPeakBytes - statesBytes;
    const experts = 2 * 4 * 4096 * 4 * (1024 + 2 * 4096) * 2;
    expect(kept(more) - kept(worst)).toBeGreaterThan(0.8 * experts);
    expect(kept(more)).toBeLessThanOrEqual(2 * kept(worst));
    expect(more.statesBytes).toBe(worst.statesBytes);
  }, 300_000);

  it("are not tried where each takes what it has room for", async () => {
    const padded = readCommand(
      `${COMMAND} --moe-expert-capacity-factor 1.5 --moe-pad-expert-input-to-capacity`,
      null,
    ).job;
    const made = await estimateRanks(runs.run, padded, gpu);
    expect(await withUnevenExperts(runs.run, made, { ...gpu, totalBytes: made.worst.chain.process.highBytes })).toBe(
      made,
    );
    runs.close();
  }, 300_000);
});
