/** Past releases of bitsandbytes: allocated bytes and peaks of layers and optimizers, as the released wheels' own Python has them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, vramscope } from "../helpers.ts";

const FOLDER = join(ROOT, "test", "python", "bitsandbytes");

it.each(["0.42.0", "0.43.1", "0.43.3"])("bitsandbytes %s", async (release) => {
  const options = ["--report", "none", "--kernel-temporaries", "off", "--gpu", "a100-80gb"];
  const played = ["--env", `VRAMSCOPE_BITSANDBYTES=${release}`];
  const { out } = await vramscope(["run", ...options, ...played, join(FOLDER, "layers.py")]);
  expect(out).toBe(readFileSync(join(FOLDER, `layers.${release}.expected`), "utf8"));
});
