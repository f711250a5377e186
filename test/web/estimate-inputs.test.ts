/** What is entered on the Estimate page: address, options, command line, controls, the list of models. */

import { describe, expect, it } from "vitest";
import { optionsOf, parseCommandArgs } from "../../src/cli/parse.ts";
import { estimateCommand } from "../../src/cli/estimate.ts";
import { estimateSettings } from "../../src/cli/estimate-options.ts";
import { DEFAULT_TRAINING, findModel, METHODS, OPTIMIZERS } from "../../src/estimate/index.ts";
import type { ModelConfig } from "../../src/formats/model-config.ts";
import { choicesEn } from "../../web/src/estimate/choices-en.ts";
import { choicesZh } from "../../web/src/estimate/choices-zh-CN.ts";
import { commandArguments, shellLine } from "../../web/src/estimate/command-line.ts";
import { controlsOf, countOf, nearestStop } from "../../web/src/estimate/controls.ts";
import { askedOf, FIRST_INPUTS, inputsOfRecipe, withOption, type Inputs } from "../../web/src/estimate/inputs.ts";
import { families, familyOf, parameterText, searched } from "../../web/src/estimate/model-list.ts";
import { pack, unpack } from "../../web/src/state/packed-text.ts";
import { readQuery, writeQuery } from "../../web/src/estimate/query.ts";

const configOf = (name: string): ModelConfig => {
  const found = findModel(name);
  if (!found.ok) throw new Error(name);
  return found.value.config;
};
const LLAMA = configOf("llama-3.1-8b");

const LORA =
  "model=meta-llama/Llama-3.1-8B-Instruct&task=train&batch=4&method=lora&lora-rank=64&gpu=h100-80gb,rtx-4090";

describe("the address", () => {
  it.each([
    ["", "model=meta-llama/Llama-3.1-8B-Instruct&gpu=a100-80gb"],
    ["model=llama-3.1-8b&gpu=4090", "model=meta-llama/Llama-3.1-8B-Instruct&gpu=rtx-4090"],
    [LORA, LORA],
    [
      "model=llama-3.2-1b&task=dpo&reference=none&seq=4096&prompt=9&teacher=gpt2",
      "model=meta-llama/Llama-3.2-1B&task=dpo&seq=4096&reference=none&gpu=a100-80gb",
    ],
    [
      "model=sdxl&size=768x768&frames=9&on-card=part&seq=9&gpu=4090",
      "model=stabilityai/stable-diffusion-xl-base-1.0&size=768x768&on-card=part&gpu=rtx-4090",
    ],
    [
      "model=qwen2.5-7b&engine=vllm&quant=fp8&eager&gpu=h100",
      "model=Qwen/Qwen2.5-7B&engine=vllm&quant=fp8&eager&gpu=h100-80gb",
    ],
    // what is of another task, unknown or no value of its option is left out
    ["method=lora&nonsense=1&cache=odd&gpu=nothing", "model=meta-llama/Llama-3.1-8B-Instruct&gpu=a100-80gb"],
    [
      "task=train&method=full&lora-rank=8",
      "model=meta-llama/Llama-3.1-8B-Instruct&task=train&method=full&gpu=a100-80gb",
    ],
  ])("%s means %s", (typed, meant) => {
    const { inputs, packed } = readQuery(typed);
    expect(packed).toBeNull();
    expect(writeQuery(inputs, null)).toBe(meant);
    expect(readQuery(meant).inputs.gpus).toEqual(inputs.gpus);
    expect(writeQuery(readQuery(meant).inputs, null)).toBe(meant);
  });

  it("holds a given configuration, deflated", async () => {
    const text = JSON.stringify({ ...LLAMA, note: "模型" });
    const packed = (await pack(text))!;
    expect(packed).toMatch(/^[\w-]+$/);
    const read = readQuery(writeQuery({ ...FIRST_INPUTS, model: "config.json", configText: text }, packed));
    expect([read.inputs.model, read.packed]).toEqual(["config.json", packed]);
    expect(await unpack(packed)).toBe(text);
    expect(await unpack(packed.slice(0, -7))).toBeNull();
    expect(await unpack("%%%")).toBeNull();
  });
});

describe("the command line", () => {
  it.each([
    ["", "vramscope estimate meta-llama/Llama-3.1-8B-Instruct"],
    [
      LORA,
      "vramscope estimate meta-llama/Llama-3.1-8B-Instruct --batch 4 --method lora --lora-rank 64 --gpu h100-80gb",
    ],
    ["task=train", "vramscope estimate meta-llama/Llama-3.1-8B-Instruct --task train"],
    ["task=grpo&new=64&seq=9", "vramscope estimate meta-llama/Llama-3.1-8B-Instruct --task grpo --new 64"],
    ["model=flux.1-dev&batch=2", "vramscope estimate black-forest-labs/FLUX.1-dev --batch 2"],
    [
      "model=llama-4-scout (text)&weights=nf4",
      "vramscope estimate 'meta-llama/Llama-4-Scout-17B-16E (text)' --weights nf4",
    ],
    [
      "engine=llama.cpp&quant=Q4_K_M&no-flash&gpu=l4",
      "vramscope estimate meta-llama/Llama-3.1-8B-Instruct --engine llama.cpp --quant Q4_K_M --no-flash --gpu l4",
    ],
  ])("of %s", (query, line) => {
    const { inputs } = readQuery(query);
    expect(shellLine(commandArguments(inputs, inputs.gpus[0]!, null))).toBe(line);
  });

  it("asks what the page asks", () => {
    const { inputs } = readQuery(
      `${LORA}&optimizer=adamw-8bit&seq=1024&lora-targets=q_proj,v_proj&checkpointing=blocks`,
    );
    const [, ...args] = commandArguments(inputs, "h100-80gb", null);
    const settings = estimateSettings(parseCommandArgs(estimateCommand, args));
    const asked = askedOf(inputs, LLAMA);
    expect(settings.recipe).toEqual(asked.recipe);
    expect(settings.gpus.map(({ id }) => id)).toEqual(["h100-80gb"]);
    expect(asked.recipe).toEqual({
      ...DEFAULT_TRAINING,
      method: "lora",
      batch: 4,
      seq: 1024,
      loraRank: 64,
      loraTargets: ["q_proj", "v_proj"],
      optimizer: "adamw-8bit",
      checkpointing: "blocks",
    });
  });

  it("shortens default lengths to the model's positions, and no others", () => {
    const config = { ...LLAMA, max_position_embeddings: 1024 };
    const training = withOption(FIRST_INPUTS, "task", "train");
    expect(askedOf(training, config).recipe).toMatchObject({ seq: 1024 });
    expect(askedOf(withOption(training, "seq", "2048"), config).recipe).toMatchObject({ seq: 2048 });
  });
});

describe("controls", () => {
  const names = (inputs: Inputs): readonly string[] => controlsOf(inputs, null).map(({ name }) => name);
  const training = withOption(FIRST_INPUTS, "task", "train");

  it("are those of the task", () => {
    expect(names(FIRST_INPUTS)).toEqual(
      expect.arrayContaining(["batch", "prompt", "new", "weights", "cache", "torch"]),
    );
    expect(names(FIRST_INPUTS)).not.toContain("optimizer");
    expect(names(training)).toEqual(expect.arrayContaining(["batch", "seq", "optimizer", "precision"]));
    expect(names(training)).not.toContain("lora-rank");
    expect(names(withOption(training, "method", "qlora"))).toContain("lora-rank");
    expect(names(withOption(FIRST_INPUTS, "engine", "vllm"))).not.toContain("gpu-layers");
    expect(names(withOption(FIRST_INPUTS, "engine", "llama.cpp"))).toContain("gpu-layers");
  });

  it("offer every row of a table", () => {
    const optimizer = controlsOf(training, null).find(({ name }) => name === "optimizer")!;
    expect(optimizer.choices).toEqual(OPTIMIZERS.map(({ id }) => id));
  });

  it("end where the model's positions do", () => {
    const { stops } = controlsOf(training, 8192).find(({ name }) => name === "seq")!;
    expect(stops.at(-1)).toBe(8192);
    expect(stops.every((stop) => stop <= 8192)).toBe(true);
    expect(stops[nearestStop(stops, 3000)]).toBe(3072);
  });

  it("read sizes as the command line does", () => {
    expect(["8", "4k", " 2K ", "1M", "0", "1.5", "-1", "abc", "9999999999"].map(countOf)).toEqual([
      8,
      4096,
      2048,
      1 << 20,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it("have names for their rows in both languages", () => {
    expect(Object.keys(choicesZh).toSorted()).toEqual(Object.keys(choicesEn).toSorted());
    const tables = new Map(optionsOf(estimateCommand).map(({ name, choices }) => [name, choices ?? []] as const));
    const strangers = Object.keys(choicesEn).filter((key) => {
      const [option = "", id = ""] = key.split(":");
      return tables.get(option)?.includes(id) !== true;
    });
    expect(strangers).toEqual([]);
    expect(METHODS.filter(({ id }) => choicesEn[`method:${id}`] === undefined)).toEqual([]);
  });
});

describe("a change that was tried", () => {
  it("leads to inputs that ask for its recipe", () => {
    const { inputs } = readQuery(LORA);
    const { recipe } = askedOf(inputs, LLAMA);
    if (recipe.task !== "train") throw new Error("not training");
    const changed = { ...recipe, batch: 1, accumulate: 4, method: "qlora", precision: "bf16-autocast" };
    expect(askedOf(inputsOfRecipe(inputs, changed), LLAMA).recipe).toEqual(changed);
    const back = inputsOfRecipe(inputsOfRecipe(inputs, changed), recipe);
    expect(askedOf(back, LLAMA).recipe).toEqual(recipe);
  });
});

describe("the list of models", () => {
  it("is grouped by family, the smallest first", () => {
    const llama = families().find(({ name }) => name === "Llama")!;
    expect(llama.models.map(({ name }) => name)).toContain("meta-llama/Meta-Llama-3-8B");
    const sizes = llama.models.map(({ parameters }) => parameters);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(familyOf({ name: "openai-community/gpt2-large" })).toBe("gpt");
  });

  it("is filtered by words in any order", () => {
    const found = searched(families(), "7b qwen").flatMap(({ models }) => models.map(({ name }) => name));
    expect(found).toContain("Qwen/Qwen2.5-7B");
    expect(found.every((name) => /qwen/i.test(name))).toBe(true);
    expect(found).not.toContain("Qwen/Qwen3-1.7B");
    expect(searched(families(), "no such model")).toEqual([]);
    expect(searched(families(), " ")).toBe(families());
  });

  it("says parameters as names do", () => {
    expect([8_030_261_248, 124_439_808, 671_026_404_352, 7_391_290].map(parameterText)).toEqual([
      "8.03B",
      "124M",
      "671B",
      "7.39M",
    ]);
  });
});
