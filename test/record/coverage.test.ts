/**
 * Every row that makes memory runs in some program of the recorder, so that a record of a GPU says something about each: in one of the
 * recorder's own, or in the case that its evidence names, since the corpus is recorded, too.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type * as registry from "../../src/ops/registry.ts";
import { vramscope } from "../built.ts";
import { ROOT } from "../helpers.ts";
import { casesOf } from "../ops/evidence.ts";

const built = new URL("../../dist/ops/registry.js", import.meta.url).href;
const { findOp, opNames } = (await import(built)) as typeof registry;

/** Rows that no program of the recorder reaches, and why. */
const SEVERAL_RANKS = "SyncBatchNorm over several ranks; compared in test/distributed/cases/sync-batch-norm.py";
const EXCEPTIONS: Readonly<Record<string, string>> = {
  batch_norm_backward_elemt: SEVERAL_RANKS,
  batch_norm_backward_reduce: SEVERAL_RANKS,
  batch_norm_elemt: SEVERAL_RANKS,
  batch_norm_gather_stats_with_counts: SEVERAL_RANKS,
  batch_norm_stats: SEVERAL_RANKS,
};

const PROGRAMS = /^(ops-(?!sorts-)|package-|optimizers$|transformer-scaled$)/;

it("covers every leaf row", { timeout: 400_000 }, async () => {
  const folder = join(ROOT, "scripts", "record");
  const listed = JSON.parse(readFileSync(join(folder, "programs.json"), "utf8")) as {
    id: string;
    file: string;
    argv: string[];
    kind: string;
  }[];
  const seen = new Set<string>();
  for (const { id, file, argv, kind } of listed.filter(({ id: name }) => PROGRAMS.test(name))) {
    const result = await vramscope.run({
      script: join(folder, file),
      // one that has every operator
      gpu: "h100",
      argv: kind === "sections" ? ["small", "float16", ...(id === "ops-layers" ? ["float32"] : [])] : argv,
    });
    expect([id, result.errorText]).toEqual([id, null]);
    for (const op of result.trace.ops) seen.add(op);
  }
  const reached = new Map<unknown, boolean>();
  const nameOf = new Map<unknown, string>();
  for (const name of opNames()) {
    const op = findOp(name)!;
    if (op.row.composite !== undefined) continue;
    // a trace names the operator that asks for memory: for some rows that is one which PyTorch runs inside
    const { inside } = op.row;
    const names = [op.atenName, ...(typeof inside === "string" ? [`aten::${inside}`] : [])];
    const hit = names.some((name) => seen.has(name)) || casesOf([op.row]).size > 0;
    reached.set(op.row, (reached.get(op.row) ?? false) || hit);
    if (!nameOf.has(op.row)) nameOf.set(op.row, name);
  }
  const missing = [...reached].filter(([, hit]) => !hit).map(([row]) => nameOf.get(row)!);
  expect(missing.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});
