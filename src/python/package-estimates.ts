/** Runs of generated programs on installed packages: one process from a kept interpreter, or one for each run without a cache. */

import type { EstimateRuns, EstimateSettings } from "./estimate-runs.ts";
import { estimatesIn } from "./estimate-runs.ts";
import { listingsOf } from "./host-files.ts";
import { hostFolders } from "./host-folders.ts";
import { offerFiles, placeOnHost } from "./host-place.ts";
import { packageSnapshot, snapshotFolder } from "./package-snapshots.ts";
import { takeProcess, takeProcessFrom } from "./program-process.ts";
import { ESTIMATE_SCRIPT, estimateRequest } from "./request.ts";

export interface PackageSettings extends EstimateSettings {
  /** Folders of installed packages that the programs see. */
  readonly sitePackages: readonly string[];
  /** Where interpreters are kept that have imported packages. */
  readonly cacheFolder?: string | undefined;
  /** An interpreter is made ready: this takes seconds. */
  readonly onMaking?: () => void;
}

export function openPackageEstimates(settings: PackageSettings): EstimateRuns {
  const { torch, sitePackages, cacheFolder, signal, onMaking = () => {} } = settings;
  const hosted = placeOnHost({ script: ESTIMATE_SCRIPT, source: "", sitePackages, env: settings.env ?? {} });
  const files = hostFolders(hosted.mounts);
  const { place } = hosted;
  const listings = listingsOf(files, [...new Set([...place.mounts, ...place.searchPath])]);
  const request = { ...estimateRequest(torch, settings.files, null, hosted.env, place), listings };
  const open = (snapshot: string | null): EstimateRuns => {
    const runner = snapshot === null ? takeProcess() : takeProcessFrom(snapshot);
    offerFiles(runner, files);
    return estimatesIn(runner, request, signal);
  };
  /** What the first program imports is imported by all of them. */
  const kept = async (source: string): Promise<string | null> =>
    cacheFolder === undefined
      ? null
      : packageSnapshot({
          folder: snapshotFolder(cacheFolder),
          request: { ...request, source },
          mounts: hosted.mounts,
          files,
          signal,
          onMaking,
        });
  let staying: Promise<EstimateRuns | null> | null = null;
  return {
    run: async (program, gpu, totalBytes) => {
      staying ??= kept(program.source).then((snapshot) => (snapshot === null ? null : open(snapshot)));
      const runs = await staying;
      if (runs !== null) return runs.run(program, gpu, totalBytes);
      // packages that an order imports cannot be imported again by the next one
      const alone = open(null);
      try {
        return await alone.run(program, gpu, totalBytes);
      } finally {
        alone.close();
      }
    },
    close: () => void staying?.then((runs) => runs?.close()),
  };
}
