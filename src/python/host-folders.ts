/** Host files from this machine's disk: folders that are mounted read-only, and nothing that lies outside of them. */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { HostEntry, HostFiles } from "./host-files.ts";
import { isHidden, type Visibility } from "./visible-files.ts";

export interface HostMount {
  /** Absolute path inside, without a slash at its end. */
  readonly inside: string;
  /** The folder on this machine. */
  readonly host: string;
  readonly visibility: Visibility;
}

/** Larger folders are listed by names only. */
const MOST_STATS = 4000;

/** @param shown host paths that are visible though the rule hides them */
export function hostFolders(mounts: readonly HostMount[], shown: readonly string[] = []): HostFiles {
  /** What is mounted by its real path, the deepest first: a link may lead there. */
  const roots = mounts
    .map(({ host, visibility }) => ({ real: realpathSync.native(host), visibility }))
    .sort((a, b) => b.real.length - a.real.length);
  const named = shown.flatMap((path) => quietly(() => [resolve(path), realpathSync.native(path)]) ?? []);
  /** The deepest mount first: one may lie inside another. */
  const byDepth = [...mounts].sort((a, b) => b.inside.length - a.inside.length);

  /** Whether a program may see `path`, which lies below `root`. */
  const maySee = (root: string, path: string, visibility: Visibility): boolean => {
    let at = root;
    let hiddenAt: string | null = null;
    for (const name of relative(root, path).split(sep)) {
      at = join(at, name);
      if (name !== "" && isHidden(name, visibility)) hiddenAt = at;
    }
    const last = hiddenAt;
    // what is named is seen, and the way to it; what is hidden below it is not
    return last === null || named.some((one) => isWithin(one, path) || (isWithin(path, one) && isWithin(one, last)));
  };

  /** The host's path of a path inside, links followed; null where a program may not look. */
  const hostPath = (inside: string): { path: string; mount: HostMount } | null => {
    const mount = byDepth.find((one) => inside === one.inside || inside.startsWith(`${one.inside}/`));
    if (mount === undefined) return null;
    const path = join(mount.host, inside.slice(mount.inside.length));
    if (!maySee(mount.host, path, mount.visibility)) return null;
    const real = realpathSync.native(path);
    // a link leads to another place of what is mounted, and gives no other name to what is hidden there
    const root = roots.find((one) => isWithin(real, one.real));
    if (root === undefined || (real !== path && !maySee(root.real, real, root.visibility))) return null;
    return { path: real, mount };
  };

  const entryOf = (inside: string): HostEntry | null => {
    const found = hostPath(inside);
    const stats = found === null ? undefined : statSync(found.path, { throwIfNoEntry: false });
    if (!stats?.isDirectory() && !stats?.isFile()) return null;
    const folder = stats.isDirectory();
    return {
      name: inside.slice(inside.lastIndexOf("/") + 1),
      folder,
      bytes: folder ? 0 : stats.size,
      changedMs: stats.mtimeMs,
    };
  };

  /** Whether a link leads to a folder on its own way: who looks through all folders would never come to an end there. */
  const leadsBack = (inside: string, name: string): boolean => {
    const real = hostPath(`${inside}/${name}`)?.path;
    for (let at = inside; at !== ""; at = at.slice(0, at.lastIndexOf("/")))
      if (quietly(() => hostPath(at))?.path === real) return true;
    return false;
  };

  return {
    stat: (inside) => quietly(() => entryOf(inside)),
    list: (inside) =>
      quietly(() => {
        const found = hostPath(inside);
        if (found === null) return null;
        const { inside: top, host, visibility } = found.mount;
        const listed = readdirSync(found.path, { withFileTypes: true });
        const many = listed.length > MOST_STATS;
        const entries: HostEntry[] = [];
        for (const item of listed) {
          // a name that a path inside cannot have
          if (item.name.includes("\\")) continue;
          if (!maySee(host, join(host, inside.slice(top.length), item.name), visibility)) continue;
          const path = join(found.path, item.name);
          if (item.isSymbolicLink() || (!item.isDirectory() && !item.isFile())) {
            const entry = item.isSymbolicLink() ? quietly(() => entryOf(`${inside}/${item.name}`)) : null;
            if (entry !== null && !(entry.folder && leadsBack(inside, item.name))) entries.push(entry);
            continue;
          }
          const folder = item.isDirectory();
          const stats = many && !folder ? null : lstatSync(path, { throwIfNoEntry: false });
          if (stats === undefined) continue;
          const bytes = folder ? 0 : (stats?.size ?? null);
          entries.push({ name: item.name, folder, bytes, changedMs: stats?.mtimeMs ?? 0 });
        }
        return entries;
      }),
    read: (inside, from, length) =>
      quietly(() => {
        const found = hostPath(inside);
        if (found === null) return null;
        // neither a pipe that never answers nor a link that was put there in between
        const file = openSync(
          found.path,
          constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
        );
        try {
          const stats = fstatSync(file);
          if (!stats.isFile()) return null;
          const bytes = new Uint8Array(Math.max(0, Math.min(length, stats.size - from)));
          let at = 0;
          while (at < bytes.length) {
            const read = readSync(file, bytes, at, bytes.length - at, from + at);
            if (read === 0) break;
            at += read;
          }
          return bytes.subarray(0, at);
        } finally {
          closeSync(file);
        }
      }),
  };
}

/** Whether a path is a folder or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path);
}

/** What this machine refuses to give is not there. */
function quietly<T>(ask: () => T | null): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
