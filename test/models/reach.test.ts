/** How many of the names that people use are known, by kind: models of the catalogue and pipelines. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueModels, findModel } from "../../src/models/catalogue.ts";
import { longestSequence, modelTypeOf } from "../../src/models/heads.ts";
import { findPipeline } from "../../src/models/pipelines.ts";

const LINES = readFileSync(new URL("used-today.txt", import.meta.url), "utf8").split("\n");
const KINDS = new Map<string, string[]>();
let kind = "";
for (const line of LINES)
  if (line.startsWith("# ")) kind = line.slice(2);
  else if (line !== "") KINDS.set(kind, [...(KINDS.get(kind) ?? []), line]);

/** Share of each kind that is known at least, in percent; a new row raises it. */
const KNOWN: Readonly<Record<string, number>> = {
  text: 90,
  encoders: 88,
  "embeddings, rerankers": 85,
  vision: 82,
  vlm: 79,
  audio: 63,
  diffusion: 33,
  "time series and others": 50,
};

describe("names that people use", () => {
  it("are of every kind", () => {
    expect([...KINDS.keys()]).toEqual(Object.keys(KNOWN));
    expect([...KINDS.values()].flat().length).toBeGreaterThan(800);
  });

  it.each([...KINDS])("%s are known", (name, ids) => {
    const unknown = ids.filter((id) => !findModel(id).ok && findPipeline(id) === null);
    const share = Math.round(100 * (1 - unknown.length / ids.length));
    expect(share, unknown.join(" ")).toBeGreaterThanOrEqual(KNOWN[name]!);
  });

  it("of BERT's kind say how long their texts may be, so that none longer is asked for", () => {
    const silent = catalogueModels().filter(
      ({ config }) => ["bert", "roberta"].includes(modelTypeOf(config) ?? "") && longestSequence(config) === null,
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
