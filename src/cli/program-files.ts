/** The files of the program that a command line names, as options of a run: script, project, packages, where it runs. */

import { resolve } from "node:path";
import type { RunOptions } from "../python/run-types.ts";
import { readScript, requireDirectory } from "./files.ts";
import type { Io } from "./io.ts";
import type { RunSettings } from "./run-options.ts";

export type ProgramFiles = Required<
  Pick<RunOptions, "script" | "workingDirectory" | "sitePackages" | "shownFiles"> & { readonly source: string }
> &
  Pick<RunOptions, "folder">;

export function programFiles(typed: string, settings: RunSettings, io: Io): ProgramFiles {
  return {
    ...readScript(typed, io),
    workingDirectory: io.cwd,
    sitePackages: settings.sitePackages.map((directory) => requireDirectory(directory, io)),
    shownFiles: settings.shownFiles.map((path) => resolve(io.cwd, path)),
  };
}
