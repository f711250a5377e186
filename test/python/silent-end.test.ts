/** A process that gives up without a word had no memory for its own: what was recorded until then is there. */

import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { folderWith, ROOT } from "../helpers.ts";

const LOOP = `import torch
x = torch.zeros(2 ** 20, device="cuda")
print("begun", flush=True)
while True: pass
`;

/** The relay of a run: its only child that runs on Node. */
const relayOf = (pid: number): number =>
  Number(
    spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
      .stdout.trim()
      .split("\n")[0],
  );

it.skipIf(process.platform !== "linux" || spawnSync("pgrep", ["--version"]).status !== 0)(
  "is said to have run out of memory",
  async () => {
    const main = join(ROOT, "dist", "cli", "main.js");
    const run = spawn(process.execPath, [main, "run", "loop.py"], { cwd: folderWith({ "loop.py": LOOP }) });
    let out = "";
    const status = await new Promise<number | null>((done) => {
      run.stdout.on("data", (text) => {
        const before = out;
        out += text;
        // a moment later what was recorded is on its way
        if (!before.includes("begun") && out.includes("begun"))
          setTimeout(() => process.kill(relayOf(run.pid!), "SIGABRT"), 500);
      });
      run.on("close", done);
    });
    expect(out.replace(/\s+/g, " ")).toContain("the simulation took more memory than this machine gives it");
    expect(out).toContain("4.00 MiB");
    expect(status).toBe(3);
  },
  30_000,
);
