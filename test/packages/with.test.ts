/** `estimate --with`: the release of the environment where it fits, else one that is fetched once. Weights that are loaded stop it before Python. */

import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { DEFAULT_INFERENCE, headOf, programOf } from "../../src/estimate/index.ts";
import { cli, type Outcome } from "../cli/harness.ts";
import { serveIndex, type Index } from "./index.ts";

const open: Index[] = [];
afterEach(async () => {
  for (const index of open.splice(0)) await index.close();
});

async function setUp() {
  const index = await serveIndex(
    ["4.38.0", "4.44.0"].map((version) => ({ name: "transformers", version })),
    "json",
  );
  open.push(index);
  const cache = mkdtempSync(join(tmpdir(), "vramscope-with-"));
  const env = { VRAMSCOPE_CACHE: cache, PIP_INDEX_URL: index.url };
  const estimate = (...words: string[]): Promise<Outcome> =>
    cli(["estimate", "llama-2-7b", "--weights", "nf4", ...words], { env, cwd: cache });
  return { index, cache, estimate };
}

it("fetches a release once", async () => {
  const { index, estimate } = await setUp();
  const { code, err } = await estimate("--with", "transformers==4.38");
  expect([code, err]).toEqual([3, expect.stringContaining("transformers (4.38.0)")]);
  const asked = index.asked.length;
  expect((await estimate("--with", "transformers == 4.38")).err).toContain("(4.38.0)");
  expect(index.asked.length).toBe(asked);
  expect((await estimate("--with", "transformers<4.40,>4.38.0")).err).toContain("no version of transformers");
});

it("takes what is installed where it fits", async () => {
  const { index, cache, estimate } = await setUp();
  const site = join(cache, "site");
  mkdirSync(join(site, "transformers-4.44.0.dist-info"), { recursive: true });
  expect((await estimate("--with", "transformers==4.44.*", "--site-packages", site)).err).toContain("(4.44.0)");
  expect(index.asked.length).toBe(0);
  expect((await estimate("--with", "transformers==4.38", "--site-packages", site)).err).toContain("(4.38.0)");
});

it("refuses what is no requirement, and engines, which run no transformers", async () => {
  const { estimate } = await setUp();
  for (const words of [
    ["--with", "transformers=>4"],
    ["--with", "transformers==4.38", "--engine", "vllm", "--quant", "nf4"],
  ])
    expect((await estimate(...words)).code).toBe(2);
});

it("spells what older releases call otherwise", () => {
  const config = { model_type: "llama", architectures: ["LlamaForCausalLM"] };
  const program = (installed?: string): string =>
    programOf({ ...DEFAULT_INFERENCE, ...(installed === undefined ? {} : { installed }) }, headOf(config));
  expect(program("4.55.4")).toContain("from_config(config, torch_dtype=torch.bfloat16)");
  for (const newer of ["4.56.0", "5.24.0", undefined])
    expect(program(newer)).toContain("from_config(config, dtype=torch.bfloat16)");
});
