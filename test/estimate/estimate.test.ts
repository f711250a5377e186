/** Estimates: programs of recipes, the chain, the largest size, changes and ranges, with runs that are made up and runs that are not. */

import { describe, expect, it } from "vitest";
import {
  DEFAULT_INFERENCE,
  DEFAULT_TRAINING,
  fits,
  headOf,
  largest,
  generated,
  programOf,
  rangeOf,
  refusalOf,
  sweep,
  tryChanges,
  withSize,
  type MeasuredRun,
  type Problem,
} from "../../src/estimate/index.ts";
import { estimate } from "../../src/estimate/estimate.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import type { GeneratedProgram } from "../../src/python/estimate-orders.ts";
import { moduleGroup } from "../../src/trace/digest.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const LLAMA = { model_type: "llama", architectures: ["LlamaForCausalLM"], max_position_embeddings: 4096 };
const found = findGpu("a100-40gb");
if (!found.ok) throw new Error("no GPU");
const gpu = found.value;

const made = (bytes: number): MeasuredRun => ({
  status: "ok",
  error: null,
  digest: {
    allocatedPeakBytes: bytes,
    allocatedHighBytes: bytes,
    reservedPeakBytes: bytes,
    marks: [],
    allocatedEndBytes: 0,
    peak: { phase: "forward", op: null, line: 1 },
    components: [{ category: "parameter", bytes }],
    remainderBytes: 0,
    modules: [],
    phases: [],
    elements: { parameters: 0, trained: 0 },
    assumptions: [],
    libraryHighBytes: 0,
    released: false,
  },
});

/** A machine on which a program's memory follows from the numbers at its head. */
function problem(
  bytesOf: (batch: number, length: number) => number,
  recipe = DEFAULT_TRAINING,
): Problem & { runs: number } {
  const counted = {
    runs: 0,
    recipe,
    head: headOf(LLAMA),
    gpu,
    measure: async ({ source }: GeneratedProgram, _: string, totalBytes: number | null) => {
      counted.runs++;
      const number = (name: string): number => Number(new RegExp(`^${name} = (\\d+)$`, "m").exec(source)![1]);
      const bytes = bytesOf(number("batch"), number("length"));
      const room = totalBytes ?? gpu.totalBytes - gpu.context.expectedBytes;
      return bytes > room ? { ...made(room), status: "out_of_memory" } : made(bytes);
    },
  };
  return counted;
}

describe("programs", () => {
  it("say what their recipe says", () => {
    const text = programOf(
      { ...DEFAULT_TRAINING, method: "qlora", checkpointing: "blocks", optimizer: "adamw-8bit" },
      headOf(LLAMA),
    );
    for (const words of [
      "BitsAndBytesConfig(load_in_4bit=True",
      "prepare_model_for_kbit_training",
      "LoraConfig(r=16",
      "bnb.optim.AdamW8bit",
    ]) {
      expect(text).toContain(words);
    }
  });

  it("leave out tokens of a long generation only, and not in what is printed", () => {
    const head = headOf(LLAMA);
    expect(generated({ ...DEFAULT_INFERENCE, newTokens: 8 }, head).leftOut).toBeNull();
    const { source, leftOut } = generated(DEFAULT_INFERENCE, head);
    expect(source).toContain("new_tokens = 256\n");
    expect(leftOut?.steps).toBe(251);
    expect(leftOut?.last).toContain("prompt = 2302\nnew_tokens = 2\n");
  });

  it("take models without a head for what gives vectors of texts", () => {
    const head = headOf({ architectures: ["BertModel"], model_type: "bert" });
    expect([head.auto, head.generates]).toEqual(["AutoModel", false]);
    expect(programOf(DEFAULT_INFERENCE, head)).toContain("output = model(input_ids=");
    expect(programOf(DEFAULT_TRAINING, head)).toContain("loss = loss_of(input_ids=input_ids)");
    expect(() => programOf({ ...DEFAULT_TRAINING, loss: "chunked" }, head)).toThrow("option_needs_logits");
    expect(headOf({ architectures: ["CLIPModel"], text_config: {} }).loss).toBeNull();
  });

  it("ask for an attention only where it is not the one that transformers takes by itself", () => {
    const head = headOf(LLAMA);
    expect(programOf(DEFAULT_INFERENCE, head)).not.toContain("attn_implementation");
    expect(programOf({ ...DEFAULT_INFERENCE, attention: "eager" }, head)).toContain('attn_implementation="eager"');
  });

  it("find the head that a configuration names", () => {
    expect(headOf({ architectures: ["BertForMaskedLM"] }).auto).toBe("AutoModelForMaskedLM");
    expect(headOf({ architectures: ["ViTForImageClassification"], image_size: 224 }).hasLength).toBe(false);
  });
});

describe("the chain", () => {
  it("ends at the card: what fits, what context decides, what does not", async () => {
    const at = async (bytes: number) =>
      (await estimate(problem(() => bytes).measure, DEFAULT_TRAINING, headOf(LLAMA), gpu)).fit;
    const { totalBytes, context } = gpu;
    expect(await at(totalBytes - context.highBytes - MIB)).toBe("fits");
    expect(await at(totalBytes - context.highBytes + MIB)).toBe("tight");
    expect(await at(totalBytes - context.lowBytes + MIB)).toBe("does_not_fit");
  });

  it("says fits of a full card only where the upper end of what lies outside is left, too", async () => {
    const { totalBytes, context } = gpu;
    const whole = totalBytes - context.expectedBytes;
    // reserves more than there is where nothing is given back, and ends in `least` bytes where something is
    const verdict = async (least: number) => {
      const measure: Problem["measure"] = async (_program, _gpu, asked) => {
        if (asked === 2 ** 50)
          return { ...made(whole), digest: { ...made(least).digest, reservedPeakBytes: whole + MIB } };
        const room = (asked ?? totalBytes) - context.expectedBytes;
        return least > room ? { ...made(room), status: "out_of_memory" } : made(least);
      };
      return (await estimate(measure, DEFAULT_TRAINING, headOf(LLAMA), gpu)).fit;
    };
    expect(await verdict(totalBytes - context.highBytes)).toBe("released");
    expect(await verdict(totalBytes - context.highBytes + MIB)).toBe("tight");
    expect(await verdict(whole + MIB)).toBe("does_not_fit");
  });
});

describe("the largest size", () => {
  it.each([
    ["linear", (batch: number) => 3 * GIB + batch * 700 * MIB],
    ["quadratic", (batch: number) => GIB + batch * batch * 5 * MIB],
    ["with a bend", (batch: number) => Math.max(20 * GIB, batch * 300 * MIB)],
  ])("%s memory: fits, and one more does not", async (_, bytesOf) => {
    const asked = problem(bytesOf);
    const answer = await largest(asked, "batch", null);
    const room = gpu.totalBytes - gpu.context.lowBytes;
    expect(bytesOf(answer.value)).toBeLessThanOrEqual(room);
    expect(answer.nextValue).toBe(answer.value + 1);
    expect(answer.next === null ? true : fits(answer.next)).toBe(false);
    expect(asked.runs).toBeLessThan(25);
  });

  it("is none where one is too much, and the limit where all fit", async () => {
    expect(
      (
        await largest(
          problem(() => 90 * GIB),
          "batch",
          null,
        )
      ).value,
    ).toBe(0);
    expect(
      (
        await largest(
          problem(() => GIB),
          "seq",
          4096,
        )
      ).value,
    ).toBe(4096);
  });
});

describe("a range", () => {
  it("doubles, or has as many points as asked", () => {
    expect(rangeOf(1024, 8192, null)).toEqual([1024, 2048, 4096, 8192]);
    expect(rangeOf(1000, 2000, 3)).toEqual([1000, 1500, 2000]);
  });

  it("is run where it bends and straight between", async () => {
    const asked = problem((_, length) => Math.max(4 * GIB, length * MIB));
    const values = rangeOf(512, 16384, 50);
    const { points, runs, errorShare } = await sweep(asked, "seq", values, 12);
    expect(points.map(({ value }) => value)).toEqual(values);
    expect(runs).toBeLessThanOrEqual(12);
    for (const { value, allocatedBytes } of points) {
      const share = Math.abs(allocatedBytes / Math.max(4 * GIB, value * MIB) - 1);
      expect(share).toBeLessThan(0.06);
    }
    expect(errorShare).toBeLessThan(0.1);
  });
});

describe("changes", () => {
  it("are simulated, and those that fit come first", async () => {
    const asked = problem((batch, length) => (batch * length * 48 * GIB) / 2048);
    const before = await estimate(asked.measure, asked.recipe, asked.head, gpu);
    const { single } = await tryChanges(asked, before);
    expect(single.map(({ ids }) => ids)).toEqual([["half_length"]]);
    expect(fits(single[0]!.estimate)).toBe(true);
  });
});

describe("sizes", () => {
  it("of a context are prompt and answer", () => {
    expect(withSize(DEFAULT_INFERENCE, "context", 4096)).toMatchObject({ prompt: 3840, newTokens: 256 });
  });
});

describe("bad configurations", () => {
  it.each([
    [{}, "model_no_type"],
    [{ model_type: 5 }, "config_bad_field"],
    [{ model_type: "llama", num_hidden_layers: 16000 }, "config_bad_field"],
  ])("%j is refused before anything runs", (config, code) => {
    expect(refusalOf(config, "config.json")?.code).toBe(code);
  });
});

describe("groups of modules", () => {
  it("leave out which layer it is", () => {
    expect(moduleGroup("Llama.model.layers.3.self_attn.q_proj")).toBe("Llama.model.layers.*.self_attn");
    expect(moduleGroup("Llama.lm_head")).toBe("Llama.lm_head");
  });
});
