/** `vramscope estimate` as a command: what it refuses, and one answer from beginning to end. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith, vramscope } from "../helpers.ts";
import { cli } from "./harness.ts";

const LLAMA = { model_type: "llama", hidden_size: 4096, num_hidden_layers: 32, num_attention_heads: 32 };

describe("estimate refuses", () => {
  it.each([
    ["broken JSON", '{"model_type": "llama",', "is not JSON"],
    ["a list", "[1]", "is not JSON"],
    ["a negative size", JSON.stringify({ ...LLAMA, hidden_size: -5 }), "'hidden_size' is -5"],
    ["half a layer", JSON.stringify({ ...LLAMA, num_hidden_layers: 1.5 }), "'num_hidden_layers' is 1.5"],
    ["more layers than any model has", JSON.stringify({ ...LLAMA, num_hidden_layers: 16000 }), "is 16000"],
    ["a config without a type", JSON.stringify({ hidden_size: 64 }), "no model_type"],
  ])("%s in one line, with status 3", async (_, text, words) => {
    const path = join(folderWith({ "config.json": text }), "config.json");
    const { code, out, err } = await cli(["estimate", path]);
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain(words);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  it("a name that nobody knows", async () => {
    const { code, err } = await cli(["estimate", "llama-3.1-9b"]);
    expect(code).toBe(3);
    expect(err).toContain("Llama-3.1");
  });

  it.each([
    [["--batch", "0"], "--batch"],
    [["--seq", "1.5"], "--seq"],
    [["--sweep", "seq=9..1"], "--sweep"],
    [["--task", "infer", "--optimizer", "sgd"], "--optimizer"],
    [["--gpu", "all", "--fit"], "--gpu all"],
    [["--task", "infer", "--max", "seq"], "seq"],
  ])("%j as wrong usage", async (args, words) => {
    const { code, err } = await cli(["estimate", "gpt2", ...args]);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

describe("estimate answers", () => {
  it("with a chain that adds up, from a config alone", async () => {
    const folder = folderWith({
      "config.json": JSON.stringify({ ...LLAMA, vocab_size: 128256, intermediate_size: 14336, num_key_value_heads: 8 }),
    });
    const { code, out } = await vramscope([
      "estimate",
      folder,
      "--task",
      "train",
      "--gpu",
      "b200",
      "--json",
      "--explain",
    ]);
    expect(code).toBe(0);
    const { estimates, textbook } = JSON.parse(out) as {
      estimates: {
        card: unknown;
        chain: { parts: { id: string; bytes: number }[]; allocated: { bytes: number } };
        parameters: { parameters: number };
      }[];
      textbook: { id: string; bytes: number; simulatedBytes: number }[];
    };
    const { chain, parameters } = estimates[0]!;
    const largest = chain.parts.toSorted((a, b) => b.bytes - a.bytes)[0]!;
    const ofBytes = chain.allocated.bytes;
    expect(estimates[0]!.card).toEqual({ cause: { part: largest.id, bytes: largest.bytes, ofBytes } });
    // Llama-3.1-8B, as transformers counts it
    expect(parameters.parameters).toBe(8_030_261_248);
    expect(chain.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(chain.allocated.bytes);
    const weights = textbook.find(({ id }) => id === "weights")!;
    expect(weights.bytes).toBe(2 * 8_030_261_248);
    expect(Math.abs(weights.simulatedBytes / weights.bytes - 1)).toBeLessThan(0.003);
  });

  it("with why beside the verdict, and with where help is while none is measured", async () => {
    const { code, out } = await vramscope(["estimate", "gpt2", "--task", "train", "--gpu", "t4@1GiB"]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^ {2}does not fit {2}.*\n {2}why +\S.*: \S+ [GM]iB of \S+ GiB, \d+%\n {2}helps +--fit measures/m,
    );
    const roomy = await vramscope(["estimate", "gpt2", "--task", "train", "--gpu", "t4"]);
    expect([roomy.code, roomy.out.includes("helps"), /^ {2}why {3}/m.test(roomy.out)]).toEqual([0, false, true]);
  });

  it("with a program that can be read", async () => {
    const { code, out } = await cli(["estimate", "gpt2", "--method", "lora", "--show-program"]);
    expect(code).toBe(0);
    expect(out).toContain("get_peft_model(model, LoraConfig(r=16");
  });
});
