/** The packages that were added: one folder of installed packages in the cache, and a list of what lies in it. */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { crc32, inflateRawSync } from "node:zlib";
import type { Wheel } from "../packages/gather.ts";
import type { Inflate } from "../packages/zip.ts";

export interface Added {
  readonly version: string;
  readonly file: string;
  /** Paths below the folder of packages. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Compiled modules that were left out. */
  readonly compiled: number;
}

const LIST = "added.json";

export const packageFolder = (cache: string): string => join(cache, "packages");
export const sitePackagesOf = (folder: string): string => join(folder, "site-packages");

/** By name. */
export function addedPackages(folder: string): ReadonlyMap<string, Added> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(join(folder, LIST), "utf8")) as Record<string, Added>));
  } catch {
    return new Map();
  }
}

/** The folder that a program sees, where packages were added. */
export function addedFolder(folder: string): string | null {
  return addedPackages(folder).size === 0 ? null : sitePackagesOf(folder);
}

export const UNPACK: Inflate = {
  inflate: (packed, most) => inflateRawSync(packed, { maxOutputLength: Math.max(1, most) }),
  crc32,
};

/** Puts wheels in the place of what lies there under their names. Everything is unpacked before anything is moved. */
export async function addPackages(folder: string, wheels: readonly Wheel[]): Promise<void> {
  const beside = join(folder, `unpacked.${process.pid}`);
  rmSync(beside, { recursive: true, force: true });
  try {
    for (const { content } of wheels) {
      for (const [path, entry] of content.files) {
        const at = join(beside, path);
        mkdirSync(dirname(at), { recursive: true });
        writeFileSync(at, await entry.read());
      }
    }
    const known = new Map(addedPackages(folder));
    for (const { name } of wheels) takeAway(folder, known, name);
    for (const { name, file, content } of wheels) {
      const { metadata, files, compiled } = content;
      for (const [path] of files) {
        const at = join(sitePackagesOf(folder), path);
        mkdirSync(dirname(at), { recursive: true });
        if (statSync(join(beside, path), { throwIfNoEntry: false })?.isFile()) renameSync(join(beside, path), at);
      }
      const bytes = files.reduce((sum, [, entry]) => sum + entry.bytes, 0);
      known.set(name, { version: metadata.version, file, files: files.map(([path]) => path), bytes, compiled });
    }
    writeList(folder, known);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Whether it was there. */
export function removePackage(folder: string, name: string): boolean {
  const known = new Map(addedPackages(folder));
  if (!known.has(name)) return false;
  takeAway(folder, known, name);
  writeList(folder, known);
  return true;
}

function takeAway(folder: string, known: Map<string, Added>, name: string): void {
  const site = sitePackagesOf(folder);
  const folders = new Set<string>();
  for (const path of known.get(name)?.files ?? []) {
    rmSync(join(site, path), { force: true });
    for (let at = dirname(path); at !== "."; at = dirname(at)) folders.add(at);
  }
  // the deepest first; those of others are not empty
  for (const one of [...folders].toSorted((a, b) => b.length - a.length)) {
    const at = join(site, one);
    if (statSync(at, { throwIfNoEntry: false })?.isDirectory() && readdirSync(at).length === 0) rmdirSync(at);
  }
  known.delete(name);
}

function writeList(folder: string, known: ReadonlyMap<string, Added>): void {
  mkdirSync(folder, { recursive: true });
  const part = join(folder, `${LIST}.${process.pid}.part`);
  const sorted = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(part, JSON.stringify(Object.fromEntries(sorted)));
  renameSync(part, join(folder, LIST));
}
