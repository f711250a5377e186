/** Tables that are looked up by foreign names never answer with what every object inherits. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { table } from "../../src/base/table.ts";
import { parseSize } from "../../src/base/parse-size.ts";
import { ROOT } from "../helpers.ts";
import { cli } from "../cli/harness.ts";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];

it("has what was put in and nothing else", () => {
  const units = table<number>({ kib: 1024 });
  expect(units["kib"]).toBe(1024);
  for (const name of INHERITED) expect(units[name]).toBeUndefined();
});

it("is how every table by name is made", () => {
  const folders = ["src", "web/src"].map((folder) => join(ROOT, folder));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/^(ops|tensor)[\\/]/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(300);
  const plain = files.filter((file) =>
    /^(export )?const \w+: (Readonly<)?Record<string, [^\n]*= \{/m.test(readFileSync(file, "utf8")),
  );
  expect(plain).toEqual([]);
});

it("makes no figures of inherited names", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-test-"));
  const config = {
    model_type: "llama",
    architectures: ["LlamaForCausalLM"],
    hidden_size: 256,
    intermediate_size: 512,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    vocab_size: 320,
  };
  const estimate = async (extra: object): Promise<string> => {
    const path = join(folder, "config.json");
    writeFileSync(path, JSON.stringify({ ...config, ...extra }));
    const { code, out, err } = await cli(["estimate", path, "--engine", "vllm", "--gpu", "t4"]);
    expect(code).toBeLessThan(4);
    return out + err;
  };
  for (const name of INHERITED) {
    for (const extra of [
      { torch_dtype: name },
      { dtype: name },
      { rope_scaling: { rope_type: name, factor: 2 } },
      { quantization_config: { quant_method: name } },
      { layer_types: [name, name] },
      { hidden_act: name },
      { kv_cache_dtype: name },
    ]) {
      expect(await estimate(extra)).not.toMatch(/NaN|undefined|\[object|function/);
    }
    expect(await estimate({ model_type: name })).not.toMatch(/NaN|undefined|\[object|function/);
    expect(parseSize(`1 ${name}`)).toBeNull();
  }
});
