/** Layouts on an installed transformers: the same bytes as on the built-in one, models that this one lacks, and what to do without. */

import { beforeAll, describe, expect, it } from "vitest";
import { folderWith, vramscope } from "../helpers.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const SIZES = { hidden_size: 256, intermediate_size: 512, num_hidden_layers: 2, num_attention_heads: 4 };
const QWEN = { model_type: "qwen3", ...SIZES, num_key_value_heads: 2, head_dim: 64, vocab_size: 4000 };
/** Of a type that the built-in transformers lacks. */
const OLMO = { model_type: "olmo3", ...SIZES, num_key_value_heads: 4, vocab_size: 4000 };

const folder = folderWith({ "qwen.json": JSON.stringify(QWEN), "olmo.json": JSON.stringify(OLMO) });
const env = { VRAMSCOPE_CACHE: folderWith({}), HOME: folder };
const estimate = (...words: string[]) => vramscope(["estimate", ...words, "--seq", "256"], { cwd: folder, env });

it("names what to do for a type that is not built in, and no list of those that are", async () => {
  const { code, err } = await estimate("olmo.json", "--gpus", "2", "--zero", "2");
  expect([code, err.length < 500]).toEqual([3, true]);
  expect(err).toMatch(/no model of type 'olmo3'.*'vramscope packages add transformers'/s);
});

it("does not pass over packages that ranks of Megatron-Core have no use for", async () => {
  const { code, err } = await estimate("qwen.json", "--gpus", "2", "--framework", "megatron", "--site-packages", ".");
  expect([code, err]).toEqual([2, expect.stringContaining("--site-packages")]);
});

describe.skipIf(!hasArchives)("an installed transformers", () => {
  let site = "";
  beforeAll(() => {
    site = unpacked(["transformers", "peft", "accelerate"]);
  });

  it("gives the bytes of the built-in one, with adapters under FSDP2", async () => {
    const words = ["--framework", "torch", "--fsdp", "full", "--method", "lora"];
    const ranksOf = ({ out }: { readonly out: string }) => {
      const { ranks } = JSON.parse(out) as {
        ranks: readonly { readonly chain: unknown; readonly statesBytes: number }[];
      };
      return ranks.map(({ chain, statesBytes }) => ({ chain, statesBytes }));
    };
    const builtIn = await estimate("qwen.json", "--gpus", "2", ...words, "--json");
    const real = await estimate("qwen.json", "--gpus", "2", ...words, "--json", "--site-packages", site);
    expect(real.err).toBe("");
    expect(ranksOf(real)).toEqual(ranksOf(builtIn));
    expect(real.out).toContain('"transformers": "5.12.1"');
  });

  it("has the models that the built-in one lacks", async () => {
    const { code, out } = await estimate("olmo.json", "--gpus", "2", "--zero", "3", "--site-packages", site);
    expect(code).toBe(0);
    expect(out).toMatch(/^On the real transformers 5\.12\.1 .*olmo\.json on 2/s);
  });
});
