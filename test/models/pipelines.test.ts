/** Pipelines of diffusers: passes against what the real diffusers held at work, parts against published counts, and the command. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimatePipeline, type PipelineRequest } from "../../src/estimate/pipeline.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { findPipeline } from "../../src/models/pipelines.ts";
import { cli } from "../cli/harness.ts";

type Recorded = readonly [string, string, "float16" | "bfloat16" | "float32", number, number, number, number, number];
// id, part, type, batch, height, width, frames, bytes beside the weights at the peak of one pass
const RECORDED = JSON.parse(readFileSync(new URL("pipelines.json", import.meta.url), "utf8")) as Recorded[];

const card = findGpu("h100");
if (!card.ok) throw new Error("no card");

function made(name: string, asked: Partial<PipelineRequest>) {
  const found = findPipeline(name)!;
  const { width, height, frames } = found.row;
  const request: PipelineRequest = { batch: 1, width, height, frames, onCard: "all", weightBytes: 2, ...asked };
  return estimatePipeline(found.row, request, card.ok ? card.value : (undefined as never));
}

describe("a pass of a pipeline's part", () => {
  it.each(RECORDED)("%s %s in %s, %i of %i x %i, %i frames", (id, part, type, batch, height, width, frames, bytes) => {
    const { phases } = made(id, { batch, height, width, frames, weightBytes: type === "float32" ? 4 : 2 });
    const phase = phases.find((one) => one.part.name === part)!;
    // a decoder that is upcast was recorded in both types
    const scale = phase.part.upcast === true && type !== "float32" ? 2 : 1;
    const off = phase.activationBytes / scale / bytes - 1;
    expect(off).toBeGreaterThan(-0.01);
    expect(off).toBeLessThan(0.05);
  });
});

describe("parts", () => {
  // of the published checkpoints
  it.each([
    ["runwayml/stable-diffusion-v1-5", "unet", 859_520_964],
    ["runwayml/stable-diffusion-v1-5", "vae", 83_653_863],
    ["sdxl", "unet", 2_567_463_684],
    ["sdxl", "text_encoder_2", 694_659_840],
    ["sd3", "transformer", 2_084_951_104],
    ["flux", "transformer", 11_901_408_320],
  ])("of %s: %s has %i parameters", (name, part, count) => {
    const { parameters, bufferValues = 0 } = findPipeline(name)!.row.parts.find((one) => one.name === part)!;
    expect(parameters + bufferValues).toBe(count);
  });

  it("are on the card together, one by one, or by layers", () => {
    const [all, part, layer] = (["all", "part", "layer"] as const).map((onCard) => made("sdxl", { onCard }));
    expect(all!.peak.residentBytes).toBeGreaterThan(part!.peak.residentBytes);
    expect(part!.peak.residentBytes).toBeGreaterThan(layer!.peak.residentBytes);
    expect(all!.peak.activationBytes).toBe(layer!.peak.activationBytes);
    // no set of measured runs says how much parts on the host save
    expect([all!.fit, part!.fit, layer!.fit]).toEqual(["fits", "tight", "tight"]);
  });

  it("are not found for what is no pipeline", () => {
    expect(findPipeline("llama-3.1-8b")).toBeNull();
    expect(findPipeline("stable-diffusion-of-mine")).toBeNull();
  });
});

describe("vramscope estimate", () => {
  const estimate = (...args: string[]) => cli(["estimate", "stabilityai/stable-diffusion-xl-base-1.0", ...args]);

  it("answers for a pipeline by its parts, and what is not modelled", async () => {
    const { code, out } = await estimate("--gpu", "rtx-4090");
    expect(code).toBe(0);
    expect(out).toContain("2,567,463,684");
    expect(out).toContain("not modelled: workspaces of convolutions");
  });

  it("gives bytes as JSON, and 1 where it does not fit", async () => {
    const { code, out } = await estimate("--gpu", "rtx-3070", "--batch", "4", "--json");
    expect(code).toBe(1);
    const [one] = (JSON.parse(out) as { pipelines: { fit: string; peak: string; neededBytes: number }[] }).pipelines;
    expect(one).toMatchObject({ fit: "does_not_fit", peak: "vae" });
    expect(one!.neededBytes).toBeGreaterThan(19e9);
  });

  it("refuses in one line what a pipeline has not", async () => {
    for (const wrong of [
      ["--prompt", "8"],
      ["--frames", "9"],
      ["--weights", "nf4"],
      ["--size", "big"],
      ["--task", "train"],
    ]) {
      const { code, err } = await estimate(...wrong);
      expect(code).toBe(2);
      expect(err.trim().split("\n")).toHaveLength(1);
    }
    expect((await cli(["estimate", "llama-3.1-8b", "--size", "64x64"])).code).toBe(2);
  });
});
