/** What libraries take beside results, held against a record of a real GPU: convolutions and recurrent layers. */

import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { ordered } from "../../scripts/record/differences.mjs";
import { type RecordedSection as Section, readRecords } from "../../scripts/record/records.mjs";

const RECORD = join(import.meta.dirname, "recorded", "h100-torch-2.11.json.br");
const PROGRAM = join(import.meta.dirname, "../../scripts/record/programs/ops_convolution.py");
const SOLVERS = join(import.meta.dirname, "../../scripts/record/programs/ops_linalg.py");
const keyOf = ({ name, dtype }: Section): string => `${name} ${dtype}`;
const events = (text = ""): string => ordered(text).join(" ");

/** Programs of sections, by name and dtype. */
async function sectionsOf(script: string): Promise<Map<string, Section>> {
  const result = await vramscope.run({ script, gpu: "h100-80gb", torch: "2.11", timeoutSeconds: 300 });
  const lines = result.stdout.split("\n").filter((text: string) => text.startsWith("section\t"));
  return new Map(
    lines.map((line: string) => {
      const section = JSON.parse(line.slice("section\t".length)) as Section;
      return [keyOf(section), section];
    }),
  );
}

describe("ops-convolution on an H100 under PyTorch 2.11", () => {
  let recorded: readonly Section[] = [];
  let predicted = new Map<string, Section>();

  beforeAll(async () => {
    recorded = readRecords(RECORD).records["ops-convolution"]!.sections;
    predicted = await sectionsOf(PROGRAM);
  }, 300_000);

  it("takes and gives back the same bytes in the same order where copies in another layout are all", () => {
    const same = recorded.filter((section) => {
      const ours = predicted.get(keyOf(section))!;
      return events(ours.forward) === events(section.forward) && events(ours.backward) === events(section.backward);
    });
    expect(same.length).toBeGreaterThanOrEqual(70);
    const names = new Set(same.map(keyOf));
    for (const name of ["depthwise 3", "depthwise 7", "residual 256", "residual 512", "latents"])
      expect(names).toContain(`conv2d ${name} bfloat16`);
  });

  it("has peaks within 2 % in nearly all", () => {
    const near = recorded.filter((section) => Math.abs(predicted.get(keyOf(section))!.peak / section.peak - 1) <= 0.02);
    expect(near.length).toBeGreaterThanOrEqual(144);
  });

  it("keeps the same for backward in recurrent layers, and takes the state of dropout once", () => {
    const layers = recorded.filter(({ name }) => /^(lstm|gru|rnn)/.test(name));
    expect(layers.length).toBe(27);
    const workspaces = (text = ""): string[] => text.match(/\+(\d+)(?= )/g) ?? [];
    let states = 0;
    for (const layer of layers) {
      const [real, ours] = [layer, predicted.get(keyOf(layer))!].map(({ forward }) => workspaces(events(forward)));
      // all but the workspace, which is taken before what is kept
      const differing = real.filter((bytes, i) => bytes !== ours[i]);
      expect([keyOf(layer), real.length, differing.length <= 1]).toEqual([keyOf(layer), ours.length, true]);
      states += ours.filter((bytes) => bytes === "+6488064").length;
    }
    expect(states).toBe(1);
    const whole = layers.filter((layer) => events(predicted.get(keyOf(layer))!.forward) === events(layer.forward));
    expect(whole.length).toBeGreaterThanOrEqual(24);
  });
});

describe("ops-linalg on an H100 under PyTorch 2.11", () => {
  it("takes and gives back the same bytes in the same order in two thirds", async () => {
    const recorded = readRecords(RECORD).records["ops-linalg"]!.sections;
    const predicted = await sectionsOf(SOLVERS);
    const same = recorded.filter((section) => {
      const ours = predicted.get(keyOf(section))!;
      return events(ours.forward) === events(section.forward) && events(ours.backward) === events(section.backward);
    });
    expect(same.length).toBeGreaterThanOrEqual(62);
    const names = new Set(same.map(({ name }) => name));
    for (const name of ["cholesky", "inv", "solve", "det", "slogdet", "lu", "cholesky_solve", "triangular", "qr"])
      expect([...names].filter((found) => found.startsWith(`${name} `)).length).toBeGreaterThanOrEqual(3);
  }, 300_000);
});
