/**
 * Text generation and adapters, against transformers 5.12.1 and peft 0.21.0 under PyTorch 2.14 on a recorder's device. In the
 * recording of generate() the question whether sequences are complete was answered by counting steps.
 */

import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const at = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));

async function output(program: string, mode: string): Promise<string> {
  const result = await vramscope.run({ script: at(program), argv: [mode], torch: "2.14", kernelTemporaries: "off" });
  expect(result.errorText ?? "").toBe("");
  return result.stdout.trim();
}

describe("generate()", () => {
  it.each([
    ["greedy", "2317824\ntorch.Size([2, 43]) 10838528 11229184 25165824\n10837504"],
    ["sample", "2317824\ntorch.Size([2, 43]) 10838528 11229184 25165824\n10837504"],
    ["mask", "2318848\ntorch.Size([2, 43]) 10839552 11228672 25165824\n10838528"],
  ])("%s has the recorded bytes", async (mode, expected) => {
    expect(await output("generate.py", mode)).toBe(expected);
  });
});

describe("adapters", () => {
  it.each([
    [
      "qv",
      [
        "20480 2398720",
        "forward 13301248 14119936",
        "backward 19521536 21798912",
        "step 19603456 21798912 29360128",
        "forward 21984768 22803968",
        "backward 19685376 23007744",
        "step 19603456 23007744 29360128",
      ],
    ],
    [
      "all-drop",
      [
        "107392 2747904",
        "forward 15379968 16198656",
        "backward 20219904 23877632",
        "step 20651008 23877632 31457280",
        "forward 24761856 25581056",
        "backward 21082112 25784832",
        "step 20651008 25784832 31457280",
      ],
    ],
    [
      "all-dora",
      [
        "110800 11283968",
        "forward 17711616 19883008",
        "backward 20252672 26325504",
        "step 20700160 26325504 33554432",
        "forward 27126272 29298176",
        "backward 21147648 29298176",
        "step 20700160 29298176 35651584",
      ],
    ],
  ])("%s have the recorded bytes", async (mode, expected) => {
    expect(await output("adapters.py", mode)).toBe(expected.join("\n"));
  });
});

/** torchao 0.18.0 and PyTorch 2.14.1 as released, recorded with scripts/record/cardless. */
describe("an optimizer that is not a step on the GPU after backward", () => {
  it.each([
    [
      "states",
      [
        "forward 13378048",
        "backward 25575936 25707520",
        "step 21391872 31457280",
        "forward 21916160",
        "backward 25594368 25725952",
        "step 21391872 31457280",
        "forward 21916160",
        "backward 25594368 25725952",
        "step 21391872 31457280",
      ],
    ],
    [
      "gradients",
      [
        "forward 13378048",
        "backward 21381632 23079936",
        "step 21391872 29360128",
        "forward 21916160",
        "backward 21400064 23098368",
        "step 21391872 29360128",
        "forward 21916160",
        "backward 21400064 23098368",
        "step 21391872 29360128",
      ],
    ],
    [
      "in-backward",
      [
        "forward 13378048",
        "backward 29778432 32924672",
        "step 29778432 37748736",
        "forward 30302720",
        "backward 29778432 33317888",
        "step 29778432 37748736",
        "forward 30302720",
        "backward 29778432 33317888",
        "step 29778432 39845888",
      ],
    ],
  ])("%s has the recorded bytes", async (mode, expected) => {
    expect(await output("offload.py", mode)).toBe(expected.join("\n"));
  });
});
