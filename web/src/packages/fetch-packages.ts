/** Packages from an index into this browser: what would be fetched, and then the fetching, each file held to its hash. Nothing of them runs here. */

import { diagnostic, DiagnosticError } from "../../../src/base/diagnostic.ts";
import { Gatherer } from "../../../src/packages/gather.ts";
import { bounded, PackageIndex } from "../../../src/packages/index-client.ts";
import type { IndexFile } from "../../../src/packages/index-page.ts";
import { fromScript } from "../../../src/packages/requirement-files.ts";
import { parseRequirement, type Requirement } from "../../../src/packages/requirement.ts";
import type { LeftOut, Resolution } from "../../../src/packages/resolve.ts";
import { keepPackages, keptFiles } from "./kept-packages.ts";

export interface Plan {
  readonly files: readonly IndexFile[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** Fetches what the plan names and keeps it. @throws DiagnosticError */
  readonly fetch: (onFetch: (file: IndexFile) => void) => Promise<void>;
}

const SUBTLE = { sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" } as const;

/** Requirements between spaces or commas at the top level, as on a command line. @throws DiagnosticError */
export function requirementsOf(text: string): readonly Requirement[] {
  const words = text.match(/[^\s,;[\]]+(?:\[[^\]]*\])?[^\s;]*/g) ?? [];
  return words.map((word) => {
    const one = parseRequirement(word.replace(/,$/, ""));
    if (one === null) throw new DiagnosticError(diagnostic("packages_bad_requirement", { text: word }));
    return one;
  });
}

/** What the header of a script names (PEP 723), as one would type it. */
export const namedByScript = (source: string): string =>
  fromScript(source)
    .requirements.map(({ text }) => text.replaceAll(/\s+/g, ""))
    .join(" ");

/** @throws DiagnosticError */
export async function planPackages(text: string, index: string, signal: AbortSignal): Promise<Plan> {
  const client = new PackageIndex({
    indexes: [index],
    kept: keptFiles,
    digest: async (hash, bytes) =>
      hexadecimal(await crypto.subtle.digest(SUBTLE[hash], bytes as Uint8Array<ArrayBuffer>)),
    isOffline: false,
    signal,
  });
  const gatherer = new Gatherer(client, { inflate, crc32 });
  const plan = await gatherer.plan(requirementsOf(text));
  return {
    files: [...plan.chosen.values()],
    leftOut: plan.leftOut,
    fetch: (onFetch) => fetchAll(gatherer, plan, onFetch),
  };
}

async function fetchAll(gatherer: Gatherer, plan: Resolution, onFetch: (file: IndexFile) => void): Promise<void> {
  const { ready } = await gatherer.fetch(plan, onFetch);
  const packages = [];
  for (const { name, content } of ready) {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const files: [string, number, number][] = [];
    let from = 0;
    for (const [path, entry] of content.files) {
      const bytes = (await entry.read()) as Uint8Array<ArrayBuffer>;
      files.push([path, from, bytes.length]);
      pieces.push(bytes);
      from += bytes.length;
    }
    const { metadata, compiled } = content;
    packages.push({ name, version: metadata.version, bytes: from, compiled, files, blob: new Blob(pieces) });
  }
  await keepPackages(packages);
}

const hexadecimal = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** No more than the archive says comes out, however much is in it. */
async function inflate(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  const bytes = await bounded(stream, most);
  if (bytes === null) throw new RangeError("more than the archive says");
  return bytes;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
