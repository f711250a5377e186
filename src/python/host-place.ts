/** Where a program of this machine appears inside: its project, its packages, what PYTHONPATH names, its working directory. */

import { statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { answerHost, FILE_SERVICE, type HostFiles, type HostQuestion } from "./host-files.ts";
import { isWithin, type HostMount } from "./host-folders.ts";
import { HOME, placeInMemory, typedFolder, type ProgramPlace } from "./program-place.ts";
import type { ProgramProcess } from "./program-process.ts";
import { pathInside, projectRoot } from "./project-root.ts";
import type { RunOptions } from "./run-types.ts";

export interface HostPlace {
  readonly place: ProgramPlace;
  readonly mounts: readonly HostMount[];
  /** The program's environment, with paths as they are inside. */
  readonly env: Readonly<Record<string, string>>;
}

/** @throws DiagnosticError for a directory that is none */
export function placeOnHost(options: RunOptions): HostPlace {
  const { script, env = {}, sitePackages = [] } = options;
  const cwd = resolve(options.workingDirectory ?? process.cwd());
  const path = resolve(cwd, script);
  const root = options.folder ?? (options.source === undefined ? projectRoot(dirname(path)) : null);
  for (const folder of [...(root === null ? [] : [root]), ...sitePackages]) requireFolder(folder);
  const mounts: HostMount[] = sitePackages.map((host, index) => ({
    inside: `/site-packages/${index}`,
    host: resolve(host),
    visibility: "packages",
  }));
  const packagePaths = mounts.map(({ inside }) => inside);
  const shownPackages: [string, string][] = sitePackages.map((host, index) => [`/site-packages/${index}/`, `${host}/`]);
  const alone = placeInMemory(script);
  const home = root === null ? null : resolve(root);
  if (home !== null) mounts.push({ inside: HOME, host: home, visibility: "project" });
  const inProject = (one: string): string | null => (home === null ? null : pathInside(one, home, HOME));

  const named = (env["PYTHONPATH"] ?? "")
    .split(delimiter)
    .filter((entry) => entry !== "")
    .map((entry) => {
      const host = resolve(cwd, entry);
      const known = inProject(host);
      if (known !== null || !isFolder(host)) return known ?? entry;
      const inside = `/python-path/${mounts.length}`;
      mounts.push({ inside, host, visibility: "project" });
      shownPackages.push([`${inside}/`, `${host}/`]);
      return inside;
    });

  const scriptPath = inProject(path) ?? alone.scriptPath;
  const scriptFolder = dirname(scriptPath);
  const place: ProgramPlace = {
    mounts: mounts.map(({ inside }) => inside),
    scriptPath,
    searchPath: [scriptFolder, ...named, ...packagePaths],
    workingDirectory: inProject(cwd) ?? scriptFolder,
    shownPaths: [
      [`${scriptFolder}/`, typedFolder(script)],
      ...(home === null || scriptFolder === HOME ? [] : [[`${HOME}/`, shownFolder(home, cwd)] as const]),
      ...shownPackages,
    ],
  };
  return {
    place,
    mounts,
    env: named.length === 0 ? env : { ...env, PYTHONPATH: named.join(":") },
  };
}

/** A folder as somebody in `cwd` would write it, with a slash at its end where it is not `cwd` itself. */
function shownFolder(folder: string, cwd: string): string {
  const way = relative(cwd, folder);
  if (way === "") return "";
  return `${(isWithin(cwd, folder) || isWithin(folder, cwd)) && !isAbsolute(way) ? way.split(sep).join("/") : folder}/`;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function requireFolder(path: string): void {
  if (!isFolder(path)) throw new DiagnosticError(diagnostic("not_a_directory", { path }));
}

/** Lets a program's process ask for these files. */
export function offerFiles(runner: ProgramProcess, files: HostFiles): void {
  runner.offer(FILE_SERVICE, (question) => answerHost(files, question as HostQuestion));
}
