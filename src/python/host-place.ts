/** Where a program of this machine appears inside: its project, its packages, what PYTHONPATH names, its working directory. */

import { statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { answerHost, FILE_SERVICE, type HostFiles, type HostQuestion } from "./host-files.ts";
import { linkedPackages } from "./environments.ts";
import { isWithin, type HostMount } from "./host-folders.ts";
import { HOME, OFFLINE, placeInMemory, typedFolder, type ProgramPlace } from "./program-place.ts";
import type { ProgramProcess } from "./program-process.ts";
import { isInProject, pathInside, projectRoot } from "./project-root.ts";
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
  const installed = mountPackages(sitePackages);
  const mounts: HostMount[] = [...installed.mounts];
  const shownPackages: [string, string][] = mounts.map(({ inside, host }) => [`${inside}/`, `${host}/`]);
  const alone = placeInMemory(script);
  const { hubCache } = options;
  if (hubCache !== undefined) mounts.push({ inside: HUB_CACHE, host: resolve(hubCache), visibility: "packages" });
  const { models } = options;
  if (models !== undefined) mounts.push({ inside: ADDED_MODELS, host: resolve(models), visibility: "packages" });
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

  const among = mounts.map(({ host, inside }) => pathInside(path, host, inside)).find((one) => one !== null);
  const scriptPath = inProject(path) ?? (root === null ? undefined : among) ?? alone.scriptPath;
  const scriptFolder = dirname(scriptPath);
  const workingDirectory = inProject(cwd) ?? scriptFolder;
  const place: ProgramPlace = {
    mounts: mounts.map(({ inside }) => inside),
    scriptPath,
    searchPath: [options.module === undefined ? scriptFolder : workingDirectory, ...named, ...installed.searchPath],
    workingDirectory,
    shownPaths: [
      [`${scriptFolder}/`, typedFolder(script)],
      ...(home === null || scriptFolder === HOME ? [] : [[`${HOME}/`, shownFolder(home, cwd)] as const]),
      ...shownPackages,
    ],
  };
  return {
    place,
    mounts,
    env: {
      ...(sitePackages.length === 0 ? {} : OFFLINE),
      ...(hubCache === undefined ? {} : { HF_HUB_CACHE: HUB_CACHE }),
      ...env,
      ...(named.length === 0 ? {} : { PYTHONPATH: named.join(":") }),
    },
  };
}

/** Where a program sees the person's cache of the hub. */
const HUB_CACHE = "/hub-cache";
/** Where it sees what `vramscope models add` fetched; python/vramscope_hub/_added.py reads it. */
const ADDED_MODELS = "/hub-models";

/** Mounts folders of packages, and the folders that editable installs and `.pth` files lead to. */
function mountPackages(folders: readonly string[]): { mounts: HostMount[]; searchPath: string[] } {
  const mounts: HostMount[] = folders.map((host, index) => ({
    inside: `/site-packages/${index}`,
    host: resolve(host),
    visibility: "packages",
  }));
  const searchPath = mounts.map(({ inside }) => inside);
  const own = mounts.length;
  let next = own;
  for (const { host, name } of folders.flatMap(linkedPackages)) {
    // where a package may lead: to other packages, or to a project, never to somebody's home or the system
    const known = mounts.slice(0, own).map((mount) => pathInside(host, mount.host, mount.inside));
    const inside = known.find((one) => one !== null) ?? null;
    if (inside === null && !isInProject(host)) continue;
    const folder = name === null && inside !== null ? inside : `/site-packages/${next++}`;
    if (folder !== inside) {
      mounts.push({ inside: name === null ? folder : `${folder}/${name}`, host, visibility: "project" });
    }
    searchPath.push(folder);
  }
  return { mounts, searchPath };
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
