// The cases of a corpus: a folder of programs with their recorded output, or a folder of such folders, one a subject.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The recorder's options by the name that stands in an expected file's name. */
const VARIANTS = {
  default: [],
  hopper: ["--arch", "hopper"],
  noworkspace: ["--no-workspace"],
  ltworkspace: ["--lt-workspace", "1048576"],
  math: ["--attention", "math"],
  released: ["--released-build"],
};

/** What to run: from a folder's manifest, or from the names of its expected files where it has none. */
function listedIn(folder) {
  const names = readdirSync(folder);
  const manifests = names.filter((name) => /(^|\.)manifest\.json$/.test(name));
  if (manifests.length > 0)
    return manifests.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).cases);
  const runs = new Map();
  for (const expected of names) {
    const [, id, variant = "default", torch] = /^(.+?)(?:\.(\w+))?\.torch-([\d.]+)\.expected$/.exec(expected) ?? [];
    if (id) runs.set(id, [...(runs.get(id) ?? []), { variant, options: VARIANTS[variant] ?? [], torch, expected }]);
  }
  return [...runs].map(([id, found]) => ({ id, runs: found }));
}

const isCorpus = (folder) => readdirSync(folder).some((name) => /(^|\.)manifest\.json$|\.expected$/.test(name));

/**
 * `{id, subject, runs: [{name, torch, variant, options, expected}], script, events}` of each case. Where a folder holds
 * one folder for each subject, a case is called `subject/name`; files are given by their paths.
 */
export function casesOf(folder) {
  const inner = isCorpus(folder)
    ? [{ at: folder, before: "" }]
    : readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && isCorpus(join(folder, entry.name)))
        .map(({ name }) => ({ at: join(folder, name), before: `${name}/` }));
  return inner.flatMap(({ at, before }) =>
    listedIn(at).map(({ id, runs }) => ({
      id: `${before}${id}`,
      subject: basename(at),
      script: join(at, `${id}.py`),
      runs: runs.map((run) => ({
        ...run,
        name: `${before}${run.expected.replace(/\.expected$/, "")}`,
        expected: join(at, run.expected),
        events: run.variant === "default" ? eventsOf(at, id, run.torch) : null,
      })),
    })),
  );
}

function eventsOf(folder, id, torch) {
  const file = join(folder, `${id}.torch-${torch}.events.json`);
  return existsSync(file) ? file : null;
}
