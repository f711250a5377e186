/** Which folders of installed packages a program would see: of an interpreter or environment that is named, active, or beside it. */

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export interface Environment {
  /** Where it was found, as the user knows it. */
  readonly folder: string;
  /** Folders of packages, in the order of `sys.path`. */
  readonly sitePackages: readonly string[];
}

export interface EnvironmentHints {
  /** `--python`: an interpreter, an environment, or a folder of packages. */
  readonly python?: string | undefined;
  /** The user's own environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the script lies in. */
  readonly folder: string;
}

const NAMES_BESIDE = [".venv", "venv"];

/** The environment of a program; null where there is none, or where the named one is none. */
export function findEnvironment({ python, env, folder }: EnvironmentHints): Environment | null {
  if (python !== undefined) return environmentAt(python);
  for (const active of [env["VIRTUAL_ENV"], env["CONDA_PREFIX"]]) {
    const found = active === undefined || active === "" ? null : environmentAt(active);
    if (found !== null) return found;
  }
  for (let at = resolve(folder); ; at = dirname(at)) {
    for (const name of NAMES_BESIDE) {
      const found = isFile(join(at, name, "pyvenv.cfg")) ? environmentAt(join(at, name)) : null;
      if (found !== null) return found;
    }
    if (dirname(at) === at) return null;
  }
}

/** The environment of an interpreter or at a folder. */
export function environmentAt(path: string): Environment | null {
  if (isFolder(path)) {
    const found = packagesBelow(path);
    if (found.length > 0) return { folder: path, sitePackages: [...found, ...systemPackages(path)] };
    // a folder of packages itself
    const holdsPackages = namesIn(path).some((name) => /\.(dist|egg)-info$/.test(name));
    return holdsPackages ? { folder: path, sitePackages: [path] } : null;
  }
  if (!isFile(path)) return null;
  // an environment's interpreter is a link to another one: what counts is where the link lies
  for (const prefix of [dirname(dirname(resolve(path))), dirname(dirname(realpathSync(path)))]) {
    const environment = isFolder(prefix) ? environmentAt(prefix) : null;
    if (environment !== null) return environment;
  }
  return null;
}

/** `lib/python3.12/site-packages`, on Windows `Lib/site-packages`, on Debian `lib/python3/dist-packages`. */
function packagesBelow(prefix: string): string[] {
  const found: string[] = [];
  for (const lib of ["local/lib", "lib", "lib64"]) {
    const versions = namesIn(join(prefix, lib))
      .filter((name) => /^(python|pypy)3(\.\d+t?)?$/.test(name))
      .sort((a, b) => minor(b) - minor(a));
    for (const version of versions) {
      for (const name of ["site-packages", "dist-packages"]) found.push(join(prefix, lib, version, name));
    }
  }
  found.push(join(prefix, "Lib", "site-packages"));
  const seen = new Set<string>();
  return found.filter((folder) => {
    if (!isFolder(folder)) return false;
    const real = realpathSync(folder);
    return seen.has(real) ? false : (seen.add(real), true);
  });
}

const minor = (name: string): number => Number(/3\.(\d+)/.exec(name)?.[1] ?? -1);

/** What an environment lets through of the interpreter that it was made with. */
function systemPackages(prefix: string): string[] {
  const settings = textOf(join(prefix, "pyvenv.cfg")) ?? "";
  const value = (name: string): string | undefined =>
    new RegExp(`^\\s*${name}\\s*=\\s*(.*?)\\s*$`, "m").exec(settings)?.[1];
  const home = value("home");
  if (value("include-system-site-packages")?.toLowerCase() !== "true" || home === undefined) return [];
  return packagesBelow(basename(home) === "bin" ? dirname(home) : home);
}

/** Folders that a folder of packages leads to: lines of `.pth` files, and the tables of editable installs. Nothing in them runs. */
export interface LinkedPackage {
  /** A folder for `sys.path`, or that of one package. */
  readonly host: string;
  /** The package's name, when `host` is its own folder. */
  readonly name: string | null;
}

const LONGEST_LINK_FILE = 1 << 20;
const MOST_LINKS = 500;

export function linkedPackages(sitePackages: string): LinkedPackage[] {
  const found: LinkedPackage[] = [];
  for (const file of namesIn(sitePackages)) {
    const path = join(sitePackages, file);
    if (file.endsWith(".pth") && !file.startsWith(".")) {
      for (const line of (textOf(path) ?? "").split(/\r?\n/)) {
        const entry = line.trim();
        if (entry === "" || entry.startsWith("#") || /^import[ \t]/.test(entry)) continue;
        const host = resolve(sitePackages, entry);
        if (isFolder(host)) found.push({ host, name: null });
      }
    } else if (/^__editable__.*finder.*\.py$/.test(file)) {
      const table = /^MAPPING\b[^=\n]*=\s*\{([^}]*)\}/m.exec(textOf(path) ?? "")?.[1] ?? "";
      for (const [, name, text] of table.matchAll(/['"]([A-Za-z_]\w*)['"]\s*:\s*['"]((?:[^'"\\]|\\.)*)['"]/g)) {
        const host = text!.replaceAll(/\\(.)/g, "$1");
        if (isFolder(host) && basename(host) === name) found.push({ host, name });
      }
    }
    if (found.length >= MOST_LINKS) break;
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function textOf(path: string): string | null {
  try {
    return statSync(path).size > LONGEST_LINK_FILE ? null : readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
