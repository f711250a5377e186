/** Which versions of which packages satisfy what is asked for and what they ask for themselves: the newest that go together. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { IndexFile } from "./index-page.ts";
import { applies, runsHere, type Requirement } from "./requirement.ts";
import { compareVersions, isPreRelease, satisfies, type Specifier } from "./version.ts";

export interface Source {
  /** The files of a project; null where the index has no such project. */
  files(name: string): Promise<readonly IndexFile[] | null>;
  /** What one wheel requires. */
  requirements(file: IndexFile): Promise<readonly Requirement[]>;
  /** A stand-in answers for this package, so that nothing of it is fetched. */
  isBuiltIn(name: string): boolean;
}

/** Why a package that is required is not among the chosen. */
export type LeftOut = "built-in" | "no-wheel" | "unknown";

export interface Resolution {
  readonly chosen: ReadonlyMap<string, IndexFile>;
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

interface Asked {
  readonly requirement: Requirement;
  /** Whose requirement it is; null for the person's. */
  readonly by: string | null;
  /** Extras of the one that requires. */
  readonly extras: readonly string[];
}

const MOST_ATTEMPTS = 200;
const MOST_PACKAGES = 500;

/** Thrown when versions do not go together: the attempt begins again without some of them. */
class Conflict {
  readonly name: string;
  readonly without: readonly string[];
  constructor(name: string, without: readonly string[]) {
    this.name = name;
    this.without = without;
  }
}

/** @throws DiagnosticError where nothing goes together, or a package that the person names is not there */
export async function resolvePackages(roots: readonly Requirement[], source: Source): Promise<Resolution> {
  const refused = new Map<string, Set<string>>();
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await attemptTo(roots, source, refused);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      const known = refused.get(error.name) ?? new Set();
      for (const version of error.without) known.add(version);
      refused.set(error.name, known);
    }
  }
  throw new DiagnosticError(diagnostic("packages_too_many_tries", { count: MOST_ATTEMPTS }));
}

async function attemptTo(
  roots: readonly Requirement[],
  source: Source,
  refused: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Resolution> {
  const chosen = new Map<string, IndexFile>();
  const leftOut = new Map<string, LeftOut>();
  const asked = new Map<string, Asked[]>();
  const followed = new Set<string>();
  const queue: Asked[] = roots.map((requirement) => ({ requirement, by: null, extras: [] }));
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const { requirement, by } = one;
    const { name } = requirement;
    if (!applies(requirement, one.extras)) continue;
    if (source.isBuiltIn(name)) {
      leftOut.set(name, "built-in");
      continue;
    }
    const all = [...(asked.get(name) ?? []), one];
    asked.set(name, all);
    let file = chosen.get(name);
    if (file === undefined) {
      const found = await newest(name, all, source, refused.get(name), chosen);
      if (typeof found === "string") {
        if (by === null) throw missing(requirement, found);
        leftOut.set(name, found);
      } else chosen.set(name, found);
      // each was asked for at the index, whether it was there or not
      if (chosen.size + leftOut.size > MOST_PACKAGES)
        throw new DiagnosticError(diagnostic("packages_too_many", { count: MOST_PACKAGES }));
      if (typeof found === "string") continue;
      file = found;
    } else if (!requirement.specifiers.every((each) => satisfies(file!.version, each))) {
      // the versions that this requirement does not take; where none is left, the next attempt says who asked
      const files = (await source.files(name)) ?? [];
      const others = files.filter(({ version }) => !requirement.specifiers.every((each) => satisfies(version, each)));
      throw new Conflict(
        name,
        others.map(({ version }) => version.text),
      );
    }
    const key = `${name}[${requirement.extras.join(",")}]`;
    if (followed.has(key)) continue;
    followed.add(key);
    for (const each of await source.requirements(file))
      queue.push({ requirement: each, by: name, extras: requirement.extras });
  }
  return { chosen, leftOut };
}

const missing = ({ name, text }: Requirement, why: LeftOut): DiagnosticError =>
  new DiagnosticError(diagnostic(why === "unknown" ? "packages_unknown" : "packages_no_wheel", { name, text }));

async function newest(
  name: string,
  asked: readonly Asked[],
  source: Source,
  refused: ReadonlySet<string> | undefined,
  chosen: ReadonlyMap<string, IndexFile>,
): Promise<IndexFile | LeftOut> {
  const files = await source.files(name);
  if (files === null) return "unknown";
  const specifiers = asked.flatMap(({ requirement }) => requirement.specifiers);
  const isPinned = (file: IndexFile): boolean => specifiers.some((one) => isExact(one) && satisfies(file.version, one));
  const fitting = files.filter(
    (file) =>
      specifiers.every((one) => satisfies(file.version, one)) &&
      runsHere(file.requiresPython) &&
      (!file.isYanked || isPinned(file)),
  );
  const left = fitting.filter(({ version }) => !refused?.has(version.text));
  const wantsPre = specifiers.some(({ version }) => version !== null && isPreRelease(version));
  const stable = wantsPre ? left : left.filter(({ version }) => !isPreRelease(version));
  const usable = (stable.length > 0 ? stable : left).toSorted((a, b) => compareVersions(b.version, a.version));
  const [first] = usable;
  if (first === undefined) {
    const culprit = asked.map(({ by }) => by).find((by) => by !== null && chosen.has(by));
    if (culprit !== undefined && culprit !== null) throw new Conflict(culprit, [chosen.get(culprit)!.version.text]);
    const wanted = asked.map(({ requirement }) => requirement.text).join(", ");
    throw new DiagnosticError(diagnostic("packages_none_fits", { name, wanted }));
  }
  const wheels = usable.filter(({ version, wheel }) => wheel !== null && compareVersions(version, first.version) === 0);
  return wheels.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? "no-wheel";
}

const isExact = ({ operator, isPrefix }: Specifier): boolean => (operator === "==" && !isPrefix) || operator === "===";

/** Pure wheels first; of compiled ones, whose Python files alone are taken, those made for Linux and a new Python. */
function rankOf({ wheel }: IndexFile): number {
  if (wheel === null || wheel.isPure) return 0;
  const platform = wheel.platform.some((tag) => /^manylinux.*x86_64$/.test(tag)) ? 1000 : 2000;
  const minors = wheel.python.map((tag) => Number(/^cp3(\d+)$/.exec(tag)?.[1] ?? 0));
  return platform + Math.abs(14 - Math.max(...minors));
}
