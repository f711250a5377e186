/** Weights alone of families that engines do not serve: their own program counts them. */

import { expect, it } from "vitest";
import { findModel } from "../../src/models/catalogue.ts";
import { folderWith, vramscope } from "../helpers.ts";

it("counts the parameters of an encoder's configuration, as they are published", async () => {
  const model = findModel("bert-base-uncased");
  if (!model.ok) throw new Error("BERT is published");
  const folder = folderWith({ "config.json": JSON.stringify(model.value.config) });
  const { code, out } = await vramscope(["estimate", folder, "--weights-only"]);
  expect([code, out]).toEqual([0, `${folder}: 208.88 MiB of weights as bf16, 109,514,298 parameters\n`]);
});

it("says so where nobody knows the type", async () => {
  const folder = folderWith({ "config.json": '{"model_type": "nonesuch", "hidden_size": 3}' });
  const { code, err } = await vramscope(["estimate", folder, "--weights-only"]);
  expect([code, err.split("\n").length]).toEqual([2, 2]);
  expect(err).toContain("nonesuch");
});
