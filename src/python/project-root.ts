/** What folder of this machine is a program's project: its git or pyproject root, or the folder that the script lies in. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isWithin } from "./host-folders.ts";

/** What lies in the root of a project. */
const MARKS = [".git", "pyproject.toml", "setup.py", "setup.cfg"];
/** What says so where none of them lies above, as in an unpacked archive. */
const WEAKER_MARKS = ["requirements.txt", "environment.yml", "Pipfile"];
/** What says so where nothing else does: a licence, and then words for readers, which folders within a project have, too. */
const LICENCES = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"];
const READMES = ["README.md", "README.rst", "README"];

/**
 * The nearest folder with `.git` at or above `folder`, else the nearest with another mark, else one with a list of packages, else
 * one that says what it is, else `folder`. A home directory and what lies above it are nobody's project: people keep their settings in git, too.
 */
export function projectRoot(folder: string, home = homedir()): string {
  const start = resolve(folder);
  const above: string[] = [];
  for (let at = start; !isWithin(resolve(home), at); at = dirname(at)) {
    above.push(at);
    if (dirname(at) === at) break;
  }
  const marked = (marks: readonly string[]): string | undefined =>
    above.find((at) => dirname(at) !== at && marks.some((mark) => existsSync(join(at, mark))));
  return (
    marked(MARKS.slice(0, 1)) ??
    marked(MARKS.slice(1)) ??
    marked(WEAKER_MARKS) ??
    marked(LICENCES) ??
    marked(READMES) ??
    start
  );
}

/** Whether a folder belongs to a project, and does not merely lie somewhere. */
export function isInProject(folder: string, home = homedir()): boolean {
  const root = projectRoot(folder, home);
  return !isWithin(resolve(home), resolve(folder)) && MARKS.some((mark) => existsSync(join(root, mark)));
}

/** Where a path of this machine appears inside, when `root` appears at `inside`; null for what lies outside. */
export function pathInside(path: string, root: string, inside: string): string | null {
  if (!isWithin(path, root)) return null;
  const way = relative(root, path).split(sep).join("/");
  return way === "" ? inside : `${inside}/${way}`;
}
