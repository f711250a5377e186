// Runs the conformance corpus and counts by subject what came out.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { casesOf } from "../corpus-cases.mjs";

export function runConformance(root) {
  const folder = join(root, "test", "conformance");
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
  for (const { id, subject, runs } of casesOf(folder)) {
    const group = groups.get(subject) ?? { name: subject, runs: 0, failed: [] };
    group.runs += runs.length;
    group.failed.push(...failed.filter((name) => name.startsWith(`${id}.`)));
    groups.set(subject, group);
  }
  return { groups: [...groups.values()].sort((a, b) => a.name.localeCompare(b.name)) };
}
