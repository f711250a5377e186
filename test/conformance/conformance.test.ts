/** The corpus: scripts with the output that the real PyTorch gave, byte for byte, for both versions and all variants. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = `${root}test/conformance/scripts`;

interface Manifest {
  readonly cases: readonly { readonly id: string; readonly runs: readonly { readonly expected: string }[] }[];
}
const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8")) as Manifest;

/** What `npm run conformance` prints for each failure, by expected file. */
const failures = new Map<string, string>();
let lastLine = "";

beforeAll(async () => {
  const child = spawn(process.execPath, ["scripts/conformance.mjs", folder], { cwd: root });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((done) => child.on("close", done));
  const lines = text.trim().split("\n");
  lastLine = lines[lines.length - 1];
  lines.forEach((line, i) => {
    const name = /^FAIL (\S+) /.exec(line)?.[1];
    if (name) failures.set(name, lines.slice(i, i + 3).join("\n"));
  });
}, 1_200_000);

describe("the recorded corpus", () => {
  for (const entry of manifest.cases)
    for (const run of entry.runs) {
      const name = run.expected.replace(/\.expected$/, "");
      it(name, () => expect(failures.get(name) ?? "").toBe(""));
    }

  it("was run to the last file", () => {
    const total = manifest.cases.reduce((n, c) => n + c.runs.length, 0);
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
    expect(Number(passed) + Number(failed)).toBe(total);
  });
});
