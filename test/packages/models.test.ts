/** `vramscope models` against a hub on loopback: what is fetched, what is refused, and that estimates and programs then know the model. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { cli } from "../cli/harness.ts";
import { vramscope } from "../helpers.ts";
import { COMMIT, serveHub, type Hub, type Repository } from "./hub.ts";

const open: Hub[] = [];
afterEach(async () => {
  for (const hub of open.splice(0)) await hub.close();
});

const CONFIG = {
  model_type: "qwen3",
  architectures: ["Qwen3ForCausalLM"],
  hidden_size: 256,
  num_hidden_layers: 3,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  head_dim: 32,
  intermediate_size: 512,
  vocab_size: 1000,
  torch_dtype: "bfloat16",
  tie_word_embeddings: true,
};
/** Of a model on the GPU: two of each parameter, what blocks add to norms of a head, and the frequencies of the rotation, kept twice. */
const weightsOf = (parameters: number): number => 2 * parameters + 3 * 2 * (512 - 2 * 32) + 2 * 512;
/** Embeddings, three layers (four projections, three of the feed-forward, two norms of the width and two of a head), the last norm. */
const PARAMETERS = 1000 * 256 + 3 * (2 * 256 * 256 + 2 * 256 * 128 + 3 * 256 * 512 + 2 * 256 + 2 * 32) + 256;

const TINY: Repository = {
  files: { "config.json": JSON.stringify(CONFIG), "README.md": "text", "checkpoint/1/config.json": "{}" },
  weights: { "model-00001-of-00002.safetensors": 3 * 2 ** 30, "model-00002-of-00002.safetensors": 2 ** 30 },
};

async function setUp(repositories: Readonly<Record<string, Repository>>, more: Record<string, string> = {}) {
  const hub = await serveHub(repositories);
  open.push(hub);
  const cache = mkdtempSync(join(tmpdir(), "vramscope-models-"));
  const env = { VRAMSCOPE_CACHE: cache, HF_ENDPOINT: hub.url, HF_HUB_CACHE: join(cache, "hub"), ...more };
  /** As a process, where something is simulated. */
  const built = (...words: string[]) => vramscope(words, { env, cwd: cache });
  return {
    hub,
    cache,
    built,
    kept: join(cache, "models"),
    order: (...words: string[]) => cli(words, { env, cwd: cache }),
  };
}

it("keeps what says what a model is, and fetches no weights", async () => {
  const { hub, kept, order } = await setUp({ "some/tiny": TINY });
  const { code, out } = await order("models", "add", "some/tiny");
  expect([code, out]).toEqual([
    0,
    `added some/tiny at 01234567: 1 file, ${JSON.stringify(CONFIG).length} bytes; its 4.00 GiB of weights stay where they are\n`,
  ]);
  expect(hub.asked).toEqual(["/api/models/some/tiny/revision/main", `/some/tiny/resolve/${COMMIT}/config.json`]);
  expect(readdirSync(join(kept, "models--some--tiny", "snapshots", COMMIT))).toEqual(["config.json"]);
  expect((await order("models")).out).toContain("1 model,");
  expect((await order("models", "remove", "some/tiny")).code).toBe(0);
  expect(readdirSync(kept)).toEqual([]);
});

const weightsIn = (json: string): number =>
  Number(/"id":"weights","bytes":(\d+)/.exec(json.replaceAll(/\s/g, ""))?.[1]);

it("makes the model known to estimate and to programs, with the built-in transformers", async () => {
  const { cache, order, built } = await setUp({ "some/tiny": TINY });
  const before = await order("estimate", "some/tiny");
  expect([before.code, before.err]).toEqual([3, expect.stringContaining("'vramscope models add some/tiny' fetches")]);
  writeFileSync(
    join(cache, "before.py"),
    'from transformers import AutoConfig\nAutoConfig.from_pretrained("some/tiny")\n',
  );
  expect((await built("run", "before.py")).err).toContain("'vramscope models add some/tiny' fetches");
  await order("models", "add", "some/tiny");
  const estimate = await built("estimate", "some/tiny", "--json", "--new", "1");
  expect([estimate.err, weightsIn(estimate.out)]).toEqual(["", weightsOf(PARAMETERS)]);
  writeFileSync(
    join(cache, "p.py"),
    `from transformers import AutoModelForCausalLM, AutoTokenizer
model = AutoModelForCausalLM.from_pretrained("some/tiny").cuda()
print(sum(one.numel() for one in model.parameters()), model.dtype)
print(len(AutoTokenizer.from_pretrained("some/tiny")))
`,
  );
  const { out } = await built("run", "p.py");
  expect(out).toContain(`${PARAMETERS} torch.bfloat16\n1000\n`);
  expect(out.replaceAll(/\s+/g, " ")).toContain("some/tiny: its configuration is the one that was fetched from a hub");
});

it("makes it known to commands of others that name it", async () => {
  const { order, built } = await setUp({ "some/tiny": TINY });
  const words = ["estimate", "--from-command", "megatron sft --model some/tiny --max_length 64"];
  const before = await built(...words);
  expect([before.code, before.err]).toEqual([3, expect.stringContaining("'vramscope models add some/tiny'")]);
  await order("models", "add", "some/tiny");
  const after = await built(...words);
  expect([after.code, after.out]).toEqual([0, expect.stringContaining("some/tiny on 1 × A100")]);
});

it("reads the hub's own cache, too, after the bundled configurations", async () => {
  const { cache, built } = await setUp({});
  for (const id of ["some--tiny", "openai-community--gpt2"]) {
    const at = join(cache, "hub", `models--${id}`);
    for (const [path, text] of [
      ["refs/main", COMMIT],
      [`snapshots/${COMMIT}/config.json`, JSON.stringify(CONFIG)],
    ] as const) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
  }
  const weights = async (id: string) => weightsIn((await built("estimate", id, "--json", "--new", "1")).out);
  expect(await weights("some/tiny")).toBe(weightsOf(PARAMETERS));
  // the published one has 124,439,808 parameters
  expect(await weights("openai-community/gpt2")).toBe(2 * 124_439_808);
});

it("sends a token to the hub where one is named, and says what is asked for where none is", async () => {
  const gated = { "some/gated": { ...TINY, token: "secret" } };
  const { order, kept } = await setUp(gated);
  const refused = await order("models", "add", "some/gated");
  expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/licence must be accepted.*HF_TOKEN/)]);
  expect(existsSync(kept)).toBe(false);
  const { order: named, hub } = await setUp(gated, { HF_TOKEN: "secret" });
  expect((await named("models", "add", "some/gated")).code).toBe(0);
  expect(hub.asked.every((one) => one.endsWith("Bearer secret"))).toBe(true);
});

const listOf = (...siblings: unknown[]): string => JSON.stringify({ sha: COMMIT, siblings });

it.each([
  ["no list", { ...TINY, list: "<html></html>" }, /no answer of a hub/],
  [
    "a commit that is a path",
    { ...TINY, list: JSON.stringify({ sha: "../../x", siblings: [] }) },
    /no answer of a hub/,
  ],
  [
    "only names that lead out",
    { ...TINY, list: listOf({ rfilename: "../x.json" }, { rfilename: "/etc/a.json" }) },
    /has no configuration/,
  ],
  ["nothing that says what it is", { files: { "README.md": "text" } }, /has no configuration/],
  [
    "a file larger than it says",
    { files: { "config.json": "x".repeat((32 << 20) + 1) }, list: listOf({ rfilename: "config.json", size: 3 }) },
    /is larger than 32.00 MiB; nothing was added/,
  ],
] as const)("refuses %s, and keeps nothing", async (_, repository, words) => {
  const { order, kept } = await setUp({ "some/bad": repository });
  const { code, err } = await order("models", "add", "some/bad");
  expect([code, err.trim().split("\n").length]).toEqual([2, 1]);
  expect(err).toMatch(words);
  expect(existsSync(kept)).toBe(false);
});

it.each([
  [["add", "no-owner"], 2, /'no-owner' is no id/],
  [["add", "../x"], 2, /is no id/],
  [["add"], 2, /no model is named/],
  [["fetch", "a/b"], 2, /nothing to do with models/],
  [["remove", "a/b"], 2, /a\/b was not added/],
  [["add", "no/such"], 2, /has no model no\/such/],
] as const)("%j has one clear error", async (words, status, text) => {
  const { order } = await setUp({});
  const { code, err } = await order("models", ...words);
  expect([code, err]).toEqual([status, expect.stringMatching(text)]);
});
