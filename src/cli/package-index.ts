/**
 * Asks an index of Python packages, and keeps what it said: pages for `--offline`, wheels and metadata for good. What is fetched is
 * data; lengths are bounded while it comes, and hashes hold it to what the index promised.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { readIndexPage, type IndexFile } from "../packages/index-page.ts";

export const DEFAULT_INDEX = "https://pypi.org/simple";
const ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";
const MOST_PAGE_BYTES = 64 << 20;
export const MOST_METADATA_BYTES = 4 << 20;
const MOST_WAIT_MS = 60_000;
/** The strongest first. */
const HASHES = ["sha512", "sha384", "sha256"];

export interface IndexOptions {
  /** Address of its pages, `https://pypi.org/simple`. */
  readonly index: string;
  readonly folder: string;
  readonly isOffline: boolean;
  readonly signal: AbortSignal;
}

export class PackageIndex {
  private readonly options: IndexOptions;
  private readonly pages = new Map<string, Promise<readonly IndexFile[] | null>>();

  constructor(options: IndexOptions) {
    if (!/^https?:\/\//.test(options.index) || !URL.canParse(options.index))
      throw new DiagnosticError(diagnostic("packages_bad_index", { index: shownAddress(options.index) }));
    this.options = options;
  }

  /** Files of a project; null where the index has none. */
  files(name: string): Promise<readonly IndexFile[] | null> {
    const known = this.pages.get(name);
    if (known !== undefined) return known;
    const asked = this.page(name);
    this.pages.set(name, asked);
    return asked;
  }

  private async page(name: string): Promise<readonly IndexFile[] | null> {
    const address = `${this.options.index.replace(/\/+$/, "")}/${name}/`;
    const kept = join(this.options.folder, "index", `${keyOf(address)}.txt`);
    const bytes = this.options.isOffline ? readKept(kept) : await this.ask(address, MOST_PAGE_BYTES);
    if (bytes === null) {
      if (this.options.isOffline) throw new DiagnosticError(diagnostic("packages_offline", { file: name }));
      return null;
    }
    const files = readIndexPage(new TextDecoder().decode(bytes), name, address);
    if (files === null) throw new DiagnosticError(diagnostic("packages_bad_page", { address: shownAddress(address) }));
    if (!this.options.isOffline) keep(kept, bytes);
    return files;
  }

  /** The bytes of a file, as its hash promises; null where it is larger than wanted. */
  async file({ file, url, hashes }: IndexFile, mostBytes: number): Promise<Uint8Array | null> {
    const promised = HASHES.find((one) => hashes[one] !== undefined);
    if (promised === undefined) throw new DiagnosticError(diagnostic("packages_no_hash", { file }));
    const isPromised = (bytes: Uint8Array): boolean =>
      createHash(promised).update(bytes).digest("hex") === hashes[promised]!.toLowerCase();
    const kept = join(this.options.folder, "files", `${keyOf(hashes[promised]!)}.whl`);
    const before = readKept(kept);
    if (before !== null && isPromised(before)) return before;
    if (this.options.isOffline) throw new DiagnosticError(diagnostic("packages_offline", { file }));
    const bytes = await this.ask(url, mostBytes, true);
    if (bytes === null) return null;
    if (!isPromised(bytes)) throw new DiagnosticError(diagnostic("packages_wrong_hash", { file }));
    keep(kept, bytes);
    return bytes;
  }

  /** The metadata that lies beside a file; null where the index has none. */
  async metadata({ url, hasMetadata }: IndexFile): Promise<string | null> {
    if (!hasMetadata) return null;
    const kept = join(this.options.folder, "files", `${keyOf(url)}.metadata`);
    const before = readKept(kept);
    if (before !== null) return new TextDecoder().decode(before);
    if (this.options.isOffline) return null;
    const bytes = await this.ask(`${url}.metadata`, MOST_METADATA_BYTES);
    if (bytes !== null) keep(kept, bytes);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  /** Null for what is not there, or too large where that is asked for. */
  private async ask(address: string, mostBytes: number, nullIfLarge = false): Promise<Uint8Array | null> {
    const url = new URL(address);
    const headers: Record<string, string> = { accept: ACCEPT };
    if (url.username !== "") {
      const word = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      headers["authorization"] = `Basic ${Buffer.from(word).toString("base64")}`;
      url.username = url.password = "";
    }
    const failed = (reason: string): DiagnosticError =>
      new DiagnosticError(diagnostic("packages_fetch_failed", { address: shownAddress(address), reason }));
    try {
      const signal = AbortSignal.any([this.options.signal, AbortSignal.timeout(MOST_WAIT_MS)]);
      const answer = await fetch(url, { headers, signal });
      if (answer.status === 404) return null;
      if (!answer.ok || answer.body === null) throw failed(`${answer.status} ${answer.statusText}`);
      const pieces: Uint8Array[] = [];
      let total = 0;
      for await (const piece of answer.body) {
        total += piece.length;
        if (total > mostBytes) {
          if (nullIfLarge) return null;
          throw new DiagnosticError(diagnostic("packages_too_large", { file: shownAddress(address), mostBytes }));
        }
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    } catch (error) {
      if (error instanceof DiagnosticError) throw error;
      const { message, cause } = error as Error & { cause?: unknown };
      throw failed(cause instanceof Error ? cause.message : message);
    }
  }
}

/** Without a name and a password that may be in it. */
export function shownAddress(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
}

const keyOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function readKept(path: string): Uint8Array | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null;
}

/** Whole or not at all: several processes may keep the same. */
function keep(path: string, bytes: Uint8Array): void {
  mkdirSync(join(path, ".."), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, bytes);
  renameSync(part, path);
}
