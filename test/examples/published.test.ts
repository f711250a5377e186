/** Published figures: what people printed on their GPUs comes out of the programs in examples/, to the last printed digit. */

import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { ROOT } from "../helpers.ts";

const { plainPainter, reportFacts, run, textReport, verifyTrace } = vramscope;

type Result = Awaited<ReturnType<typeof run>>;

async function example(name: string, torch: string, argv: readonly string[] = []): Promise<Result> {
  const result = await run({ script: join(ROOT, "examples", name), torch, argv });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  expect(verifyTrace(result.trace)).toEqual([]);
  return result;
}

/** The report in one long line, so that sentences can be looked for. */
function report(result: Result): string {
  const options = { locale: "en", detail: "lines", painter: plainPainter(160), sourceOf: () => undefined } as const;
  return textReport(reportFacts(result), result.trace, options)
    .replaceAll(/\s+/g, " ")
    .replaceAll(join(ROOT, "examples/"), "");
}

describe("A: an attention module, before 2.0", () => {
  let result: Result;
  beforeAll(async () => {
    result = await example("attention.py", "1.13");
  });

  // point, allocated MiB, change where the article prints one
  const PUBLISHED: readonly (readonly [string, string, string | null])[] = [
    ["before the module is built", "0.00", null],
    ["before qkv", "8.00", null],
    ["after qkv", "21.00", "13.00"],
    ["after rearrange", "21.00", "0.00"],
    ["after matmul and scale", "31.00", "10.00"],
    ["after softmax", "31.00", "0.00"],
    ["after dropout", "31.00", "0.00"],
    ["after attn @ v, transpose, reshape", "39.00", "8.00"],
    ["before proj", "39.00", null],
    ["after proj", "43.00", "4.00"],
    ["after proj dropout", "43.00", "0.00"],
    ["final, after the call returned", "30.00", null],
  ];

  it("prints the published table", () => {
    const lines = result.stdout.split("\n");
    const rows = lines.flatMap((line) => {
      const match = /^(.+?) +([\d.]+) MiB {3}change +(-?[\d.]+)$/.exec(line);
      return match === null ? [] : [[match[1]!, match[2]!, match[3]!] as const];
    });
    expect(rows.map(([point, allocated]) => [point, allocated])).toEqual(
      PUBLISHED.map(([point, allocated]) => [point, allocated]),
    );
    for (const [index, [point, , change]] of PUBLISHED.entries()) {
      if (change !== null) expect([point, rows[index]![2]]).toEqual([point, change]);
    }
    expect(lines).toContain("peak 44.00 MiB");
    expect(lines).toContain("activation memory 22.00 MiB");
  });

  it("explains the 13 instead of 12", () => {
    expect(report(result)).toContain(
      "attention.py:35: aten::mm needs 12.00 MiB and counts 13.00 MiB. It took a free block of 13.00 MiB, the best fit; a remainder of at most 1 MiB (here 1.00 MiB) is not split off.",
    );
  });

  it("explains the peak of 44.00", () => {
    expect(report(result)).toContain(
      "attention.py:49: the peak of 44.00 MiB = 43.00 MiB after aten::addmm + 1.00 MiB cuBLASLt workspace that it took and gave back.",
    );
  });

  it("has parameters of 4 MiB", () => {
    const bytes = reportFacts(result).categories.find(({ category }) => category === "parameter")?.bytes;
    // 512 x 1536 + 512 x 512 weights and 512 biases, in float32
    expect(bytes).toBe((512 * 1536 + 512 * 512 + 512) * 4);
  });
});

describe("B: a notebook, 2.x", () => {
  const PUBLISHED: readonly (readonly [string, string, string])[] = [
    ["mlp: input and module", "16.00", "16.00"],
    ["mlp: forward with gradients", "44.12", "28.12"],
    ["mlp: forward with gradients", "44.12", "20.00"],
    ["mlp: forward with gradients", "44.12", "20.00"],
    ["mlp: forward under no_grad", "28.12", "4.00"],
    ["mlp: forward and backward", "48.25", "20.13"],
    ["attention: module and input", "68.25", "24.00"],
    ["attention: forward with gradients", "116.28", "48.03"],
    ["attention: forward with gradients", "116.28", "48.03"],
    ["attention: forward under no_grad", "76.27", "8.02"],
    ["encoder layer: module and input", "132.32", "56.05"],
    ["encoder layer: forward with gradients", "236.47", "104.16"],
    ["encoder layer: forward with gradients", "236.47", "104.16"],
    ["encoder layer: forward under no_grad", "140.32", "8.00"],
  ];

  it.each(["2.1", "2.6"])("prints the published figures with the rules of %s", async (torch) => {
    const result = await example("notebook.py", torch);
    const rows = [...result.stdout.matchAll(/^(.+?) +([\d.]+)M \((-?[\d.]+)M\)$/gm)].map((match) => match.slice(1, 4));
    expect(rows).toEqual(PUBLISHED);
    expect(result.stdout).toContain("in_proj_weight: (3072, 1024)");
    expect(result.stdout).toContain("out_proj.weight: (1024, 1024)");
    expect(result.stdout).toContain("0.weight: gradient (1024, 1024), 4.00M");
    expect(result.stdout).toContain(
      "MultiheadAttention(\n  (out_proj): NonDynamicallyQuantizableLinear(in_features=1024, out_features=1024, bias=False)\n)",
    );
    const text = report(result);
    // the 8.12 that the author could not explain
    expect(text).toContain(
      "notebook.py:55: aten::mm is the first product of the forward thread, so it takes the cuBLAS workspace of that thread's handle, 8.12 MiB. It is never given back: memory_allocated() stays higher by it.",
    );
    // and the 20.13 where the gradients are 12
    expect(text).toContain(
      "notebook.py:67: backward runs on a thread with its own handle, whose first product (aten::mm) takes a second cuBLAS workspace, 8.12 MiB, and keeps it.",
    );
    expect(text).toContain("20.13 MiB = 12.00 MiB gradients + 8.12 MiB cuBLAS workspace + 512 bytes");
  });
});

describe("C: scope and lifetime, before 2.0", () => {
  const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
    "in the function rebinds": ["16.00", "18.00 (+2.00)", "22.00 (+4.00)", "16.00"],
    "in the function adds_first": ["16.00", "16.00 (+0.00)", "18.00 (+2.00)", "22.00 (+4.00)", "16.00"],
    "in the function rebinds_twice": ["16.00", "20.00 (+4.00)", "22.00 (+2.00)", "22.00 (+0.00)", "16.00"],
    "at module level": ["16.00", "18.00 (+2.00)", "18.00 (+0.00)"],
  };

  it("prints the published figures of each variant", async () => {
    const { stdout } = await example("scope.py", "1.13");
    const variants = stdout.trimEnd().split(/\n(?! )/);
    expect(variants.map((variant) => variant.split("\n")[0])).toEqual(Object.keys(PUBLISHED));
    for (const variant of variants) {
      const [name = "", ...lines] = variant.split("\n");
      const figures = lines.map((line) => {
        const [, point, allocated, change] = /^ {2}(.+?) +([\d.]+) MiB \(([+-][\d.]+)\)$/.exec(line)!;
        return point === "start" || point === "after return" ? allocated! : `${allocated} (${change})`;
      });
      expect([name, figures]).toEqual([name, PUBLISHED[name]]);
    }
  });
});

describe("the other examples", () => {
  it("show what a fused kernel does not keep", async () => {
    const flash = await example("attention_flash.py", "2.6");
    const math = await run({ script: join(ROOT, "examples", "attention_flash.py"), torch: "2.6", attention: "math" });
    expect(math.status).toBe("ok");
    expect(flash.stats.peakAllocatedBytes).toBeLessThan(math.stats.peakAllocatedBytes);
    expect(flash.stdout).toMatch(/aten::_scaled_dot_product_efficient_attention .* 4\.06 Mb/);
    const half = await example("attention_flash.py", "2.6", ["--half"]);
    expect(half.stdout).toContain("aten::_scaled_dot_product_flash_attention");
  });

  it("run xformers' attention without xformers", async () => {
    expect((await example("attention_xformers.py", "2.6")).stdout).toContain("after memory_efficient_attention");
  });

  it("show what checkpoints save", async () => {
    const plain = await example("training.py", "2.6");
    const saved = await example("training.py", "2.6", ["--checkpoint"]);
    expect(saved.stats.peakAllocatedBytes).toBeLessThan(plain.stats.peakAllocatedBytes);
    // parameters and their two Adam states are there in both
    const states = plain.trace.blocks
      .filter((block) => block.category === "optimizer_state")
      .reduce((sum, block) => sum + block.bytes, 0);
    const parameters = plain.trace.blocks
      .filter((block) => block.category === "parameter" && block.freeEvent === -1)
      .reduce((sum, block) => sum + block.requestedBytes, 0);
    expect(states / parameters).toBeCloseTo(2, 1);
  });

  it("show what LoRA saves and a cache that grows costs", async () => {
    const lora = await example("lora.py", "2.6");
    const full = await example("lora.py", "2.6", ["--full"]);
    expect(lora.stdout).toContain("trained parameters: 1,966,080 of 404,668,416");
    expect(lora.stats.peakAllocatedBytes).toBeLessThan(full.stats.peakAllocatedBytes);
    const growing = await example("kv_cache.py", "2.6");
    const fixed = await example("kv_cache.py", "2.6", ["--static"]);
    expect(fixed.stats.peakReservedBytes).toBeLessThan(growing.stats.peakReservedBytes);
  });

  it("run out of memory where they should", async () => {
    const script = join(ROOT, "examples", "oom.py");
    const result = await run({ script, gpu: "t4" });
    expect(result.status).toBe("out_of_memory");
    expect(result.errorText).toContain("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.");
    expect((await run({ script, gpu: "t4", argv: ["--batch", "256"] })).status).toBe("ok");
  });
});
