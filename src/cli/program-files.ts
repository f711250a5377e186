/** The files of the program that a command line names, as options of a run: script or module, project, packages, where it runs. */

import { statSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve, sep } from "node:path";
import { isBuiltIn } from "../packages/built-in.ts";
import { fromScript } from "../packages/requirement-files.ts";
import { applies } from "../packages/requirement.ts";
import { findEnvironment } from "../python/environments.ts";
import { projectRoot } from "../python/project-root.ts";
import type { RunOptions } from "../python/run-types.ts";
import { cacheFolder } from "./cache-folder.ts";
import { readScript, requireDirectory } from "./files.ts";
import { hubCache } from "./hub-cache.ts";
import { modelFolder } from "./model-store.ts";
import { installedDistributions } from "./installed-distributions.ts";
import type { Io } from "./io.ts";
import { addedFolder, packageFolder } from "./package-store.ts";
import type { RunSettings } from "./run-options.ts";
import { UsageError } from "./usage-error.ts";

export type ProgramFiles = Required<
  Pick<RunOptions, "script" | "workingDirectory" | "sitePackages" | "shownFiles" | "packages"> & {
    readonly source: Uint8Array;
  }
> &
  Pick<RunOptions, "folder" | "module" | "cacheFolder" | "hubCache" | "models">;

/** @param typed the script; with `-m` nothing is read of it */
export function programFiles(typed: string, settings: RunSettings, io: Io): ProgramFiles {
  const { module, packages } = settings;
  const sitePackages = packageFolders(typed, settings, io);
  const script = module === undefined ? typed : moduleFile(module, settings, sitePackages, io);
  const read = readScript(script, io);
  const hub = hubCache(io);
  const models = modelsSeen(io);
  return {
    ...read,
    // a module is run from where the user is
    ...(module === undefined ? {} : { module, folder: projectRoot(io.cwd) }),
    workingDirectory: io.cwd,
    sitePackages,
    packages,
    cacheFolder: cacheFolder(io),
    ...(hub === undefined ? {} : { hubCache: hub }),
    ...(models === undefined ? {} : { models }),
    shownFiles: settings.shownFiles.map((path) => resolve(io.cwd, path)),
  };
}

/** The folder of the models that were added; undefined where there are none. */
function modelsSeen(io: Io): string | undefined {
  const folder = modelFolder(io);
  return folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

/** What `--site-packages` names, else the packages of the environment, else those that were added to the cache. */
function packageFolders(typed: string, settings: RunSettings, io: Io): readonly string[] {
  return packagesSeen(
    settings,
    settings.module !== undefined || typed === "-" ? io.cwd : dirname(resolve(io.cwd, typed)),
    io,
  );
}

/** The same for a program that would lie in `folder`. */
export function packagesSeen(
  { python, sitePackages }: Pick<RunSettings, "python" | "sitePackages">,
  folder: string,
  io: Io,
): readonly string[] {
  const named = sitePackages.map((directory) => requireDirectory(directory, io));
  if (named.length > 0 && python === undefined) return named;
  const found = findEnvironment({
    python: python === undefined ? undefined : resolve(io.cwd, python),
    env: io.env,
    folder,
  });
  if (found === null && python !== undefined) throw new UsageError("not_an_environment", { path: python });
  return [...named, ...(found?.sitePackages ?? (named.length > 0 ? [] : added(io)))];
}

/** The packages of `vramscope packages add`. */
function added(io: Io): readonly string[] {
  const cache = cacheFolder(io);
  const folder = cache === undefined ? null : addedFolder(packageFolder(cache));
  return folder === null ? [] : [folder];
}

/** Whether a script names packages in its header that are in none of the folders. */
export function lacksPackages(source: Uint8Array, folders: readonly string[]): boolean {
  const { requirements } = fromScript(new TextDecoder().decode(source));
  const wanted = requirements.filter((one) => applies(one, []) && !isBuiltIn(one.name));
  if (wanted.length === 0) return false;
  const there = installedDistributions(folders);
  return wanted.some(({ name }) => !there.has(name));
}

/** The file of a module as `python -m` finds it. */
function moduleFile(module: string, settings: RunSettings, sitePackages: readonly string[], io: Io): string {
  const path = module.split(".").join("/");
  const pythonPath = (settings.simulation.env["PYTHONPATH"] ?? "").split(delimiter).filter((entry) => entry !== "");
  if (/^[\p{ID_Start}_][\p{ID_Continue}]*(\.[\p{ID_Start}_][\p{ID_Continue}]*)*$/u.test(module)) {
    for (const folder of [io.cwd, ...pythonPath.map((entry) => resolve(io.cwd, entry)), ...sitePackages]) {
      for (const file of [`${path}/__main__.py`, `${path}.py`]) {
        const found = join(folder, file);
        if (!statSync(found, { throwIfNoEntry: false })?.isFile()) continue;
        const way = relative(io.cwd, found);
        return way.startsWith("..") ? found : way.split(sep).join("/");
      }
    }
  }
  throw new UsageError("module_not_found", { name: module });
}
