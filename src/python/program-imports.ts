/** Which installed packages a program imports when it begins: read in its text and in that of its own modules, nothing runs. */

import { MOST_READ_BYTES, type HostFiles } from "./host-files.ts";
import type { WorkerRequest } from "./messages.ts";
import type { Machine } from "../session/machine.ts";

/** A package with fewer files is imported as quickly as a snapshot is found. */
const FEW_FILES = 200;
/** Of a program's own modules so many are read. */
const MOST_MODULES = 200;

export interface ImportStatement {
  readonly statement: string;
  /** Its package has many files. */
  readonly large: boolean;
}

const IMPORT =
  /^(?:from[ \t]+(\.*[A-Za-z_][\w.]*|\.+)[ \t]+import[ \t]+(\([^)]*\)|[\w \t,]+)|import[ \t]+([\w., \t]+))/gm;

/** What lies in a program's own folders. */
interface OwnModules {
  readonly folders: readonly string[];
  readonly files: HostFiles;
}

/** The imports of installed packages at the beginning of lines of a program and of the modules that it imports so. */
export function importsOf(request: WorkerRequest, packages: readonly string[], files: HostFiles): ImportStatement[] {
  const sizes = new Map<string, number>();
  const filesIn = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const size = Math.max(0, ...packages.map((folder) => countFiles(files, `${folder}/${name}`)));
    sizes.set(name, size);
    return size;
  };
  const own = { folders: request.searchPath.filter((folder) => !packages.includes(folder)), files };
  const found = new Map<string, ImportStatement>();
  const waiting: (readonly [text: string, folder: string | null])[] = [[request.source, null]];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [text, folder] = next;
    for (const imported of statementsIn(text)) {
      const { module, names } = imported;
      for (const path of pathsOf(imported, folder, own)) {
        if (seen.has(path) || seen.size >= MOST_MODULES) continue;
        seen.add(path);
        waiting.push([textOf(files, path), path.slice(0, path.lastIndexOf("/"))]);
      }
      const count = module.startsWith(".") ? 0 : filesIn(module.split(".")[0]!);
      if (count === 0) continue;
      // each name by itself: what another program imports, too, is found again
      const statements = names?.map((name) => `from ${module} import ${name}`) ?? [`import ${module}`];
      for (const statement of statements) found.set(statement, { statement, large: count >= FEW_FILES });
    }
  }
  return [...found.values()];
}

interface Statement {
  readonly module: string;
  /** What is taken from it, with `as`; null where it is imported as a whole. */
  readonly names: readonly string[] | null;
}

const statementsIn = (text: string): Statement[] =>
  [...text.matchAll(IMPORT)].flatMap(([, from, names, modules]): Statement[] =>
    from === undefined
      ? modules!.split(",").map((one) => ({ module: one.trim().split(/\s+/)[0]!, names: null }))
      : [{ module: from, names: namesIn(names!) }],
  );

const namesIn = (text: string): string[] =>
  text
    .replaceAll(/#[^\n]*|[()\s]+/g, " ")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Files of a program's own modules that a statement may import. */
function pathsOf({ module, names }: Statement, folder: string | null, { folders, files }: OwnModules): string[] {
  const dots = /^\.*/.exec(module)![0].length;
  const parts = module.slice(dots).split(".").filter(Boolean);
  const above = (path: string): string => path.slice(0, path.lastIndexOf("/"));
  let start = folder ?? "";
  for (let i = 1; i < dots; i++) start = above(start);
  if (dots > 0 && folder === null) return [];
  return (dots > 0 ? [start] : folders).flatMap((base) => {
    const path = [base, ...parts].join("/");
    const isPackage = files.list(path) !== null;
    const parents = parts.map((_, i) => `${[base, ...parts.slice(0, i + 1)].join("/")}/__init__.py`);
    const below = isPackage ? (names ?? []).map((name) => `${path}/${name.split(" ")[0]}.py`) : [];
    return [`${path}.py`, ...parents, ...below].filter((one) => files.stat(one)?.folder === false);
  });
}

function textOf(files: HostFiles, path: string): string {
  const bytes = files.read(path, 0, MOST_READ_BYTES);
  return bytes === null ? "" : new TextDecoder().decode(bytes);
}

/** Python files below a folder, counted up to a number. */
function countFiles(files: HostFiles, folder: string): number {
  let count = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && count < FEW_FILES; next = waiting.pop()) {
    for (const entry of files.list(next) ?? []) {
      if (entry.folder) waiting.push(`${next}/${entry.name}`);
      else if (entry.name.endsWith(".py")) count++;
    }
  }
  return count;
}

/** What a kept interpreter depends on beside its packages and its build; `machine` where a package asked for the GPU. */
export function keptFacts(
  request: WorkerRequest,
  statements: readonly string[],
  machine: Machine | null,
): readonly unknown[] {
  const { torch, env, kernelTemporaries, overrides } = request.machine;
  return [torch, env, kernelTemporaries, overrides, request.packages, statements, machine];
}
