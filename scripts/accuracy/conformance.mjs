// Runs the conformance corpus and counts by group what came out.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function runConformance(root) {
  const folder = join(root, "test", "conformance", "scripts");
  const { cases } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const script = join(root, "scripts", "conformance.mjs");
  const { stdout } = spawnSync(process.execPath, [script, "--events", folder], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const last = /(\d+) passed, (\d+) failed\s*$/.exec(stdout);
  if (!last) throw new Error(`the conformance run did not finish: ${stdout.slice(-500)}`);
  const failed = [...stdout.matchAll(/^FAIL (\S+)/gm)].map((match) => match[1]);
  const groups = new Map();
  for (const { id, group, runs } of cases) {
    const g = groups.get(group) ?? { name: group, runs: 0, failed: [] };
    g.runs += runs.length;
    g.failed.push(...failed.filter((name) => name.startsWith(`${id}.`)));
    groups.set(group, g);
  }
  return { groups: [...groups.values()].sort((a, b) => a.name.localeCompare(b.name)) };
}
