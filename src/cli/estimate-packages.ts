/** The installed transformers that an estimate runs on where options name one, or where the built-in one does not know the model. */

import { join } from "node:path";
import type { Locale } from "../i18n/index.ts";
import type { Requirement } from "../packages/requirement.ts";
import { parseVersion, satisfies } from "../packages/version.ts";
import { cacheFolder } from "./cache-folder.ts";
import { valueOf, type Parsed } from "./command.ts";
import { installedDistributions } from "./installed-distributions.ts";
import type { Io } from "./io.ts";
import { ModelError } from "./model-error.ts";
import { fetchPackages, typedRequirements } from "./package-fetch.ts";
import { addedFolder, packageFolder } from "./package-store.ts";
import { packagesSeen } from "./program-files.ts";
import { UsageError } from "./usage-error.ts";

export interface InstalledTransformers {
  readonly version: string;
  /** The folder that it lies in. */
  readonly folder: string;
  /** All folders of packages that programs see. */
  readonly sitePackages: readonly string[];
  readonly cacheFolder: string | undefined;
}

function among(sitePackages: readonly string[], io: Io): InstalledTransformers | null {
  const one = installedDistributions(sitePackages).get("transformers");
  return one === undefined ? null : { ...one, sitePackages, cacheFolder: cacheFolder(io) };
}

function holds(sitePackages: readonly string[], wanted: readonly Requirement[]): boolean {
  const there = installedDistributions(sitePackages);
  return wanted.every(({ name, specifiers }) => {
    const version = parseVersion(there.get(name)?.version ?? "");
    return version !== null && specifiers.every((one) => satisfies(version, one));
  });
}

/** What `--site-packages`, `--python` and `--with` name; null where none is there. */
export async function namedTransformers(parsed: Parsed, locale: Locale, io: Io): Promise<InstalledTransformers | null> {
  const sitePackages = parsed.values.get("site-packages") ?? [];
  const python = valueOf(parsed, "python");
  const wanted = typedRequirements(parsed.values.get("with") ?? []);
  if (sitePackages.length === 0 && python === undefined && wanted.length === 0) return null;
  const seen = packagesSeen({ sitePackages, python }, io.cwd, io);
  const folders = holds(seen, wanted) ? seen : await fetched(wanted, parsed, locale, io);
  const found = among(folders, io);
  if (found === null) throw new ModelError("estimate_no_transformers", { path: folders[0] ?? python ?? "--with" });
  return found;
}

/** A folder in the cache for each set of requirements, filled where it is not there. */
async function fetched(wanted: readonly Requirement[], parsed: Parsed, locale: Locale, io: Io): Promise<string[]> {
  const cache = cacheFolder(io);
  if (cache === undefined) throw new UsageError("cache_no_home");
  const kept = packageFolder(cache);
  const set = wanted.map(({ text }) => text.replaceAll(/\s/g, "")).toSorted();
  const folder = join(kept, "with", encodeURIComponent(set.join(" ")));
  if (addedFolder(folder) === null) await fetchPackages(wanted, folder, kept, { parsed, locale, io });
  const site = addedFolder(folder);
  return site === null ? [] : [site];
}

/** That of the active environment, one beside, or `vramscope packages add`. */
export const foundTransformers = (io: Io): InstalledTransformers | null =>
  among(packagesSeen({ sitePackages: [], python: undefined }, io.cwd, io), io);

/** Whether the built-in transformers was asked for what only the real one has. */
export const needsReal = (error: unknown): error is ModelError =>
  error instanceof ModelError && error.code.startsWith("model_unknown_type");
