/**
 * Asks a hub of models for one repository: which files it has, and those that say what a model is. Weights are never fetched. What comes
 * is data; names and lengths are held to bounds, and the token is sent to the hub alone (a fetch that is sent elsewhere drops it).
 */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { bounded, reasonOf, shownAddress, type Ask } from "./index-client.ts";

export const DEFAULT_HUB = "https://huggingface.co";

/** What says what a model is: configurations, vocabularies, templates, and code that is run inside the sandbox alone. */
const WANTED = /\.(?:json|jinja|txt|model|py|yaml)$/;
/** Beside them in some repositories: what training wrote, and texts for readers. */
const LEFT_OUT = /(?:^|\/)(?:trainer_state|training_args|optimizer|README|LICENSE|NOTICE)[^/]*$/i;
/** `unet/config.json` is a part of a pipeline; what lies deeper is a checkpoint's. */
const DEEPEST = 2;
const MOST_FILES = 200;
const MOST_FILE_BYTES = 32 << 20;
const MOST_BYTES = 128 << 20;
const MOST_ANSWER_BYTES = 16 << 20;
const MOST_WAIT_MS = 60_000;

const ID = /^[\w.-]{1,96}\/[\w.-]{1,96}$/;
const COMMIT = /^[0-9a-f]{40,64}$/;
const PART = /^[^/\\\0:]{1,200}$/;

export interface HubOptions {
  readonly hub: string;
  /** Null: only what is open to everybody. */
  readonly token: string | null;
  readonly signal: AbortSignal;
  /** By default the host's own. */
  readonly ask?: Ask;
}

export interface HubModel {
  readonly commit: string;
  /** By path, with slashes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Bytes of all weights, which stay where they are. */
  readonly weightsBytes: number;
}

const isPlain = (path: string): boolean =>
  path.split("/").every((part) => PART.test(part) && part !== "." && part !== "..");

/** Whether a text can be an id; models of early days have no owner. */
export const isModelId = (text: string): boolean => ID.test(text) && isPlain(text);

const isWanted = (path: string): boolean =>
  WANTED.test(path) && !LEFT_OUT.test(path) && path.split("/").length <= DEEPEST && isPlain(path);

const refused = (code: string, args: Record<string, string | number>): DiagnosticError =>
  new DiagnosticError(diagnostic(code, args));

/** @throws {DiagnosticError} in one line, and nothing was kept */
export async function fetchModel(id: string, revision: string, options: HubOptions): Promise<HubModel> {
  const hub = options.hub.replace(/\/+$/, "");
  if (!/^https?:\/\//.test(hub) || !URL.canParse(hub)) throw refused("models_bad_hub", { hub: shownAddress(hub) });
  const about = `${hub}/api/models/${id}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const { sha, siblings } = await listed(about, id, options);
  const weights = siblings.filter(({ path }) => /\.(?:safetensors|bin|pt|pth|gguf)$/.test(path));
  const wanted = siblings.filter(({ path }) => isWanted(path)).slice(0, MOST_FILES);
  const files = new Map<string, Uint8Array>();
  let left = MOST_BYTES;
  for (const { path, bytes: said } of wanted) {
    if (said > Math.min(MOST_FILE_BYTES, left)) continue;
    const at = `${hub}/${id}/resolve/${sha}/${path.split("/").map(encodeURIComponent).join("/")}`;
    const bytes = await asked(at, id, Math.min(MOST_FILE_BYTES, left), options);
    left -= bytes.length;
    files.set(path, bytes);
  }
  if (files.size === 0) throw refused("models_no_files", { model: id });
  return { commit: sha, files, weightsBytes: weights.reduce((sum, { bytes }) => sum + bytes, 0) };
}

interface Listed {
  readonly sha: string;
  readonly siblings: readonly { readonly path: string; readonly bytes: number }[];
}

async function listed(address: string, id: string, options: HubOptions): Promise<Listed> {
  const text = new TextDecoder().decode(await asked(address, id, MOST_ANSWER_BYTES, options));
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    said = null;
  }
  const { sha, siblings } = (said ?? {}) as { readonly sha?: unknown; readonly siblings?: unknown };
  if (typeof sha !== "string" || !COMMIT.test(sha) || !Array.isArray(siblings))
    throw refused("models_bad_answer", { address: shownAddress(address) });
  return {
    sha,
    siblings: siblings.flatMap((one: { readonly rfilename?: unknown; readonly size?: unknown } | null) =>
      typeof one?.rfilename === "string"
        ? [{ path: one.rfilename, bytes: typeof one.size === "number" && one.size > 0 ? one.size : 0 }]
        : [],
    ),
  };
}

/** Why a hub says no, by the status of its answer. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: "models_not_open",
  403: "models_not_open",
  404: "models_not_there",
};

async function asked(
  address: string,
  id: string,
  mostBytes: number,
  { token, signal, ask = fetch }: HubOptions,
): Promise<Uint8Array> {
  const failed = (reason: string): DiagnosticError =>
    refused("models_fetch_failed", { address: shownAddress(address), reason });
  try {
    const answer = await ask(new URL(address), {
      headers: { accept: "*/*", ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(MOST_WAIT_MS)]),
    });
    const code = REFUSALS[answer.status];
    if (code !== undefined) throw refused(code, { model: id, hub: shownAddress(new URL(address).origin) });
    if (!answer.ok || answer.body === null) throw failed(`${answer.status} ${answer.statusText}`);
    const bytes = await bounded(answer.body, mostBytes);
    if (bytes === null) throw refused("models_too_large", { address: shownAddress(address), mostBytes });
    return bytes;
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    throw failed(reasonOf(error));
  }
}
