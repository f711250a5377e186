/** The installed transformers that an estimate runs on where options name one, or where the built-in one does not know the model. */

import { join } from "node:path";
import { DiagnosticError } from "../base/diagnostic.ts";
import { explainFailure } from "../estimate/index.ts";
import type { Locale } from "../i18n/index.ts";
import type { Requirement } from "../packages/requirement.ts";
import type { EstimateRuns, EstimateSettings } from "../python/estimate-runs.ts";
import { parseVersion, satisfies } from "../packages/version.ts";
import { cacheFolder } from "./cache-folder.ts";
import { valueOf, type Parsed } from "./command.ts";
import { installedDistributions } from "./installed-distributions.ts";
import type { Io } from "./io.ts";
import type { NamedModel } from "./model-argument.ts";
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
const foundTransformers = (io: Io): InstalledTransformers | null =>
  among(packagesSeen({ sitePackages: [], python: undefined }, io.cwd, io), io);

/** Runs of programs on an installed transformers; null: on the built-in one. */
export async function estimateRuns(
  wanted: EstimateSettings,
  real: InstalledTransformers | null,
  onMaking: () => void,
): Promise<EstimateRuns> {
  if (real === null) return (await import("../python/estimate-runs.ts")).openEstimateRuns(wanted);
  const { openPackageEstimates } = await import("../python/package-estimates.ts");
  return openPackageEstimates({ ...wanted, ...real, onMaking });
}

/** Does something on what options name, else on the built-in transformers, and where that lacks the model on what is found. */
export async function onTransformers<T>(
  named: InstalledTransformers | null,
  io: Io,
  act: (real: InstalledTransformers | null) => Promise<T>,
): Promise<T> {
  try {
    return await act(named);
  } catch (error) {
    const real = named === null && needsReal(error) ? foundTransformers(io) : null;
    if (real === null) throw error;
    return act(real);
  }
}

/** The error of a program that failed as one about its model; any other as it is. */
export function modelFailure(error: unknown, model: NamedModel): unknown {
  if (!(error instanceof DiagnosticError) || error.diagnostic.code !== "estimate_program_fails") return error;
  const { code, args } = explainFailure(String(error.diagnostic.args["error"]), model.config, model);
  return new ModelError(code, args);
}

/** Whether the built-in transformers was asked for what only the real one has. */
const needsReal = (error: unknown): error is ModelError =>
  error instanceof ModelError && error.code.startsWith("model_unknown_type");
