/** The page's functions and the command line: the same question has the same bytes. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usedBytes } from "../../src/serving/serving.ts";
import { CONFIG_FILE, estimate, findModel, headOf, generated, type Measure } from "../../src/estimate/index.ts";
import { ROOMY_BYTES } from "../../src/estimate/estimate.ts";
import { findCapacity } from "../../src/gpus/capacity.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { estimateDocument } from "../../src/report/estimate-json.ts";
import { servingCardLines } from "../../src/report/serving-text.ts";
import { answerMarkdown } from "../../web/src/estimate/answer-markdown.ts";
import { commandArguments } from "../../web/src/estimate/command-line.ts";
import { askedOf } from "../../web/src/estimate/inputs.ts";
import { publishedModel, type PageModel } from "../../web/src/estimate/page-model.ts";
import { readQuery } from "../../web/src/estimate/query.ts";
import { servedCard, servedOn } from "../../web/src/estimate/serving.ts";
import { aboutAt, sizesOf, worthKnowing, type Point } from "../../web/src/estimate/size-fit.ts";
import { vramscope } from "../helpers.ts";

const { openEstimateRuns } = (await import(
  new URL("../../dist/python/estimate-runs.js", import.meta.url).href
)) as typeof import("../../src/python/estimate-runs.ts");

function modelOf(name: string): PageModel {
  const found = publishedModel(name);
  if ("code" in found) throw new Error(found.code);
  return found;
}

async function said(query: string): Promise<unknown> {
  const { inputs } = readQuery(query);
  const { out } = await vramscope([...commandArguments(inputs, inputs.gpus[0]!, null), "--json"]);
  return JSON.parse(out);
}

describe("page and command", () => {
  it.each([
    "model=gpt2&task=train&batch=2&seq=512&optimizer=adamw-8bit&precision=autocast-bf16&gpu=rtx-4090",
    "model=openai-community/gpt2&weights=nf4&prompt=300&batch=3&torch=2.6",
  ])("agree on %s", async (query) => {
    const { inputs } = readQuery(query);
    const model = modelOf(inputs.model);
    const { recipe, torch } = askedOf(inputs, model.config!);
    const gpu = findGpu(inputs.gpus[0]!);
    if (!gpu.ok) throw new Error("no such GPU");
    const runs = openEstimateRuns({ torch, files: { [CONFIG_FILE]: model.text! } });
    try {
      const made = await estimate(runs.run, recipe, headOf(model.config!), gpu.value);
      const document = estimateDocument({
        model: model.name,
        torch,
        estimates: [made],
        largest: [],
        changes: null,
        sweep: null,
        sheet: null,
      });
      expect(JSON.parse(JSON.stringify(document))).toEqual(await said(query));
      const text = answerMarkdown(model.name, torch, [made], "vramscope estimate", "en");
      const rows = text.split("\n").filter((line) => line.startsWith("|"));
      expect(rows.some((line) => line.startsWith(`| ${gpu.value.name} |`))).toBe(true);
      expect(rows.some((line) => line.includes("allocated at the peak"))).toBe(true);
    } finally {
      runs.close();
    }
  });

  it("agree on an engine", async () => {
    const query = "model=llama-3.1-8b&engine=vllm&quant=fp8&max-len=8k&gpu=rtx-4090";
    const { inputs } = readQuery(query);
    const card = findCapacity(inputs.gpus[0]!);
    if (!card.ok) throw new Error("no such card");
    const found = servedOn(modelOf(inputs.model), inputs, card.value);
    if (!found.ok) throw new Error(found.error.code);
    const { estimate } = found.value;
    const why = servedCard(modelOf(inputs.model), inputs, found.value);
    const shown = { ...why, text: servingCardLines(why, "en") };
    const servings = [{ gpu: card.value.id, card: shown, ...estimate, usedBytes: Math.round(usedBytes(estimate)) }];
    const document = { schemaVersion: 1, model: inputs.model, servings };
    expect(JSON.parse(JSON.stringify(document))).toEqual(await said(query));
  });
});

describe("a fit through simulated points", () => {
  const found = findModel("openai-community/gpt2");
  if (!found.ok) throw new Error("no gpt2");
  const text = JSON.stringify(found.value.config);
  let runs: ReturnType<typeof openEstimateRuns>;
  beforeAll(() => {
    runs = openEstimateRuns({ torch: "2.14", files: { [CONFIG_FILE]: text } });
  });
  afterAll(() => runs.close());

  it.each([
    ["task=train&seq=512", [1024, 2]],
    ["prompt=256&new=64&batch=2", [600, 6]],
  ])("is near the simulation at other sizes: %s", async (query, [length = 0, batch = 0]) => {
    const { inputs } = readQuery(`model=openai-community/gpt2&${query}`);
    const { recipe } = askedOf(inputs, found.value.config);
    const run: Measure = (program) => runs.run(program, "a100-80gb", ROOMY_BYTES);
    const at = async (sizes: readonly number[]): Promise<Point> => {
      const [b = 0, l = 0, third = 0] = sizes;
      const made =
        recipe.task === "train"
          ? { ...recipe, batch: b, seq: l, loraRank: third }
          : { ...recipe, batch: b, prompt: l, newTokens: third };
      const { status, digest } = await run(generated(made, headOf(found.value.config)), "a100-80gb", ROOMY_BYTES);
      expect(status).toBe("ok");
      return { sizes, digest };
    };
    const own = sizesOf(recipe);
    const points: Point[] = [];
    for (const sizes of [own, ...worthKnowing(own, recipe.task, [256, 960, 1024])]) points.push(await at(sizes));
    const wanted = [batch, length, own[2]!];
    const about = aboutAt(points, wanted)!;
    const real = (await at(wanted)).digest;
    expect(Math.abs(about.allocatedPeakBytes / real.allocatedPeakBytes - 1)).toBeLessThan(0.03);
    expect(Math.abs(about.reservedPeakBytes / real.reservedPeakBytes - 1)).toBeLessThan(0.1);
  });
});
