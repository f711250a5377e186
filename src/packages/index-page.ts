/** The files of one project as an index of packages lists them: PEP 503 (HTML) and PEP 691 (JSON). */

import { table } from "../base/table.ts";
import { normalName } from "./requirement.ts";
import { parseVersion, type Version } from "./version.ts";

export interface IndexFile {
  readonly file: string;
  readonly url: string;
  readonly version: Version;
  /** Hexadecimal, by name of the function. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly requiresPython: string | null;
  readonly isYanked: boolean;
  /** The index serves the metadata beside the file. */
  readonly hasMetadata: boolean;
  /** Null where the index does not say. */
  readonly bytes: number | null;
  /** Null for what is no wheel. */
  readonly wheel: WheelName | null;
}

export interface WheelName {
  readonly isPure: boolean;
  readonly python: readonly string[];
  readonly platform: readonly string[];
}

const WHEEL = /^([A-Za-z0-9._]+)-([^-]+)(?:-\d[^-]*)?-([^-]+)-([^-]+)-([^-]+)\.whl$/;
const MOST_FILES = 50_000;

function wheelOf(file: string, project: string): { version: string; wheel: WheelName | null } | null {
  const match = WHEEL.exec(file);
  if (match !== null) {
    const [, name, version, python, abi, platform] = match;
    if (normalName(name!) !== project) return null;
    const tags = python!.split(".");
    const isPure = abi === "none" && platform === "any" && tags.some((tag) => /^py3\d*$/.test(tag));
    return { version: version!.replaceAll("_", "+"), wheel: { isPure, python: tags, platform: platform!.split(".") } };
  }
  const source = /^(.+)-([^-]+)\.(?:tar\.gz|zip|tar\.bz2|tgz)$/.exec(file);
  return source !== null && normalName(source[1]!) === project ? { version: source[2]!, wheel: null } : null;
}

interface Listed {
  readonly file: string;
  readonly address: string;
  readonly hashes: Readonly<Record<string, string>>;
  readonly requiresPython: string | null;
  readonly isYanked: boolean;
  readonly hasMetadata: boolean;
  readonly bytes: number | null;
}

/** Null where the text is no page of an index. */
export function readIndexPage(text: string, project: string, base: string): readonly IndexFile[] | null {
  const listed = text.trimStart().startsWith("{") ? readJson(text) : readHtml(text);
  if (listed === null) return null;
  const found: IndexFile[] = [];
  for (const { file, address, ...rest } of listed.slice(0, MOST_FILES)) {
    const named = wheelOf(file, normalName(project));
    const version = named === null ? null : parseVersion(named.version);
    if (version === null || !URL.canParse(address, base)) continue;
    found.push({ file, url: new URL(address, base).href, version, wheel: named!.wheel, ...rest });
  }
  return found;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readJson(text: string): Listed[] | null {
  let page: unknown;
  try {
    page = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(page) || !Array.isArray(page["files"])) return null;
  const found: Listed[] = [];
  for (const one of page["files"]) {
    if (!isRecord(one) || typeof one["filename"] !== "string" || typeof one["url"] !== "string") continue;
    const hashes = isRecord(one["hashes"]) ? one["hashes"] : {};
    const metadata = one["core-metadata"] ?? one["dist-info-metadata"];
    found.push({
      file: one["filename"],
      address: one["url"],
      hashes: Object.fromEntries(
        Object.entries(hashes).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
      ),
      requiresPython: typeof one["requires-python"] === "string" ? one["requires-python"] : null,
      isYanked: one["yanked"] !== undefined && one["yanked"] !== false,
      hasMetadata: metadata !== undefined && metadata !== false,
      bytes: typeof one["size"] === "number" && one["size"] >= 0 ? one["size"] : null,
    });
  }
  return found;
}

const ENTITIES = table<string>({
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  "#62": ">",
  "#60": "<",
});
const decoded = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

function readHtml(text: string): Listed[] | null {
  if (!/<(!doctype|html|a)\b/i.test(text)) return null;
  const found: Listed[] = [];
  for (const [, attributes, inner] of text.matchAll(/<a\s([^>]*)>([^<]*)<\/a>/gi)) {
    const value = (name: string): string | null => {
      const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(attributes!);
      return match === null ? null : decoded(match[1] ?? match[2] ?? "");
    };
    const [address, hash] = (value("href") ?? "").split("#");
    const named = /^(sha256|sha384|sha512)=([0-9a-f]+)$/i.exec(hash ?? "");
    found.push({
      file: decoded(inner!).trim(),
      address: address!,
      hashes: named === null ? {} : { [named[1]!.toLowerCase()]: named[2]!.toLowerCase() },
      requiresPython: value("data-requires-python"),
      isYanked: /\sdata-yanked\b/i.test(` ${attributes!}`),
      hasMetadata: /\sdata-(core|dist-info)-metadata\b/i.test(` ${attributes!}`),
      bytes: null,
    });
  }
  return found;
}
