/** The recorded corpora: scripts with the output that the real PyTorch gave, byte for byte, for both versions and all variants. */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  readonly cases: readonly { readonly id: string; readonly runs: readonly { readonly expected: string }[] }[];
}

/** Names of the expected files of a folder, without their ending. */
function expectedNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith("manifest.json"))
    .flatMap((name) => (JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Manifest).cases)
    .flatMap((entry) => entry.runs.map((run) => run.expected.replace(/\.expected$/, "")));
}

/** What `npm run conformance` prints: each failure by its name, and the counting line. */
async function conformance(folder: string): Promise<{ failures: Map<string, string>; lastLine: string }> {
  const child = spawn(process.execPath, ["scripts/conformance.mjs", "--events", folder], { cwd: root });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((done) => child.on("close", done));
  const lines = text.trim().split("\n");
  const failures = new Map<string, string>();
  lines.forEach((line, i) => {
    const name = /^FAIL (\S+) /.exec(line)?.[1];
    if (name) failures.set(name, lines.slice(i, i + 3).join("\n"));
  });
  return { failures, lastLine: lines[lines.length - 1] };
}

for (const [title, folder] of [
  ["the recorded corpus", `${root}test/conformance/scripts`],
  ["our own recorded cases", `${root}test/conformance/extra`],
] as const)
  describe(title, () => {
    const names = expectedNames(folder);
    let result: Awaited<ReturnType<typeof conformance>>;

    beforeAll(async () => {
      result = await conformance(folder);
    }, 1_200_000);

    it("was run to the last file", () => {
      const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(result.lastLine) ?? [];
      expect(Number(passed) + Number(failed), result.lastLine).toBe(names.length);
    });

    it.each(names)("%s", (name) => {
      expect(result.failures.get(name) ?? "").toBe("");
    });
  });
