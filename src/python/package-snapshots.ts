/**
 * Interpreters that have imported a program's packages already, kept as memory snapshots in the cache: large packages take seconds to
 * import and a fraction of one to restore. A snapshot is good for one set of imports of one environment, as long as no file of it changes.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { CHECKSUM_ENDING, checksumOf, packedImage } from "./memory-image.ts";
import { INSTALLED_PARTS } from "./files.ts";
import type { FrozenPackages } from "./freeze-packages.ts";
import type { HostFiles } from "./host-files.ts";
import type { HostMount } from "./host-folders.ts";
import { offerFiles } from "./host-place.ts";
import type { Machine } from "../session/machine.ts";
import type { WorkerRequest } from "./messages.ts";
import { importsOf, keptFacts } from "./program-imports.ts";
import { takeFreezer } from "./program-process.ts";

/** Together; the ones that were not used for the longest time go first. */
const MOST_BYTES = 2 ** 30;
const MOST_SNAPSHOTS = 12;
/** A package that takes longer to be imported is left to the program, whose own limit then counts; between these. */
const [LEAST_SECONDS, MOST_SECONDS] = [60, 600];
/** So long nobody tries again what took too long: the machine may have been busy. */
const MOST_LATE_MS = 3_600_000;

/** What a snapshot depends on, beside it: files with their sizes and times. */
interface Manifest {
  readonly files: readonly (readonly [path: string, bytes: number, changedMs: number])[];
  /** Nothing could be imported: the next run need not try. */
  readonly failed: boolean;
  /** When importing took too long, in milliseconds since 1970. */
  readonly lateMs?: number | undefined;
  /** Packages asked for the GPU: there is one snapshot for each, under a name of its own. */
  readonly asksMachine: boolean;
  /** What it was made in, and what it has imported there. */
  readonly environment: string;
  readonly statements: readonly string[];
}

export interface SnapshotWish {
  /** The cache; see {@link snapshotFolder}. */
  readonly folder: string;
  readonly request: WorkerRequest;
  readonly mounts: readonly HostMount[];
  readonly files: HostFiles;
  readonly signal?: AbortSignal | undefined;
  /** A snapshot is being made: this takes seconds. */
  readonly onMaking: () => void;
}

export const snapshotFolder = (cache: string): string => join(cache, "interpreters");

/** The path of a snapshot for a program, made where there is none yet; null where it needs none. */
export async function packageSnapshot(wish: SnapshotWish): Promise<string | null> {
  const { folder, request, mounts } = wish;
  const packages = mounts.filter(({ inside }) => inside.startsWith("/site-packages/"));
  const imports =
    request.packages === "built-in"
      ? []
      : importsOf(
          request,
          packages.map(({ inside }) => inside),
          wish.files,
        );
  if (!imports.some(({ large }) => large)) return null;
  const statements = [...new Set(imports.map(({ statement }) => statement))].sort();
  const common = keyOf(request, packages, statements);
  const ofMachine = keyOf(request, packages, statements, request.machine);
  const nameFor = ({ asksMachine }: { readonly asksMachine: boolean }): string => (asksMachine ? ofMachine : common);
  const first = manifestAt(join(folder, `${common}.json`));
  const known = first?.asksMachine ? manifestAt(join(folder, `${ofMachine}.json`)) : first;
  if (known !== null && isCurrent(known)) {
    if (known.failed && !isLongAgo(known.lateMs)) return null;
    const path = join(folder, `${nameFor(known)}.snapshot`);
    if (!known.failed && statSync(path, { throwIfNoEntry: false })?.isFile()) {
      touch(path);
      return path;
    }
  }
  wish.onMaking();
  const environment = keyOf(request, packages, []);
  const answer = await makeSnapshot(wish, statements, nearest(folder, environment, statements));
  if (wish.signal?.aborted) return null;
  const made = answer === "late" ? null : answer;
  const asksMachine = made?.asksMachine ?? false;
  const name = nameFor({ asksMachine });
  const path = join(folder, `${name}.snapshot`);
  try {
    mkdirSync(folder, { recursive: true });
    const manifest: Manifest = {
      files: filesOf(made?.files ?? [], packages),
      failed: made === null,
      lateMs: answer === "late" ? Date.now() : undefined,
      asksMachine,
      environment,
      statements,
    };
    // the manifest last: whoever finds it finds the snapshot
    if (made !== null) {
      const image = packedImage(made.snapshot);
      writeWhole(path, image);
      writeWhole(path + CHECKSUM_ENDING, checksumOf(image));
    }
    for (const one of new Set([name, common])) writeWhole(join(folder, `${one}.json`), JSON.stringify(manifest));
    keepWithin(folder, name);
  } catch {
    // a cache that cannot be written is no cache
    return null;
  }
  return made === null ? null : path;
}

const isLongAgo = (ms: number | undefined): boolean => ms !== undefined && Date.now() - ms > MOST_LATE_MS;

/** The snapshot that has imported the most of what is wanted and nothing else: another one is begun from it. */
function nearest(folder: string, environment: string, wanted: readonly string[]): string | null {
  let best: { path: string; count: number } | null = null;
  for (const { name } of keptSnapshots(folder)) {
    const known = manifestAt(join(folder, `${name}.json`));
    if (known === null || known.failed || known.asksMachine || known.environment !== environment) continue;
    const count = known.statements.length;
    if (count <= (best?.count ?? 0) || !known.statements.every((one) => wanted.includes(one))) continue;
    if (isCurrent(known)) best = { path: join(folder, `${name}.snapshot`), count };
  }
  return best?.path ?? null;
}

function makeSnapshot(
  { request, files, signal }: SnapshotWish,
  imports: readonly string[],
  from: string | null,
): Promise<FrozenPackages | "late" | null> {
  return new Promise((done) => {
    const runner = takeFreezer(from);
    offerFiles(runner, files);
    const end = (frozen: FrozenPackages | "late" | null): void => {
      clearTimeout(limit);
      signal?.removeEventListener("abort", onAbort);
      runner.end();
      done(frozen);
    };
    const onAbort = (): void => end(null);
    signal?.addEventListener("abort", onAbort, { once: true });
    const seconds = Math.max(LEAST_SECONDS, Math.min(request.timeoutSeconds ?? MOST_SECONDS, MOST_SECONDS));
    const limit = setTimeout(() => end("late"), seconds * 1000);
    runner.listen({
      onMessage: (message) => {
        if (message.type === "frozen") end(message.files.length === 0 ? null : message);
        else if (message.type === "failed" || message.type === "refused") end(null);
      },
      onBroken: () => end(null),
    });
    runner.send({ type: "freeze", request, imports });
  });
}

function keyOf(
  request: WorkerRequest,
  packages: readonly HostMount[],
  statements: readonly string[],
  machine: Machine | null = null,
): string {
  const hash = createHash("sha256");
  const own = INSTALLED_PARTS.version();
  // what is installed says itself by its folders: a new package may change what another one imports
  const installed = packages.map(({ host }) => [host, namesIn(host)]);
  hash.update(JSON.stringify([own, installed, keptFacts(request, statements, machine)]));
  return hash.digest("hex").slice(0, 32);
}

function filesOf(inside: readonly string[], packages: readonly HostMount[]): Manifest["files"] {
  return inside.flatMap((path) => {
    const mount = packages.find((one) => path.startsWith(`${one.inside}/`));
    const host = mount === undefined ? null : join(mount.host, path.slice(mount.inside.length));
    const stats = host === null ? undefined : statSync(host, { throwIfNoEntry: false });
    return stats === undefined ? [] : [[host!, stats.size, stats.mtimeMs] as const];
  });
}

function isCurrent({ files }: Manifest): boolean {
  return files.every(([path, bytes, changedMs]) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && stats.size === bytes && stats.mtimeMs === changedMs;
  });
}

function manifestAt(path: string): Manifest | null {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    const isEntry = (entry: unknown): boolean => Array.isArray(entry) && typeof entry[0] === "string";
    return Array.isArray(value.files) &&
      value.files.every(isEntry) &&
      typeof value.failed === "boolean" &&
      typeof value.asksMachine === "boolean"
      ? value
      : null;
  } catch {
    return null;
  }
}

/** Another process may read the same file, or write it at the same time. */
function writeWhole(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.${Date.now()}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // somebody else's, or gone: then it is used once more, or made again
  }
}

export interface KeptSnapshot {
  readonly name: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/** The snapshots in the cache, the last used first. */
export function keptSnapshots(folder: string): KeptSnapshot[] {
  return namesIn(folder)
    .filter((file) => file.endsWith(".snapshot"))
    .flatMap((file) => {
      const stats = statSync(join(folder, file), { throwIfNoEntry: false });
      return stats === undefined
        ? []
        : [{ name: file.slice(0, -".snapshot".length), bytes: stats.size, usedMs: stats.mtimeMs }];
    })
    .sort((a, b) => b.usedMs - a.usedMs);
}

export function removeSnapshot(folder: string, name: string): void {
  for (const ending of ["json", "snapshot", `snapshot${CHECKSUM_ENDING}`])
    rmSync(join(folder, `${name}.${ending}`), { force: true });
}

function keepWithin(folder: string, newest: string): void {
  let bytes = 0;
  let count = 0;
  for (const kept of keptSnapshots(folder)) {
    bytes += kept.bytes;
    count += 1;
    if (kept.name !== newest && (bytes > MOST_BYTES || count > MOST_SNAPSHOTS)) removeSnapshot(folder, kept.name);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
