/** What of a wheel is taken over, and what its metadata says. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { normalName, parseRequirement, type Requirement } from "./requirement.ts";
import type { ZipEntry } from "./zip.ts";

export interface Metadata {
  readonly name: string;
  readonly version: string;
  readonly requirements: readonly Requirement[];
}

const LONGEST_METADATA = 4 << 20;
const MOST_REQUIREMENTS = 2000;

/** `METADATA` of a distribution: the headers before the first empty line. */
export function readMetadata(text: string): Metadata | null {
  const headers = text
    .slice(0, LONGEST_METADATA)
    .split(/\r?\n\r?\n/, 1)[0]!
    .split(/\r?\n/);
  const all = (name: string): string[] =>
    headers
      .filter((line) => line.toLowerCase().startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trim());
  const [name] = all("name");
  const [version] = all("version");
  if (name === undefined || version === undefined) return null;
  const requirements = all("requires-dist").slice(0, MOST_REQUIREMENTS).map(parseRequirement);
  return { name, version, requirements: requirements.filter((one) => one !== null) };
}

export interface WheelContent {
  readonly metadata: Metadata;
  /** What is written, with its path below the folder of packages. */
  readonly files: readonly (readonly [path: string, entry: ZipEntry])[];
  /** Compiled modules, which no program here can load. */
  readonly compiled: number;
}

const COMPILED = /\.(so(\.\d+)*|pyd|dll|dylib|a|lib|exe)$/;
/** Python would run or follow them on its own; what they name may lie anywhere. */
const STARTS_BY_ITSELF = /^[^/]*\.pth$|^__editable__[^/]*\.py$|^(sitecustomize|usercustomize)\.py$/;

/** @throws DiagnosticError for a wheel of another package, or without metadata */
export async function wheelContent(entries: readonly ZipEntry[], file: string, project: string): Promise<WheelContent> {
  const damaged = (): DiagnosticError => new DiagnosticError(diagnostic("packages_bad_wheel", { file }));
  const infos = entries.filter(({ path }) => /^[^/]+\.dist-info\/METADATA$/.test(path));
  const [info] = infos;
  if (info === undefined || infos.length > 1 || info.bytes > LONGEST_METADATA) throw damaged();
  const metadata = readMetadata(new TextDecoder().decode(await info.read()));
  if (metadata === null || normalName(metadata.name) !== normalName(project)) throw damaged();
  const files: (readonly [string, ZipEntry])[] = [];
  let compiled = 0;
  for (const entry of entries) {
    const data = /^[^/]+\.data\/([^/]+)\/(.+)$/.exec(entry.path);
    // programs, headers and manuals have no place among packages
    if (data !== null && data[1] !== "purelib" && data[1] !== "platlib") continue;
    const path = data === null ? entry.path : data[2]!;
    if (COMPILED.test(path)) compiled++;
    else if (!STARTS_BY_ITSELF.test(path)) files.push([path, entry]);
  }
  return { metadata, files, compiled };
}
