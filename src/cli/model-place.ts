/** Where a model that a command line names lies on this machine: a path, what was added of it, or the hub's own cache. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isCatalogueName } from "../estimate/index.ts";
import { isModelId } from "../packages/hub-client.ts";
import { hubCache } from "./hub-cache.ts";
import type { Io } from "./io.ts";
import { modelFolder, snapshotOf } from "./model-store.ts";

/** Null where it does not; what was added counts before the bundled configuration of an id, and that before the hub's cache. */
export function modelPlace(typed: string, io: Io): string | null {
  const path = resolve(io.cwd, typed);
  if (existsSync(path)) return path;
  if (!isModelId(typed)) return null;
  const added = modelFolder(io);
  const own = added === undefined ? null : snapshotOf(added, typed);
  if (own !== null || isCatalogueName(typed)) return own;
  const cache = hubCache(io);
  return cache === undefined ? null : snapshotOf(cache, typed);
}
