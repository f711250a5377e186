/** A real GPU's program, run unmodified: start, peak and end to the byte (figures printed beside its memory snapshots). */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const program = fileURLToPath(new URL("../../../shared/snapshots/program.py", import.meta.url));

/** PyTorch 2.11 on a GPU before Hopper. */
const RUNS = [
  {
    args: ["medium", "128", "inference", "fp32"],
    lines: ["start 1703276544 1763704832", "peak 1738928128 end 1703276544 1763704832"],
    reservedToo: true,
  },
  {
    args: ["medium", "128", "training", "fp32"],
    lines: ["start 5101219840 ", "peak 7026606592 end 6816891392 "],
    reservedToo: false,
  },
];

describe.skipIf(!existsSync(program))("the language model whose snapshots a real GPU wrote", () => {
  for (const { args, lines, reservedToo } of RUNS)
    it(args.join(" "), async () => {
      const result = await vramscope.run({ script: program, argv: args, torch: "2.11", gpu: "a100-80gb" });
      expect(result.status).toBe("ok");
      const printed = result.stdout.trim().split("\n");
      lines.forEach((line, i) =>
        reservedToo ? expect(printed[i]).toBe(line) : expect(printed[i].startsWith(line)).toBe(true),
      );
    });
});
