/** The installed transformers that an estimate runs on where options name one, or where the built-in one does not know the model. */

import { readdirSync } from "node:fs";
import { cacheFolder } from "./cache-folder.ts";
import { valueOf, type Parsed } from "./command.ts";
import type { Io } from "./io.ts";
import { ModelError } from "./model-error.ts";
import { packagesSeen } from "./program-files.ts";

export interface InstalledTransformers {
  readonly version: string;
  /** The folder that it lies in. */
  readonly folder: string;
  /** All folders of packages that programs see. */
  readonly sitePackages: readonly string[];
  readonly cacheFolder: string | undefined;
}

const INFO = /^transformers-(.+)\.(?:dist|egg)-info$/;

function among(sitePackages: readonly string[], io: Io): InstalledTransformers | null {
  for (const folder of sitePackages)
    for (const name of readdirSync(folder)) {
      const version = INFO.exec(name)?.[1];
      if (version !== undefined) return { version, folder, sitePackages, cacheFolder: cacheFolder(io) };
    }
  return null;
}

/** What `--site-packages` and `--python` name; null where neither is there. */
export function namedTransformers(parsed: Parsed, io: Io): InstalledTransformers | null {
  const sitePackages = parsed.values.get("site-packages") ?? [];
  const python = valueOf(parsed, "python");
  if (sitePackages.length === 0 && python === undefined) return null;
  const found = among(packagesSeen({ sitePackages, python }, io.cwd, io), io);
  if (found === null) throw new ModelError("estimate_no_transformers", { path: sitePackages[0] ?? python! });
  return found;
}

/** That of the active environment, one beside, or `vramscope packages add`. */
export const foundTransformers = (io: Io): InstalledTransformers | null =>
  among(packagesSeen({ sitePackages: [], python: undefined }, io.cwd, io), io);

/** Whether the built-in transformers was asked for what only the real one has. */
export const needsReal = (error: unknown): error is ModelError =>
  error instanceof ModelError && error.code.startsWith("model_unknown_type");
