/** How the process that runs programs is held: what it may read, how much it may take, and what of the system it sees. */

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, lstatSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** A graph of a million nodes takes some GiB; more than half of a machine is not ours to take. */
const MOST_HEAP_MIB = 12 * 1024;
const LEAST_HEAP_MIB = 1024;
/** What a process needs beside its heap: WebAssembly's memory of at most 4 GiB, the trace, and the code. */
const BESIDE_HEAP_BYTES = 8 * GIB;

export const heapMib = (): number =>
  Math.max(LEAST_HEAP_MIB, Math.min(MOST_HEAP_MIB, Math.floor(totalmem() / 2 / MIB)));

/** The built files. */
const ownFolder = (): string => fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** The built files, and the folder of Pyodide; each as it is named and as it is, and the links on the way, which Node reads. */
function readablePaths(takesPrefixes: boolean): string[] {
  const own = ownFolder();
  const require = createRequire(import.meta.url);
  // installers put links into node_modules
  const named = (require.resolve.paths("pyodide") ?? [])
    .map((folder) => join(folder, "pyodide"))
    .filter((folder) => existsSync(folder))
    .slice(0, 1);
  const folders = [own, realpathSync(own), dirname(require.resolve("pyodide")), ...named];
  const paths = folders.flatMap((folder) => {
    const links = linksOf(folder);
    if (takesPrefixes) return [...links, `${folder}/*`];
    const link = links.findLast((path) => /[\\/]node_modules([\\/]|$)/.test(path));
    return link === undefined ? [`${folder}/*`] : [`${link}*`];
  });
  // some releases of Node break down when a path is given twice
  return [...new Set(paths)];
}

/** Which parts of a path are links. */
function linksOf(path: string): string[] {
  const above = dirname(path);
  const links = above === path ? [] : linksOf(above);
  return lstatSync(path).isSymbolicLink() ? [...links, path] : links;
}

/** Whether a Node has the permission model under its name of today: those before it break down at a path that begins another. */
function isOfToday(program: string): boolean {
  const asked = 'process.allowedNodeEnvironmentFlags.has("--permission")';
  return program === process.execPath
    ? process.allowedNodeEnvironmentFlags.has("--permission")
    : execFileSync(program, ["-p", asked], { encoding: "utf8" }).trim() === "true";
}

/** Node's own wall: nothing is read but these folders, nothing written, no process started, no native code loaded. */
function permissionFlags(program: string, readable: readonly string[]): string[] {
  const ofToday = isOfToday(program);
  return [
    ofToday ? "--permission" : "--experimental-permission",
    "--allow-worker",
    ...[...readablePaths(ofToday), ...readable].map((path) => `--allow-fs-read=${path}`),
    "--disallow-code-generation-from-strings",
    "--no-warnings",
  ];
}

/** The system's own wall where there is one: limits for the process, and on Linux spaces of its own for network and signals. */
const SHELL = "/bin/sh";
const SPACES = "unshare --user --net --ipc";
const limited = (bytes: number): string =>
  [
    // no file grows, no memory is dumped; what is not known to a system is not asked for
    "unset PWD OLDPWD",
    "ulimit -f 0 -c 0 2>/dev/null",
    `ulimit -d ${Math.ceil(bytes / 1024)} 2>/dev/null`,
    `if ${SPACES} true 2>/dev/null; then exec ${SPACES} "$@"; else exec "$@"; fi`,
  ].join("\n");

function hasShell(): boolean {
  try {
    accessSync(SHELL, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ConfinedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment of the process: nothing but what the system itself needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder in which it starts. Node lets a thread read what is below the folder that the process is in, so it is one that may be read. */
  readonly cwd: string;
}

/** The command that runs `module`, a built file, with `args`, confined; `readable` are further files that it may read, `program` is Node. */
export function confinedCommand(
  module: string,
  args: readonly string[],
  readable: readonly string[] = [],
  program = process.execPath,
): ConfinedCommand {
  const node = [program, ...permissionFlags(program, readable), module, ...args];
  const cwd = ownFolder();
  const root = process.platform === "win32" ? process.env["SystemRoot"] : undefined;
  const env: Record<string, string> = root === undefined ? {} : { SystemRoot: root };
  if (process.platform === "win32" || !hasShell()) return { command: node[0]!, args: node.slice(1), env, cwd };
  const script = limited(heapMib() * MIB + BESIDE_HEAP_BYTES);
  // the shell looks for unshare where systems have it
  return { command: SHELL, args: ["-c", `PATH=/usr/bin:/bin; ${script}`, "sh", ...node], env, cwd };
}
