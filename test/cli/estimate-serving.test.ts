/** `estimate` for engines and weights alone, from the command line: files in, one clear line and a status out. */

import { writeFileSync } from "node:fs";
import { cli } from "./harness.ts";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../helpers.ts";
import { servingAnswer } from "../../src/cli/estimate-serving.ts";
import { ModelError } from "../../src/cli/model-error.ts";
import type { Io } from "../../src/cli/io.ts";
import type { Parsed } from "../../src/cli/command.ts";
import { UsageError } from "../../src/cli/usage-error.ts";
import { CONFIG_SAMPLE, GGUF_BYTES, ggufSample, safetensorsSample } from "../formats/model-file-samples.ts";

async function ask(
  cwd: string,
  model: string,
  values: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
) {
  let text = "";
  const io = {
    cwd,
    env: {},
    out: (part: string) => (text += part),
    err: () => {},
    outInfo: { isTty: false, columns: 120 },
    errInfo: { isTty: false, columns: 120 },
  } as unknown as Io;
  const parsed: Parsed = {
    flags: new Set(flags),
    values: new Map(Object.entries(values).map(([name, value]) => [name, [value]])),
    positionals: [model],
    rest: [],
  };
  try {
    const status = await servingAnswer(model, parsed, "en", io);
    return { status, text };
  } catch (error) {
    if (error instanceof ModelError || error instanceof UsageError) return { status: error.code, text: "" };
    throw error;
  }
}

describe("weights alone", () => {
  const folder = folderWith({ "config.json": CONFIG_SAMPLE });
  writeFileSync(join(folder, "a.gguf"), ggufSample());
  writeFileSync(join(folder, "a.safetensors"), safetensorsSample());
  writeFileSync(join(folder, "cut.gguf"), ggufSample().subarray(0, 200));

  it("come from headers", async () => {
    const json = JSON.parse((await ask(folder, "a.gguf", {}, ["json"])).text) as { weights: { bytes: number } };
    expect(json.weights.bytes).toBe(GGUF_BYTES);
    expect((await ask(folder, ".", {}, ["weights-only"])).text).toContain("2.27 KiB of weights");
  });

  it("of a broken file are refused in one line", async () => {
    expect((await ask(folder, "cut.gguf", {})).status).toBe("model_file_truncated");
    expect((await ask(folder, "none.gguf", {})).status).toMatch(/^unknown_model/);
  });

  it("follow the format that is asked for", async () => {
    expect((await ask(folder, "llama-3.1-8b", { quant: "Q4_K_M" })).text).toContain("4.58 GiB of weights as Q4_K_M");
  });
});

describe("an engine", () => {
  const folder = folderWith({ "config.json": CONFIG_SAMPLE });
  it("answers with parts, tokens and a status", async () => {
    const { status, text } = await ask(folder, "llama-3.1-8b", { engine: "vllm", gpu: "h100" });
    expect(status).toBe(0);
    expect(text).toMatch(/weights +14\.96 GiB/);
    expect((await ask(folder, "llama-3.1-70b", { engine: "vllm", gpu: "rtx-4090" })).status).toBe(1);
  });
  it("says why and what helps, in text and JSON, and what helps does", async () => {
    const options = { engine: "vllm", gpu: "t4", "max-len": "8k" };
    const { status, text } = await ask(folder, "llama-3.1-8b", options);
    expect(status).toBe(1);
    expect(text).toMatch(/^ {2}why +weights: 14\.96 GiB of 16\.42 GiB, 91%$/m);
    const [, format] = /^ {2}helps +weights as \S+ \(--quant (\S+)\): it fits, /m.exec(text)!;
    const json = JSON.parse((await ask(folder, "llama-3.1-8b", options, ["json"])).text) as {
      servings: [{ card: { remedy: { format: string; leftBytes: number }; text: { id: string; label: string }[] } }];
    };
    const { remedy, text: lines } = json.servings[0].card;
    expect([remedy.format, lines.map(({ id }) => id)]).toEqual([format, ["why", "help"]]);
    const helped = await ask(folder, "llama-3.1-8b", { ...options, quant: format! });
    expect(helped.status).toBe(0);
    expect(helped.text).toContain("fits");
    expect(helped.text).not.toContain("helps");
  });
  it("is helped by a shorter context where no weights are small enough", async () => {
    const options = { engine: "llama.cpp", gpu: "rtx-3060-12gb", quant: "Q4_K_M" };
    const { text } = await ask(folder, "llama-3.1-8b", { ...options, "max-len": "128k" });
    const found = /^ {2}helps +a context of \d+ tokens \(--max-len (\d+)\): it fits$/m.exec(text);
    expect(text).toContain("does not fit");
    expect((await ask(folder, "llama-3.1-8b", { ...options, "max-len": found![1]! })).status).toBe(0);
  });
  it("is helped by smaller weights with a shorter context where neither is enough", async () => {
    const options = { engine: "vllm", gpu: "t4" };
    const { text } = await ask(folder, "llama-3.1-8b", options);
    const [, quant, length] = /\(--quant (\S+)\s+--max-len\s+(\d+)\)/.exec(text)!;
    expect((await ask(folder, "llama-3.1-8b", { ...options, quant: quant! })).status).toBe(1);
    expect((await ask(folder, "llama-3.1-8b", { ...options, "max-len": length! })).status).toBe(1);
    expect((await ask(folder, "llama-3.1-8b", { ...options, quant: quant!, "max-len": length! })).status).toBe(0);
  });
  it("is computed for every card", async () => {
    const { text } = await ask(folder, "config.json", { engine: "llama.cpp", gpu: "all" });
    expect(text).toContain("Instinct MI300X");
    expect(text.split("\n").length).toBeGreaterThan(120);
  });
  it("has the table of formats for each card in JSON, as in text", async () => {
    const { out } = await cli(
      "estimate llama-3.1-8b --engine llama.cpp --max-len 32k --fit --json --gpu rtx-3060-12gb,rtx-4090".split(" "),
    );
    const { servings } = JSON.parse(out) as {
      servings: { formats: { rows: { format: string; longest: number | null }[] } }[];
    };
    const longest = servings.map(({ formats }) => formats.rows.find(({ format }) => format === "Q6_K")!.longest!);
    expect(longest[1]!).toBeGreaterThan(longest[0]!);
  });
  it("is needed by its options", async () => {
    expect((await ask(folder, "gpt2", { tp: "2" })).status).toBe("option_needs_engine");
    expect((await ask(folder, "gpt2", {})).status).toBe(null);
  });
});
