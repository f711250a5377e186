/** Interpreters with packages that this browser keeps, the last used first, until the packages are others. */

import { findKept, keptPackages, putKept, removeKeptFile } from "./kept-packages.ts";

export interface KeptInterpreter {
  readonly key: string;
  /** Nothing could be imported: the next run need not try. */
  readonly failed: boolean;
  /** There is one for each GPU, under a key of its own. */
  readonly asksMachine: boolean;
  /** The packages that it was made with. */
  readonly set: string;
}

const KIND = "interpreter";
const LIST = ["list", "interpreters"] as const;
/** Each takes some 30 MB. */
const MOST = 4;

/** The packages that are kept now, as a text. */
export const setOfKept = (): string =>
  (keptPackages.value ?? []).map(({ name, version, bytes }) => `${name} ${version} ${bytes}`).join("\n");

async function readList(): Promise<readonly KeptInterpreter[]> {
  const list = await findKept(...LIST);
  return list === undefined ? [] : ((await list.json()) as KeptInterpreter[]);
}

/** What is known of one; what is used moves to the front. */
export async function knownInterpreter(key: string): Promise<KeptInterpreter | undefined> {
  const all = await readList();
  const known = all.find((one) => one.key === key);
  if (known !== undefined && all[0] !== known)
    await putKept(...LIST, JSON.stringify([known, ...all.filter((one) => one !== known)]));
  return known;
}

export async function interpreterOf(key: string): Promise<Blob | null> {
  const response = await findKept(KIND, key);
  return response === undefined ? null : response.blob();
}

/** Keeps one, and lets go of those of other packages and of more than a few. */
export async function keepInterpreter(one: Omit<KeptInterpreter, "set">, packed: Blob | null): Promise<void> {
  const set = setOfKept();
  const before = (await readList()).filter(({ key }) => key !== one.key);
  if (packed !== null) await putKept(KIND, one.key, packed);
  let count = packed === null ? 0 : 1;
  const kept = before.filter((other) => other.set === set && (other.failed || other.asksMachine || ++count <= MOST));
  for (const { key } of before) if (!kept.some((other) => other.key === key)) await removeKeptFile(KIND, key);
  await putKept(...LIST, JSON.stringify([{ ...one, set }, ...kept]));
}
