/** Python as the reader of what is exported; where there is none, tests say so and skip. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const hasPython = spawnSync("python3", ["-c", "pass"]).status === 0;
/** Stands in the name of each test that needs Python. */
export const NEEDS_PYTHON = hasPython ? "" : " (skipped: no python3 on this machine)";

/** What a Python program prints as JSON; it finds the bytes in the file `sys.argv[1]`. */
export function askPython(program: string, bytes: Uint8Array): unknown {
  const file = join(mkdtempSync(join(tmpdir(), "vramscope-test-")), "input");
  writeFileSync(file, bytes);
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program, file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr.slice(-2000));
  return JSON.parse(stdout);
}
