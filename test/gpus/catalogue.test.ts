/** The GPU catalogue: figures against the published ones, and how names are understood. */

import { OTHER_GPUS } from "../../src/gpus/other-rows.ts";
import { describe, expect, it } from "vitest";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { DEFAULT_GPU, findGpu, GPUS } from "../../src/gpus/catalogue.ts";

function id(name: string): string {
  const found = findGpu(name);
  return found.ok ? found.value.id : `${found.error.code} ${found.error.args["nearest"] ?? ""}`.trim();
}
function gpu(name: string) {
  const found = findGpu(name);
  if (!found.ok) throw new Error(found.error.code);
  return found.value;
}

describe("names", () => {
  it.each([
    ["a100", "a100-80gb"],
    ["h100", "h100-80gb"],
    ["4090", "rtx-4090"],
    ["rtx4090", "rtx-4090"],
    ["RTX 4090", "rtx-4090"],
    ["t4", "t4"],
    ["l4", "l4"],
    ["v100", "v100-16gb"],
    ["NVIDIA A100-SXM4-80GB", "a100-80gb"],
    ["NVIDIA A100-SXM4-40GB", "a100-40gb"],
    ["NVIDIA A100 80GB PCIe", "a100-80gb-pcie"],
    ["NVIDIA H100 80GB HBM3", "h100-80gb"],
    ["NVIDIA H100 PCIe", "h100-80gb-pcie"],
    ["NVIDIA H200", "h200-141gb"],
    ["NVIDIA GeForce RTX 4090", "rtx-4090"],
    ["NVIDIA GeForce RTX 3090 Ti", "rtx-3090-ti"],
    ["NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"],
    ["NVIDIA RTX A6000", "rtx-a6000"],
    ["NVIDIA B200", "b200-180gb"],
    ["Tesla T4", "t4"],
    ["Tesla V100-SXM2-32GB", "v100-32gb"],
    ["geforce-rtx-2080-ti", "rtx-2080-ti"],
  ])("%s is %s", (typed, expected) => expect(id(typed)).toBe(expected));

  it("suggests the nearest name", () => {
    expect(id("h10")).toBe("unknown_gpu_nearest h100-80gb");
    expect(findGpu("h100,a100")).toMatchObject({ error: { code: "several_gpus", args: { first: "h100" } } });
    expect(findGpu("h100,nonsense")).toMatchObject({ error: { args: { name: "h100,nonsense" } } });
    expect(id("a10O")).toMatch(/^unknown_gpu_nearest a10/);
    expect(id("rtx 4900")).toMatch(/^unknown_gpu_nearest rtx-/);
  });

  it("does not take a size or a family for a GPU", () => {
    expect(findGpu("80gb").ok).toBe(false);
    expect(findGpu("rtx").ok).toBe(false);
    expect(findGpu("").ok).toBe(false);
    expect(findGpu("zzzzzzzzzzzz")).toEqual({
      ok: false,
      error: { code: "unknown_gpu", args: { name: "zzzzzzzzzzzz" } },
    });
  });

  it("says of other vendors' parts that are not simulated so", () => {
    expect(findGpu("Trainium2 (chip)")).toEqual({
      ok: false,
      error: { code: "gpu_not_simulated", args: { name: "Trainium2 (chip)", vendor: "AWS" } },
    });
  });

  it("finds AMD's, Apple's, Intel's and Huawei's cards, and says how their memory relates to CUDA's", () => {
    const mi300x = gpu("mi300x");
    expect(mi300x).toMatchObject({
      otherAllocator: "gpu_hip",
      computeCapability: "9.4",
      workspaceBytes: 128 * 2 ** 20,
    });
    expect(mi300x.totalBytes).toBe(206_141_652_992 - (206_141_652_992 % 2 ** 20));
    for (const name of ["mi210", "mi250x-per-gcd", "mi325x", "mi355x"]) expect(gpu(name).vendor).toBe("AMD");
    const apple = gpu("m3-max-64gb");
    expect(apple).toMatchObject({ id: "apple-m3-max-64gb", otherAllocator: "gpu_mps", totalBytes: 48 * 2 ** 30 });
    expect(gpu(apple.id)).toEqual(apple);
    expect(gpu("gaudi-3").otherAllocator).toBe("gpu_capacity");
    expect(gpu("ascend-910b-64gb").otherAllocator).toBe("gpu_capacity");
    for (const row of OTHER_GPUS) expect(gpu(row.id)).toBe(row);
  });

  it("gives every row an id of its own, found by id, name and each alias", () => {
    expect(new Set(GPUS.map((row) => row.id)).size).toBe(GPUS.length);
    for (const row of GPUS) {
      for (const name of [row.id, row.name, ...row.aliases]) expect([name, id(name)]).toEqual([name, row.id]);
    }
  });

  it("has the default", () => expect(gpu(DEFAULT_GPU).computeCapability).toBe("8.0"));
});

describe("figures", () => {
  // Multiprocessors and threads per multiprocessor of section 5.1 of the reference.
  it.each([
    ["t4", 40, 1024, 75],
    ["v100", 80, 2048, 70],
    ["a100", 108, 2048, 80],
    ["a10", 72, 1536, 86],
    ["3090", 82, 1536, 86],
    ["a6000", 84, 1536, 86],
    ["l4", 58, 1536, 89],
    ["l40s", 142, 1536, 89],
    ["4090", 128, 1536, 89],
    ["rtx-6000-ada", 142, 1536, 89],
    ["h100", 132, 2048, 90],
    ["h100-pcie", 114, 2048, 90],
    ["h200", 132, 2048, 90],
    ["b200", 148, 2048, 100],
    ["5090", 170, 1536, 120],
  ])("%s has %i multiprocessors", (name, smCount, threadsPerSm, sm) => {
    expect(gpu(name)).toMatchObject({ smCount, threadsPerSm, sm });
  });

  // Totals in published out-of-memory messages (section 7.3), in GiB with two decimals.
  it.each([
    ["t4", 14.56, 14.75],
    ["rtx-4090", 23.5, 23.7],
    ["rtx-5090", 31.36, 31.37],
    ["a100-40gb", 39.5, 39.5],
    ["a100-80gb", 79.1, 79.25],
    ["h100-80gb", 79.1, 79.11],
  ])("%s has a published total", (name, low, high) => {
    const total = Number((gpu(name).totalBytes / GIB).toFixed(2));
    expect(total).toBeGreaterThanOrEqual(low);
    expect(total).toBeLessThanOrEqual(high);
    expect(gpu(name).totalMark).toBe("source");
  });

  it("keeps the exact bytes where they were published", () => {
    expect(gpu("rtx-6000-ada").totalBytes).toBe(50_865_307_648);
  });

  it("shows nvidia-smi's totals", () => {
    expect(gpu("h100").memoryMiB).toBe(81_559);
    expect(gpu("a100").memoryMiB).toBe(81_920);
    expect(gpu("l4").memoryMiB).toBe(23_034);
    expect(gpu("t4").memoryMiB).toBe(15_360);
    expect(gpu("h200").memoryMiB).toBe(143_771);
  });

  it("leaves the driver something everywhere, and orders every interval", () => {
    for (const row of GPUS) {
      expect(row.totalBytes).toBeLessThan(row.memoryMiB * MIB);
      expect(row.totalBytes).toBeGreaterThan(row.memoryMiB * MIB * 0.9);
      expect(row.context.lowBytes).toBeLessThanOrEqual(row.context.expectedBytes);
      expect(row.context.expectedBytes).toBeLessThanOrEqual(row.context.highBytes);
      expect(row.context.evidence).not.toBe("");
      expect(row.smCount).toBeGreaterThan(0);
    }
  });

  it("brackets the context sizes that were published (section 7.2)", () => {
    const gib = (name: string) => {
      const { lowBytes, highBytes } = gpu(name).context;
      return [lowBytes / GIB, highBytes / GIB];
    };
    for (const [name, seen] of [
      ["t4", 0.12],
      ["t4", 0.14],
      ["4090", 0.46],
      ["4090", 0.49],
      ["a100-40gb", 0.49],
      ["5090", 0.58],
      ["5090", 0.64],
      ["rtx-6000-ada", 0.42],
      ["h100", 0.51],
    ] as const) {
      const [low, high] = gib(name);
      expect(low).toBeLessThanOrEqual(seen + 1e-6);
      expect(high).toBeGreaterThanOrEqual(seen);
    }
  });
});
