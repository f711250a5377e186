/** The cheapest set of changes that fits: minimal, and in the order of costs; and what is taken where nobody chose. */

import { describe, expect, it } from "vitest";
import {
  cheapest,
  DEFAULT_TRAINING,
  estimate,
  fits,
  headOf,
  optionsBetween,
  settledRecipe,
  takenOptions,
  tryChanges,
  type MeasuredRun,
  type Problem,
} from "../../src/estimate/index.ts";
import { formatFits } from "../../src/serving/format-fits.ts";
import { findModel } from "../../src/models/catalogue.ts";
import { findCapacity } from "../../src/gpus/capacity.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";

const GIB = 2 ** 30;
const LLAMA = { model_type: "llama", architectures: ["LlamaForCausalLM"], max_position_embeddings: 4096 };
const found = findGpu("a100-40gb");
if (!found.ok) throw new Error("no GPU");
const gpu = found.value;

function made(bytes: number): MeasuredRun {
  const digest = {
    allocatedPeakBytes: bytes,
    allocatedHighBytes: bytes,
    reservedPeakBytes: bytes,
    marks: [],
    allocatedEndBytes: 0,
    peak: { phase: "forward" as const, op: null, line: 1 },
    components: [],
    remainderBytes: 0,
    modules: [],
    phases: [],
    elements: { parameters: 0, trained: 0 },
    assumptions: [],
    libraryHighBytes: 0,
    released: false,
  };
  return { status: "ok", error: null, digest };
}

/** A machine on which memory follows from what stands in the program. */
function problem(savings: Readonly<Record<string, number>>, wholeBytes: number): Problem & { runs: number } {
  const counted = {
    runs: 0,
    recipe: DEFAULT_TRAINING,
    head: headOf(LLAMA),
    gpu,
    measure: ({ source }: { readonly source: string }) => {
      counted.runs += 1;
      const saved = Object.entries(savings).reduce(
        (sum, [text, bytes]) => sum + (source.includes(text) ? bytes : 0),
        0,
      );
      return Promise.resolve(made(wholeBytes - saved));
    },
  };
  return counted;
}

const CHECKPOINTED = "gradient_checkpointing_enable()";
const CHUNKED = "def loss_of_part";

describe("the cheapest set", () => {
  const changesOf = async (asked: Problem) => {
    const before = await estimate(asked.measure, asked.recipe, asked.head, gpu);
    return tryChanges(asked, before);
  };

  it("has nothing without which it still fits", async () => {
    // fused and chunked save a little, which is not needed beside the two others
    const asked = problem(
      { "fused=True": GIB, [CHUNKED]: GIB, [CHECKPOINTED]: 20 * GIB, AdamW8bit: 20 * GIB },
      75 * GIB,
    );
    const { together } = await changesOf(asked);
    expect(together?.ids).toEqual(["checkpointing", "adamw_8bit"]);
    expect(fits(together!.estimate)).toBe(true);
    expect(together).toMatchObject({ price: 1, slower: true, savedBytes: 40 * GIB });
  });

  it("is one change where one is enough, the one that costs least", async () => {
    const changes = await changesOf(problem({ [CHECKPOINTED]: 20 * GIB, get_peft_model: 40 * GIB }, 55 * GIB));
    expect(changes.together).toBeNull();
    expect(cheapest(changes)?.ids).toEqual(["checkpointing"]);
  });

  it("finds what helps only together with others", async () => {
    // as a peak that moves: the loss is not the highest point before the blocks are checkpointed
    const asked = problem({}, 0);
    const measure: Problem["measure"] = ({ source }) => {
      const blocks = source.includes(CHECKPOINTED) ? 10 : 80;
      const loss = source.includes(CHUNKED) ? 10 : 60;
      return Promise.resolve(made(Math.max(blocks, loss) * GIB));
    };
    const { together } = await changesOf({ ...asked, measure });
    expect(together?.ids).toEqual(["chunked_loss", "checkpointing"]);
  });

  it("is none where nothing is enough", async () => {
    const changes = await changesOf(problem({ [CHECKPOINTED]: GIB }, 200 * GIB));
    expect(cheapest(changes)).toBeNull();
  });
});

describe("what nobody chose", () => {
  const nobody = (): boolean => false;
  it("is what recipes of that method take", () => {
    const lora = { ...DEFAULT_TRAINING, method: "qlora" };
    expect(settledRecipe(lora, LLAMA, nobody)).toMatchObject({ checkpointing: "blocks" });
    expect(settledRecipe(lora, LLAMA, (name) => name === "checkpointing")).toMatchObject({ checkpointing: "none" });
    expect(settledRecipe(DEFAULT_TRAINING, LLAMA, nobody)).toMatchObject({ checkpointing: "none" });
    const albert = { model_type: "albert", architectures: ["AlbertForMaskedLM"] };
    expect(settledRecipe(lora, albert, nobody)).toMatchObject({ checkpointing: "none" });
  });

  it("train adapters on the four bits that a checkpoint has, and leave what a person chose to train", () => {
    const packed = { ...LLAMA, quantization_config: { quant_method: "bitsandbytes", load_in_4bit: true } };
    const chose = (name: string): boolean => name === "method";
    expect(settledRecipe(DEFAULT_TRAINING, packed, nobody)).toMatchObject({ method: "qlora", checkpointing: "blocks" });
    const awq = { ...LLAMA, quantization_config: { quant_method: "awq", bits: 4 } };
    expect(settledRecipe(DEFAULT_TRAINING, awq, nobody)).toMatchObject({ method: "lora", frozen: "checkpoint" });
    const dora = { ...DEFAULT_TRAINING, method: "dora" };
    expect(settledRecipe(dora, awq, chose)).toMatchObject({ method: "dora", frozen: "plain" });
    for (const [method, taken] of [
      ["lora", "qlora"],
      ["dora", "qdora"],
      ["full", "full"],
    ] as const)
      expect(settledRecipe({ ...DEFAULT_TRAINING, method }, packed, chose)).toMatchObject({ method: taken });
  });

  it("is named as one would type it", () => {
    const settled = settledRecipe({ ...DEFAULT_TRAINING, method: "lora" }, LLAMA, nobody);
    expect(takenOptions(settled, LLAMA, (name) => name === "batch").join(" ")).toBe(
      "--seq 2048 --precision bf16 --optimizer adamw --checkpointing blocks --attention sdpa --lora-rank 16",
    );
  });

  it("leads from one recipe to another by options", () => {
    const after = { ...DEFAULT_TRAINING, loss: "chunked" as const, loraRank: 8 };
    expect(optionsBetween(DEFAULT_TRAINING, after)).toEqual(["--loss chunked", "--lora-rank 8"]);
  });
});

describe("weight formats on a card", () => {
  it("are all that the engine reads, and longer contexts fit beside smaller weights", () => {
    const model = findModel("llama-3.1-8b");
    const card = findCapacity("rtx-3060-12gb");
    if (!model.ok || !card.ok) throw new Error("not in the catalogue");
    const { totalBytes, contextBytes } = card.value;
    const options = { totalBytes, contextBytes, contextLength: 32_768 };
    const { rows } = formatFits("llama.cpp", { config: model.value.config }, options)!;
    const row = (name: string) => rows.find(({ format }) => format === name)!;
    // 8.5 bits for each of 8.03 billion values, and 6.5625, as ggml's blocks have them
    expect(Math.abs(row("Q8_0").weightBytes / ((8.03e9 * 8.5) / 8) - 1)).toBeLessThan(0.01);
    expect(Math.abs(row("Q6_K").weightBytes / ((8.03e9 * 6.5625) / 8) - 1)).toBeLessThan(0.01);
    for (const { usedBytes, fits: fitting, longest } of rows) {
      expect(fitting).toBe(usedBytes <= totalBytes);
      if (fitting) expect(longest).toBeGreaterThanOrEqual(32_768);
      else expect(longest ?? 0).toBeLessThan(32_768);
    }
  });
});
