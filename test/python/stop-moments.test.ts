/** A sample of the random moments at which `npm run stops` stops programs. */

import { platform } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { ROOT, start } from "../helpers.ts";

const EACH = 7;
const PROGRAMS = ["engine call", "report"];

it.runIf(platform() === "linux").each(PROGRAMS)(
  "a program in the state %j says something each time it is stopped, and leaves nothing behind",
  { timeout: 600_000 },
  async (name) => {
    const words = [join(ROOT, "scripts/stops.mjs"), "--moments", String(EACH), "--seed", "3", "--only", name];
    const { code, out } = await start(process.execPath, words);
    expect(out).toContain(`${EACH} moments, 0 wrong`);
    expect(code).toBe(0);
  },
);
