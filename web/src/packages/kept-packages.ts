/** Packages that were fetched into this browser: kept unpacked, one blob for each, until somebody removes them. */

import { signal } from "@preact/signals";
import type { KeptFiles } from "../../../src/packages/index-client.ts";

export interface KeptPackage {
  readonly name: string;
  readonly version: string;
  /** Of all files together. */
  readonly bytes: number;
  /** Compiled modules that were left out. */
  readonly compiled: number;
  /** Where in the blob each file lies, by its path below the folder of packages. */
  readonly files: readonly (readonly [path: string, from: number, bytes: number])[];
}

const STORE = "vramscope-packages";
const LIST = "list";

/** Whether this browser keeps anything for this page: in an insecure place, or a closed window, it does not. */
export const canKeep = (): boolean => "caches" in globalThis && "crypto" in globalThis && crypto.subtle !== undefined;

const addressOf = (kind: string, name: string): string =>
  new URL(`./kept/${kind}/${encodeURIComponent(name)}`, document.baseURI).href;

export async function findKept(kind: string, name: string): Promise<Response | undefined> {
  return canKeep() ? (await caches.open(STORE)).match(addressOf(kind, name)) : undefined;
}

export async function putKept(kind: string, name: string, body: BodyInit): Promise<void> {
  await (await caches.open(STORE)).put(addressOf(kind, name), new Response(body));
}

export const removeKeptFile = async (kind: string, name: string): Promise<boolean> =>
  (await caches.open(STORE)).delete(addressOf(kind, name));

/** What an index said, beside the packages. */
export const keptFiles: KeptFiles = {
  get: async (kind, name) => {
    const response = await findKept(kind, name);
    return response === undefined ? null : new Uint8Array(await response.arrayBuffer());
  },
  put: (kind, name, bytes) => putKept(kind, name, bytes as Uint8Array<ArrayBuffer>),
};

/** Null until the browser has been asked. */
export const keptPackages = signal<readonly KeptPackage[] | null>(null);

export async function readKept(): Promise<readonly KeptPackage[]> {
  const list = await findKept("list", LIST).catch(() => undefined);
  keptPackages.value = list === undefined ? [] : ((await list.json()) as KeptPackage[]);
  return keptPackages.value;
}

async function writeList(packages: readonly KeptPackage[]): Promise<void> {
  await putKept("list", LIST, JSON.stringify(packages));
  keptPackages.value = packages;
}

/** Keeps packages in the place of what was kept under their names. */
export async function keepPackages(packages: readonly (KeptPackage & { readonly blob: Blob })[]): Promise<void> {
  const before = await readKept();
  const names = new Set(packages.map(({ name }) => name));
  for (const { name, blob } of packages) await putKept("package", name, blob);
  const listed = packages.map(({ name, version, bytes, compiled, files }) => ({
    name,
    version,
    bytes,
    compiled,
    files,
  }));
  const all = [...before.filter(({ name }) => !names.has(name)), ...listed];
  await writeList(all.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}

export async function removeKept(name: string): Promise<void> {
  await removeKeptFile("package", name);
  await writeList((await readKept()).filter((one) => one.name !== name));
}

/** Packages and all that was kept to fetch them. */
export async function removeAllKept(): Promise<void> {
  await caches.delete(STORE);
  keptPackages.value = [];
}

/** What a thread is handed, and reads only where a program asks; null where nothing was added. */
export async function packedPackages(): Promise<{ blob: Blob; files: KeptPackage["files"] }[] | null> {
  const all = keptPackages.value ?? (await readKept());
  const packed: { blob: Blob; files: KeptPackage["files"] }[] = [];
  for (const { name, files } of all) {
    const response = await findKept("package", name);
    if (response !== undefined) packed.push({ blob: await response.blob(), files });
  }
  return packed.length === 0 ? null : packed;
}
