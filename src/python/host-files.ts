/** The host's files as a program sees them: nothing is copied beforehand, each is asked for when Python asks for it. */

/** A file or folder. What is neither, and what a program may not see, is not there. */
export interface HostEntry {
  readonly name: string;
  readonly folder: boolean;
  /** Size of a file; null where a folder has so many files that each is asked for by itself. */
  readonly bytes: number | null;
  /** Time of the last change, in milliseconds since 1970. */
  readonly changedMs: number;
}

/** A folder that was looked into. */
export interface HostListing {
  readonly changedMs: number;
  readonly entries: readonly HostEntry[];
}

/** What folders hold, by their paths; what is no folder is left out. */
export function listingsOf(files: HostFiles, paths: readonly string[]): Record<string, HostListing> {
  const found: Record<string, HostListing> = {};
  for (const path of paths) {
    const [entry, entries] = [files.stat(path), files.list(path)];
    if (entry !== null && entries !== null) found[path] = { changedMs: entry.changedMs, entries };
  }
  return found;
}

/** Paths are those inside the interpreter: absolute, with slashes, without `.` and `..`. */
export interface HostFiles {
  /** What lies in a folder; null where there is none. */
  list(path: string): readonly HostEntry[] | null;
  /** One file or folder; null where there is none. */
  stat(path: string): HostEntry | null;
  /** Up to `length` bytes of a file from byte `from`, fewer at its end; null where it cannot be read. */
  read(path: string, from: number, length: number): Uint8Array | null;
}

/** The most that one question reads; more takes several. */
export const MOST_READ_BYTES = 1 << 20;

export type HostQuestion =
  | { readonly kind: "list" | "stat"; readonly path: string }
  | { readonly kind: "read"; readonly path: string; readonly from: number; readonly length: number };

export type HostAnswer = readonly HostEntry[] | HostEntry | Uint8Array | null;

/** Answers what a program's thread asks. A question of a wrong form is one about nothing: its answer is null. */
export function answerHost(files: HostFiles, question: HostQuestion | null | undefined): HostAnswer {
  if (question === null || question === undefined) return null;
  const { kind, path } = question;
  if (typeof path !== "string" || !isPlainPath(path)) return null;
  if (kind === "list") return files.list(path);
  if (kind === "stat") return files.stat(path);
  if (kind !== "read") return null;
  const { from, length } = question;
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(length) || from < 0 || length <= 0) return null;
  return files.read(path, from, Math.min(length, MOST_READ_BYTES));
}

/** The name under which a program's thread asks for host files. */
export const FILE_SERVICE = "host_files";

/** Host files as the program's thread sees them; `ask` waits for the answer. Where nobody answers, there are none. */
export function askForFiles(ask: (service: string, question: HostQuestion) => unknown): HostFiles {
  const answer = <T>(question: HostQuestion): T | null => (ask(FILE_SERVICE, question) as T | null | undefined) ?? null;
  return {
    list: (path) => answer({ kind: "list", path }),
    stat: (path) => answer({ kind: "stat", path }),
    read: (path, from, length) => answer({ kind: "read", path, from, length }),
  };
}

/** Files that are held in memory, by path inside. */
export const heldFiles = (files: Readonly<Record<string, Uint8Array>>): HostFiles =>
  listedFiles(
    Object.entries(files).map(([path, { length }]) => [path, length]),
    (path, from, length) => (Object.hasOwn(files, path) ? files[path]!.slice(from, from + length) : null),
  );

/** Files of which a list of paths inside and sizes is known; `read` gives their bytes. */
export function listedFiles(
  sizes: Iterable<readonly [path: string, bytes: number]>,
  read: HostFiles["read"],
): HostFiles {
  const folders = new Map<string, Map<string, HostEntry>>();
  for (const [path, bytes] of sizes) {
    let entry: HostEntry = { name: "", folder: false, bytes, changedMs: 0 };
    for (let at = path; at !== ""; entry = { name: "", folder: true, bytes: 0, changedMs: 0 }) {
      const cut = at.lastIndexOf("/");
      const name = at.slice(cut + 1);
      at = at.slice(0, cut);
      const folder = folders.get(at) ?? new Map<string, HostEntry>();
      folders.set(at, folder);
      if (folder.has(name)) break;
      folder.set(name, { ...entry, name });
    }
  }
  return {
    list: (path) => {
      const folder = folders.get(path);
      return folder === undefined ? null : [...folder.values()];
    },
    stat: (path) => {
      const cut = path.lastIndexOf("/");
      return folders.get(path.slice(0, cut))?.get(path.slice(cut + 1)) ?? null;
    },
    read,
  };
}

/** Whether a path is absolute and each part of it a name. */
export function isPlainPath(path: string): boolean {
  if (!path.startsWith("/") || path.includes("\0") || path.includes("\\")) return false;
  return path
    .slice(1)
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== "..");
}
