/**
 * Asks an index of Python packages, in Node and in a browser, and keeps what it said: pages for when there is no network, wheels and
 * metadata for good. What is fetched is data; lengths are bounded while it comes, and hashes hold it to what the index promised.
 */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { readIndexPage, type IndexFile } from "./index-page.ts";

const ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";
const MOST_PAGE_BYTES = 64 << 20;
const MOST_METADATA_BYTES = 4 << 20;
const MOST_WAIT_MS = 60_000;
/** The strongest first. */
const HASHES = ["sha512", "sha384", "sha256"] as const;
export type HashName = (typeof HASHES)[number];

/** What was fetched before; a file is kept whole or not at all. */
export interface KeptFiles {
  get(kind: "pages" | "files", name: string): Promise<Uint8Array | null>;
  put(kind: "pages" | "files", name: string, bytes: Uint8Array): Promise<void>;
}

export interface IndexOptions {
  /** Addresses of indexes, `https://pypi.org/simple`: what they have of a project counts together, as for pip. */
  readonly indexes: readonly string[];
  readonly kept: KeptFiles;
  /** In hexadecimal digits. */
  readonly digest: (hash: HashName, bytes: Uint8Array) => Promise<string>;
  readonly isOffline: boolean;
  readonly signal: AbortSignal;
  /** By default the host's own. */
  readonly ask?: Ask;
}

/** Of fetch, what is used here. */
export type Ask = (
  address: URL,
  options: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
) => Promise<Response>;

export class PackageIndex {
  private readonly options: IndexOptions;
  private readonly pages = new Map<string, Promise<readonly IndexFile[] | null>>();

  constructor(options: IndexOptions) {
    for (const index of options.indexes)
      if (!/^https?:\/\//.test(index) || !URL.canParse(index))
        throw new DiagnosticError(diagnostic("packages_bad_index", { index: shownAddress(index) }));
    this.options = options;
  }

  /** Files of a project; null where no index has any. */
  files(name: string): Promise<readonly IndexFile[] | null> {
    const known = this.pages.get(name);
    if (known !== undefined) return known;
    const asked = this.allPages(name);
    this.pages.set(name, asked);
    return asked;
  }

  private async allPages(name: string): Promise<readonly IndexFile[] | null> {
    const pages = await Promise.all(this.options.indexes.map((index) => this.page(index, name)));
    const found = pages.filter((page) => page !== null);
    if (found.length > 0) return found.flat();
    if (this.options.isOffline) throw new DiagnosticError(diagnostic("packages_offline", { file: name }));
    return null;
  }

  private async page(index: string, name: string): Promise<readonly IndexFile[] | null> {
    const { isOffline, kept } = this.options;
    const address = `${index.replace(/\/+$/, "")}/${name}/`;
    const bytes = isOffline ? await kept.get("pages", address) : await this.ask(address, MOST_PAGE_BYTES);
    if (bytes === null) return null;
    const files = readIndexPage(new TextDecoder().decode(bytes), name, address);
    if (files === null) throw new DiagnosticError(diagnostic("packages_bad_page", { address: shownAddress(address) }));
    if (!isOffline) await kept.put("pages", address, bytes);
    return files;
  }

  /** The bytes of a file, as its hash promises; null where it is larger than wanted. */
  async file({ file, url, hashes }: IndexFile, mostBytes: number): Promise<Uint8Array | null> {
    const { isOffline, kept, digest } = this.options;
    const promised = HASHES.find((one) => hashes[one] !== undefined);
    if (promised === undefined) throw new DiagnosticError(diagnostic("packages_no_hash", { file }));
    const isPromised = async (bytes: Uint8Array): Promise<boolean> =>
      (await digest(promised, bytes)) === hashes[promised]!.toLowerCase();
    const name = `${hashes[promised]!}.whl`;
    const before = await kept.get("files", name);
    if (before !== null && (await isPromised(before))) return before;
    if (isOffline) throw new DiagnosticError(diagnostic("packages_offline", { file }));
    const bytes = await this.ask(url, mostBytes, true);
    if (bytes === null) return null;
    if (!(await isPromised(bytes))) throw new DiagnosticError(diagnostic("packages_wrong_hash", { file }));
    await kept.put("files", name, bytes);
    return bytes;
  }

  /** The metadata that lies beside a file; null where the index has none. */
  async metadata({ url, hasMetadata }: IndexFile): Promise<string | null> {
    if (!hasMetadata) return null;
    const { isOffline, kept } = this.options;
    const name = `${url}.metadata`;
    const before = await kept.get("files", name);
    if (before !== null) return new TextDecoder().decode(before);
    if (isOffline) return null;
    const bytes = await this.ask(name, MOST_METADATA_BYTES);
    if (bytes !== null) await kept.put("files", name, bytes);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  /** Null for what is not there, or too large where that is asked for. */
  private async ask(address: string, mostBytes: number, nullIfLarge = false): Promise<Uint8Array | null> {
    const url = new URL(address);
    const headers: Record<string, string> = { accept: ACCEPT };
    if (url.username !== "") {
      const word = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      headers["authorization"] = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(word)))}`;
      url.username = url.password = "";
    }
    const failed = (reason: string): DiagnosticError =>
      new DiagnosticError(diagnostic("packages_fetch_failed", { address: shownAddress(address), reason }));
    try {
      const signal = AbortSignal.any([this.options.signal, AbortSignal.timeout(MOST_WAIT_MS)]);
      const answer = await (this.options.ask ?? fetch)(url, { headers, signal });
      if (answer.status === 404) return null;
      if (!answer.ok || answer.body === null) throw failed(`${answer.status} ${answer.statusText}`);
      const bytes = await bounded(answer.body, mostBytes);
      if (bytes === null && !nullIfLarge)
        throw new DiagnosticError(diagnostic("packages_too_large", { file: shownAddress(address), mostBytes }));
      return bytes;
    } catch (error) {
      if (error instanceof DiagnosticError) throw error;
      throw failed(reasonOf(error));
    }
  }
}

/** Why a fetch failed: its own words say that it did, those of its cause why. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: unknown };
  return cause instanceof Error ? cause.message : message;
}

/** All bytes of a stream; null, and no more is read, where there are more than wanted. */
export async function bounded(stream: ReadableStream<Uint8Array>, mostBytes: number): Promise<Uint8Array | null> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    total += next.value.length;
    if (total > mostBytes) {
      await reader.cancel();
      return null;
    }
    pieces.push(next.value);
  }
  const whole = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Without a name and a password that may be in it. */
export function shownAddress(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
}
