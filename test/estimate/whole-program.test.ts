/**
 * `estimate` against its own printed program, run whole on the same card by `run`: allocated, reserved and whether it fits.
 * `VRAMSCOPE_RECIPES=50 npx vitest run test/estimate/whole-program.test.ts` asks for more recipes of each kind.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { METHODS, OPTIMIZERS, PRECISIONS, WEIGHTS } from "../../src/estimate/techniques.ts";
import { CHECKPOINTING } from "../../src/estimate/model-changes.ts";
import { ATTENTIONS, CACHES, LOSSES } from "../../src/estimate/recipe.ts";
import { folderWith, vramscope } from "../helpers.ts";
import { CONFIGS } from "../small-models.ts";

const NUMBER_OF_RECIPES = Number(process.env["VRAMSCOPE_RECIPES"] ?? 1);
const anyOf = (rows: readonly { readonly id: string }[]): fc.Arbitrary<string> =>
  fc.constantFrom(...rows.map(({ id }) => id));
const size = (most: number): fc.Arbitrary<string> => fc.integer({ min: 1, max: most }).map(String);

const KINDS: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<string>>>>> = {
  train: {
    method: anyOf(METHODS),
    precision: anyOf(PRECISIONS),
    optimizer: anyOf(OPTIMIZERS),
    checkpointing: anyOf(CHECKPOINTING),
    attention: fc.constantFrom(...ATTENTIONS),
    loss: fc.constantFrom(...LOSSES),
    accumulate: size(3),
    batch: size(6),
    seq: fc.integer({ min: 8, max: 300 }).map(String),
  },
  infer: {
    weights: anyOf(WEIGHTS),
    attention: fc.constantFrom(...ATTENTIONS),
    cache: fc.constantFrom(...CACHES),
    batch: size(8),
    prompt: size(200),
    new: size(60),
  },
  forward: {
    weights: anyOf(WEIGHTS),
    attention: fc.constantFrom(...ATTENTIONS),
    batch: size(8),
    prompt: size(300),
  },
};

interface Answer {
  readonly fit: string;
  readonly chain: {
    readonly allocated: { readonly bytes: number };
    readonly reserved: { readonly bytes: number };
    readonly process: { readonly bytes: number };
  };
}

const optionsOf = (task: string, chosen: Readonly<Record<string, string>>): string[] => [
  "--task",
  task,
  ...Object.entries(chosen).flatMap(([name, value]) => [`--${name}`, value]),
];

/** The estimate, and the status and bytes of its program under `run`; null where the estimate refuses the recipe. */
async function both(folder: string, options: readonly string[], gpu: string) {
  const asked = ["estimate", folder, ...options, "--gpu", gpu];
  const estimated = await vramscope([...asked, "--json", "--show-program"]);
  // a recipe that makes no sense is refused with a word; what `run` makes of the program is then not asked
  if (estimated.code! > 1) return null;
  const { estimates, program } = JSON.parse(estimated.out);
  writeFileSync(join(folder, "program.py"), program);
  // what would help is not asked: that runs the program again for each change
  const ran = await vramscope(["run", join(folder, "program.py"), "--gpu", gpu, "--try", "none", "--json"]);
  const { status, allocated, reserved } = JSON.parse(ran.out);
  return {
    answer: estimates[0] as Answer,
    run: { status, allocatedBytes: allocated.peakBytes, reservedBytes: reserved.peakBytes },
  };
}

const ROOMY = "a100-80gb";

describe.each(Object.entries(KINDS))("an estimate, and its own program run whole: %s", (task, rows) => {
  it("agree in allocated, reserved and verdict", { timeout: 240_000 * NUMBER_OF_RECIPES }, async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(CONFIGS)),
        fc.record(rows),
        fc.double({ min: 0.6, max: 1.3, noNaN: true }),
        async (config, chosen, share) => {
          const folder = folderWith({ "config.json": JSON.stringify(config) });
          const options = optionsOf(task, chosen);
          const roomy = await both(folder, options, ROOMY);
          fc.pre(roomy !== null);
          compared += 1;
          const { allocated, reserved, process } = roomy.answer.chain;
          expect(roomy.run).toEqual({
            status: "ok",
            allocatedBytes: allocated.bytes,
            reservedBytes: reserved.bytes,
          });
          // a card on which it just fits, or just does not
          const outside = process.bytes - reserved.bytes;
          const small = await both(folder, options, `${ROOMY}@${Math.round(outside + reserved.bytes * share)}`);
          expect(small!.answer.fit === "does_not_fit").toBe(small!.run.status === "out_of_memory");
        },
      ),
      { numRuns: NUMBER_OF_RECIPES, seed: 20_261_127 },
    );
    expect(compared).toBeGreaterThan(0);
  });
});
