/** Models that were added: what a hub says about them, in the cache, in the layout of a hub's own cache. */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { HubModel } from "../packages/hub-client.ts";
import { cacheFolder } from "./cache-folder.ts";
import type { Io } from "./io.ts";

const PREFIX = "models--";

/** Undefined where there is no cache. */
export function modelFolder(io: Io): string | undefined {
  const cache = cacheFolder(io);
  return cache === undefined ? undefined : join(cache, "models");
}

const storage = (folder: string, id: string): string => join(folder, PREFIX + id.replace("/", "--"));

/** The snapshot of a model in a cache of this layout; null where there is none. */
export function snapshotOf(folder: string, id: string, revision = "main"): string | null {
  let commit: string;
  try {
    commit = readFileSync(join(storage(folder, id), "refs", revision), "utf8").trim();
  } catch {
    return null;
  }
  if (!/^[0-9a-f]+$/.test(commit)) return null;
  const at = join(storage(folder, id), "snapshots", commit);
  return statSync(at, { throwIfNoEntry: false })?.isDirectory() === true ? at : null;
}

export interface AddedModel {
  readonly id: string;
  readonly bytes: number;
}

export function addedModels(folder: string): readonly AddedModel[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => ({ id: name.slice(PREFIX.length).replace("--", "/"), bytes: bytesBelow(join(folder, name)) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0);

/** Puts a model in the place of what lies there under its id; everything is written before anything is moved. */
export function addModel(folder: string, id: string, { commit, files }: HubModel): void {
  const beside = join(folder, `fetched.${process.pid}`);
  rmSync(beside, { recursive: true, force: true });
  try {
    const snapshot = join(beside, "snapshots", commit);
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(snapshot, path)), { recursive: true });
      writeFileSync(join(snapshot, path), bytes);
    }
    mkdirSync(join(beside, "refs"));
    writeFileSync(join(beside, "refs", "main"), commit);
    rmSync(storage(folder, id), { recursive: true, force: true });
    renameSync(beside, storage(folder, id));
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Whether it was there. */
export function removeModel(folder: string, id: string): boolean {
  if (!addedModels(folder).some((one) => one.id === id)) return false;
  rmSync(storage(folder, id), { recursive: true, force: true });
  return true;
}
