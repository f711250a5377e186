/** Which indexes are asked: those of options and variables, else those that pip is set up with (`pip config`). Only those lines are read. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DEFAULT_INDEX } from "../packages/default-index.ts";
import type { Io } from "./io.ts";

const MOST_CHARACTERS = 1 << 20;

/** Files of pip's configuration, those that win first: PIP_CONFIG_FILE, the environment's, the person's, the machine's. */
function configurationFiles({ env }: Io): readonly string[] {
  const named = env["PIP_CONFIG_FILE"];
  // pip reads no configuration at all then
  if (named === "/dev/null" || named === "nul") return [];
  const name = process.platform === "win32" ? "pip.ini" : "pip.conf";
  const home = env["HOME"] ?? env["USERPROFILE"];
  const environment = env["VIRTUAL_ENV"] ?? env["CONDA_PREFIX"];
  return [
    named,
    environment && join(environment, name),
    env["XDG_CONFIG_HOME"] ? join(env["XDG_CONFIG_HOME"], "pip", name) : home && join(home, ".config", "pip", name),
    home && process.platform === "darwin" ? join(home, "Library", "Application Support", "pip", name) : undefined,
    env["APPDATA"] && join(env["APPDATA"], "pip", name),
    home && join(home, ".pip", name),
    process.platform === "win32" ? undefined : "/etc/pip.conf",
  ].filter((path): path is string => path !== undefined && path !== "");
}

interface Indexes {
  readonly index: string | undefined;
  readonly extra: readonly string[];
}

/** `index-url` and `extra-index-url` of [install], else of [global]. A value may go on in lines that are indented. */
export function indexesIn(text: string): Indexes {
  const values = new Map<string, string>();
  let section = "";
  let key: string | null = null;
  for (const line of text.slice(0, MOST_CHARACTERS).split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const heading = /^\[([^\]]*)\]/.exec(line);
    const pair = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (heading !== null) [section, key] = [heading[1]!.trim(), null];
    else if (pair !== null) {
      key = `${section}.${pair[1]!.toLowerCase().replaceAll("_", "-")}`;
      values.set(key, pair[2]!.trim());
    } else if (/^\s/.test(line) && key !== null) values.set(key, `${values.get(key)!} ${line.trim()}`);
  }
  const value = (name: string): string | undefined => values.get(`install.${name}`) ?? values.get(`global.${name}`);
  return { index: value("index-url") || undefined, extra: words(value("extra-index-url")) };
}

const words = (text: string | undefined): string[] => (text ?? "").split(/\s+/).filter((word) => word !== "");

/** `--index` alone where it is given; else as pip: variables before files, and the first file that names a value. */
export function indexesOf(named: string | undefined, io: Io): readonly string[] {
  if (named !== undefined) return [named];
  const { env } = io;
  const files = configurationFiles(io).map((path) => {
    try {
      return indexesIn(readFileSync(path, "utf8"));
    } catch {
      return { index: undefined, extra: [] };
    }
  });
  const index = env["PIP_INDEX_URL"] || files.find((one) => one.index !== undefined)?.index || DEFAULT_INDEX;
  const own = words(env["PIP_EXTRA_INDEX_URL"]);
  const extra = own.length > 0 ? own : (files.find((one) => one.extra.length > 0)?.extra ?? []);
  return [index, ...extra];
}
