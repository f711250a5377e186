/** Reads the configuration that `accelerate config` writes: YAML of plain values, and one level of groups. */

import { UsageError } from "./usage-error.ts";

/** Values by name; of a group's by `group.name`. Switches are `true` and `false`; what is null is not there. */
export type Config = ReadonlyMap<string, string>;

const LINE = /^( *)([\w.-]+)\s*:(?:\s+(.*?))?\s*$/;

export function readConfig(text: string, path: string): Config {
  if (text.trim() === "") throw new UsageError("launch_config_empty", { path });
  const found = new Map<string, string>();
  let group = "";
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/(^|\s)#.*$/, "").trimEnd();
    if (line.trim() === "" || line === "---" || line === "...") continue;
    const [, indent, key, value = ""] = LINE.exec(line) ?? [];
    if (key === undefined || (indent !== "" && group === "")) {
      throw new UsageError("launch_config_bad", { path, line: i + 1 });
    }
    if (indent === "") group = value === "" ? key : "";
    const scalar = plain(value);
    if (scalar !== null) found.set(indent === "" ? key : `${group}.${key}`, scalar);
  }
  return found;
}

function plain(value: string): string | null {
  if (value === "" || value === "null" || value === "~" || value === "{}" || value === "[]") return null;
  const quoted = /^(["'])(.*)\1$/.exec(value);
  if (quoted !== null) return quoted[2]!;
  if (/^(true|yes|on)$/i.test(value)) return "true";
  return /^(false|off)$/i.test(value) ? "false" : value;
}
