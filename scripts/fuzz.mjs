/**
 * Every format against more changed inputs than `npm test` takes time for.
 *
 *   npm run fuzz [-- --rounds N] [--seed S]
 *
 * N inputs a format (default 20,000).
 */

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "20000" }, seed: { type: "string", default: "20260102" } },
});
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "test/fuzz/formats.test.ts"], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
  env: { ...process.env, VRAMSCOPE_FUZZ_ROUNDS: values.rounds, VRAMSCOPE_FUZZ_SEED: values.seed },
});
process.exitCode = status ?? 1;
